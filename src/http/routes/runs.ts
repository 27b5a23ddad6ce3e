/** Compares a site's audits: the trend of its score, and what changed between two of them. */
import type { RunScope } from '../../model/findings.ts';
import { FIRST_FORMULA } from '../../model/scores.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { getJob, type JobDocument, listRuns } from '../../projections/jobs.ts';
import { getOverview, getPages } from '../../projections/reports.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { mayAsOwner } from '../auth/policy.ts';
import {
  COMPARED_MAX,
  type ComparedFinding,
  CompareQuery,
  CompareResponse,
  RUNS_MAX,
  RunsResponse,
} from '../contract/runs.ts';
import type { HttpDeps, RunComparison } from '../deps/deps.ts';
import { presentSettings } from '../present/job.ts';
import { inTurn } from '../reports/costlyTurns.ts';
import { openFindingIds } from '../reports/openReport.ts';
import { HttpError, jobNotFound } from '../request/errors.ts';
import { justSubmitted } from '../routing/justMade.ts';
import { route } from '../routing/route.ts';
import { JobParams } from './jobs.ts';

/** Ended jobs to search for enough audits, as some have failed. */
const LOOKED_AT = 100;

const notComparable = (text: string): HttpError => new HttpError('NOT_COMPARABLE', text);
const hasResult = (job: JobDocument): boolean => job.finished && job.status !== 'failed';

export const getRuns = route({
  method: 'GET',
  path: '/jobs/{jobId}/runs',
  access: 'owner-of-job',
  summary:
    'List your audits of the job’s site that have a result, oldest first, and which of their scores can be compared with this job’s',
  params: JobParams,
  response: RunsResponse,
  handler: async ({ deps, job, caller }) => {
    const { host } = job.data;
    const found = (await listRuns(deps.readModels, caller.userId, { host, limit: LOOKED_AT })).filter(hasResult);
    const differs = deps.runs.scoreComparer(await scopeOf(deps, job.data));
    const runs: RunsResponse['data']['runs'] = [];
    // Sequentially: an audit may have thousands of pages, so only one is in memory at a time.
    for (const run of found.slice(0, RUNS_MAX)) {
      const because = run.jobId === job.data.jobId ? null : differs(await scopeOf(deps, run));
      const comparable = because === null && run.score !== null;
      runs.push({ ...presentRun(run), status: run.status, findings: run.findings, comparable, because });
    }
    return { success: true as const, data: { host, runs: runs.reverse(), truncated: found.length > RUNS_MAX } };
  },
});

export const compareTwoRuns = route({
  method: 'GET',
  path: '/jobs/{jobId}/compare',
  access: 'owner-of-job',
  summary: 'Compare two of your audits of one site: new, fixed, remaining, not seen before and not comparable findings',
  params: JobParams,
  query: CompareQuery,
  response: CompareResponse,
  refusals: ['NOT_COMPARABLE'],
  limit: 'reports',
  handler: async ({ deps, job, caller, query }) => {
    const other =
      query.with === undefined
        ? await runBefore(deps.readModels, job.data)
        : await ownJob(deps, caller.userId, query.with);
    if (other.jobId === job.data.jobId) throw notComparable('A run cannot be compared with itself.');
    if (other.host !== job.data.host) throw notComparable('The two audits are of different sites.');
    const [before, after] =
      other.createdAt <= job.data.createdAt ? ([other, job.data] as const) : ([job.data, other] as const);
    const compared = await inTurn(job.data.userId, async () =>
      comparisonOf(deps, await neededFindings(deps.readModels, before), await neededFindings(deps.readModels, after)),
    );
    const [shownBefore, shownAfter] = [await shownIds(deps, before), await shownIds(deps, after)];
    const group = groups(compared.titles);
    return {
      success: true as const,
      data: {
        before: presentRun(before),
        after: presentRun(after),
        score: compared.score,
        scoreNotComparable: compared.scoreNotComparable,
        notIdentical: compared.notIdentical,
        new: group(compared.new, shownAfter),
        remaining: group(compared.remaining, shownAfter),
        fixed: group(compared.fixed, shownBefore),
        notSeenBefore: group(compared.notSeenBefore, shownAfter),
        notComparable: group(compared.notComparable, shownBefore),
        preview: shownBefore !== null || shownAfter !== null,
      },
    };
  },
});

