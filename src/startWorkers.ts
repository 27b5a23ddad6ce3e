/** The worker side of a process: the audit worker and the reconciler, with what they need of the outside. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ParsePage } from './audit/facts/parsePage.ts';
import { actionItemsMarkdown } from './audit/report/actionItemsMarkdown.ts';
import { MODELS_OF_ACCOUNT_PARTS } from './commands/accountParts.ts';
import type { CommandContext } from './commands/context.ts';
import { type ListSessions, reconcileSessionEnds } from './commands/endSessions.ts';
import { reconcileAccountDeletions } from './commands/reconcileAccountDeletions.ts';
import { reconcileAccounts } from './commands/reconcileAccounts.ts';
import { reconcileDeletions } from './commands/reconcileDeletions.ts';
import { reconcileEmailChanges } from './commands/reconcileEmailChanges.ts';
import { reconcilePlanFiles } from './commands/reconcilePlanFiles.ts';
import { reconcileReservations } from './commands/reconcileReservations.ts';
import type { Config } from './config.ts';
import { type EventStore, START } from './eventStore/eventStore.ts';
import type { Analyst } from './integrations/analyst/analyst.ts';
import { createFetcher } from './integrations/fetcher/httpFetcher.ts';
import type { Mailer } from './integrations/mailer/mailer.ts';
import type { Renderer } from './integrations/renderer/chromiumRenderer.ts';
import { listOpenJobs } from './projections/jobs.ts';
import { ownedBy } from './projections/owned.ts';
import { listOpenReservations } from './projections/reservations.ts';
import { listSessions } from './projections/sessions.ts';
import type { ReadModels } from './readModels/readModels.ts';
import { startWebhooks, webhookRounds } from './startWebhooks.ts';
import { userAgent as userAgentOf } from './version.ts';
import { type AuditJobDeps, failJob, GIVEN_UP, runAuditJob } from './workers/auditJob.ts';
import { type AuditWorker, startAuditWorker } from './workers/auditWorker.ts';
import { type MailWorker, startMailWorker } from './workers/mailWorker.ts';
import { startReconciler } from './workers/reconciler.ts';
import { createStrandedJobs } from './workers/strandedJobs.ts';

const AUDITS_PER_USER = 2;
const RECONCILE_EVERY_MS = 60_000;
/** No step of an audit takes longer than its whole time; some more for a model that answers late, and for the read models. */
const QUIET_BEYOND_TIME_MS = 120_000;
/** No session lives longer, so nothing is left of older orders to end them. */
const SESSION_LIFE_MS = 31 * 24 * 60 * 60 * 1_000;
const SESSIONS_PATIENCE_MS = 10_000;
/** Open jobs that one round looks at. */
const OPEN_JOBS = 200;
/** For read models to know of a deletion, ms; else the next round erases. */
const CAUGHT_UP_MS = 5_000;

export type WorkerParts = {
  readonly config: Config;
  readonly log: Logger;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly parse: ParsePage;
  readonly analyst: Analyst;
  /** Null without a browser. Stays open. */
  readonly renderer: Renderer | null;
  readonly allowHosts: readonly string[];
  /** Null: this installation sends no mail. */
  readonly mailer: Mailer | null;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  /** Public address, for the crawler's name and the links in mails. */
  readonly appUrl: string;
  readonly context: (actor: string) => CommandContext;
  /** UTC ISO. */
  readonly now: () => string;
};

