/**
 * Judges sites in processes of their own: whatever a site's pages are made of, requests are answered meanwhile, and one
 * that takes too much time or memory ends alone.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Assess, Assessment, AssessRun } from '../../audit/assessment.ts';
import { isOutOfMemory, startHelper } from '../../audit/processes/helperProcess.ts';
import type { Rejudge, VerifiedFinding } from '../../audit/verify.ts';
import { createJsonChannel } from './jsonChannel.ts';
import type { Judged, JudgeTask } from './judgeWorker.ts';

/** Judging it needs too much time or memory, and would again. */
export class SiteTooCostly extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SiteTooCostly';
  }
}

export type JudgePool = {
  readonly assess: Assess;
  readonly rejudge: Rejudge;
  readonly close: () => Promise<void>;
};

export type JudgePoolOptions = {
  /** At once; other sites wait. */
  readonly processes: number;
  /** Of each process. */
  readonly memoryMb: number;
  /** How long each may take besides the time of its checks, ms; default 30,000. */
  readonly graceMs?: number;
  /** Module that the processes run; default: the judge. */
  readonly entry?: URL;
  /** Ms, monotonic. */
  readonly now?: () => number;
};

type Whose = Pick<AssessRun, 'signal' | 'owner'>;

/** The checks of the largest ordinary site take seconds. */
const MOST_CHECKS_MS = 60_000;
/** For the score, and the way there and back. */
const GRACE_MS = 30_000;
/** An owner with a site that took so long counts as costly for an hour. */
const COSTLY_MS = 15_000;
const COSTLY_FOR_MS = 60 * 60 * 1000;

export function createJudgePool({
  processes,
  memoryMb,
  graceMs = GRACE_MS,
  entry = workerEntry(),
  now = () => performance.now(),
}: JudgePoolOptions): JudgePool {
  const inTurn = pLimit(processes);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  /** One process is left for others, however many sites an owner has. */
  const most = Math.max(1, processes - 1);
  const owners = new Map<string, LimitFunction>();
  function turnsOf(owner: string): LimitFunction {
    for (const [each, { activeCount, pendingCount }] of owners)
      if (activeCount + pendingCount === 0) owners.delete(each);
    const turns = owners.get(owner) ?? pLimit(most);
    owners.set(owner, turns);
    return turns;
  }

  /** One process is left for others, however many owners are costly. */
  const costlyInTurn = pLimit(most);
  const costlyUntil = new Map<string, number>();
  function isCostly(owner: string): boolean {
    for (const [each, until] of costlyUntil) if (until <= now()) costlyUntil.delete(each);
    return costlyUntil.has(owner);
  }

  async function judge(task: JudgeTask, { signal, owner }: Whose): Promise<unknown> {
    const since = now();
    const signals = [closing.signal, ...(signal ? [signal] : [])];
    for (const each of signals) each.throwIfAborted();
    const child = startHelper(entry, memoryMb);
    const ended = new AbortController();
    signals.push(ended.signal);
    child.on('error', (error) => ended.abort(error));
    const gone = new Promise<void>((resolve) => {
      child.on('exit', (code, killedBy) => {
        ended.abort(
          isOutOfMemory(code, killedBy)
            ? new SiteTooCostly('The checks took too much memory')
            : new Error(`The process of the checks ended with ${killedBy ?? code}`),
        );
        resolve();
      });
    });
    const late = (): void => ended.abort(new SiteTooCostly('The checks took too much time'));
    const timer = setTimeout(late, (task.ms ?? 0) + graceMs);
    try {
      const channel = createJsonChannel(child, AbortSignal.any(signals));
      await channel.send(task);
      const judged = (await channel.receive()) as Judged;
      if ('failed' in judged) throw new Error(judged.failed);
      return judged.result;
    } catch (error) {
      throw signals.find(({ aborted }) => aborted)?.reason ?? error;
    } finally {
      clearTimeout(timer);
      if (owner !== undefined && now() - since >= COSTLY_MS) costlyUntil.set(owner, now() + COSTLY_FOR_MS);
      if (child.kill('SIGKILL')) await gone;
    }
  }

  function queued(task: JudgeTask, whose: Whose): Promise<unknown> {
    const { owner } = whose;
    const run = (): Promise<unknown> => inTurn(() => judge(task, whose));
    const inOwnTurn = (mine: string): Promise<unknown> =>
      turnsOf(mine)(() => (isCostly(mine) ? costlyInTurn(run) : run()));
    const judged = (owner === undefined ? run() : inOwnTurn(owner)).finally(() => running.delete(judged));
    running.add(judged);
    return judged;
  }

  return {
    assess: async (crawl, { ms, siteBytes, ...whose }) => {
      const limits = { ms: Math.min(ms ?? MOST_CHECKS_MS, MOST_CHECKS_MS), ...bytesOf(siteBytes) };
      return (await queued({ crawl, ...limits }, whose)) as Assessment;
    },
    rejudge: async (toVerify, crawl, { siteBytes, ...whose }) =>
      (await queued({ crawl, toVerify, ...bytesOf(siteBytes) }, whose)) as readonly VerifiedFinding[],
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
