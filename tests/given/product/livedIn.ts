/**
 * An installation in use: accounts, sessions, audits by the real worker code, balances, and deleted or abandoned data.
 */

import { randomUUID } from 'node:crypto';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { emailStreamOf } from '../../../src/commands/account/emailStreamOf.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { cancelJob } from '../../../src/commands/job/cancelJob.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { changeAction } from '../../../src/commands/plan/changeAction.ts';
import { endSession } from '../../../src/commands/session/endSession.ts';
import { refreshSession } from '../../../src/commands/session/refreshSession.ts';
import { startSession } from '../../../src/commands/session/startSession.ts';
import { createShare } from '../../../src/commands/share/createShare.ts';
import { accountDecider } from '../../../src/domain/account/decide.ts';
import { emailDecider } from '../../../src/domain/account/email.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import { planDecider } from '../../../src/domain/plan/decide.ts';
import { planStream } from '../../../src/domain/plan/events.ts';
import { itemsOf } from '../../../src/domain/plan/plan.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import type { Follower } from '../../../src/work/follower.ts';
import { createCrawlData } from '../../../src/work/followers/crawlData.ts';
import { createSettledAnalyses } from '../../../src/work/followers/settledAnalyses.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { createLostReservations } from '../../../src/work/sweeps/lostReservations.ts';
import { createUnfinishedSignUps } from '../../../src/work/sweeps/unfinishedSignUps.ts';
import { runAuditJob } from '../../../src/workers/auditJob.ts';
import type { AuditJobDeps } from '../../../src/workers/jobRun.ts';
import { crashingStore, orCrash, type Product, product, userOf, withAdmin } from '../commands.ts';
import { projecting } from '../stores/projections.ts';
import { memoryReadModels } from '../stores/readModels.ts';
import { documentsOf } from '../stores/replay.ts';
import { asOfIf, followLog, still } from '../work/following.ts';
import { pendingJob } from '../work/pendingJob.ts';

export type LivedIn = {
  readonly made: Product;
  readonly ann: string;
  readonly bob: string;
  readonly left: string;
  readonly jobs: Readonly<Record<'done' | 'failed' | 'cancelled' | 'waiting' | 'deleted' | 'missing', string>>;
  /** Repeats the abandoned submission. */
  readonly repeatMissing: (store: EventStore) => Promise<unknown>;
};

export function workerOn(made: Product, host: string, store: EventStore = made.store): AuditJobDeps {
  return {
    store,
    now: made.now,
    clock: () => Date.parse(made.now()),
    newId: randomUUID,
    sleep: async () => undefined,
    openFetcher: () => createFetcher({ allowHosts: [host], userAgent: 'Test/1' }),
    parse: async (input) => parsePage(input),
    analyst: createRulesAnalyst(),
    userAgent: 'Test/1',
  };
}

const held = (): boolean => true;

/** The followers of a job's end. */
export const followersOfEnds = ({ store, context }: Pick<Product, 'store' | 'context'>): readonly Follower[] => [
  createSettledAnalyses({ context, asOf: asOfIf(true), isReserved: async () => true }),
  createCrawlData({ store }),
];

/** `host` serves a site that may be audited, without `/missing`. */
export async function livedIn(store: EventStore, host: string): Promise<LivedIn> {
  const made = await withAdmin(product(store));
  const { context } = made;
  const ann = await userOf(made);
  const bob = await userOf(made, 'bob@example.com');
  const newToken = () => randomUUID().replaceAll('-', '').repeat(2);
  const first = await startSession(context(), { userId: ann, newToken });
  await refreshSession(context(), { refreshToken: first.refreshToken, newToken });
  const ended = await startSession(context(), { userId: bob, newToken });
  await endSession(context(), { sessionId: ended.sessionId, userId: bob, reason: 'logout' });

  const submit = (userId: string, path: string, breaking: EventStore = store, commandId?: string) =>
    submitJobs(context(commandId, breaking), {
      userId,
      sites: [{ url: `http://${host}${path}`, host }],
      bounds: { maxPages: 10, maxMs: 60_000 },
    });
  const submitted = async (userId: string, path = '/'): Promise<string> => (await submit(userId, path)).jobIds[0] ?? '';
  const audited = async (userId: string, path = '/'): Promise<string> => {
    const jobId = await submitted(userId, path);
    await runAuditJob(workerOn(made, host), pendingJob(jobId), held, still);
    return jobId;
  };
  const done = await audited(ann);
  const failed = await audited(ann, '/missing');
  const deleted = await audited(bob);
  await deleteJob(context(), { jobId: deleted });
  const cancelled = await submitted(bob);
  await cancelJob(context(), { jobId: cancelled });

  await workOff(made, ann, done);
  const left = await leave(made);
  const missing = '00000000-0000-4000-8000-0000000000aa';
  // The reservation is written, its job is not.
  await orCrash(submit(bob, '/', crashingStore(store, 2, 'before'), missing));
  await orCrash(
    userOf({ ...made, context: () => context(undefined, crashingStore(store, 2, 'before')) }, 'eve@example.com'),
  );
  made.pass(11);
  await createUnfinishedSignUps(made).run(null, still);
  await createLostReservations(made).run(null, still);
  for (const follower of followersOfEnds(made)) await followLog(store, follower);
  const waiting = await submitted(ann);
  return {
    made,
    ann,
    bob,
    left,
    jobs: { done, failed, cancelled, waiting, deleted, missing },
    repeatMissing: (at) => submit(bob, '/', at, missing),
  };
}

/** A started item with a note, a shared link, an API key. */
async function workOff({ context, store }: Product, userId: string, jobId: string): Promise<void> {
  const { state } = await loadState(store, planDecider, planStream(jobId));
  const [first] = itemsOf(state);
  await changeAction(context(), {
    type: 'ChangeAction',
    jobId,
    actionId: first?.id ?? '',
    status: 'in-progress',
    notes: 'Asked the printer.',
  });
  await createShare(context(), {
    jobId,
    userId,
    description: '',
    sharedContent: ['actions'],
    mode: 'preview',
    expiresIn: null,
    secret: 'of the test',
  });
  await createApiKey(context(), {
    userId,
    name: 'CI',
    scope: 'read',
    expiresAt: null,
    newToken: () => randomUUID().replaceAll('-', '').repeat(2),
  });
}

/** A user who deleted the account. */
async function leave(made: Product): Promise<string> {
  const email = 'lee@example.com';
  const userId = await userOf(made, email);
  await handle(made.context(), accountDecider, accountStream(userId), { type: 'DeleteAccount', at: made.now() });
  await handle(made.context(), emailDecider, emailStreamOf(email), { type: 'ReleaseEmail', userId, at: made.now() });
  return userId;
}

/** Every read model, built from a log from its start. */
export async function readModelsOf(store: EventStore, into: ReadModels = memoryReadModels()): Promise<ReadModels> {
  const running = projecting(store, into, READ_MODELS);
  await running.ready;
  await running.stop();
  return into;
}

/** Every document of every read model, without log positions, which differ between logs. */
export async function allDocuments(readModels: ReadModels): Promise<Record<string, Record<string, object>>> {
  const models: Record<string, Record<string, object>> = {};
  for (const { name } of READ_MODELS) {
    const documents = Object.entries(await documentsOf(readModels, name)) as [
      string,
      { position?: string; startPosition?: string; opening?: string },
    ][];
    models[name] = Object.fromEntries(
      documents.map(([id, { position: _, startPosition: _started, opening: _opened, ...data }]) => [id, data]),
    );
  }
  return models;
}
