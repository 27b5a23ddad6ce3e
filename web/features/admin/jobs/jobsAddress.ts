/** The list's filters and order in the page's address; defaults are omitted. */
import { JOB_GROUPS } from '../../../../src/model/jobs.ts';
import type { JobsRequest } from './adminJobsApi.ts';

export const FILTERS = ['all', ...JOB_GROUPS] as const;
export const COLUMNS = ['website', 'status', 'date'] as const;
export type Column = (typeof COLUMNS)[number];

export interface ShownJobs {
  readonly status: (typeof FILTERS)[number];
  readonly sort: Column;
  readonly order: 'asc' | 'desc';
  readonly search: string;
}

export function filtersIn(search: URLSearchParams): ShownJobs {
  return {
    status: FILTERS.find((each) => each === search.get('status')) ?? 'all',
    sort: COLUMNS.find((each) => each === search.get('sort')) ?? 'date',
    order: search.get('order') === 'asc' ? 'asc' : 'desc',
    search: search.get('search') ?? '',
  };
}

const USUAL: Readonly<Record<string, string>> = { status: 'all', sort: 'date', order: 'desc', search: '' };

export function addressOf(asked: JobsRequest): URLSearchParams {
  const entries = Object.entries(asked).filter(([name, value]) => typeof value === 'string' && value !== USUAL[name]);
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
}
