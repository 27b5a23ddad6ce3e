import type { JobEventView } from '../../../../../src/http/contract/admin/jobs.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { exactTime } from '../../../../ui/text/time.ts';
import { AdminAnswer } from '../../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../../adminPolling.ts';
import { useListJobEventsInfiniteQuery } from '../adminJobsApi.ts';

const failure = (status: number): string => `Failed to fetch the events: ${status}`;

/** The job's events, from the beginning. */
export function JobEvents({ jobId }: { jobId: string }) {
  const query = useListJobEventsInfiniteQuery(jobId, ADMIN_POLLING);
  return (
    <Card title="Events">
      <AdminAnswer query={query} title="Failed to load the events" textOf={failure}>
        {({ pages }) => (
          <ol aria-label="Events" className="divide-y divide-line">
            {pages
              .flatMap(({ data }) => data)
              .map((event) => (
                <Event key={event.number} event={event} />
              ))}
          </ol>
        )}
      </AdminAnswer>
      {query.hasNextPage && (
        <div className="pt-2 text-center">
          <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </Card>
  );
}

function Event({ event: { type, title, at, by, data } }: { event: JobEventView }) {
  return (
    <li>
      <details className="group py-1">
        <summary className="flex min-h-8 cursor-pointer flex-wrap items-baseline gap-x-3 rounded-control hover:bg-inset pointer-coarse:min-h-11">
          <span className="text-strong wrap-anywhere">{title}</span>
          <span className="text-sm text-muted tabular-nums">
            {exactTime(at, 'seconds')}, by {by}
          </span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll. */}
        <pre tabIndex={0} className="mt-1 overflow-x-auto rounded-control bg-inset p-2 font-mono text-xs">
          {type} {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    </li>
  );
}
