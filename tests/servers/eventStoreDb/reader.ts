/** Pages of a stream and of $all: filters, resolved links, and the positions to continue from. */
import type { Resolved } from './conversions.ts';
import type { EventLog } from './log.ts';
import { DELETED, LINK_TYPE, linkTarget, type StoredEvent } from './records.ts';

export type Passes = (event: StoredEvent) => boolean;

export type AllPage = {
  readonly events: readonly Resolved[];
  /** How many events were read, including those that the filter hid. */
  readonly considered: number;
  /** The last event read; undefined when there was none. */
  readonly last?: bigint;
  readonly end: boolean;
};

/** $all after `after`, up to `limit` matching events, reading at most `window`. */
export function pageOfAll(
  log: EventLog,
  after: bigint,
  { limit, window = limit, passes, links }: PageOptions,
): AllPage {
  const from = log.indexFrom(after + 1n);
  const events: StoredEvent[] = [];
  let at = from;
  for (const event of log.slice(from, from + window)) {
    if (events.length >= limit) break;
    at += 1;
    if (!passes || passes(event)) events.push(event);
  }
  const last = log.slice(at - 1, at)[0];
  return {
    events: resolved(log, events, links),
    considered: at - from,
    end: at >= log.size,
    ...(at > from && last && { last: last.position }),
  };
}

/** $all before `before`, the other way round. */
export function pageOfAllBack(
  log: EventLog,
  before: bigint,
  { limit, window = limit, passes, links }: PageOptions,
): AllPage {
  const to = log.indexFrom(before);
  const events: StoredEvent[] = [];
  let at = to;
  for (const event of log.slice(to - window, to).toReversed()) {
    if (events.length >= limit) break;
    at -= 1;
    if (!passes || passes(event)) events.push(event);
  }
  const last = log.slice(at, at + 1)[0];
  return {
    events: resolved(log, events, links),
    considered: to - at,
    end: at <= 0,
    ...(at < to && last && { last: last.position }),
  };
}

type PageOptions = {
  readonly limit: number;
  readonly window?: number;
  readonly passes?: Passes | undefined;
  readonly links: boolean;
};

export type StreamState = 'found' | 'missing' | 'deleted';

export function stateOf(log: EventLog, stream: string): StreamState {
  if (log.isTombstoned(stream)) return 'deleted';
  return log.lastRevision(stream) < 0n || log.isSoftDeleted(stream) ? 'missing' : 'found';
}

export function resolved(log: EventLog, events: readonly StoredEvent[], links: boolean): readonly Resolved[] {
  return events.map((event) => (links ? resolve(log, event) : { event }));
}

/** The target of a link, or only the link when the target is gone. */
export function resolve(log: EventLog, event: StoredEvent): Resolved {
  if (event.type !== LINK_TYPE) return { event };
  const target = linkTarget(event);
  const found = target && stateOf(log, target.stream) === 'found' ? log.at(target.stream, target.revision) : undefined;
  return found ? { event: found, link: event } : { link: event };
}

/** Backward from the newest, whatever its revision. */
export const NEWEST = DELETED - 1n;
