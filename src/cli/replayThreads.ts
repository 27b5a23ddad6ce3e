/** Folds reports of an embedded log in several threads, each of which reads its part of the file by itself. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { runnable } from '../audit/processes/sourceLoader.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { Folded, RunProgress } from '../reports/run.ts';
import { type FoldedPart, mergeParts, progressOf } from '../reports/state/parts.ts';
import type { PartTask, ThreadMessage } from './replayThread.ts';

/** A shorter log is read before the threads have started. */
const LONG_LOG = 100_000;
/**
 * More threads would take more memory than a report may. Fewer take as long as one: each passes over the whole file to
 * read its part.
 */
const THREADS = 3;
/** Limits for each thread. Young objects are collected early: a fold leaves little behind. */
const YOUNG_MB = 8;
const OLD_MB = 1_024;

/** How many threads it pays to fold a log up to `head` in; 1: none but the present one. */
export function threadsFor(head: Position, cores: number = availableParallelism(), longLog: number = LONG_LOG): number {
  return Number(head) < longLog || cores < THREADS ? 1 : THREADS;
}

export type Threaded = {
  /** A log that is closed, with today's tables. */
  readonly file: string;
  readonly threads: number;
  /** By their names on the command line. */
  readonly reports: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
  /** Called once all threads have the file open. */
  readonly onOpened: () => void;
};

/**
 * Folds all of them from the start, in this order. False if that did not work, for whatever reason; they are then
 * unchanged, and one reading shows why.
 * @throws the signal's reason
 */
export async function foldInThreads(
  all: readonly Folded[],
  { file, threads, reports, signal, onProgress, onOpened }: Threaded,
): Promise<boolean> {
  const until = all[0]?.until ?? null;
  // Without one of them, the others are of no use.
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const progress: RunProgress[] = Array.from({ length: threads }, () => ({ done: 0, events: 0, secondsLeft: null }));
  let opened = 0;
  const fold = (nth: number) =>
    inThread({ file, part: { nth, of: threads }, reports, until }, stopped, (message) => {
      if ('opened' in message) opened += 1;
      if (opened === threads && 'opened' in message) onOpened();
      if (!('progress' in message)) return;
      progress[nth] = message.progress;
      onProgress(progressOf(progress));
    });
  const parts = await Promise.all(progress.map((_, nth) => fold(nth).catch(() => failing.abort())));
  signal.throwIfAborted();
  return parts.every((part) => part !== undefined) && mergeAll(all, parts);
}

/** All or nothing: states are merged in place, and a report may not be mergeable where another is. */
function mergeAll(all: readonly Folded[], parts: readonly (readonly FoldedPart[])[]): boolean {
  const merged = all.map((folded, nth) => {
    const copy = { ...folded };
    return mergeParts(
      copy,
      parts.flatMap((ofPart) => ofPart[nth] ?? []),
    )
      ? copy
      : null;
  });
  if (merged.includes(null)) return false;
  for (const [nth, folded] of all.entries()) Object.assign(folded, merged[nth]);
  return true;
}

async function inThread(
  task: PartTask,
  signal: AbortSignal,
  onMessage: (message: ThreadMessage) => void,
): Promise<readonly FoldedPart[] | undefined> {
  const worker = new Worker(
    runnable(new URL(import.meta.url.endsWith('.ts') ? './replayThread.ts' : './replayThread.js', import.meta.url)),
    {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    },
  );
  let folded: readonly FoldedPart[] | undefined;
  worker.on('message', (message: ThreadMessage) => {
    if ('folded' in message) folded = message.folded;
    else onMessage(message);
  });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    // Rejects with an error that the thread ends with.
    await once(worker, 'exit');
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return folded;
}
