import { ArrowDown, ArrowUp } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type To, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { reportSearch } from '../../../ui/paths.ts';
import { ROLES } from '../../../ui/tableRoles.ts';
import { grouped } from '../../../ui/text/wording.ts';
import { JobRow } from './JobRow.tsx';
import { COLUMNS, type JobColumn, type JobOrder } from './jobsOrder.ts';

/** Rows rendered at first; more are added on scrolling. */
const STEP = 100;
const NAMES: Record<JobColumn, string> = { website: 'Website', status: 'Status', date: 'Date' };

interface JobsTableProps {
  jobs: readonly JobView[];
  /** For each queued job, by its id, the number of the user's own jobs ahead of it. */
  places: ReadonlyMap<string, number>;
  order: JobOrder;
  onSort: (column: JobColumn) => void;
  onDelete: (job: JobView) => void;
  onRunAgain: (job: JobView) => void;
  /** The job that is being resubmitted. */
  again: string | null;
}

export function JobsTable({ jobs, places, order, onSort, onDelete, onRunAgain, again }: JobsTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(STEP);
  const [search] = useSearchParams();
  const toggle = useCallback((id: string) => setOpen((before) => toggled(before, id)), []);
  const address = search.toString();
  const reportLink = useCallback((id: string): To => ({ search: `?${reportSearch(new URLSearchParams(address), id)}` }), [address]);
  return (
    <>
      <table {...ROLES.table} aria-label="Recent jobs" aria-rowcount={jobs.length + 1} className="jobs block w-full">
        <thead {...ROLES.group} className="block">
          <tr
            {...ROLES.row}
            className="flex gap-3 px-4 py-1 text-sm text-muted @[840px]:grid @[840px]:grid-cols-[minmax(0,1.1fr)_minmax(0,1.5fr)_104px_304px] @[840px]:gap-4"
          >
            {COLUMNS.map((column) => (
              <SortHeader key={column} column={column} order={order} onSort={onSort} />
            ))}
            <th {...ROLES.column} className="hidden self-center text-right font-normal @[840px]:block">
              Actions
            </th>
          </tr>
        </thead>
        <tbody {...ROLES.group} className="block">
          {jobs.slice(0, shown).map((job) => (
            <JobRow
              key={job.id}
              job={job}
              ahead={places.get(job.id) ?? null}
              open={open.has(job.id)}
              onToggle={toggle}
              onDelete={onDelete}
              onRunAgain={onRunAgain}
              again={again === job.id}
              reportLink={reportLink}
            />
          ))}
        </tbody>
      </table>
      {jobs.length > shown && <MoreRows left={jobs.length - shown} onMore={() => setShown((rows) => rows + STEP)} />}
    </>
  );
}

function SortHeader({ column, order, onSort }: { column: JobColumn; order: JobOrder; onSort: (column: JobColumn) => void }) {
  const active = order.column === column;
  const Arrow = order.descending ? ArrowDown : ArrowUp;
  return (
    <th {...ROLES.column} aria-sort={active ? (order.descending ? 'descending' : 'ascending') : 'none'} className="text-left font-normal">
      <button
        type="button"
        onClick={() => onSort(column)}
        className={`-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 hover:text-strong pointer-coarse:min-h-11 ${active ? 'font-medium text-strong' : ''}`}
      >
        {NAMES[column]}
        {active && <Arrow aria-hidden="true" size={12} />}
      </button>
    </th>
  );
}

/** A button that clicks itself when it scrolls into view on a wide screen. */
function MoreRows({ left, onMore }: { left: number; onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    // In a single column the rest of the page follows the rows, so it must stay reachable.
    const oneColumn = matchMedia('(max-width: 1023px)').matches;
    if (!end.current || oneColumn || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more.current(), { rootMargin: '800px' });
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

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}
