/** Filter and order of the jobs table, kept in the page's address. */
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { groupOf, type JobGroup } from '../../../../src/model/jobs.ts';
import { ascending, descending } from '../../../../src/model/order.ts';
import { statusLabel } from '../../../ui/jobs/jobStatus.ts';
import type { Sorted } from '../../../ui/table/column.ts';
import { hostWithoutWww } from '../../../ui/text/wording.ts';

export const FILTERS = ['all', 'completed', 'processing', 'failed'] as const;
export type JobFilter = (typeof FILTERS)[number];
const COLUMNS = ['website', 'status', 'date'] as const;
export interface JobOrder extends Sorted {
  readonly filter: JobFilter;
}

export function orderFrom(search: URLSearchParams): JobOrder {
  return {
    filter: oneOf(FILTERS, search.get('filter')) ?? 'all',
    by: oneOf(COLUMNS, search.get('sort')) ?? 'date',
    descending: search.get('dir') !== 'asc',
  };
}

/** The address with an order; defaults are omitted. */
export function withOrder(search: URLSearchParams, order: JobOrder): URLSearchParams {
  const next = new URLSearchParams(search);
  set(next, 'filter', order.filter, 'all');
  set(next, 'sort', order.by, 'date');
  set(next, 'dir', order.descending ? 'desc' : 'asc', 'desc');
  return next;
}

export function countJobs(jobs: readonly JobView[]): Record<JobFilter, number> {
  const counts: Record<JobFilter, number> = { all: jobs.length, completed: 0, processing: 0, failed: 0 };
  for (const job of jobs) counts[groupOf(job.status)] += 1;
  return counts;
}

export function orderJobs(jobs: readonly JobView[], { filter, by, descending: isDescending }: JobOrder): JobView[] {
  const shown =
    filter === 'all' ? [...jobs] : jobs.filter((job) => groupOf(job.status) === (filter satisfies JobGroup));
  const sign = isDescending ? -1 : 1;
  return shown.sort((a, b) => sign * compare(by, a, b) || newest(a, b));
}

const newest = (a: JobView, b: JobView): number => descending(a.created_at, b.created_at) || ascending(a.id, b.id);

/** Hosts and labels need no locale rules, and a thousand rows are sorted on each change. */
function compare(by: string, a: JobView, b: JobView): number {
  if (by === 'website') return ascending(hostWithoutWww(a.host), hostWithoutWww(b.host));
  return by === 'status'
    ? ascending(statusLabel(a.status), statusLabel(b.status))
    : ascending(a.created_at, b.created_at);
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | undefined {
  return values.find((each) => each === value);
}

function set(search: URLSearchParams, name: string, value: string, usual: string): void {
  if (value === usual) search.delete(name);
  else search.set(name, value);
}
