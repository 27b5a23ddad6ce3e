/**
 * An audit of a slow site does not keep its slot while others wait: what its crawl has received is saved, and the audit
 * continues with another slot, without requesting it again.
 */
import { setMaxListeners } from 'node:events';
import type { KnownAnswer, KnownAnswers } from '../audit/crawl/crawlEnv.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import { MOST_SLOTS_GIVEN_UP } from '../domain/job/job.ts';
import type { Fetcher } from '../model/fetching.ts';
import type { JobRun } from './jobRun.ts';
import type { AnswersSoFar } from './workingData.ts';

/** Thrown by a step once all it has done is saved. */
export class SlotGivenUp extends Error {}

/** A site that has answered nothing for so long is slow, ms. */
const SLOW_MS = 15_000;
const LOOK_EVERY_MS = 1_000;

type Coverage = Crawl['coverage'];

export type Answers = KnownAnswers & {
  readonly soFar: (spentMs: number, crawledMs: number) => AnswersSoFar;
  /** The coverage of the crawl's last part, as one of the whole crawl. */
  readonly wholeOf: (coverage: Coverage) => Coverage;
};

/** Of the parts of the crawl before this one. */
export async function answersSoFar({ job, data, deps }: JobRun): Promise<Answers> {
  const before = job.slotsGivenUp > 0 ? await data.load('answers') : null;
  const known = new Map<string, KnownAnswer>(before?.answers);
  const startedAt = before?.startedAt ?? deps.now();
  const crawledBefore = before?.crawledMs ?? 0;
  return {
    of: (url) => known.get(url),
    keep: (url, answer) => void known.set(url, answer),
    soFar: (spentMs, crawledMs) => ({
      answers: [...known],
      spentMs,
      crawledMs: crawledBefore + crawledMs,
      startedAt,
    }),
    wholeOf: (coverage) =>
      before === null
        ? coverage
        : { ...coverage, startedAt, durationMs: Math.round(crawledBefore) + coverage.durationMs },
  };
}

export type SlowSiteWatch = {
  /** Aborts when the audit should give up its slot, or stops. */
  readonly signal: AbortSignal;
  /** What requests go through while they are watched. */
  readonly fetch: Fetcher;
  readonly stop: () => void;
};

/** The time until the first answer counts from the time at which the audit got its slot. */
export function watchSlowSite({ deps, job, fetch, signal, slotSince }: JobRun): SlowSiteWatch {
  const { isSlotWanted } = deps;
  if (!isSlotWanted || job.slotsGivenUp >= MOST_SLOTS_GIVEN_UP) return { signal, fetch, stop: () => undefined };
  const slow = new AbortController();
  const either = AbortSignal.any([signal, slow.signal]);
  // Every request in progress adds a listener.
  setMaxListeners(0, either);
  let answeredAt = slotSince;
  const watched: Fetcher = async (...request) => {
    const result = await fetch(...request);
    if (result.ok) answeredAt = deps.clock();
    return result;
  };
  let isLooking = false;
  const look = async (): Promise<void> => {
    const isSlow = (): boolean => deps.clock() - answeredAt >= SLOW_MS;
    if (isSlow() && (await isSlotWanted()) && isSlow()) slow.abort(new SlotGivenUp());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // A store that does not answer: it is asked again.
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return { signal: either, fetch: watched, stop: () => clearInterval(timer) };
}
