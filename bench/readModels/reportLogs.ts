/** The logs that reports are measured on: ours, and the raw table with the same events. */
import { join } from 'node:path';
import { type EventStore, type Position, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { openRawLog, type RawLog } from '../log/rawLog.ts';
import { timed } from '../measure.ts';
import type { Written } from './everyEvent.ts';

const AT_ONCE = 200;

export async function writeAll(store: EventStore, streams: Iterable<Written>): Promise<void> {
  let pending: Promise<unknown>[] = [];
  for (const { stream, events } of streams) {
    pending.push(store.append(stream, events, { expected: 'no_stream' }));
    if (pending.length < AT_ONCE) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
}

/**
 * Ours is closed, for the process that folds it. The raw log holds the events as they are stored, with their hashes.
 */
export async function writeBoth(
  dir: string,
  name: string,
  streams: Iterable<Written>,
): Promise<{ readonly file: string; readonly raw: RawLog }> {
  const file = join(dir, `${name}-ours.db`);
  const log = openSqliteEventStore({ file });
  // With the version and the hash that every event of the product has.
  await writeAll(withStoredEvents(log), streams);
  const raw = openRawLog(join(dir, `${name}-raw.db`));
  for (let after: Position = START, end = false; !end; ) {
    const page = await log.readAll({ after, limit: 1_000 });
    raw.appendGroup(page.events.map((event) => ({ stream: event.stream, event })));
    ({ next: after, end } = page);
  }
  await log.close();
  return { file, raw };
}

/** Events per second of raw pages and JSON.parse. */
export const rawRate = (raw: RawLog, count: number) => async (): Promise<number> => {
  let read = 0;
  const took = await timed(() => {
    read = raw.replay();
  });
  if (read !== count) throw new Error(`Read ${read} of ${count} raw events.`);
  return (read * 1_000) / took;
};