type Run = CompareResponse['data']['before'];

function presentRun(run: JobDocument): Run {
  const { jobId, completedAt, createdAt, score, formula, notJudged, pagesDone } = run;
  const settings = presentSettings(run);
  return { jobId, at: completedAt ?? createdAt, score, formula, notJudged, settings, pages: pagesDone };
}

async function ownJob(deps: HttpDeps, userId: string, jobId: string): Promise<JobDocument> {
  const job = (await getJob(deps.readModels, jobId)) ?? (await justSubmitted(deps, { jobId, userId }));
  if (!job || !mayAsOwner({ userId }, 'read', { kind: 'job', ownerId: job.data.userId }))
    throw jobNotFound({ anothers: job !== null });
  return job.data;
}

async function runBefore(readModels: ReadModels, { userId, host, createdAt }: JobDocument): Promise<JobDocument> {
  const earlier = await listRuns(readModels, userId, { host, limit: LOOKED_AT, before: createdAt });
  // A run that could judge nothing has nothing to compare with.
  const run = earlier.find((each) => hasResult(each) && each.notJudged === null);
  if (!run) throw notComparable('There is no earlier audit of this site.');
  return run;
}

async function findingsOf(readModels: ReadModels, jobId: string): Promise<string | null> {
  return (await getJobFile(readModels, jobId, 'findings.json'))?.data.content ?? null;
}

async function neededFindings(readModels: ReadModels, run: JobDocument): Promise<string> {
  const text = hasResult(run) ? await findingsOf(readModels, run.jobId) : null;
  if (text === null) throw notComparable('One of the audits has no findings to compare.');
  return text;
}

async function comparisonOf({ runs }: HttpDeps, before: string, after: string): Promise<Compared> {
  try {
    return await runs.compare(before, after);
  } catch (error) {
    throw notComparable(`One of the audits cannot be read. ${(error as Error).message}`);
  }
}

/** What a preview of the audit shows; null for everything. */
async function shownIds(deps: HttpDeps, { jobId, access }: JobDocument): Promise<ReadonlySet<string> | null> {
  return access === 'full' ? null : openFindingIds(deps, jobId);
}

async function scopeOf({ readModels, runs }: HttpDeps, run: JobDocument): Promise<RunScope | null> {
  const { jobId, settings } = run;
  const overview = await getOverview(readModels, jobId);
  if (!overview) return runs.readScope((await findingsOf(readModels, jobId)) ?? '');
  const { score } = overview;
  const pages = await getPages(readModels, { jobId, parts: overview.parts });
  // Only HTML pages can be indexable or not.
  const audited = pages.filter((page) => page.indexable !== null).map((page) => page.url);
  return {
    host: overview.host,
    settings,
    scored: score !== null,
    formula: score?.formula ?? FIRST_FORMULA,
    checks: overview.checks,
    audited,
  };
}

type Compared = Awaited<ReturnType<RunComparison['compare']>>;
type Row = Compared['new'][number] & { readonly because?: string };

function groups(titles: Compared['titles']) {
  return (rows: readonly Row[], shown: ReadonlySet<string> | null): { total: number; findings: ComparedFinding[] } => ({
    total: rows.length,
    findings: rows
      .filter(({ id }) => shown === null || shown.has(id))
      .slice(0, COMPARED_MAX)
      .map(({ id, checkId, category, impact, hint, message, evidence, because }) => ({
        id,
        checkId,
        title: titles.get(checkId) ?? checkId,
        category,
        impact,
        optional: hint,
        hint,
        message,
        url: evidence.url,
        place: evidence.place,
        value: evidence.value,
        because: because ?? null,
      })),
  });
}
