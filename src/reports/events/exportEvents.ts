/**
 * Exports the events of a log to a file, page by page. A progress file next to it records how far the export got, so
 * that one that was interrupted or killed resumes without losing or repeating events.
 */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { type EventStore, type Position, type RecordedEvent, START } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { createAnonymiser } from './anonymise.ts';
import { type Bound, type EventRange, readRange } from './eventRange.ts';
import { type ExportedRow, exportedEvent, exportedRow } from './exportedEvent.ts';
import { EXPORT_FORMATS, type ExportFormat, openTarget, partOf } from './exportTargets.ts';
import { measurePace, type Pace } from './pace.ts';
import type { Pseudonyms } from './pseudonyms.ts';

export type ExportRequest = {
  /** Identifies the log. */
  readonly log: string;
  readonly format: ExportFormat;
  readonly out: string;
  /** From this time on, or after this position. Null: from the start. */
  readonly from: Bound | null;
  /** Before this time, or up to and including this position. Null: everything in the log when the export starts. */
  readonly to: Bound | null;
  readonly types: readonly string[] | null;
  readonly streams: readonly string[] | null;
  readonly pseudonyms: Pseudonyms | null;
};

export type ExportOptions = {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly resume: boolean;
  readonly signal?: AbortSignal;
  /** Called after each page. */
  readonly onProgress?: (progress: Pace) => void;
  /** Monotonic, in ms. */
  readonly clock?: () => number;
  /** UTC ISO. */
  readonly now?: () => string;
  /** Rows per Parquet part. */
  readonly partRows?: number;
};

export type Exported = {
  /** Total, including earlier runs. */
  readonly events: number;
  /** Events whose data could not be read; the data is left out. */
  readonly unreadable: number;
  /**
   * Where the next export goes on: the log position read up to; or the time, if there are later events that this one
   * left out.
   */
  readonly next: string;
};

/** An export that cannot proceed; the message says what to do. */
export class ExportRefused extends Error {}

const PAGE = 1_000;
export const PART_ROWS = 20_000;

const position = z.string().regex(/^\d{20}$/);
const Progress = z.strictObject({
  /** The request, to check that a resumed export is the same one. */
  request: z.string(),
  format: z.enum(EXPORT_FORMATS),
  end: position,
  position,
  next: z.string(),
  /** Size of the file or folder, as returned by `ExportTarget.write`. */
  size: z.int().nonnegative(),
  events: z.int().nonnegative(),
  unreadable: z.int().nonnegative(),
});
type Progress = Readonly<z.infer<typeof Progress>>;

const progressFile = (out: string): string => `${out}.progress.json`;

/**
 * Whether an earlier run finished. One that was killed at the very end may have left its progress file, which is
 * removed.
 */
export function isWhole(out: string): boolean {
  if (!existsSync(out) || existsSync(partOf(out))) return false;
  rmSync(progressFile(out), { force: true });
  return true;
}

/** @throws ExportRefused, the signal's reason, what the store or the file system throws */
export async function exportEvents(request: ExportRequest, options: ExportOptions): Promise<Exported> {
  const { store, signal, onProgress, clock = () => performance.now(), partRows = PART_ROWS } = options;
  const begun = await beginning(request, options);
  const rowOf = rowBy(request.pseudonyms);
  const target = openTarget(request.format, { out: request.out, size: begun.size, partRows });
  const slices = createPace('background');
  const pace = measurePace({ from: begun.position, to: begun.end, clock });
  const range = rangeOf(request, begun.end);
  let { position: after, events, unreadable } = begun;
  try {
    for (let isEnd = after >= begun.end; !isEnd; ) {
      signal?.throwIfAborted();
      const page = await readRange(store, range, { after, limit: PAGE });
      const rows = page.events.map(rowOf);
      after = page.next;
      events += rows.length;
      unreadable += rows.filter(({ version }) => version === 0).length;
      const size = target.write(rows);
      if (size !== null) keep(request.out, { ...begun, position: after, size, events, unreadable });
      onProgress?.(pace(after, events));
      isEnd = page.isEnd;
      await slices.pass();
    }
    target.finish();
    rmSync(progressFile(request.out), { force: true });
    return { events, unreadable, next: begun.next };
  } finally {
    target.close();
  }
}

function rowBy(pseudonyms: Pseudonyms | null): (event: RecordedEvent) => ExportedRow {
  if (!pseudonyms) return (event) => exportedRow(exportedEvent(event));
  const anonymise = createAnonymiser(pseudonyms);
  return (event) => exportedRow(anonymise(exportedEvent(event)));
}

/** Progress of an earlier run, or the start of a new one. */
async function beginning(
  request: ExportRequest,
  { store, resume, now = () => new Date().toISOString() }: ExportOptions,
): Promise<Progress> {
  const { out, format, from, to } = request;
  if (existsSync(out)) throw new ExportRefused(`${out} already exists. Name another, or remove it.`);
  if (!resume && (existsSync(partOf(out)) || existsSync(progressFile(out))))
    throw new ExportRefused(
      `An export to ${out} was interrupted. --resume continues it; to start over, remove ${partOf(out)} and ${progressFile(out)}.`,
    );
  const requested = fingerprint(request);
  const kept = resume ? readProgress(out) : null;
  if (kept === null) {
    const head = await store.head();
    const end = to && 'position' in to && to.position < head ? to.position : head;
    const start = from && 'position' in from ? from.position : START;
    // Of a time that is still to come, nothing is left out yet.
    const next = to && 'at' in to && to.at <= now() ? to.at : end;
    return { request: requested, format, end, position: start, next, size: 0, events: 0, unreadable: 0 };
  }
  if (kept.request !== requested)
    throw new ExportRefused(
      `What was broken off at ${out} is another export: ${kept.request}. Ask for the same, or name another file.`,
    );
  return kept;
}

/** Identifies an export, in human-readable form. */
function fingerprint({ log, format, from, to, types, streams, pseudonyms }: ExportRequest): string {
  return JSON.stringify({ log, format, from, to, types, streams, anonymised: pseudonyms?.fingerprint ?? false });
}

function readProgress(out: string): Progress | null {
  const file = progressFile(out);
  if (!existsSync(file)) return null;
  try {
    return Progress.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new ExportRefused(
      `${file} does not say how far the export came. To begin again, remove it and ${partOf(out)}.`,
    );
  }
}

/** Atomic, even if the process is killed. */
function keep(out: string, progress: Progress): void {
  const file = progressFile(out);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}

function rangeOf({ from, to, types, streams }: ExportRequest, end: Position): EventRange {
  const since = from && 'at' in from ? from.at : null;
  const before = to && 'at' in to ? to.at : null;
  return { end, since, before, types, streams };
}
