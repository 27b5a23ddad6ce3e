import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { asFailure } from '../../../api/failure.ts';
import { useGetJobQuery, useListJobsQuery } from '../jobsApi.ts';

export type JobLookup =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'there'; readonly job: JobView };

/** A job from the live list, or fetched separately when the list does not have it. */
export function useJob(id: string): JobLookup {
  const list = useListJobsQuery();
  const held = list.data?.jobs[id];
  const removed = list.data?.removed[id] ?? false;
  const alone = useGetJobQuery(id, { skip: !list.data || Boolean(held) || removed });
  if (held) return { state: 'there', job: held };
  if (removed || (alone.error && asFailure(alone.error).status === 404)) return { state: 'missing' };
  if (alone.error) return { state: 'failed', error: alone.error, retry: () => void alone.refetch() };
  if (!list.data && list.error) return { state: 'failed', error: list.error, retry: () => void list.refetch() };
  return { state: 'loading' };
}
