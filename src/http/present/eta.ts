/** Remaining time of a job, estimated from its own pace. */
import type { JobDocument } from '../../projections/jobs.ts';
import type { JobView } from '../contract/jobs.ts';

/** Minimum amounts for a meaningful pace. */
const MIN_PAGES = 3;
const MIN_SECONDS = 2;
/** Time after the crawl: as a share of the crawl's estimated total, and at least `least` seconds at the upper end. */
const AFTER_CRAWL = { from: 0.05, to: 0.5, least: 5 };

/**
 * A range in whole seconds, or null if there is no reliable estimate: before the pace is known, and after the crawl,
 * whose duration says little about the steps that follow. The lower end uses the pages known now, the upper end those
 * that may still be found.
 */
export function estimate(job: JobDocument, now: string): JobView['eta'] {
  const crawl = job.stages.crawl;
  if (!crawl || crawl.endedAt !== null || job.pagesDone < MIN_PAGES) return null;
  const elapsed = (Date.parse(now) - Date.parse(crawl.startedAt)) / 1000;
  if (!(elapsed >= MIN_SECONDS)) return null;
  const secondsPerPage = elapsed / job.pagesDone;
  const known = Math.min(job.pagesKnown, job.maxPages);
  // Each page read reveals new ones: while over half of the known pages are unread, the crawl may still reach the job's
  // limit.
  const possible = job.pagesDone * 2 < known ? job.maxPages : Math.min(job.maxPages, Math.ceil(known * 1.25));
  const near = Math.max(0, known - job.pagesDone) * secondsPerPage;
  const far = Math.max(0, possible - job.pagesDone) * secondsPerPage * 1.25;
  const whole = elapsed + near;
  return {
    from: Math.round(near + whole * AFTER_CRAWL.from),
    to: Math.round(far + Math.max(AFTER_CRAWL.least, whole * AFTER_CRAWL.to)),
  };
}
