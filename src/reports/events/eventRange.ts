/** Which part of the log an export is of, and how it is read: the same in a terminal and over HTTP. */
import { EVENT_TYPES } from '../../domain/eventTypes.ts';
import type { EventFilter, EventStore, Position, ReadAllOptions, RecordedEvent } from '../../eventStore/eventStore.ts';
import { isDay } from '../params.ts';

/** A time (UTC ISO) or a log position. */
export type Bound = { readonly at: string } | { readonly position: Position };

export type EventRange = {
  /** Up to and including this position. */
  readonly end: Position;
  /** Of these, only events of that time and later. */
  readonly since: string | null;
  /** Of these, only events before that time. */
  readonly before: string | null;
  readonly types: readonly string[] | null;
  /** Prefixes of streams. */
  readonly streams: readonly string[] | null;
};

/** The characters of a day. */
const DAY = 10;

export const BOUND_TEXT =
  'A day (2026-03-01), a time (2026-03-01T12:00:00Z) or a position of the log (00000000000000001200).';

/** From what a user typed; null if it is neither a date, nor a time, nor a position. */
export function boundOf(text: string): Bound | null {
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') };
  // UTC unless a zone is given, as everywhere in the log.
  const utc = /T/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text;
  const time = isDay(text.slice(0, DAY)) && /^.{10}(T.*)?$/.test(text) ? new Date(utc) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : { at: time.toISOString() };
}

/** Nothing lies between them. A time and a position cannot be compared. */
export function isReversed(from: Bound | null, to: Bound | null): boolean {
  if (from === null || to === null) return false;
  if ('at' in from) return 'at' in to && from.at >= to.at;
  return 'position' in to && from.position >= to.position;
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Those that are no types of events. */
export const unknownTypes = (types: readonly string[]): readonly string[] => types.filter((type) => !KNOWN.has(type));

type RangePage = {
  readonly events: readonly RecordedEvent[];
  /** Where to continue. */
  readonly next: Position;
  readonly isEnd: boolean;
};

export async function readRange(
  store: Pick<EventStore, 'readAll'>,
  range: EventRange,
  { after, ...size }: { readonly after: Position } & Pick<ReadAllOptions, 'limit' | 'characters'>,
): Promise<RangePage> {
  const page = await store.readAll({ after, ...size, filter: filterOf(range) });
  const events = page.events.filter((event) => event.position <= range.end && isWithin(event, range));
  return { events, next: page.next, isEnd: page.end || page.next >= range.end };
}

function filterOf({ types, streams }: EventRange): EventFilter {
  return { ...(types ? { types } : {}), ...(streams ? { streamPrefixes: streams } : {}) };
}

const isWithin = ({ metadata: { at } }: RecordedEvent, { since, before }: EventRange): boolean =>
  (since === null || at >= since) && (before === null || at < before);
