/** The events of some types between two moments, newest first: only the log between them is read. */

import type { EventStore, Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { Between } from './changes.ts';
import type { PageQuery } from './pages.ts';

/**
 * Maximum number of reads per response: rare types are looked for in windows of the log. The cursor continues from
 * there.
 */
const MOST_READS = 20;

type ChangesPage = { readonly events: readonly RecordedEvent[]; readonly cursor: Position | null };

/** Fewer events than the limit, even none, may come with a cursor. */
export async function changesOf(
  store: Pick<EventStore, 'readAll'>,
  { from, to }: Between,
  { types, limit, cursor }: PageQuery & { readonly types: readonly string[] },
  signal: AbortSignal,
): Promise<ChangesPage> {
  const events: RecordedEvent[] = [];
  const pace = createPace('request');
  let after = cursor ?? to.next;
  for (let reads = 0; reads < MOST_READS && events.length < limit; reads += 1) {
    signal.throwIfAborted();
    const page = await store.readAll({
      ...(after === null ? {} : { after }),
      direction: 'backward',
      limit: limit - events.length,
      filter: { types },
    });
    const between = page.events.filter(({ position }) => position > from.position && position <= to.position);
    events.push(...between);
    if (page.end || page.next <= from.position || page.events.some(({ position }) => position <= from.position))
      return { events, cursor: null };
    after = page.next;
    await pace.pass();
  }
  return { events, cursor: after };
}
