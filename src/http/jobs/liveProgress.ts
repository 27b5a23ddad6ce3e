import type { LiveProgress } from '../../domain/job/liveProgress.ts';
import type { JobDocument } from '../../projections/jobs.ts';

/** A job with its live figures while pages are being read; after that, the log has them. */
export function withProgress<Row extends { readonly id: string; readonly data: object | null }>(
  row: Row,
  live: LiveProgress | undefined,
): Row {
  const tick = live?.of(row.id);
  if (!tick || row.data === null) return row;
  const { pagesDone, pagesKnown, maxPages, stages, finished } = row.data as JobDocument;
  if (finished || stages.crawl?.endedAt !== null) return row;
  const data = {
    ...row.data,
    pagesDone: Math.max(pagesDone, tick.pagesDone),
    pagesKnown: Math.max(pagesKnown, Math.min(tick.pagesKnown, maxPages)),
  };
  return { ...row, data };
}
