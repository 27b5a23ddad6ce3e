import { RotateCw, Trash2 } from 'lucide-react';
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { selectConnection } from '../../../api/connection.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { lazily } from '../../../ui/lazily.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { grouped, hostWithoutWww, titleCase } from '../../../ui/text/wording.ts';
import { MAX_FINISHED, useListJobsQuery } from '../jobsApi.ts';
import { placesInQueue } from '../queue.ts';
import { type AskToSpend, useRunAgain } from '../useRunAgain.tsx';
import { JobsTable } from './JobsTable.tsx';
import { countJobs, FILTERS, type JobFilter, orderFrom, orderJobs, sortedBy, withOrder } from './jobsOrder.ts';
import { StageAnnouncer } from './StageAnnouncer.tsx';

const DeleteJobDialog = lazily(() => import('../DeleteJobDialog.tsx'), 'DeleteJobDialog');
const DeleteAllDialog = lazily(() => import('./DeleteAllDialog.tsx'), 'DeleteAllDialog');

const MESSAGE_MS = 3000;
const NO_PLACES: ReadonlyMap<string, number> = new Map();

/** `onReload`: reloads the whole page. */
export function JobsPanel({ onReload, Ask }: { onReload: () => void; Ask: AskToSpend }) {
  const connection = useSelector(selectConnection);
  const { data: latest, error, isFetching, refetch } = useListJobsQuery();
  // Rows are rendered as deferred updates, so that the page stays responsive.
  const data = useDeferredValue(latest);
  const [search, setSearch] = useSearchParams();
  const [confirming, setConfirming] = useState<JobView | 'all' | null>(null);
  const jobs = useMemo(() => Object.values(data?.jobs ?? {}), [data]);
  const places = useMemo(() => (data ? placesInQueue(data) : NO_PLACES), [data]);
  const counts = useMemo(() => countJobs(jobs), [jobs]);
  const order = orderFrom(search);
  const { filter, column, descending } = order;
  const shown = useMemo(() => orderJobs(jobs, { filter, column, descending }), [jobs, filter, column, descending]);
  const show = (next: Parameters<typeof withOrder>[1]): void => setSearch((current) => withOrder(current, next), { replace: true });
  const { message, run, again, problem, question } = useRunAgainHere(Ask);
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel);

  return (
    <section ref={panel} aria-labelledby="recent-jobs" className="rounded-card border border-line bg-card">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-4">
        <h2 id="recent-jobs" className="text-base">
          Recent Jobs
        </h2>
        <ConnectionIndicator {...connection} />
        <p aria-live="polite" className="text-sm text-good">
          {message}
        </p>
        <div className="ml-auto flex items-center gap-1">
          <Button variant="quiet" onClick={onReload}>
            <RotateCw aria-hidden="true" size={14} />
            Refresh
          </Button>
          {jobs.length > 0 && (
            <Button variant="danger" onClick={() => setConfirming('all')}>
              <Trash2 aria-hidden="true" size={14} />
              Delete All
            </Button>
          )}
        </div>
      </header>
      {problem && <div className="px-4">{problem}</div>}
      <StageAnnouncer jobs={jobs} />
      {data ? (
        <Tabs
          label="Filter jobs"
          value={filter}
          choices={FILTERS.map((value) => ({ value, label: <FilterLabel filter={value} count={counts[value]} /> }))}
          onChange={(value) => show({ ...order, filter: value as JobFilter })}
          className="mt-1"
          listClassName="px-3"
          panelClassName="mt-1"
        >
          {shown.length > 0 ? (
            <JobsTable
              key={filter}
              jobs={shown}
              places={places}
              order={order}
              onSort={(next) => show(sortedBy(order, next))}
              onDelete={setConfirming}
              onRunAgain={run}
              again={again}
            />
          ) : (
            <Empty filter={filter} any={jobs.length > 0} />
          )}
          {data.truncated && <p className="border-t border-line px-4 py-3 text-sm text-muted">Showing the newest {grouped(MAX_FINISHED)} finished jobs.</p>}
        </Tabs>
      ) : error ? (
        <div className="p-4">
          <ErrorPanel
            title="Couldn’t load your jobs"
            text={textOf(error, 'The server sent an unexpected response.')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      ) : (
        <TableSkeleton />
      )}
      <Suspense fallback={null}>
        {confirming === 'all' && (
          <DeleteAllDialog number={counts.all} completed={counts.completed} running={counts.processing} onClose={() => setConfirming(null)} />
        )}
        {confirming !== null && confirming !== 'all' && <DeleteJobDialog job={confirming} onClose={() => setConfirming(null)} />}
        {question}
      </Suspense>
    </section>
  );
}

function useRunAgainHere(Ask: AskToSpend) {
  const [message, setMessage] = useState('');
  const running = useRunAgain(
    Ask,
    useCallback((job: JobView) => setMessage(`New audit of ${hostWithoutWww(job.host)} started.`), []),
  );
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return { message, ...running };
}

function FilterLabel({ filter, count }: { filter: JobFilter; count: number }) {
  return (
    <>
      {titleCase(filter)} <span className="text-xs tabular-nums opacity-90">{grouped(count)}</span>
    </>
  );
}

function Empty({ filter, any }: { filter: JobFilter; any: boolean }) {
  return (
    <div className="border-t border-line px-4 py-12 text-center">
      <p className="font-medium text-strong">{any ? `No ${filter} jobs` : 'No jobs yet'}</p>
      {!any && <p className="mt-1 text-muted">Enter a URL above. Your first report takes about a minute.</p>}
    </div>
  );
}

function TableSkeleton() {
  return (
    <div role="status" className="mt-13">
      <span className="sr-only">Loading your jobs</span>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-14 items-center gap-6 border-t border-line px-4">
          <Skeleton className="h-4 w-1/4" />
          <Skeleton className="h-5 w-1/5" />
          <Skeleton className="ml-auto h-4 w-1/6" />
        </div>
      ))}
    </div>
  );
}
