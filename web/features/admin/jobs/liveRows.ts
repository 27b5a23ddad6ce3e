/** Applies rows of the realtime channel `admin:jobs` to the pages of a list. */
import type { AdminJobView } from '../../../../src/http/contract/admin/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import type { RowEvent } from '../../../api/live.ts';
import type { JobsRequest } from './adminJobsApi.ts';

interface Page {
  data: AdminJobView[];
}

/** Inserts a new row only if its place is on a loaded page; otherwise the next response contains it. */
export function applyRow(pages: readonly Page[], event: RowEvent, asked: JobsRequest): void {
  const row = rowOf(event);
  const id = row?.id ?? event.old?.id;
  for (const { data } of pages) {
    const at = data.findIndex((job) => job.id === id);
    const held = data[at];
    if (!held) continue;
    if (!row || !matchesFilter(row, asked)) data.splice(at, 1);
    else if (row.position >= held.position) data[at] = { ...held, ...row };
    return;
  }
  if (row && event.eventType === 'INSERT' && isNewestFirst(asked) && matchesFilter(row, asked))
    pages[0]?.data.unshift(row);
}

/** The row of a queued job does not include when it starts. */
export function rowOf({ new: row, position }: RowEvent): AdminJobView | null {
  if (!row || typeof row.id !== 'string' || typeof row.status !== 'string') return null;
  return { queue: null, position, ...row } as AdminJobView;
}

const matchesFilter = ({ status }: AdminJobView, asked: JobsRequest): boolean =>
  (asked.status ?? 'all') === 'all' || groupOf(status) === asked.status;

const isNewestFirst = ({ sort = 'date', order = 'desc', search = '' }: JobsRequest): boolean =>
  sort === 'date' && order === 'desc' && search === '';
