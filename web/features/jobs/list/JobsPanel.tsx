import { RotateCw, Trash2 } from 'lucide-react';
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { selectConnection } from '../../../api/connection.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { lazily } from '../../../ui/lazily.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { hostWithoutWww } from '../../../ui/text/wording.ts';
import { useListJobsQuery } from '../jobsApi.ts';
import { type AskToSpend, useRunAgain } from '../useRunAgain.tsx';
import { countJobs } from './jobsOrder.ts';
import { StageAnnouncer } from './StageAnnouncer.tsx';

/** The table has a library of its own: fetched together with the jobs, while the page around it is already up. */
const loadList = () => import('./JobsList.tsx');
loadList().catch(() => undefined);
const JobsList = lazily(loadList, 'JobsList');
const DeleteJobDialog = lazily(() => import('../DeleteJobDialog.tsx'), 'DeleteJobDialog');
const DeleteAllDialog = lazily(() => import('./DeleteAllDialog.tsx'), 'DeleteAllDialog');

const MESSAGE_MS = 3000;

/** `onReload`: reloads the whole page. */
export function JobsPanel({ onReload, Ask }: { onReload: () => void; Ask: AskToSpend }) {
  const query = useListJobsQuery();
  // Rows are rendered as deferred updates, so that the page stays responsive.
  const data = useDeferredValue(query.data);
  const [confirming, setConfirming] = useState<JobView | 'all' | null>(null);
  const { message, run, again, problem, question } = useRunAgainHere(Ask);
  const jobs = useMemo(() => Object.values(data?.jobs ?? {}), [data]);
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel);
  return (
    <section ref={panel} aria-labelledby="recent-jobs" className="panel">
      <Head message={message} onReload={onReload} onDeleteAll={jobs.length > 0 ? () => setConfirming('all') : null} />
      {problem && <div className="px-4">{problem}</div>}
      <StageAnnouncer jobs={jobs} />
      <div className="[&>[role=alert]]:m-4">
        <Suspense fallback={<TableSkeleton />}>
          <QueryState query={{ ...query, data }} title="Couldn’t load your jobs" loading={<TableSkeleton />}>
            {(list) => <JobsList list={list} jobs={jobs} again={again} onRunAgain={run} onDelete={setConfirming} />}
          </QueryState>
        </Suspense>
      </div>
      <Suspense fallback={null}>
        {confirming === 'all' && <DeleteAllDialog counts={countJobs(jobs)} onClose={() => setConfirming(null)} />}
        {confirming !== null && confirming !== 'all' && (
          <DeleteJobDialog job={confirming} onClose={() => setConfirming(null)} />
        )}
        {question}
      </Suspense>
    </section>
  );
}

interface HeadProps {
  /** Of what was just done. */
  message: string;
  onReload: () => void;
  onDeleteAll: (() => void) | null;
}

function Head({ message, onReload, onDeleteAll }: HeadProps) {
  const connection = useSelector(selectConnection);
  return (
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
        {onDeleteAll && (
          <Button variant="danger" onClick={onDeleteAll}>
            <Trash2 aria-hidden="true" size={14} />
            Delete All
          </Button>
        )}
      </div>
    </header>
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
