import {
  type EventExportCommand,
  type EventExportState,
  eventExportDecider,
} from '../../domain/eventExport/eventExport.ts';
import { eventExportStream } from '../../domain/eventExport/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

/** Called before the first event of an export is sent. */
export async function recordEventExport(ctx: CommandContext, made: EventExportCommand['made']): Promise<void> {
  const command = { type: 'RecordEventExport', made, at: ctx.now() } as const;
  await handle(ctx, eventExportDecider, eventExportStream(made.exportId), command);
}

/** Null: there is no such export. */
export async function eventExportOf(store: EventStore, exportId: string): Promise<EventExportState> {
  return (await loadState(store, eventExportDecider, eventExportStream(exportId))).state;
}
