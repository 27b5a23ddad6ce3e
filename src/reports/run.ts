/** Runs reports: folds the log, page by page, into a state that tables are made of. Holds no more than that state and one page. */
import { type EventStore, type Position, type RecordedEvent, START } from '../eventStore/eventStore.ts';
import type { ReportTable } from '../model/reports.ts';
import { type AskedParams, isDay, paramsOf } from './params.ts';
import type { AnyReport } from './report.ts';

/** As of when: a time (UTC ISO), or a position of the log; what came later is left out. Null: now, whenever that is. */
export type Until = { readonly at: string } | { readonly position: Position } | null;

/** How far a report has been folded. It is read on from there: the state is changed in place. */
export type Folded = {
  readonly report: AnyReport;
  readonly until: Until;
  state: unknown;
  /** All up to here is in the state. */
  position: Position;
  events: number;
  /** Events whose data cannot be relied on, which are left out. */
  unreadable: number;
  /** The time of the newest event in the state; null: there is none. */
  newest: string | null;
  /** The one that was folded last; null: there is none. */
  last: RecordedEvent | null;
  /** Nothing that is read on can change the state any more. */
  whole: boolean;
  /** Tables that were made of so many events, by what was asked, the last ones. */
  readonly made: Map<string, { readonly events: number; readonly tables: readonly ReportTable[] }>;
};

/** `done`: 0 to 1. `secondsLeft`: at the pace so far; null before anything can be said. */
export type RunProgress = { readonly done: number; readonly events: number; readonly secondsLeft: number | null };

export type RunOptions = {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly signal?: AbortSignal;
  /** After each page. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
};

const PAGE = 1_000;
/** Different questions whose tables are kept of one report. */
const TABLES_KEPT = 4;
/** How long others of this process wait for their turn, ms. */
const SLICE_MS = 12;
/** Before that nothing is said of the time that is left: the first pages warm up. */
const PACE_AFTER_MS = 1_000;
/**
 * Who writes to the log has clocks that differ a little, so events are not quite in the order of their times. Of a past moment, the log is read on so far
 * beyond it.
 */
const CLOCKS_DIFFER_MS = 60 * 60 * 1_000;

/** Of nothing yet. */
export function unfolded(report: AnyReport, until: Until): Folded {
  return { report, until, state: report.initial(), position: START, events: 0, unreadable: 0, newest: null, last: null, whole: false, made: new Map() };
}

/**
 * Folds on to the end of the log, or to the moment that is asked for. When it is aborted, what was folded so far stays, and it can be called again.
 * @throws the signal's reason; what the store throws
 */
export function foldOn(folded: Folded, options: RunOptions): Promise<void> {
  return foldSideBySide([folded], options);
}

/** The same for several at once, with one reading: they stand at the same position, and are of the same moment. */
export async function foldSideBySide(all: readonly Folded[], { store, signal, onProgress, clock = () => performance.now() }: RunOptions): Promise<void> {
  const isWhole = (): boolean => all.every(({ whole }) => whole);
  if (isWhole()) return;
  let position = startOf(all);
  const end = await store.head();
  const types = [...new Set(all.flatMap(({ report }) => report.types))];
  const folds = all.map((folded) => ({ folded, own: new Set(folded.report.types) }));
  const pace = createPace(position, end, clock);
  let sliceEnds = clock() + SLICE_MS;
  while (!isWhole()) {
    signal?.throwIfAborted();
    const page = await store.readAll({ after: position, limit: PAGE, filter: { types } });
    position = page.next;
    for (const { folded, own } of folds) {
      if (folded.whole) continue;
      foldPage(folded, own.size === types.length ? page.events : page.events.filter(({ type }) => own.has(type)));
      folded.position = position;
    }
    onProgress?.(pace(position, isWhole(), page.events.length));
    if (page.end || page.next >= end) break;
    if (clock() < sliceEnds) continue;
    await new Promise(setImmediate);
    sliceEnds = clock() + SLICE_MS;
  }
}

function startOf(all: readonly Folded[]): Position {
  const [first, ...others] = all.filter(({ whole }) => !whole);
  if (!first) return START;
  if (others.some(({ position, until }) => position !== first.position || JSON.stringify(until) !== JSON.stringify(first.until)))
    throw new Error('Reports that are folded side by side stand at the same position, and are of the same moment.');
  return first.position;
}

type Events = Awaited<ReturnType<EventStore['readAll']>>['events'];

function foldPage(folded: Folded, events: Events): void {
  const { report, until } = folded;
  const [last, lastPosition] = [until && 'at' in until ? until.at : null, until && 'position' in until ? until.position : null];
  const stopsAt = last === null ? null : stopsAfter(last);
  for (const event of events) {
    const { at } = event.metadata;
    if ((stopsAt !== null && at > stopsAt) || (lastPosition !== null && event.position > lastPosition)) {
      folded.whole = true;
      return;
    }
    if (last !== null && at > last) continue;
    if (event.unreadable !== undefined) {
      folded.unreadable += 1;
      continue;
    }
    folded.state = report.evolve(folded.state, event);
    folded.events += 1;
    folded.last = event;
    if (folded.newest === null || at > folded.newest) folded.newest = at;
  }
}

/** Times beyond the year 9999 do not sort as text: there is nothing behind them to read on for. */
function stopsAfter(at: string): string {
  const later = new Date(Date.parse(at) + CLOCKS_DIFFER_MS).toISOString();
  return later > at ? later : at;
}

/** How far it is by position; of a past moment it may be there sooner. */
function createPace(start: Position, end: Position, clock: () => number): (position: Position, isWhole: boolean, events: number) => RunProgress {
  const [from, to, begun] = [Number(start), Number(end), clock()];
  let events = 0;
  return (position, isWhole, more) => {
    events += more;
    const done = isWhole || to <= from ? 1 : Math.min(1, (Number(position) - from) / (to - from));
    const spent = clock() - begun;
    const secondsLeft = done >= 1 ? 0 : spent < PACE_AFTER_MS || done === 0 ? null : Math.ceil((spent * (1 - done)) / done / 1_000);
    return { done, events, secondsLeft };
  };
}

export type ReportResult = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly params: AskedParams;
  /** UTC ISO: what happened until then is in it. */
  readonly asOf: string;
  readonly events: number;
  readonly tables: readonly ReportTable[];
  /** What somebody has to know of all of it; null: nothing. */
  readonly note: string | null;
};