export function startWorkers(parts: WorkerParts): { stop(): Promise<void> } {
  const { config, log, store, parse, analyst, renderer, allowHosts, now } = parts;
  const userAgent = userAgentOf(parts.appUrl);
  const job: AuditJobDeps = {
    store,
    now,
    clock: Date.now,
    newId: randomUUID,
    sleep,
    openFetcher: () => createFetcher({ allowHosts, userAgent }),
    parse,
    ...(renderer ? { renderThrough: renderer.through } : {}),
    analyst,
    userAgent,
    log,
  };
  const worker = startAuditWorker({
    store,
    parallel: config.AUDIT_PARALLEL,
    parallelPerUser: AUDITS_PER_USER,
    runJob: (jobId, signal) => runAuditJob(job, jobId, signal),
    giveUp: (jobId) => failJob(job, jobId, 'INTERNAL', GIVEN_UP),
    log,
  });
  const mails = startMailWorker({
    store,
    mailer: parts.mailer,
    context: () => parts.context('worker:mails'),
    now,
    newToken: parts.newToken,
    appUrl: parts.appUrl,
    supportEmail: config.SUPPORT_EMAIL,
    log,
  });
  const webhooks = startWebhooks(parts, userAgent);
  const reconciler = startReconciler({ rounds: rounds(parts, worker, mails), everyMs: RECONCILE_EVERY_MS, log });
  void reconciler.reconcile();
  return {
    async stop() {
      // A round may wait for a store that is away; audits are given back meanwhile.
      await Promise.all([reconciler.stop(), worker.stop(), mails.stop(), webhooks.stop()]);
      await parts.mailer?.close();
    },
  };
}

function rounds(parts: WorkerParts, worker: AuditWorker, mails: MailWorker): Parameters<typeof startReconciler>[0]['rounds'] {
  const { context, store, readModels, config, now } = parts;
  let accounts = START;
  let deletions = START;
  let accountDeletions = START;
  let planFiles = START;
  let emailChanges = START;
  let sessionEnds = START;
  const list: ListSessions = async (userId, at) => {
    if (!(await readModels.reached(['sessions'], at, SESSIONS_PATIENCE_MS))) throw new Error('The list of sessions is behind.');
    return listSessions(readModels, userId);
  };
  const actor = 'worker:reconciler';
  return [
    {
      name: 'reservations',
      run: async () => {
        const ended = await reconcileReservations(context(actor), { listOpen: (query) => listOpenReservations(readModels, query) });
        return ended.consumed + ended.released;
      },
    },
    {
      name: 'accounts',
      run: async () => {
        const { removed, next } = await reconcileAccounts(context(actor), { after: accounts });
        accounts = next;
        return removed;
      },
    },
    {
      name: 'deletions',
      run: async () => {
        deletions = (await reconcileDeletions(store, { after: deletions })).next;
        return 0;
      },
    },
    {
      name: 'account deletions',
      run: async () => {
        const { next } = await reconcileAccountDeletions(context(actor), {
          after: accountDeletions,
          owned: (model, userId) => ownedBy(readModels, model, userId),
          reached: (position) => readModels.reached(MODELS_OF_ACCOUNT_PARTS, position, CAUGHT_UP_MS),
        });
        accountDeletions = next;
        return 0;
      },
    },
    ...webhookRounds(parts),
    {
      name: 'plan files',
      run: async () => {
        planFiles = (await reconcilePlanFiles(context(actor), { after: planFiles, itemsFile: actionItemsMarkdown })).next;
        return 0;
      },
    },
    {
      name: 'email changes',
      run: async () => {
        const { finished, next } = await reconcileEmailChanges(context(actor), { after: emailChanges });
        emailChanges = next;
        return finished;
      },
    },
    {
      name: 'session ends',
      run: async () => {
        const since = new Date(Date.parse(now()) - SESSION_LIFE_MS).toISOString();
        sessionEnds = (await reconcileSessionEnds(context(actor), { after: sessionEnds, list, since })).next;
        return 0;
      },
    },
    { name: 'mails', run: mails.resend },
    {
      name: 'stranded jobs',
      run: createStrandedJobs({
        listOpen: (before) => listOpenJobs(readModels, { before, limit: OPEN_JOBS }),
        now,
        quietMs: config.AUDIT_MAX_SECONDS * 1_000 + QUIET_BEYOND_TIME_MS,
        worker,
      }),
    },
  ];
}

/** Resolves after `ms`, or as soon as the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
