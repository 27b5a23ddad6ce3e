/** All data of one user as a JSON text, read and written in pieces: at most one job is in memory at a time. */
import { billingStream } from '../../domain/billing/events.ts';
import { activityOf } from '../../history/activity.ts';
import { REPORT_FILES } from '../../model/jobs.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { getJob, type JobDocument, showsFiles } from '../../projections/jobs.ts';
import { documentsOf } from '../../projections/owned.ts';
import type { SequenceMailDocument } from '../../projections/sequences/sequenceMails.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import { listShares } from '../../projections/shares.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { accountOf } from '../auth/accountOf.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { presentAction, visibleItems } from '../present/action.ts';
import { presentActivity } from '../present/activity.ts';
import { presentApiKey } from '../present/apiKey.ts';
import { presentJob } from '../present/job.ts';
import { shownContent } from '../present/previewFiles.ts';
import { presentWebhook } from '../present/webhook.ts';

type Sources = Pick<HttpDeps, 'readModels' | 'store' | 'now' | 'reports'>;

type Part = { readonly name: string; readonly rows: (sources: Sources, userId: string) => AsyncIterable<object> };

/** The single list of exported parts: any new kind of user data needs a line here. */
const PARTS: readonly Part[] = [
  { name: 'sessions', rows: sessionRows },
  { name: 'activity', rows: activityRows },
  { name: 'api_keys', rows: apiKeyRows },
  { name: 'billing_events', rows: billingRows },
  { name: 'webhooks', rows: webhookRows },
  { name: 'shares', rows: shareRows },
  { name: 'sequence_mails', rows: sequenceMailRows },
  { name: 'jobs', rows: jobRows },
];

/** `onJob`: called once the row of a job has been taken, with how many have. */
export async function* accountExport(sources: Sources, userId: string, onJob: (done: number) => void = () => undefined): AsyncGenerator<string> {
  const account = await accountOf(sources, userId);
  const { email = null, name = null, isAdmin = false, secondFactor = false, createdAt = null, unwantedMails = [] } = account ?? {};
  const head = { format: 'seo-workbench-account', version: 1, exported_at: sources.now() };
  yield JSON.stringify({
    ...head,
    account: { id: userId, email, name, is_admin: isAdmin, mfa_enabled: secondFactor, created_at: createdAt, unwanted_mails: unwantedMails },
  }).slice(0, -1);
  for (const part of PARTS) {
    let separator = `,\n${JSON.stringify(part.name)}:[`;
    let rows = 0;
    for await (const row of part.rows(sources, userId)) {
      yield `${separator}\n${JSON.stringify(row)}`;
      separator = ',';
      rows += 1;
      if (part.name === 'jobs') onJob(rows);
    }
    yield separator === ',' ? ']' : `${separator}]`;
  }
  yield '}\n';
}

/** Token hashes are left out. */
async function* sessionRows({ readModels }: Sources, userId: string): AsyncGenerator<object> {
  for await (const { id, data } of documentsOf<SessionDocument>(readModels, 'sessions', userId)) {
    const { startedAt, lastUsedAt, refreshExpiresAt, client } = data;
    yield { id, started_at: startedAt, last_used_at: lastUsedAt, expires_at: refreshExpiresAt, client };
  }
}

const ACTIVITY_PAGE = 200;

/** As shown on the account page. */
async function* activityRows(sources: Sources, userId: string): AsyncGenerator<object> {
  for (let cursor: string | undefined; ; ) {
    const page = await activityOf(sources, userId, { limit: ACTIVITY_PAGE, cursor });
    for (const event of page.events) yield presentActivity(event, userId, page.names);
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}

async function* apiKeyRows({ readModels }: Sources, userId: string): AsyncGenerator<object> {
  yield* (await listApiKeys(readModels, userId)).map(presentApiKey);
}

/** The only part read from its stream: the events themselves are the data. */
async function* billingRows({ store }: Sources, userId: string): AsyncGenerator<object> {
  const read = await store.read(billingStream(userId));
  if (read.status === 'found') for (const { type, data } of read.events) yield { type, ...data };
}

async function* webhookRows({ readModels }: Sources, userId: string): AsyncGenerator<object> {
  yield* (await listWebhooks(readModels, userId)).map(presentWebhook);
}

/** Without the tokens that open the links. */
async function* shareRows({ readModels }: Sources, userId: string): AsyncGenerator<object> {
  for (const { jobId, shares } of await listShares(readModels, userId)) {
    for (const { tokenHash: _, shareId, ...share } of shares) yield { id: shareId, job_id: jobId, ...share };
  }
}

async function* sequenceMailRows({ readModels }: Sources, userId: string): AsyncGenerator<object> {
  for await (const { data } of documentsOf<SequenceMailDocument>(readModels, 'sequenceMails', userId)) {
    const { mailId, sequenceId, stepNumber, status, dueAt, settledAt } = data;
    yield { id: mailId, sequence_id: sequenceId, step_number: stepNumber, status, due_at: dueAt, settled_at: settledAt };
  }
}

/** Job rows read at once; files are read one job at a time. */
const JOBS_AT_ONCE = 50;

async function* jobRows(sources: Sources, userId: string): AsyncGenerator<object> {
  const { readModels, now } = sources;
  for await (const { id } of documentsOf<JobDocument>(readModels, 'jobs', userId, JOBS_AT_ONCE)) {
    const job = await getJob(readModels, id);
    if (job) yield { ...presentJob(job, now()), files: await filesOf(sources, job.data), action_items: await itemsOf(readModels, job.data) };
  }
}

async function filesOf(sources: Sources, job: JobDocument): Promise<Record<string, string>> {
  const { jobId, access } = job;
  const files: Record<string, string> = {};
  if (!showsFiles(job)) return files;
  for (const name of REPORT_FILES) {
    const file = await getJobFile(sources.readModels, jobId, name);
    if (file) files[name] = await shownContent(sources, access, file.data, name);
  }
  return files;
}

async function itemsOf(readModels: ReadModels, { jobId, access }: JobDocument): Promise<readonly object[]> {
  const board = await getBoard(readModels, jobId);
  return board ? visibleItems(board.data, access).map((item) => presentAction(jobId, item)) : [];
}