/** `now`: UTC ISO, of what was folded up to now. */
export function resultOf(folded: Folded, params: AskedParams, now: string): ReportResult {
  const { report, until, newest, events, unreadable } = folded;
  // Of what is still to come nothing is known: a moment ahead is now.
  const asOf = until === null ? now : 'position' in until ? (newest ?? now) : until.at < now ? until.at : now;
  const { name, title, description } = report;
  const tables = tablesOf(folded, params, asOf);
  const left =
    unreadable === 1 ? '1 event of the log could not be read and is left out.' : `${unreadable} events of the log could not be read and are left out.`;
  return { name, title, description, params, asOf, events, tables, note: unreadable === 0 ? null : left };
}

/** Of the same state and the same question they are made once. */
function tablesOf({ report, state, events, made }: Folded, params: AskedParams, asOf: string): readonly ReportTable[] {
  const { from, to, by } = params;
  const question = JSON.stringify([from, to, by, asOf.slice(0, 'YYYY-MM-DD'.length)]);
  const found = made.get(question);
  if (found?.events === events) return found.tables;
  const tables = report.tables(state, { ...paramsOf(params), asOf });
  made.delete(question);
  made.set(question, { events, tables });
  for (const oldest of [...made.keys()].slice(0, -TABLES_KEPT)) made.delete(oldest);
  return tables;
}

/** How a moment is typed: a day (its end is meant), a UTC ISO time, or a position of the log. Null: it is none of them. */
export function untilOf(text: string): Until {
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') };
  if (isDay(text)) return { at: `${text}T23:59:59.999Z` };
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : { at: new Date(time).toISOString() };
}
