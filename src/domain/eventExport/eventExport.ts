/** An export of anonymized events: recorded before its first event is sent, and looked up when it is resumed. */
import type { Decider } from '../decider.ts';
import type { EventExportEvent } from './events.ts';

type Facts = EventExportEvent['data'];

/** Null: there is no such export. */
export type EventExportState = Facts | null;

/** `at` is the time of the command, UTC ISO. */
export type EventExportCommand = {
  readonly type: 'RecordEventExport';
  readonly made: Omit<Facts, 'exportedAt'>;
  readonly at: string;
};

/** How long an export may be resumed. */
const RESUMABLE_MS = 24 * 60 * 60 * 1_000;

/** Whether that export may still be resumed, by this user with this key. */
export function isResumable(
  { exportedAt, ...made }: Facts,
  by: { readonly userId: string; readonly keyId: string | null; readonly at: string },
): boolean {
  const isOwn = made.userId === by.userId && made.keyId === by.keyId;
  return isOwn && Date.parse(by.at) - Date.parse(exportedAt) < RESUMABLE_MS;
}

export const eventExportDecider: Decider<EventExportState, EventExportCommand, EventExportEvent> = {
  initialState: () => null,
  evolve: (_, { data }) => data,
  decide: ({ made, at }, state) => (state ? [] : [{ type: 'EventsExported', data: { ...made, exportedAt: at } }]),
};
