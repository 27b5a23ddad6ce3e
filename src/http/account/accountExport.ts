/** All data of one user as a JSON text, read and written in pieces: at most one job is in memory at a time. */

import type * as z from 'zod';
import { loadState } from '../../commands/handle.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { logInDecider } from '../../domain/logIn/logIn.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { activityOf } from '../../history/activity.ts';
import { eventsFrom } from '../../history/readHistory.ts';
import type { DeepReadonly } from '../../model/deepReadonly.ts';
import { REPORT_FILES } from '../../model/jobs.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJob, type JobDocument, showsFiles } from '../../projections/jobs.ts';
import { documentsOf } from '../../projections/owned.ts';
import type { SequenceMailDocument } from '../../projections/sequences/sequenceRecipients.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import { listShares } from '../../projections/shares.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { accountOf } from '../auth/accountOf.ts';
import { AccountExport, EXPORTED } from '../contract/account.ts';
import type { ActionView } from '../contract/actions.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { presentAction, visibleItems } from '../present/action.ts';
import { presentActivity } from '../present/activity.ts';
import { presentApiKey } from '../present/apiKey.ts';
import { presentJob } from '../present/job.ts';
import { picked } from '../present/pick.ts';
import { shownFile } from '../reports/openFile.ts';
import { openReport } from '../reports/openReport.ts';
import { pagesWithLinks } from '../reports/pageRecord.ts';

type Sources = Pick<HttpDeps, 'readModels' | 'store' | 'now' | 'reports'>;

type PartName = keyof typeof EXPORTED;
/** What a row is picked from. */
type Exported<Name extends PartName> = DeepReadonly<z.output<(typeof EXPORTED)[Name]>>;

/** The single list of exported parts: any new kind of user data needs a line here. */
const PARTS: { readonly [Name in PartName]: (sources: Sources, userId: string) => AsyncIterable<Exported<Name>> } = {
  sessions: sessionRows,
  ways_to_log_in: wayRows,
  activity: activityRows,
  api_keys: apiKeyRows,
  billing_events: billingRows,
  webhooks: webhookRows,
  shares: shareRows,
  sequence_mails: sequenceMailRows,
  jobs: jobRows,
  pages: pageRows,
};

/** What is left of a deleted account. */
const NO_ACCOUNT = {
  email: null,
  name: null,
  is_admin: false,
  mfa_enabled: false,
  unwanted_mails: [],
} as const;

/** `onJob`: called once the row of a job has been taken, with how many have. */
export async function* accountExport(
  sources: Sources,
  userId: string,
  onJob: (done: number) => void = () => undefined,
): AsyncGenerator<string> {
  const account = await accountOf(sources, userId);
  const head: Pick<AccountExport, 'format' | 'version' | 'exported_at' | 'account'> = {
    format: 'seo-workbench-account',
    version: 1,
    exported_at: sources.now(),
    account: picked(AccountExport.shape.account, {
      ...(account ?? { ...NO_ACCOUNT, id: userId }),
      created_at: account?.createdAt ?? null,
    }),
  };
  yield JSON.stringify(head).slice(0, -1);
  const pace = createPace('request');
  for (const name of Object.keys(PARTS) as PartName[]) {
    let separator = `,\n${JSON.stringify(name)}:[`;
    let rows = 0;
    for await (const row of PARTS[name](sources, userId)) {
      yield `${separator}\n${JSON.stringify(picked<z.ZodType>(EXPORTED[name], row))}`;
      separator = ',';
      rows += 1;
      await pace.pass();
      if (name === 'jobs') onJob(rows);
    }
    yield separator === ',' ? ']' : `${separator}]`;
  }
  yield '}\n';
}

async function* sessionRows({ readModels }: Sources, userId: string): AsyncGenerator<Exported<'sessions'>> {
  for await (const { id, data } of documentsOf<SessionDocument>(readModels, 'sessions', { userId, isOpen: true })) {
    const { startedAt, lastUsedAt, refreshExpiresAt, client } = data;
    yield { id, started_at: startedAt, last_used_at: lastUsedAt, expires_at: refreshExpiresAt, client };
  }
}

