/**
 * Runs reports: folds the log, page by page, into a state from which tables are built. Holds only that state and one
 * page.
 */

import {
  type AllRead,
  type EventStore,
  type Position,
  type RecordedEvent,
  type ScannedEvent,
  START,
} from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';
import type { ReportTable } from '../model/reports.ts';
import { isDay, paramsOf, type RequestedParams } from './params.ts';
import type { AnyReport } from './report.ts';

/**
 * The report's cutoff: a time (UTC ISO) or a log position; later events are left out. Null: now, whenever it is run.
 */
export type Until = { readonly at: string } | { readonly position: Position } | null;

/** A partly folded report. Folding continues from here and changes the state in place. */
export type Folded = {
  readonly report: AnyReport;
  readonly until: Until;
  state: unknown;
  /** The state includes everything up to here. */
  position: Position;
  events: number;
  /** Events left out because their data is unreliable. */
  unreadable: number;
  /** Time of the newest event in the state; null if there is none. */
  newest: string | null;
  /**
   * The last event folded; null if there is none. Where the log is read without parts of its events: as of the end of
   * the run.
   */
  last: RecordedEvent | null;
  /**
   * Where the last event folded is: its position, and one after which it is the first of its report. Null: none has
   * been read yet.
   */
  lastAt: { readonly position: Position; readonly after: Position } | null;
  /** Position of the last event that counts, readable or not; START if there is none. */
  countsTo: Position;
  /** Position of the event that ended it: no later event can change the state. Null: there was none yet. */
  endedAt: Position | null;
  /** Cached tables for the latest requests, each with the number of events it was built from. */
  readonly made: Map<string, { readonly events: number; readonly tables: readonly ReportTable[] }>;
};

/** `done`: 0 to 1. `secondsLeft`: estimated at the current pace; null while there is no estimate yet. */
export type RunProgress = { readonly done: number; readonly events: number; readonly secondsLeft: number | null };

export type RunOptions = {
  readonly store: Pick<EventStore, 'readAll' | 'scan' | 'head'>;
  readonly signal?: AbortSignal;
  /** Called after each page. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Monotonic, in ms. */
  readonly clock?: () => number;
};

const PAGE = 1_000;
/** Number of different requests whose tables are cached per report. */
const TABLES_KEPT = 4;
/** No estimate of the time left before this time, in ms: the first pages are warm-up. */
const PACE_AFTER_MS = 1_000;
/**
 * Clocks of the processes that write to the log differ slightly, so events are not quite in order of time. For a past
 * moment, the log is read this much beyond it, in ms.
 */
const CLOCKS_DIFFER_MS = 60 * 60 * 1_000;

/** The empty starting state. */
export function unfolded(report: AnyReport, until: Until): Folded {
  const nothing = {
    position: START,
    events: 0,
    unreadable: 0,
    newest: null,
    last: null,
    lastAt: null,
    countsTo: START,
    endedAt: null,
  };
  return { report, until, state: report.initial(), ...nothing, made: new Map() };
}

/**
 * Folds up to the end of the log or the requested moment. If aborted, keeps what it has folded, and can be called
 * again.
 * @throws the signal's reason, or what the store throws
 */
export function foldOn(folded: Folded, options: RunOptions): Promise<void> {
  return foldSideBySide([folded], options);
}

/** Like `foldOn` for several reports in a single read; all must be at the same position and have the same cutoff. */
export async function foldSideBySide(
  all: readonly Folded[],
  { store, signal, onProgress, clock = () => performance.now() }: RunOptions,
): Promise<void> {
  const isWhole = (): boolean => all.every(({ endedAt }) => endedAt !== null);
  if (isWhole()) return;
  let position = startOf(all);
  const end = await store.head();
  const types = [...new Set(all.flatMap(({ report }) => report.types))];
  const folds = all.map((folded) => ({ folded, own: new Set(folded.report.types) }));
  const pace = measurePace(position, end, clock);
  const isLean = store.scan !== undefined && all.every(({ report }) => report.lean);
  const slices = createPace('background');
  while (!isWhole()) {
    signal?.throwIfAborted();
    const wanted = { after: position, limit: PAGE, filter: { types } };
    const page: AllRead<RecordedEvent | ScannedEvent> =
      (isLean && (await store.scan?.(wanted))) || (await store.readAll(wanted));
    const before = position;
    position = page.next;
    for (const { folded, own } of folds) {
      if (folded.endedAt !== null) continue;
      foldPage(
        folded,
        before,
        own.size === types.length ? page.events : page.events.filter(({ type }) => own.has(type)),
      );
      folded.position = position;
    }
    onProgress?.(pace(position, isWhole(), page.events.length));
    if (page.end || page.next >= end) break;
    await slices.pass();
  }
  if (isLean) for (const folded of all) if (isSaved(folded)) folded.last = await lastOf(folded, store);
}

