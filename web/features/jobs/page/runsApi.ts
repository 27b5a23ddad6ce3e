import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { CompareResponse, RunsResponse } from '../../../../src/http/contract/runs.ts';
import { partKey } from '../../../../src/model/crawlSettings.ts';
import { wholeScore } from '../../../../src/model/scores.ts';
import { api } from '../../../api/api.ts';

export type Runs = RunsResponse['data'];
export type Run = Runs['runs'][number];
export type Comparison = CompareResponse['data'];

const runsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** `ended`: once the job has ended it is one of the runs, so they are refetched. */
    listRuns: build.query<Runs, { jobId: string; ended: string | null }>({
      query: ({ jobId }) => ({ path: `/api/v1/jobs/${encodeURIComponent(jobId)}/runs` }),
      transformResponse: (response: RunsResponse) => response.data,
    }),
    compareRuns: build.query<Comparison, { jobId: string; other: string }>({
      query: ({ jobId, other }) => ({
        path: `/api/v1/jobs/${encodeURIComponent(jobId)}/compare`,
        query: { with: other },
      }),
      transformResponse: (response: CompareResponse) => response.data,
    }),
  }),
});

export const { useListRunsQuery, useCompareRunsQuery } = runsApi;

/** Query arguments for the runs of a job's site. */
export const runsOf = ({ id, completed_at }: JobView) => ({ jobId: id, ended: completed_at });

/** Points gained since the latest comparable earlier run; null without one. */
export function changeOf({ runs }: Runs, jobId: string): { readonly run: Run; readonly points: number } | null {
  const at = runs.findIndex((run) => run.jobId === jobId);
  const own = runs[at];
  const run = runs.slice(0, Math.max(at, 0)).findLast((each) => each.comparable && each.score !== null);
  if (!own || own.score === null || !run || run.score === null) return null;
  return { run, points: wholeScore(own.score) - wholeScore(run.score) };
}

/** Whether the last judged run before this one had another formula: their scores say nothing about each other. */
export function formulaChanged(runs: Pick<Runs, 'runs'>, jobId: string): boolean {
  const [own, former] = judgedWithFormer(runs, jobId) ?? [];
  return own?.formula !== former?.formula;
}

/** Whether the last judged run before this one was set to another part of the site. */
export function partChanged(runs: Pick<Runs, 'runs'>, jobId: string): boolean {
  const [own, former] = judgedWithFormer(runs, jobId) ?? [];
  return partKey(own?.settings) !== partKey(former?.settings);
}

/** A judged run and the last one before it; null if one of them is missing. */
function judgedWithFormer({ runs }: Pick<Runs, 'runs'>, jobId: string): readonly [Run, Run] | null {
  const at = runs.findIndex((run) => run.jobId === jobId);
  const own = runs[at];
  const former = runs.slice(0, Math.max(at, 0)).findLast((run) => run.score !== null);
  return own !== undefined && own.score !== null && former !== undefined ? [own, former] : null;
}
