/** The worker side of a process: the kinds of pending work it takes, with their external dependencies. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Cause } from '../commands/context.ts';
import { PAYMENTS_WORKER } from '../domain/providerEvent/providerEvent.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import { createWebhookUrlCheck } from '../integrations/webhookUrl.ts';
import { ownerOfProviderIds } from '../projections/billing.ts';
import { formerPages } from '../projections/formerPages.ts';
import { hasStartedSince } from '../projections/jobIndex.ts';
import { formerFormula } from '../projections/jobs.ts';
import { areProgramsAllowed } from '../projections/planAccess.ts';
import { lastActiveAt } from '../projections/sequences/sequenceRecipients.ts';
import { removeClaimsAhead } from '../work/claimsAhead.ts';
import type { Follower } from '../work/follower.ts';
import type { FollowerLag } from '../work/followerLag.ts';
import { watchHolders, withHeartbeat } from '../work/heartbeats.ts';
import { interruptsOf, startInterrupting } from '../work/interrupts.ts';
import type { WorkKind } from '../work/kind.ts';
import { accountExportKind } from '../work/kinds/accountExport.ts';
import { auditKind } from '../work/kinds/audit.ts';
import { followUpKind } from '../work/kinds/followUp.ts';
import { mailKind } from '../work/kinds/mail.ts';
import { promptTrialKind } from '../work/kinds/promptTrial.ts';
import { providerEventKind } from '../work/kinds/providerEvent.ts';
import { reworkKind } from '../work/kinds/rework.ts';
import { sequenceMailKind } from '../work/kinds/sequenceMail.ts';
import { webhookKind } from '../work/kinds/webhook.ts';
import { type KindState, type Runner, runWork } from '../work/runner.ts';
import type { PostAnswer } from '../workers/webhookSender.ts';
import { accountContentOf } from './accountContent.ts';
import { siteBytesOf } from './siteBytes.ts';
import { sleep } from './sleep.ts';
import { createFollowers, startFollowers } from './startFollowers.ts';
import { userAgent as userAgentOf } from './version.ts';
import type { WorkerParts } from './workerParts.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;
/** Maximum response size; the response is not used. */
const WEBHOOK_ANSWER_BYTES = 64 * 1024;

export type Workers = {
  readonly kinds: readonly WorkKind[];
  /** This process's work by kind; empty while it may not take any. */
  state(): readonly KindState[];
  /** Since when this process has taken no work for lack of a lease (UTC ISO); null: it takes work. */
  idleSince(): string | null;
  /** How far the followers lag behind. */
  followerLag(): Promise<readonly FollowerLag[]>;
  /** Takes no new work, interrupts running work and returns it. */
  stop(): Promise<void>;
};

export function startWorkers(parts: WorkerParts): Workers {
  const { log, leases, now } = parts;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  // The process id tells whoever reads the leases and claims which process it is.
  const id = `${process.pid}-${randomUUID()}`;
  const followers = createFollowers(parts);
  const { kinds, close } = createKinds(parts, followers);
  let runner: Runner | null = null;
  let idleSince: string | null = now();
  /** While the first lease is being taken: it costs as many queries. */
  let compared: Promise<void> | null = forgetOtherLogs(parts, kinds);

  async function work(holder: string, signal: AbortSignal, held: () => boolean): Promise<void> {
    const interrupts = interruptsOf(kinds, (...ended) => runner?.interrupt(...ended));
    const interrupting = startInterrupting({ store: parts.store, ...interrupts, signal, sleep, log });
    await Promise.all([compared ?? forgetOtherLogs(parts, kinds), interrupting.begun]);
    compared = null;
    const current = runWork({
      kinds,
      readModels: parts.readModels,
      claims: parts.claims,
      holder,
      held,
      signal,
      now,
      log,
    });
    runner = current;
    if (!signal.aborted) idleSince = null;
    // Its current work may take a while to end.
    signal.addEventListener(
      'abort',
      () => {
        idleSince = now();
      },
      { once: true },
    );
    const watching = leases
      ? watchHolders({ leases, claims: parts.claims, own: () => holder, signal, log, onVacated: current.notifyAll })
      : null;
    await Promise.all([current.done, interrupting.done, watching]);
    runner = null;
  }

  // A single process needs no lease: any earlier holder is gone.
  const working = leases
    ? withHeartbeat({ leases, id, signal: stopping.signal, log }, work).done
    : work('this process', stopping.signal, () => true);
  const following = startFollowers(parts, followers, { owner: id, signal: stopping.signal });
  return {
    kinds,
    state: () => runner?.state() ?? [],
    idleSince: () => idleSince,
    followerLag: following.lag,
    async stop() {
      stopping.abort();
      await Promise.all([working, following.done]);
      await close();
      await parts.mailer?.close();
    },
  };
}

