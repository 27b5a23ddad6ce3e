import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type To, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { reportSearch } from '../../../ui/paths.ts';
import { Loading } from '../../../ui/Spinner.tsx';
import { turned } from '../../../ui/table/column.ts';
import { Table } from '../../../ui/table/Table.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { type JobActions, jobColumns, Places } from './jobColumns.tsx';
import type { JobOrder } from './jobsOrder.ts';

const JobDetails = lazily(() => import('./JobDetails.tsx'), 'JobDetails');

/** Rows at first; more are added on scrolling. */
const STEP = 100;

interface JobsTableProps extends Omit<JobActions, 'reportLink'> {
  jobs: readonly JobView[];
  places: ReadonlyMap<string, number>;
  order: JobOrder;
  onOrder: (order: JobOrder) => void;
}

const idOf = (job: JobView): string => job.id;

export function JobsTable({ jobs, places, order, onOrder, onDelete, onRunAgain, again }: JobsTableProps) {
  const [shown, setShown] = useState(STEP);
  const [search] = useSearchParams();
  const address = search.toString();
  const reportLink = useCallback(
    (id: string): To => ({ search: `?${reportSearch(new URLSearchParams(address), id)}` }),
    [address],
  );
  const columns = useMemo(
    () => jobColumns({ onDelete, onRunAgain, again, reportLink }),
    [onDelete, onRunAgain, again, reportLink],
  );
  const rows = useMemo(() => jobs.slice(0, shown), [jobs, shown]);
  return (
    <Places value={places}>
      <Table
        label="Recent jobs"
        columns={columns}
        rows={rows}
        idOf={idOf}
        total={jobs.length}
        sorted={order}
        onSort={(by) => onOrder({ ...order, ...turned(order, by) })}
        card="job-card"
        detail={detailsOf}
      />
      {jobs.length > shown && <MoreRows left={jobs.length - shown} onMore={() => setShown((rows) => rows + STEP)} />}
    </Places>
  );
}

const detailsOf = (job: JobView, id: string) =>
  groupOf(job.status) === 'processing' && (
    <Suspense fallback={<Loading />}>
      <JobDetails job={job} id={id} />
    </Suspense>
  );

/** A button that clicks itself when it scrolls into view on a wide screen. */
function MoreRows({ left, onMore }: { left: number; onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    // In a single column the rest of the page follows the rows, so it must stay reachable.
    const oneColumn = matchMedia('(max-width: 1023px)').matches;
    if (!end.current || oneColumn || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && more.current(),
      { rootMargin: '800px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="border-t border-line p-2 text-center">
      <Button variant="quiet" onClick={onMore}>
        Show {Math.min(left, STEP)} more of {grouped(left)}
      </Button>
    </div>
  );
}
