/**
 * Judges sites in threads of their own: whatever a site's pages are made of, requests are answered meanwhile, and a
 * thread that takes too much time or memory ends alone.
 */
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Assess, Assessment } from '../../audit/assessment.ts';
import { runnable } from '../../audit/facts/parse/runnable.ts';
import type { Rejudge, VerifiedFinding } from '../../audit/verify.ts';
import { createJsonChannel } from './jsonChannel.ts';
import type { JudgeTask } from './judgeWorker.ts';

/** The thread needed too much time or memory, and would again. */
export class SiteTooCostly extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SiteTooCostly';
  }
}

export type JudgeThreads = {
  readonly assess: Assess;
  readonly rejudge: Rejudge;
  readonly close: () => Promise<void>;
};

export type JudgeThreadsOptions = {
  /** At once; other sites wait. */
  readonly threads: number;
  /** Of each thread. */
  readonly memoryMb: number;
  /** How long each thread may take besides the time of its checks, ms; default 30,000. */
  readonly graceMs?: number;
  /** Module that the threads run; default: the judge. */
  readonly entry?: URL;
};

/** The checks of the largest ordinary site take seconds. */
const MOST_CHECKS_MS = 60_000;
/** For the score, and the way there and back. */
const GRACE_MS = 30_000;

export function createJudgeThreads({
  threads,
  memoryMb,
  graceMs = GRACE_MS,
  entry = workerEntry(),
}: JudgeThreadsOptions): JudgeThreads {
  const inTurn = pLimit(threads);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function judge(task: JudgeTask, signal?: AbortSignal): Promise<unknown> {
    const signals = [closing.signal, ...(signal ? [signal] : [])];
    for (const each of signals) each.throwIfAborted();
    const worker = new Worker(runnable(entry), { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    const ended = new AbortController();
    signals.push(ended.signal);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      ended.abort(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new SiteTooCostly('The checks took too much memory') : error,
      ),
    );
    worker.on('exit', (code) => ended.abort(new Error(`The thread of the checks ended with ${code}`)));
    const late = (): void => ended.abort(new SiteTooCostly('The checks took too much time'));
    const timer = setTimeout(late, (task.ms ?? 0) + graceMs);
    try {
      const channel = createJsonChannel(worker, AbortSignal.any(signals));
      await channel.send(task);
      return await channel.receive();
    } catch (error) {
      throw signals.find(({ aborted }) => aborted)?.reason ?? error;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  }

  function queued(task: JudgeTask, signal?: AbortSignal): Promise<unknown> {
    const judged = inTurn(() => judge(task, signal)).finally(() => running.delete(judged));
    running.add(judged);
    return judged;
  }

  return {
    assess: async (crawl, { ms, siteBytes, signal }) => {
      const limits = { ms: Math.min(ms ?? MOST_CHECKS_MS, MOST_CHECKS_MS), ...bytesOf(siteBytes) };
      return (await queued({ crawl, ...limits }, signal)) as Assessment;
    },
    rejudge: async (toVerify, crawl, { siteBytes }) =>
      (await queued({ crawl, toVerify, ...bytesOf(siteBytes) })) as readonly VerifiedFinding[],
    close: async () => {
      closing.abort(new Error('The program is ending'));
      await Promise.allSettled(running);
    },
  };
}

const bytesOf = (siteBytes: number | undefined): { readonly siteBytes?: number } =>
  siteBytes === undefined ? {} : { siteBytes };

function workerEntry(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './judgeWorker.ts' : './judgeWorker.js', import.meta.url);
}