function createKinds(
  parts: WorkerParts,
  followers: readonly Follower[],
): { readonly kinds: readonly WorkKind[]; close(): Promise<void> } {
  const { config, log, store, parse, assess, analyst, renderer, liveProgress, liveFeed, allowHosts, now } = parts;
  const userAgent = userAgentOf(parts.appUrl);
  const random = { random: Math.random };
  const webhookFetcher = createFetcher({ allowHosts, userAgent, asksForHttp2: false });
  const audits = auditKind(
    {
      store,
      now,
      parse,
      ...(assess ? { assess } : {}),
      analyst,
      userAgent,
      askAsOthers: config.AUDIT_AS_OTHERS,
      siteBytes: siteBytesOf(config.AUDIT_PARALLEL),
      log,
      sleep,
      clock: Date.now,
      newId: randomUUID,
      openFetcher: () => createFetcher({ allowHosts, userAgent }),
      ...(renderer ? { renderThrough: renderer.through } : {}),
      ...(liveProgress ? { liveProgress } : {}),
      ...(liveFeed ? { liveFeed } : {}),
      formerPages: (of) => formerPages(parts.readModels, of),
    },
    {
      parallel: config.AUDIT_PARALLEL,
      hadSince: (userId, since) => hasStartedSince(parts.readModels, userId, since),
      ...random,
    },
  );
  const sending = {
    mailer: parts.mailer,
    now,
    newToken: parts.newToken,
    hashCode: parts.hashCode,
    appUrl: parts.appUrl,
    supportEmail: config.SUPPORT_EMAIL,
    companyName: config.COMPANY_NAME,
    context: (cause: Cause | null) => parts.context({ kind: 'worker', id: 'mails' }, cause),
  };
  const mails = mailKind(
    {
      ...sending,
      log,
      payments: parts.payments,
      unlimited: config.unlimited,
      formerFormula: (job) => formerFormula(parts.readModels, job),
    },
    random,
  );
  const sequenceMails = sequenceMailKind(
    { ...sending, lastActiveAt: (userId) => knownActivity(parts, userId) },
    random,
  );
  const webhooks = webhookKind(
    {
      store,
      now,
      userAgent,
      clock: () => performance.now(),
      vetUrl: createWebhookUrlCheck(allowHosts),
      isAllowed: async (of) => !parts.payments || areProgramsAllowed(parts.readModels, { ...of, at: now() }),
      context: (cause) => parts.context({ kind: 'worker', id: 'webhooks' }, cause),
      post: async (url, request): Promise<PostAnswer> => {
        const answer = await webhookFetcher.post(url, {
          ...request,
          timeoutMs: WEBHOOK_TIMEOUT_MS,
          maxBytes: WEBHOOK_ANSWER_BYTES,
          cut: true,
        });
        return answer.ok ? { ok: true, status: answer.status } : { ok: false, message: answer.message };
      },
    },
    random,
  );
  const reworks = reworkKind(
    { context: (cause) => parts.context({ kind: 'worker', id: 'reworks' }, cause), now, followUp: parts.followUp },
    random,
  );
  const providerEvents = providerEventKind(
    {
      context: (cause) => parts.context(PAYMENTS_WORKER, cause),
      now,
      payments: parts.payments,
      ownerOf: (ids, asOf) => ownerOfProviderIds(parts.readModels, ids, asOf),
    },
    random,
  );
  const promptTrials = promptTrialKind(
    { context: (cause) => parts.context({ kind: 'worker', id: 'promptTrials' }, cause), now, analyst },
    random,
  );
  const followUps = followUpKind(
    { context: (cause) => parts.context({ kind: 'worker', id: 'followers' }, cause), now, followers },
    random,
  );
  const exporting = {
    context: (cause: Cause | null) => parts.context({ kind: 'worker', id: 'accountExports' }, cause),
    now,
    contentOf: accountContentOf(parts),
  };
  const accountExports = accountExportKind(exporting, random);
  return {
    kinds: [audits, mails, webhooks, reworks, providerEvents, followUps, sequenceMails, promptTrials, accountExports],
    close: () => webhookFetcher.close(),
  };
}

/** How long to wait for read models, ms. */
const ACTIVITY_TIMEOUT_MS = 5_000;

/** @throws when the list lags behind: a decisive event may be missing from it */
async function knownActivity({ store, readModels }: WorkerParts, userId: string): Promise<string | null> {
  const found = await readModels.readAsOf(['sequenceRecipients'], await store.head(), ACTIVITY_TIMEOUT_MS, () =>
    lastActiveAt(readModels, userId),
  );
  if (found === null) throw new Error('What users did last is not known yet.');
  return found.answer;
}

/** Before any work is taken; a store failure surfaces when work is taken. */
async function forgetOtherLogs({ store, claims, log }: WorkerParts, kinds: readonly WorkKind[]): Promise<void> {
  try {
    const removed = await removeClaimsAhead(
      { store, claims },
      kinds.map(({ rule }) => rule.kind),
    );
    if (removed > 0)
      log.warn(
        { removed },
        'claims were ahead of the log, which was replaced by an older one; their items are pending again',
      );
  } catch (error) {
    log.warn({ err: error }, 'claims could not be compared with the log');
  }
}
