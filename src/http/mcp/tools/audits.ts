/** Audits: begun, waited for, listed and compared. */
import * as z from 'zod';
import { FINAL_STATUSES } from '../../../model/jobs.ts';
import { URL_MAX_LENGTH } from '../../../model/limits.ts';
import { count } from '../../../model/wording.ts';
import type { AllowanceResponse } from '../../contract/billing.ts';
import type { CauseView } from '../../contract/findings.ts';
import type { JobView } from '../../contract/jobs.ts';
import type { ComparedFinding, CompareResponse } from '../../contract/runs.ts';
import { HttpError } from '../../request/errors.ts';
import { getCauses } from '../../routes/findings.ts';
import { getJobs, getOneJob } from '../../routes/jobs.ts';
import { processOne } from '../../routes/process.ts';
import { compareTwoRuns } from '../../routes/runs.ts';
import { getAllowance } from '../../routes/subscription.ts';
import { clip, readPlace, withLists, withRows } from '../budget.ts';
import { RouteRefusal } from '../callRoute.ts';
import { AuditId, CursorOf, DetailOf, KeyOf, READS, type ToolContext, tool, Wait } from './tool.ts';

const Patterns = z.array(z.string().max(1000)).max(50).optional();

export const auditSite = tool({
  name: 'audit_site',
  title: 'Audit a site',
  description:
    'Starts an SEO audit of a site and answers at once with its audit_id; then wait with get_audit. Where audits are limited it uses one up: the user is asked, or pass confirm after you asked.',
  input: z.strictObject({
    url: z.string().min(1).max(URL_MAX_LENGTH).describe('Of the site'),
    pages: z.int().min(1).optional().describe('At most so many'),
    folder: z.string().max(1000).optional().describe('Only pages below this path'),
    include: Patterns.describe('Only paths that match, such as /blog/*'),
    exclude: Patterns,
    sitemap_only: z.boolean().optional(),
    confirm: z.boolean().optional().describe('The user agreed to use up an audit'),
    idempotency_key: KeyOf,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: async ({ confirm, idempotency_key, url, pages, folder, include, exclude, sitemap_only }, ctx) => {
    let key = idempotency_key;
    // A key that may not write is refused by the route, without a question before.
    const allowance = confirm || ctx.scope === 'read' ? null : (await ctx.call(getAllowance)).data;
    if (allowance?.pays_next === null) throw new HttpError('INSUFFICIENT_CREDITS', 'The account has no audit left.');
    if (allowance && allowance.pays_next !== 'admin') {
      const uses = `This uses ${usedOf(allowance)}.`;
      const about = JSON.stringify([url, pages, folder, include, exclude, sitemap_only]);
      const reply = await ctx.ask({ message: `Audit ${clip(url, 200)}? ${uses}`, about });
      if (reply.is === 'asked') return reply.result;
      if (reply.is === 'no') return { started: false, why: 'The user did not agree.' };
      if (reply.is === 'cannot')
        throw new HttpError(
          'CONFIRMATION_REQUIRED',
          `${uses} Ask the user, and if they agree, call again with confirm: true.`,
        );
      key ??= reply.key;
    }
    const options = { maxPages: pages, folder, include, exclude, sitemapOnly: sitemap_only };
    const { data } = await ctx.call(processOne, { body: { url, options }, idempotencyKey: key });
    return { started: true, ...auditOf(data), next: 'Call get_audit with wait_seconds: 25 until done is true.' };
  },
});

/** What an audit costs, with what is left. */
function usedOf({ pays_next, left }: AllowanceResponse['data']): string {
  const number = left ?? 0;
  if (pays_next === 'credits') return `1 of your ${count(number, 'credit')}`;
  if (pays_next === 'funds') return `money: your funds pay for ${count(number, 'audit')}`;
  return `1 of your ${count(number, pays_next === 'plan' ? 'audit' : 'free audit')} left`;
}

export const getAudit = tool({
  name: 'get_audit',
  title: 'Get an audit',
  description:
    'Start here once an audit exists: how far it is and, when done, its score, what each category lost, the ten worst issues with their tasks, and what changed since the audit before.',
  input: z.strictObject({ audit_id: AuditId, wait_seconds: Wait }),
  annotations: READS,
  run: async ({ audit_id, wait_seconds }, ctx) => {
    const params = { jobId: audit_id };
    const job = await ctx.until(
      wait_seconds,
      async () => {
        const { data } = await ctx.call(getOneJob, { params });
        if (!isDone(data)) await ctx.progress(data.progress, stageOf(data));
        return data;
      },
      isDone,
    );
    if (!isDone(job) || job.status === 'failed') return auditOf(job);
    const [{ data: found }, change] = await Promise.all([
      ctx.call(getCauses, { params }),
      ctx.call(compareTwoRuns, { params }).then(changeOf, whyNoChange),
    ]);
    const issues = found.causes.slice(0, 10).map(issueOf);
    const head = {
      ...auditOf(job),
      coverage: clip(found.coverage),
      lost_by_category: found.score?.categories.map(({ category, lost }) => ({ category, lost })) ?? null,
      limits_of_score: found.score?.limits.map(({ cap, reason }) => ({ cap, reason: clip(reason) })) ?? [],
      issues_found: found.causes.length,
      change_since_last: change,
      ...(found.preview ? { preview: { ...found.preview, why: 'The account shows only a part of this audit.' } } : {}),
    };
    return withLists(
      head,
      { top_issues: issues },
      { detail: 'short', narrow: 'Use list_findings for all issues, get_fix for the task of one.' },
    );
  },
});

export const listAudits = tool({
  name: 'list_audits',
  title: 'List audits',
  description: 'Your audits, newest first, with site, score and status.',
  input: z.strictObject({
    site: z.string().max(253).optional().describe('Host, such as example.com'),
    status: z.enum(['running', 'done', 'failed']).optional(),
    cursor: CursorOf,
  }),
  annotations: READS,
  run: async ({ site, status, cursor }, { call }) => {
    const place = readPlace(cursor);
    const { data, cursor: next } = await call(getJobs, { query: { cursor: place.cursor, limit: 100 } });
    const rows = [...data.active, ...data.completed]
      .filter((job) => (site === undefined || job.host === site) && (status === undefined || stateOf(job) === status))
      .map(auditOf);
    return withRows({}, { name: 'audits', rows, place, next, detail: 'short', narrow: 'Name a site or a status.' });
  },
});

export const compareAudits = tool({
  name: 'compare_audits',
  title: 'Compare two audits',
  description:
    'What changed between two audits of a site: findings that are new, fixed, remaining, or not comparable, and the scores. Default: with the audit before.',
  input: z.strictObject({ audit_id: AuditId, with: AuditId.optional(), detail: DetailOf }),
  annotations: READS,
  run: async ({ audit_id, detail, ...rest }, { call }) => {
    const { data } = await call(compareTwoRuns, { params: { jobId: audit_id }, query: { with: rest.with } });
    const { new: added, fixed, remaining, notSeenBefore, notComparable } = data;
    const head = {
      before: { audit_id: data.before.jobId, at: data.before.at, score: data.before.score },
      after: { audit_id: data.after.jobId, at: data.after.at, score: data.after.score },
      ...changeOf({ data }),
      score_not_comparable: data.scoreNotComparable,
      not_identical: data.notIdentical,
    };
    return withLists(
      head,
      {
        new: added.findings.map(comparedOf),
        fixed: fixed.findings.map(comparedOf),
        remaining: remaining.findings.map(comparedOf),
        not_seen_before: notSeenBefore.findings.map(comparedOf),
        not_comparable: notComparable.findings.map(comparedOf),
      },
      { detail, narrow: 'Use list_findings with state: new, fixed or remaining, which goes on with a cursor.' },
    );
  },
});

const isDone = ({ status }: JobView): boolean => FINAL_STATUSES.includes(status);
const stateOf = (job: JobView): 'running' | 'done' | 'failed' =>
  job.status === 'failed' ? 'failed' : isDone(job) ? 'done' : 'running';
const stageOf = ({ stages, queue }: JobView): string =>
  stages.find(({ state }) => state === 'running')?.label ??
  (queue && queue.ahead > 0 ? `Waiting behind ${count(queue.ahead, 'audit')}` : 'Waiting');

function auditOf(job: JobView): object {
  const { id, host, status, created_at, score, not_judged, findings, pages_done, reason, eta, queue } = job;
  const done = isDone(job);
  return {
    audit_id: id,
    site: host,
    status,
    done,
    submitted_at: created_at,
    ...(done
      ? { score, not_judged, findings, pages: pages_done }
      : { percent: job.progress, stage: stageOf(job), pages: pages_done, queue, seconds_left: eta }),
    ...(reason === null ? {} : { reason: clip(reason) }),
  };
}

export const issueOf = (cause: CauseView): object => ({
  check: cause.checkId,
  title: cause.title,
  category: cause.category,
  impact: cause.optional ? 'optional' : cause.impact,
  findings: cause.findings,
  pages: cause.pages,
  points: cause.points,
  minutes: cause.minutes,
  task_id: cause.task?.id ?? null,
});

export const comparedOf = ({ id, checkId, title, impact, url, message, place, value, because }: ComparedFinding) => ({
  finding_id: id,
  check: checkId,
  title,
  impact,
  page: clip(url, 200),
  untrusted: { message: clip(message), place: clip(place), value: clip(value) },
  ...(because === null ? {} : { because }),
});

function changeOf({ data }: Pick<CompareResponse, 'data'>): object {
  return {
    score: data.score,
    new_findings: data.new.total,
    fixed_findings: data.fixed.total,
    remaining_findings: data.remaining.total,
  };
}

/** Of the audit itself, all is known without it. @throws what is no answer of the API */
function whyNoChange(error: unknown): object {
  if (error instanceof RouteRefusal) return { why_none: error.message };
  throw error;
}

/** The findings of a comparison with the audit before, by what became of them. */
export async function changedFindings(
  { call }: ToolContext,
  jobId: string,
  state: 'new' | 'fixed' | 'remaining',
): Promise<{ readonly total: number; readonly findings: readonly ComparedFinding[] }> {
  return (await call(compareTwoRuns, { params: { jobId } })).data[state];
}
