/** What an audit says of a crawled site: the checks and the score. */
import { CHECKS } from './checks/index.ts';
import { FINDING_LIMITS, runChecksInSlices } from './checks/runChecks.ts';
import type { Crawl } from './crawl/site.ts';
import { type Judgment, judging } from './judgment.ts';
import { findingsBytes } from './memory.ts';
import { clockOf, inSlices, type Pausable, type SliceClock } from './timeSlices.ts';

/** `cutShort`: time ran out before everything was checked. */
export type Assessment = Judgment & { readonly cutShort: boolean };

export type AssessRun = SliceClock & {
  /** For the checks, ms; then the rest is reported as not checked. Default: no limit. */
  readonly ms?: number;
  readonly signal?: AbortSignal;
  /** What is kept of the site in memory at most; default: `SITE_BYTES`. */
  readonly siteBytes?: number;
  /** Whose site it is: of one owner, not all processes judge sites at once. */
  readonly owner?: string;
};

export type Assess = (crawl: Crawl, run: AssessRun) => Promise<Assessment>;

/**
 * In slices, so that other work proceeds while a large site is checked.
 * @throws the signal's reason when aborted
 */
export async function assess(crawl: Crawl, run: AssessRun): Promise<Assessment> {
  const { now, signal, ms = Number.POSITIVE_INFINITY, siteBytes } = run;
  const endsAt = now() + ms;
  const limits = { ...FINDING_LIMITS, bytes: findingsBytes(siteBytes) };
  const { findings, outcomes, cutShort } = await runChecksInSlices(crawl, { ...run, endsAt }, CHECKS, limits);
  const inTime = <T>(work: Pausable<T>): Promise<T | null> =>
    inSlices(work, clockOf(run), () => signal?.aborted === true);
  const judgment = await inTime(judging(crawl, findings, outcomes));
  if (judgment === null) throw signal?.reason;
  return { ...judgment, cutShort };
}
