/**
 * The newest events in memory: subscriptions at the end of the log, of which each commit wakes all, need not ask the
 * database.
 */
import { passes } from '../eventFilter.ts';
import type { EventFilter } from '../eventStore.ts';
import type { EventRow } from './sqliteRows.ts';

export type RecentEvents = {
  /** Positions follow one another. */
  note(row: EventRow): void;
  /** A transaction was rolled back, whose positions are assigned again, or events were removed. */
  forgetAll(): void;
  /** The events in (after, last] that match; null if not all of that range is in memory, or `after` is beyond it. */
  between(after: bigint, last: bigint, filter: EventFilter | undefined): readonly EventRow[] | null;
};

/** A subscription that is further behind reads the log anyway. */
const MOST = 1_000;
/** Of their texts; events may be large. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

export function createRecentEvents(): RecentEvents {
  let rows: EventRow[] = [];
  /** Position of the first of them. */
  let first = 0n;
  let characters = 0;

  function keepLast(count: number): void {
    first += BigInt(rows.length - count);
    rows = count === 0 ? [] : rows.slice(-count);
    characters = rows.reduce((sum, row) => sum + charactersOf(row), 0);
  }

  return {
    note(row) {
      if (row[0] !== first + BigInt(rows.length)) {
        keepLast(0);
        first = row[0];
      }
      rows.push(row);
      characters += charactersOf(row);
      if (rows.length >= 2 * MOST) keepLast(MOST);
      while (characters > MOST_CHARACTERS) keepLast(Math.floor(rows.length / 2));
    },
    forgetAll: () => keepLast(0),
    between(after, last, filter) {
      if (after >= last) return after === last ? [] : null;
      if (after + 1n < first || last >= first + BigInt(rows.length)) return null;
      const found: EventRow[] = [];
      for (let at = Number(after + 1n - first); at <= Number(last - first); at += 1) {
        const row = rows[at] as EventRow;
        if (passes({ type: row[3], stream: row[1] }, filter)) found.push(row);
      }
      return found;
    },
  };
}

const charactersOf = (row: EventRow): number => row[5].length + row[6].length;
