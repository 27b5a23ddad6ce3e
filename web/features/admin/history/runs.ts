/** Groups events that say little individually into one expandable row. */
import type { HistoryEventView } from '../../../../src/http/contract/admin/history.ts';

export type TimelineRow =
  | { readonly kind: 'event'; readonly key: string; readonly event: HistoryEventView }
  /** In display order. */
  | { readonly kind: 'run'; readonly key: string; readonly events: readonly HistoryEventView[] };

/** Event types that come in large numbers: progress, parts, visits. */
const IN_NUMBERS = new Set([
  'JobProgressed',
  'JobStepStarted',
  'CrawlPartRecorded',
  'ReportPartWritten',
  'ReportRowsWritten',
  'ShareViewed',
  'SharePreviewViewed',
  'ShareSignUpClicked',
  'ApiKeyUsed',
  'SessionRefreshed',
  'SubscriptionSynced',
  'WebhookTryStarted',
  'WebhookTried',
]);
const LEAST = 3;

/** `opened`: numbers of events whose group is expanded. */
export function timelineRows(events: readonly HistoryEventView[], opened: ReadonlySet<number>): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  for (let at = 0; at < events.length; ) {
    const run = runAt(events, at);
    const [first] = run;
    if (!first) break;
    if (run.length >= LEAST && !run.some(({ revision }) => opened.has(revision)))
      rows.push({ kind: 'run', key: `run-${first.revision}`, events: run });
    else for (const event of run) rows.push({ kind: 'event', key: `event-${event.revision}`, event });
    at += run.length;
  }
  return rows;
}

function runAt(events: readonly HistoryEventView[], from: number): readonly HistoryEventView[] {
  const first = events[from];
  if (!first) return [];
  if (!IN_NUMBERS.has(first.type)) return [first];
  let to = from + 1;
  while (events[to]?.type === first.type) to += 1;
  return events.slice(from, to);
}

/** '37 of 37 pages crawled', '12 × Session renewed'. */
export function runWords(events: readonly HistoryEventView[]): string {
  const newest = events.reduce<HistoryEventView | null>(
    (last, event) => (last === null || event.revision > last.revision ? event : last),
    null,
  );
  if (!newest) return '';
  const { pagesDone, pagesKnown, step }: { pagesDone?: unknown; pagesKnown?: unknown; step?: unknown } = newest.data;
  if (newest.type === 'JobProgressed' && typeof pagesDone === 'number' && typeof pagesKnown === 'number')
    return `${pagesDone} of ${pagesKnown} pages ${step === 'crawl' ? 'crawled' : 'done'}`;
  return `${events.length} × ${newest.title}`;
}
