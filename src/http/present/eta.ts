/** How long a job still takes, from its own pace alone. */
import type { JobDocument } from '../../projections/jobs.ts';
import type { JobView } from '../contract/jobs.ts';

/** Below these a pace is an accident. */
const MIN_PAGES = 3;
const MIN_SECONDS = 2;
/** What follows the crawl: from what was seen so far of the crawl's own time, and at least so many seconds at the far end. */
const AFTER_CRAWL = { from: 0.05, to: 0.5, least: 5 };

/**
 * A range in whole seconds, or null while nothing honest can be said: before the pace is known, and after the crawl, whose length says
 * nothing sure about the steps that follow. The near end takes the pages known now, the far end those that may still be found.
 */
export function estimate(job: JobDocument, now: string): JobView['eta'] {
  const crawl = job.stages.crawl;
  if (!crawl || crawl.endedAt !== null || job.pagesDone < MIN_PAGES) return null;
  const elapsed = (Date.parse(now) - Date.parse(crawl.startedAt)) / 1000;
  if (!(elapsed >= MIN_SECONDS)) return null;
  const secondsPerPage = elapsed / job.pagesDone;
  const known = Math.min(job.pagesKnown, job.maxPages);
  // New pages come with each page read: while half of the known ones are unread, the rest of the bound may fill too.
  const possible = job.pagesDone * 2 < known ? job.maxPages : Math.min(job.maxPages, Math.ceil(known * 1.25));
  const near = Math.max(0, known - job.pagesDone) * secondsPerPage;
  const far = Math.max(0, possible - job.pagesDone) * secondsPerPage * 1.25;
  const whole = elapsed + near;
  return { from: Math.round(near + whole * AFTER_CRAWL.from), to: Math.round(far + Math.max(AFTER_CRAWL.least, whole * AFTER_CRAWL.to)) };
}
