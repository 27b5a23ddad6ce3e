/** Tasks: listed, worked on, fixed, and proved to be fixed. */
import * as z from 'zod';
import { ACTION_STATUSES } from '../../../model/actions.ts';
import { IMPACTS } from '../../../model/findings.ts';
import { MAX_NOTES } from '../../../model/limits.ts';
import { EXPIRY_HOURS, SHARE_MODES } from '../../../model/shares.ts';
import type { ActionView, VerifyResponse } from '../../contract/actions.ts';
import { getFix, setProgress, verifyAction } from '../../routes/actionItems.ts';
import { getActions } from '../../routes/actions.ts';
import { getJobReworks } from '../../routes/analyses.ts';
import { getChecks } from '../../routes/checks.ts';
import { createOneShare } from '../../routes/share.ts';
import { clip, readPlace, withLists, withRows } from '../budget.ts';
import { type CallRoute, RouteRefusal } from '../callRoute.ts';
import { findingOf } from './findings.ts';
import { AuditId, CursorOf, DetailOf, KeyOf, OfAudit, READS, TaskId, type ToolContext, tool, Wait } from './tool.ts';

const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const listTasks = tool({
  name: 'list_tasks',
  title: 'List tasks',
  description: 'The tasks of an audit, most important first. optional ones cost no points.',
  input: z.strictObject({
    audit_id: OfAudit,
    status: z.enum(ACTION_STATUSES).optional(),
    impact: z.enum(IMPACTS).optional(),
    cursor: CursorOf,
  }),
  annotations: READS,
  run: async ({ audit_id, status, impact, cursor }, { call }) => {
    const place = readPlace(cursor);
    const [{ actions, jobId }, titles] = await Promise.all([
      call(getActions, { query: { jobId: audit_id } }),
      titlesOf(call),
    ]);
    const rows = actions
      .filter((each) => (status ?? each.status) === each.status && (impact ?? each.impact) === each.impact)
      .map((action) => taskOf(action, titles));
    const head = { audit_id: jobId, total: rows.length };
    const narrow = 'Filter by status or impact.';
    return withRows(head, { name: 'tasks', rows, place, next: null, detail: 'short', narrow });
  },
});

export const updateTask = tool({
  name: 'update_task',
  title: 'Update a task',
  description: 'Moves a task or sets its notes. Prefer verify_fix, which completes a task by evidence.',
  input: z.strictObject({
    task_id: TaskId,
    audit_id: OfAudit,
    status: z.enum(ACTION_STATUSES).optional(),
    notes: z.string().max(MAX_NOTES).nullable().optional(),
    idempotency_key: KeyOf,
  }),
  annotations: WRITES,
  run: async ({ task_id, audit_id, status, notes, idempotency_key }, { call }) => {
    const { action } = await call(setProgress, {
      params: { actionId: task_id },
      query: { jobId: audit_id },
      body: { status, notes },
      idempotencyKey: idempotency_key,
    });
    return { task: taskOf(action, await titlesOf(call)) };
  },
});

export const getFixTool = tool({
  name: 'get_fix',
  title: 'Get a fix',
  description:
    'What it takes to fix a task: the problem, steps, each place with evidence and the code that was checked for it, and when it counts as fixed. After the change is live, call verify_fix.',
  input: z.strictObject({ task_id: TaskId, audit_id: OfAudit, detail: DetailOf, cursor: CursorOf }),
  annotations: READS,
  run: async ({ task_id, audit_id, detail, cursor }, { call }) => {
    const place = readPlace(cursor);
    const params = { actionId: task_id };
    const query = { jobId: audit_id, limit: 100, cursor: place.cursor };
    const { data, cursor: next } = await call(getFix, { params, query });
    const { action, check, findings, total, jobId } = data;
    const head = {
      task_id,
      audit_id: jobId,
      title: check?.title ?? action.check_id,
      status: action.status,
      impact: action.impact,
      minutes: action.time_estimate,
      ...(check && place.skip === 0
        ? { risk: clip(check.risk), steps: check.steps.slice(0, 8).map((step) => clip(step)), source: check.source }
        : {}),
      untrusted: { problem: clip(action.problem, 150), solution: clip(action.solution, 150) },
      places_total: total,
      acceptance: 'verify_fix runs the same checks again on the live pages: fixed once none of these findings is left.',
    };
    const rows = findings.map(findingOf);
    const narrow = 'Or ask with detail: full.';
    return withRows(head, { name: 'places', rows, place, next, detail, narrow });
  },
});