/** Only a state that may be saved needs the whole of its last event. */
const isSaved = ({ report, until, lastAt }: Folded): boolean =>
  report.version !== undefined && until === null && lastAt !== null;

/** Null if it has been erased in the meantime. */
async function lastOf({ report, last, lastAt }: Folded, store: RunOptions['store']): Promise<RecordedEvent | null> {
  if (lastAt === null || last?.position === lastAt.position) return last;
  const { events } = await store.readAll({ after: lastAt.after, limit: 1, filter: { types: report.types } });
  return events[0]?.position === lastAt.position ? events[0] : null;
}

function startOf(all: readonly Folded[]): Position {
  const [first, ...others] = all.filter(({ endedAt }) => endedAt === null);
  if (!first) return START;
  if (
    others.some(
      ({ position, until }) => position !== first.position || JSON.stringify(until) !== JSON.stringify(first.until),
    )
  )
    throw new Error('Reports that are folded side by side stand at the same position, and are of the same moment.');
  return first.position;
}

/** `start`: the position after which the page was read. */
function foldPage(folded: Folded, start: Position, events: readonly (RecordedEvent | ScannedEvent)[]): void {
  const { report, until } = folded;
  const [last, lastPosition] = [
    until && 'at' in until ? until.at : null,
    until && 'position' in until ? until.position : null,
  ];
  const stopsAt = last === null ? null : stopsAfter(last);
  let before = start;
  let lastAt = folded.lastAt;
  for (const event of events) {
    const { at } = event.metadata;
    const after = before;
    before = event.position;
    if ((stopsAt !== null && at > stopsAt) || (lastPosition !== null && event.position > lastPosition)) {
      folded.endedAt = event.position;
      break;
    }
    if (last !== null && at > last) continue;
    folded.countsTo = event.position;
    if (event.unreadable !== undefined) {
      folded.unreadable += 1;
      continue;
    }
    // A lean report gets less of it and uses no more.
    folded.state = report.evolve(folded.state, event as RecordedEvent);
    folded.events += 1;
    if ('id' in event) folded.last = event;
    lastAt = { position: event.position, after };
    if (folded.newest === null || at > folded.newest) folded.newest = at;
  }
  folded.lastAt = lastAt;
}

/** Times beyond the year 9999 do not sort as text; there is then nothing further to read. */
function stopsAfter(at: string): string {
  const later = new Date(Date.parse(at) + CLOCKS_DIFFER_MS).toISOString();
  return later > at ? later : at;
}

/** Progress by position; for a past moment, it may finish sooner. */
function measurePace(
  start: Position,
  end: Position,
  clock: () => number,
): (position: Position, isWhole: boolean, events: number) => RunProgress {
  const [from, to, begun] = [Number(start), Number(end), clock()];
  let events = 0;
  return (position, isWhole, more) => {
    events += more;
    const done = isWhole || to <= from ? 1 : Math.min(1, (Number(position) - from) / (to - from));
    const spent = clock() - begun;
    const secondsLeft =
      done >= 1 ? 0 : spent < PACE_AFTER_MS || done === 0 ? null : Math.ceil((spent * (1 - done)) / done / 1_000);
    return { done, events, secondsLeft };
  };
}

export type ReportResult = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly params: RequestedParams;
  /** UTC ISO: everything up to then is included. */
  readonly asOf: string;
  readonly events: number;
  readonly tables: readonly ReportTable[];
  /** A note on the whole report, or null. */
  readonly note: string | null;
};

/** `now`: UTC ISO, used as the time of a report without a cutoff. */
export function resultOf(folded: Folded, params: RequestedParams, now: string): ReportResult {
  const { report, until, newest, events, unreadable } = folded;
  // Nothing is known about the future, so a future cutoff means now.
  const asOf = until === null ? now : 'position' in until ? (newest ?? now) : until.at < now ? until.at : now;
  const { name, title, description } = report;
  const tables = tablesOf(folded, params, asOf);
  const left =
    unreadable === 1
      ? '1 event of the log could not be read and is left out.'
      : `${unreadable} events of the log could not be read and are left out.`;
  return { name, title, description, params, asOf, events, tables, note: unreadable === 0 ? null : left };
}

/** Cached for the same state and parameters. */
function tablesOf(
  { report, state, events, made }: Folded,
  params: RequestedParams,
  asOf: string,
): readonly ReportTable[] {
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

/** Parses a moment: a day (meaning its end), a UTC ISO time or a log position. Null if it is none of these. */
export function untilOf(text: string): Until {
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') };
  if (isDay(text)) return { at: `${text}T23:59:59.999Z` };
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : { at: new Date(time).toISOString() };
}
