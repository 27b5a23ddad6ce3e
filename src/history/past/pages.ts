/**
 * Past lists: what an event of one type brought into being, newest first. Nothing is replayed: each row of a page is
 * folded from its own streams.
 */

import { type EventOf, type EventType, eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { Moment } from './moment.ts';

export type ListDeps = { readonly store: EventStore; readonly moment: Moment; readonly signal: AbortSignal };

export type PageThen<Row> = {
  readonly rows: readonly Row[];
  /** Number of those on this page that have been erased since. */
  readonly erased: number;
  readonly cursor: string | null;
};

export type PageQuery = { readonly limit: number; readonly cursor?: string | undefined };

/**
 * Maximum number of things folded per response, few of which may still exist or match; the cursor continues from there.
 */
export const MAX_SCANNED = 300;

/** `rowOf`: null for what is not listed. `scanned`, `chunk`: more if most events are skipped without folding. */
export async function pageThen<Type extends EventType, Row>(
  { store, moment, signal }: ListDeps,
  type: Type,
  {
    limit,
    cursor,
    scanned: most = MAX_SCANNED,
    chunk = limit,
  }: PageQuery & { readonly scanned?: number; readonly chunk?: number },
  rowOf: (event: RecordedEvent & EventOf<Type>) => Promise<Row | 'erased' | null>,
): Promise<PageThen<Row>> {
  const rows: Row[] = [];
  let erased = 0;
  const pace = createPace('request');
  let after = cursor ?? moment.next;
  for (let scanned = 0; scanned < most; ) {
    signal.throwIfAborted();
    const page = await store.readAll({
      ...(after === null ? {} : { after }),
      direction: 'backward',
      limit: chunk,
      filter: { types: [type] },
    });
    const events = eventsOf(page.events, type).filter(({ position }) => position <= moment.position);
    const folded = await Promise.all(
      events.map(async (event) => {
        await pace.pass();
        return rowOf(event);
      }),
    );
    for (const [nth, row] of folded.entries()) {
      if (row === 'erased') erased += 1;
      else if (row !== null) rows.push(row);
      const isLast = page.end && nth === events.length - 1;
      if (rows.length === limit) return { rows, erased, cursor: isLast ? null : (events[nth]?.position ?? page.next) };
    }
    if (page.end) return { rows, erased, cursor: null };
    scanned += page.events.length;
    after = page.next;
    await pace.pass();
  }
  return { rows, erased, cursor: after };
}