export const verifyFix = tool({
  name: 'verify_fix',
  title: 'Verify a fix',
  description:
    'Runs the checks of a task again on its live pages, which sends them requests, and completes the task if all is fixed. Says for each page whether it is.',
  input: z.strictObject({ task_id: TaskId, audit_id: OfAudit, wait_seconds: Wait.default(25) }),
  annotations: { ...WRITES, openWorldHint: true },
  run: async ({ task_id, audit_id, wait_seconds }, ctx) => {
    const asked = await ctx.call(verifyAction, { params: { actionId: task_id }, query: { jobId: audit_id } });
    const { rework } = asked;
    if (asked.pending !== true || rework === undefined) return verdictOf(asked.action, asked);
    const jobId = asked.action.job_id;
    const isOver = ({ status, ask }: typeof rework): boolean => ask >= rework.ask && status !== 'pending';
    const ended = await ctx.until(wait_seconds, () => readRework(ctx, jobId, rework), isOver);
    if (!isOver(ended)) return { done: false, next: 'It goes on. Call verify_fix again to wait for its end.' };
    if (ended.code !== null) throw new RouteRefusal(409, { code: ended.code, error: ended.error ?? '' });
    const { actions } = await ctx.call(getActions, { query: { jobId } });
    return verdictOf(actions.find(({ id }) => id === task_id) ?? asked.action, { results: [] });
  },
});

export const shareReport = tool({
  name: 'share_report',
  title: 'Share a report',
  description: 'Makes a link with which anybody can read an audit. Ask the user first.',
  input: z.strictObject({
    audit_id: AuditId,
    mode: z.enum(SHARE_MODES).optional(),
    expires_hours: z.literal(EXPIRY_HOURS).optional().describe('0: never, the default'),
    idempotency_key: KeyOf,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: async ({ audit_id, mode, expires_hours, idempotency_key }, { call }) => {
    const body = { jobId: audit_id, shareMode: mode, expiresIn: expires_hours };
    const { data } = await call(createOneShare, { body, idempotencyKey: idempotency_key });
    return { share_id: data.id, url: data.shareUrl };
  },
});

/** Of all checks. */
async function titlesOf(call: CallRoute): Promise<ReadonlyMap<string, string>> {
  return new Map((await call(getChecks)).data.map(({ id, title }) => [id, title]));
}

const taskOf = (action: ActionView, titles: ReadonlyMap<string, string>): object => ({
  task_id: action.id,
  title: titles.get(action.check_id) ?? action.check_id,
  impact: action.impact,
  optional: action.optional,
  category: action.category,
  status: action.status,
  minutes: action.time_estimate,
  pages: action.pages.length,
  verified: action.last_verification?.outcome ?? null,
});

async function readRework(
  { call, progress }: ToolContext,
  jobId: string,
  asked: NonNullable<VerifyResponse['rework']>,
): Promise<typeof asked> {
  const { reworks } = await call(getJobReworks, { params: { jobId } });
  await progress(50, 'The pages are rechecked');
  return reworks.find(({ id }) => id === asked.id) ?? asked;
}

function verdictOf(
  { id, job_id, status, last_verification: verdict }: ActionView,
  { results }: Pick<VerifyResponse, 'results'>,
): object {
  const head = {
    done: true,
    task_id: id,
    audit_id: job_id,
    outcome: verdict?.outcome ?? null,
    completed: status === 'completed',
    fixed: verdict?.fixed,
    still_there: verdict?.still_there,
    not_checked: verdict?.not_checked,
    untrusted: { text: clip(verdict?.text ?? '', 200) },
  };
  const still = results.length > 0 ? [] : (verdict?.still_there_at ?? []);
  return withLists(
    head,
    {
      results: results.map(({ finding_id, url, state, because, message, place }) => ({
        finding_id,
        page: clip(url, 200),
        state,
        ...(because === null ? {} : { because: clip(because) }),
        untrusted: { message: clip(message), place: clip(place) },
      })),
      still_there_at: still.map(({ url, place, message }) => ({
        page: clip(url, 200),
        untrusted: { message: clip(message), place: clip(place) },
      })),
    },
    { detail: 'short', narrow: 'Use get_fix for all places.' },
  );
}
