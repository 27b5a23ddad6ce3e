/**
 * Reads a whole log in a process of its own, so that its memory is not that of whoever wrote the log: `replay.ts` asks
 * for it.
 */
import { type Position, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { timed } from '../measure.ts';

/** `log`: its file. */
export type AskedReplay = { readonly log: string };
/** `peak`: resident bytes of the whole process. */
export type Replayed = { readonly events: number; readonly ms: number; readonly peak: number };

process.on('message', async ({ log }: AskedReplay) => {
  const store = openSqliteEventStore({ file: log });
  let events = 0;
  let peak = 0;
  const ms = await timed(async () => {
    for (let after: Position = START; ; ) {
      const page = await store.readAll({ after, limit: 500 });
      events += page.events.length;
      after = page.next;
      peak = Math.max(peak, process.memoryUsage.rss());
      if (page.end) return;
    }
  });
  await store.close();
  process.send?.({ events, ms, peak } satisfies Replayed);
});