async function* wayRows({ store }: Sources, userId: string): AsyncGenerator<Exported<'ways_to_log_in'>> {
  const { passkeys, identities } = (await loadState(store, logInDecider, logInStream(userId))).state;
  const none = { name: null, provider: null, subject: null, email: null };
  for (const { passkeyId: id, name, addedAt: added_at, lastUsedAt: last_used_at } of Object.values(passkeys))
    yield { ...none, kind: 'passkey', id, name, added_at, last_used_at };
  for (const { identityId: id, provider, subject, email, linkedAt, lastUsedAt: last_used_at } of Object.values(
    identities,
  ))
    yield { ...none, kind: 'identity', id, provider, subject, email, added_at: linkedAt, last_used_at };
}

const ACTIVITY_PAGE = 200;

async function* activityRows(sources: Sources, userId: string): AsyncGenerator<Exported<'activity'>> {
  const pace = createPace('request');
  for (let cursor: string | undefined; ; ) {
    const page = await activityOf(sources, userId, { limit: ACTIVITY_PAGE, cursor });
    for (const event of page.events) yield presentActivity(event, userId, page.names);
    if (page.cursor === null) return;
    cursor = page.cursor;
    await pace.pass();
  }
}

async function* apiKeyRows({ readModels }: Sources, userId: string): AsyncGenerator<Exported<'api_keys'>> {
  yield* (await listApiKeys(readModels, userId)).map(presentApiKey);
}

/** Read from its stream, too. */
async function* billingRows({ store }: Sources, userId: string): AsyncGenerator<Exported<'billing_events'>> {
  const bill = { store, stream: billingStream(userId), kind: { isBulky: false } };
  for await (const { type, data } of eventsFrom(bill, 0n)) yield { type, ...data };
}

async function* webhookRows({ readModels }: Sources, userId: string): AsyncGenerator<Exported<'webhooks'>> {
  yield* await listWebhooks(readModels, userId);
}

async function* shareRows({ readModels }: Sources, userId: string): AsyncGenerator<Exported<'shares'>> {
  for (const { jobId, shares } of await listShares(readModels, userId)) {
    for (const { shareId, sharedContent, ...share } of shares)
      yield { ...share, id: shareId, job_id: jobId, sharedContent: [...sharedContent] };
  }
}

async function* sequenceMailRows({ readModels }: Sources, userId: string): AsyncGenerator<Exported<'sequence_mails'>> {
  const mails = documentsOf<SequenceMailDocument>(readModels, 'sequenceRecipients', { kind: 'mail', userId });
  for await (const { data } of mails) {
    const { mailId, sequenceId, stepNumber, status, dueAt, settledAt } = data;
    yield {
      id: mailId,
      sequence_id: sequenceId,
      step_number: stepNumber,
      status,
      due_at: dueAt,
      settled_at: settledAt,
    };
  }
}

/** Job rows read at once; files are read one job at a time. */
const JOBS_AT_ONCE = 50;

async function* jobRows(sources: Sources, userId: string): AsyncGenerator<Exported<'jobs'>> {
  const { readModels, now } = sources;
  for await (const { id } of documentsOf<JobDocument>(readModels, 'jobs', { userId }, JOBS_AT_ONCE)) {
    const job = await getJob(readModels, id);
    if (job)
      yield {
        ...presentJob(job, now()),
        files: await filesOf(sources, job.data),
        action_items: await itemsOf(readModels, job.data),
      };
  }
}

async function* pageRows(sources: Sources, userId: string): AsyncGenerator<Exported<'pages'>> {
  for await (const { data } of documentsOf<JobDocument>(sources.readModels, 'jobs', { userId }, JOBS_AT_ONCE)) {
    const report = showsFiles(data) ? await openReport(sources, data) : null;
    if (!report) continue;
    for await (const { url, record, links } of pagesWithLinks(sources, report, data))
      yield { job_id: data.jobId, url, record, links };
  }
}

async function filesOf(sources: Sources, job: JobDocument): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  if (!showsFiles(job)) return files;
  for (const name of REPORT_FILES) {
    const content = await shownFile(sources, job, name);
    if (content !== null) files[name] = content;
  }
  return files;
}

async function itemsOf(readModels: ReadModels, { jobId, access }: JobDocument): Promise<ActionView[]> {
  const board = await getBoard(readModels, jobId);
  return board ? visibleItems(board.data, access).map((item) => presentAction(jobId, item)) : [];
}
