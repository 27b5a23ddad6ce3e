/**
 * Live progress of running audits, from the workers to the pages that show it: within a process, or among all processes
 * of an installation.
 */
import type { Logger } from 'pino';
import * as z from 'zod';
import type { LiveProgress, ProgressTick } from '../domain/job/liveProgress.ts';
import type { Presence } from '../readModels/presence.ts';
import type { Config } from './config.ts';
import { sleep } from './sleep.ts';

/** How often what other processes reported is read, ms. */
const EVERY_MS = 1_000;
/**
 * A figure this old comes from a worker that was killed, and is no longer shown. Leaves room for clocks that differ.
 */
const SHOWN_MS = 5 * 60 * 1_000;
const MOST_AUDITS = 1_000;

const Counts = z.object({ pagesDone: z.int(), pagesKnown: z.int() });

/** For a process that does everything itself. */
export function createLiveProgress(): LiveProgress {
  const latest = new Map<string, ProgressTick>();
  const listeners = new Set<(tick: ProgressTick) => void>();
  return {
    report(tick) {
      latest.set(tick.jobId, tick);
      for (const listener of listeners) listener(tick);
    },
    end: (jobId) => void latest.delete(jobId),
    of: (jobId) => latest.get(jobId) ?? null,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type SharedProgressDeps = {
  readonly presence: Pick<Presence, 'note' | 'list' | 'remove'>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly log: Pick<Logger, 'warn'>;
};

export type SharedProgress = LiveProgress & {
  /** Reads what other processes reported, once. */
  refresh(): Promise<void>;
  /** Resolves when everything reported so far has been written. */
  settled(): Promise<void>;
};

/** For several processes: one small document per running audit beside the claims, written at the pace of `report`. */
export function shareProgress({ presence, now, log }: SharedProgressDeps): SharedProgress {
  const local = createLiveProgress();
  /** Audits of this process, each with its last write. */
  const own = new Map<string, Promise<void>>();
  let others: ReadonlySet<string> = new Set();

  /** One write after another, so that the removal comes last. */
  function write(jobId: string, work: () => Promise<void>): Promise<void> {
    const written = (own.get(jobId) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.warn({ err: error, jobId }, 'live progress was not published'));
    own.set(jobId, written);
    return written;
  }

  return {
    ...local,
    report(tick) {
      local.report(tick);
      const { jobId, pagesDone, pagesKnown } = tick;
      void write(jobId, () =>
        presence.note('audit', { id: jobId, at: now(), value: JSON.stringify({ pagesDone, pagesKnown }) }),
      );
    },
    end(jobId) {
      local.end(jobId);
      if (!own.has(jobId)) return;
      const removed = write(jobId, () => presence.remove('audit', jobId));
      void removed.then(() => {
        if (own.get(jobId) === removed) own.delete(jobId);
      });
    },
    async refresh() {
      const since = new Date(Date.parse(now()) - SHOWN_MS).toISOString();
      const seen = (await presence.list('audit', { since, limit: MOST_AUDITS })).filter(({ id }) => !own.has(id));
      const ids = new Set(seen.map(({ id }) => id));
      for (const jobId of others) if (!ids.has(jobId) && !own.has(jobId)) local.end(jobId);
      others = ids;
      for (const { id: jobId, value } of seen) {
        const counts = read(value);
        const last = local.of(jobId);
        if (counts && (last?.pagesDone !== counts.pagesDone || last.pagesKnown !== counts.pagesKnown))
          local.report({ jobId, ...counts });
      }
    },
    settled: async () => void (await Promise.all(own.values())),
  };
}

/** Null for the format of another version. */
function read(value: string): z.infer<typeof Counts> | null {
  try {
    return Counts.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}

/** What the processes of this configuration need: one that has the stores for itself keeps its progress in memory. */
export function openProgress(
  config: Pick<Config, 'ROLE' | 'servers'>,
  deps: SharedProgressDeps,
): { readonly liveProgress: LiveProgress; close(): Promise<void> } {
  if (!config.servers) return { liveProgress: createLiveProgress(), close: async () => undefined };
  const liveProgress = shareProgress(deps);
  const closing = new AbortController();
  const servesPages = config.ROLE === 'all' || config.ROLE === 'http';
  const following = servesPages ? followProgress(liveProgress, closing.signal, deps.log) : Promise.resolve();
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([following, liveProgress.settled()]);
  };
  return { liveProgress, close };
}

/** Until the signal aborts. Never rejects. */
async function followProgress(
  progress: SharedProgress,
  signal: AbortSignal,
  log: SharedProgressDeps['log'],
): Promise<void> {
  let unavailable = false;
  while (!signal.aborted) {
    try {
      await progress.refresh();
      unavailable = false;
    } catch (error) {
      if (!unavailable)
        log.warn({ err: error }, 'the progress of audits in other processes could not be read; retrying');
      unavailable = true;
    }
    await sleep(EVERY_MS, signal);
  }
}
