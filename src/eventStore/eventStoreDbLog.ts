/** Reading the log in order. */
import type { AllRead, EventFilter, ReadAllOptions, RecordedEvent } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { passes, positionOf, toRecordedEvent, type WireRecord } from './eventStoreDbEvents.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { allRequest, type ReadDirection, serverFilter } from './eventStoreDbRequests.ts';
import { fromPosition, toPosition } from './positions.ts';

export type LogReader = {
  readonly readAll: (options?: ReadAllOptions) => Promise<AllRead>;
  /** The newest position, the server's own events included; 0n in an empty log. */
  readonly head: () => Promise<bigint>;
  /** The first event at or behind `position`, the server's own included; null when there is none. */
  readonly firstFrom: (position: bigint) => Promise<WireRecord | null>;
};

/** `last`: the last event looked at. `more`: there may be others behind it. */
type Page = { readonly events: readonly RecordedEvent[]; readonly last: bigint | null; readonly more: boolean };

const DEFAULT_PAGE = 1_000;
/** A page ends early when its events have so many characters: they may be large. */
const PAGE_CHARACTERS = 8 * 1024 * 1024;
/** So few more events are let come rather than the call broken off. */
const NEAR = 4;
/** How many events the server looks at in one go for those that pass. */
const READ_WINDOW = 1_000;

export function createLogReader(connection: EventStoreDbConnection, patience: Patience): LogReader {
  async function head(): Promise<bigint> {
    return patiently(patience, async () => {
      let newest = 0n;
      for await (const message of connection.read(allRequest('end', 'backward', 1, null, READ_WINDOW))) {
        const record = message.getEvent()?.getEvent();
        if (record !== undefined) newest = positionOf(record);
      }
      return newest;
    });
  }

  async function firstFrom(position: bigint): Promise<WireRecord | null> {
    return patiently(patience, async () => {
      let first: WireRecord | null = null;
      for await (const message of connection.read(allRequest(position, 'forward', 1, null, READ_WINDOW))) first = message.getEvent()?.getEvent() ?? first;
      return first;
    });
  }

  /** Up to `limit` events beyond `after`, and whether more may follow. */
  function page(after: bigint | null, direction: ReadDirection, limit: number, filter: EventFilter | undefined): Promise<Page> {
    const forward = direction === 'forward';
    const place = after === null || (forward && after === 0n) ? (forward ? 'start' : 'end') : after;
    return patiently(patience, async () => {
      const events: RecordedEvent[] = [];
      let last = after;
      let size = 0;
      // One more than asked for tells whether anything is left; another one may be `after` itself.
      let left = limit + 2;
      let isFull = false;
      for await (const message of connection.read(allRequest(place, direction, limit + 2, serverFilter(filter), READ_WINDOW))) {
        const record = message.getEvent()?.getEvent();
        if (record === undefined) continue;
        left -= 1;
        const position = positionOf(record);
        if (after !== null && (forward ? position <= after : position >= after)) continue;
        isFull ||= events.length >= limit || size >= PAGE_CHARACTERS;
        if (isFull && left > NEAR) break;
        if (isFull) continue;
        last = position;
        const event = toRecordedEvent(record);
        if (event === null || !passes(event, filter)) continue;
        events.push(event);
        size += record.getData().length + record.getCustomMetadata().length;
      }
      return { events, last, more: isFull || left <= 0 };
    });
  }

  /** Pages are asked for until there are events enough, or nothing is left: the adapter's part of a filter may hide whole pages. */
  async function pages(after: bigint | null, direction: ReadDirection, limit: number, filter: EventFilter | undefined): Promise<Page> {
    const events: RecordedEvent[] = [];
    let last = after;
    for (;;) {
      const next = await page(last, direction, limit - events.length, filter);
      const stuck = next.last === last;
      events.push(...next.events);
      last = next.last;
      if (!next.more || next.events.length > 0 || stuck) return { events, last, more: next.more };
    }
  }

  async function readAll({ after, direction = 'forward', limit = DEFAULT_PAGE, filter }: ReadAllOptions = {}): Promise<AllRead> {
    const from = after === undefined ? null : fromPosition(after);
    const most = Math.max(0, limit);
    const first = await pages(from, direction, most, filter);
    const next = first.last ?? from ?? 0n;
    if (first.more) return { events: first.events, next: toPosition(next), end: false };
    if (direction === 'backward') return { events: first.events, next: toPosition(0n), end: true };
    // Everything up to the end as it is now has been looked at once the rest up to there has been, too.
    const end = await head();
    if (end <= next) return { events: first.events, next: toPosition(next), end: true };
    const rest = await pages(next, direction, Math.max(0, most - first.events.length), filter);
    const events = [...first.events, ...rest.events];
    if (rest.more) return { events, next: toPosition(rest.last ?? next), end: false };
    const reached = rest.last ?? next;
    return { events, next: toPosition(reached > end ? reached : end), end: true };
  }

  return { readAll, head, firstFrom };
}
