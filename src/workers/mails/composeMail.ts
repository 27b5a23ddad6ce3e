/** Which email an event leads to, and its recipient; composed from the streams, since read models may lag behind. */

import { issuePasswordReset } from '../../commands/account/issuePasswordReset.ts';
import { issueEmailConfirmation } from '../../commands/account/requestEmailConfirmation.ts';
import { settleAnalysis } from '../../commands/billing/settleAnalysis.ts';
import { loadHistory, loadState } from '../../commands/handle.ts';
import { issueLogInMail } from '../../commands/logIn/logInMail.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { givenBackFor } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import type { BillingState } from '../../domain/billing/ledger.ts';
import { costsAnalysis, hasResult, JOB_ENDS } from '../../domain/job/job.ts';
import { planDecider } from '../../domain/plan/decide.ts';
import { planStream } from '../../domain/plan/events.ts';
import { itemsOf } from '../../domain/plan/plan.ts';
import { type DataOf, eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { webhooksStream } from '../../domain/webhooks/events.ts';
import { webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import { isOptional } from '../../model/actions.ts';
import { isPart, settingsText } from '../../model/crawlSettings.ts';
import { FIRST_FORMULA } from '../../model/scores.ts';
import { batchEndedBy, type EndOfJob, type LoadedJob, loadJob } from './batch.ts';
import { composeBillingMail } from './billingMails.ts';
import { activeAccount, type ComposeDeps, type Draft, reachable } from './draft.ts';
import { type EndedJob, jobsDoneMail } from './jobsDone.ts';
import type { MailContent } from './layout.ts';
import { sequenceTest } from './sequences/sequenceTest.ts';
import {
  emailChangedMail,
  emailConfirmationMail,
  logInMail,
  passwordChangedMail,
  passwordResetMail,
  secondFactorMail,
  wayInMail,
  webhookOffMail,
} from './texts.ts';

/**
 * Writes nothing of the email yet: whatever it needs is written by the holder of its stream. `waits`: not yet known whether it
 * leads to an email.
 */
export async function composeMail(deps: ComposeDeps, event: RecordedEvent): Promise<Draft | 'waits'> {
  const { store } = deps.context(event);
  if (isOf(event, 'PasswordResetAsked')) {
    const { userId, requestId } = event.data;
    const account = await activeAccount(store, userId);
    if (!account) return { userId, drop: 'gone' };
    const write = async (): Promise<MailContent | null> => {
      const tokens = await issuePasswordReset(deps.context(event), { userId, requestId, newToken: deps.newToken });
      return tokens && passwordResetMail(deps, tokens);
    };
    return { userId, to: account.email, canTurnOff: false, write };
  }
  if (isOf(event, 'LogInMailAsked')) {
    const { userId, requestId, withoutCode } = event.data;
    const account = await activeAccount(store, userId);
    if (!account) return { userId, drop: 'gone' };
    const write = async (): Promise<MailContent | null> => {
      const { newToken, hashCode } = deps;
      const given = { userId, requestId, withCode: !withoutCode, newToken, hashCode };
      const issued = await issueLogInMail(deps.context(event), given);
      return issued && logInMail(deps, issued);
    };
    return { userId, to: account.email, canTurnOff: false, write };
  }
  if (isOf(event, 'PasskeyAdded', 'PasskeyRemoved', 'IdentityLinked', 'IdentityUnlinked')) {
    const { userId } = event.data;
    const account = await reachable(store, userId);
    if ('drop' in account) return account;
    // It came with the account, whose owner was just there.
    if (isOf(event, 'IdentityLinked') && event.revision === 0n && account.passwordHash === null)
      return { userId, drop: 'nothing_to_tell' };
    const change = { type: event.type, changedAt: event.metadata.at };
    return { userId, to: account.email, canTurnOff: false, write: () => wayInMail(deps, change) };
  }
  if (isOf(event, 'AccountEmailConfirmationAsked')) {
    const { userId, requestId, email } = event.data;
    const account = await activeAccount(store, userId);
    if (!account?.confirmations.some((request) => request.requestId === requestId && request.isOpen))
      return { userId, drop: 'gone' };
    // Signed up without a password: the email to log in with confirms the address.
    if (account.passwordHash === null && email === account.email) return { userId, drop: 'nothing_to_tell' };
    const write = async (): Promise<MailContent | null> => {
      const token = await issueEmailConfirmation(deps.context(event), { userId, requestId, newToken: deps.newToken });
      return token === null ? null : emailConfirmationMail(deps, { token, moves: email !== account.email });
    };
    return { userId, to: email, canTurnOff: false, write };
  }
  if (isOf(event, 'AccountPasswordChanged')) {
    const { userId, changedAt } = event.data;
    const account = await reachable(store, userId);
    return 'drop' in account
      ? account
      : { userId, to: account.email, canTurnOff: false, write: () => passwordChangedMail(deps, changedAt) };
  }
  if (isOf(event, 'SecondFactorEnabled', 'SecondFactorRemoved')) {
    const { userId } = event.data;
    const account = await reachable(store, userId);
    if ('drop' in account) return account;
    const on = event.type === 'SecondFactorEnabled';
    return {
      userId,
      to: account.email,
      canTurnOff: false,
      write: () => secondFactorMail(deps, { on, changedAt: event.metadata.at }),
    };
  }
  if (isOf(event, 'AccountEmailChanged')) {
    const { userId, formerEmail, email, changedAt } = event.data;
    if (!(await wasConfirmed(store, event))) return { userId, drop: 'not_confirmed' };
    return { userId, to: formerEmail, canTurnOff: false, write: () => emailChangedMail(deps, { email, changedAt }) };
  }
  if (isOf(event, ...JOB_ENDS)) return jobDone(deps, store, event);
  if (isOf(event, 'WebhookDisabled')) return webhookOff(deps, store, event.data);
  if (isOf(event, 'SequenceTestAsked')) return sequenceTest(deps, store, event.data);
  const billing = await composeBillingMail(deps, store, event);
  if (billing) return billing;
  throw new Error(`No mail is known for ${event.type}.`);
}

async function jobDone(deps: ComposeDeps, store: EventStore, end: EndOfJob): Promise<Draft | 'waits'> {
  const { jobId } = end.data;
  const own = await loadJob(store, jobId);
  if (own.state.status === 'none') return { userId: jobId, drop: 'gone' };
  const { userId } = own.state;
  const submitted = own.events.find((event) => isOf(event, 'JobSubmitted'));
  const jobs = submitted?.data.batchId === undefined ? [own] : await batchEndedBy(store, { userId, end });
  if (jobs === 'waits') return jobs;
  if (jobs === 'told_later') return { userId, drop: 'told_together' };
  if (!jobs.some(({ state }) => 'outcome' in state && hasResult(state.outcome)))
    return { userId, drop: 'nothing_to_tell' };
  const account = await reachable(store, userId);
  const there = jobs.filter(({ state }) => state.status === 'finished');
  if (there.length === 0) return { userId, drop: 'gone' };
  if ('drop' in account) return account;
  if (account.unwantedMails.includes('job_done')) return { userId, drop: 'not_wanted' };
  // Bills are long: only what gave something back needs one.
  const isPaid = there.every(({ state }) => state.status === 'finished' && costsAnalysis(state));
  // Whether a completed audit is given back is decided when it is settled, which anybody may do at any time.
  for (const { state } of there)
    if (state.status === 'finished' && state.givenBackFor !== null)
      await settleAnalysis(deps.context(end), { jobId: state.jobId });
  const billing = isPaid ? null : (await loadState(store, billingDecider, billingStream(userId))).state;
  const endedJobs = await Promise.all(there.map((job) => endedJob(deps, job, { store, billing })));
  return {
    userId,
    to: account.email,
    canTurnOff: true,
    write: (unsubscribeUrl) => jobsDoneMail(deps, { jobs: endedJobs, unsubscribeUrl }),
  };
}

async function endedJob(
  deps: ComposeDeps,
  { state, events }: LoadedJob,
  { store, billing }: { readonly store: EventStore; readonly billing: BillingState | null },
): Promise<EndedJob> {
  if (state.status !== 'finished') throw new Error('The job has not ended.');
  const { jobId, userId, host, settings, outcome } = state;
  const { state: plan } = await loadState(store, planDecider, planStream(jobId));
  const report = eventsOf(events, 'JobReportReady').at(-1)?.data;
  const givenBack = billing === null || costsAnalysis(state) ? null : givenBackFor(billing, jobId);
  return {
    jobId,
    host,
    part: settings && isPart(settings) ? settingsText(settings) : null,
    outcome,
    score: report?.score ?? null,
    notJudged: report?.notJudged ?? null,
    isShut: report?.shut === true,
    formulaChanged: await hasOtherFormula(deps, { userId, host, report, events }),
    items: itemsOf(plan).filter((item) => !isOptional(item)),
    partialReason: eventsOf(events, 'JobPartiallyCompleted', 'JobPartiallySucceeded').at(-1)?.data.reason ?? null,
    givenBack,
  };
}

type Report = DataOf<'JobReportReady'>;

async function hasOtherFormula(
  { formerFormula }: ComposeDeps,
  job: { userId: string; host: string; report: Report | undefined; events: LoadedJob['events'] },
): Promise<boolean> {
  const { userId, host, report, events } = job;
  const [submitted] = eventsOf(events, 'JobSubmitted');
  if (!formerFormula || !submitted || report === undefined || report.score === null) return false;
  const former = await formerFormula({ userId, host, before: submitted.data.submittedAt });
  return former !== null && former !== (report.formula ?? FIRST_FORMULA);
}

async function webhookOff(
  deps: ComposeDeps,
  store: EventStore,
  { userId, endpointId, disabledAt }: DataOf<'WebhookDisabled'>,
): Promise<Draft> {
  const { state } = await loadState(store, webhooksDecider, webhooksStream(userId));
  const account = await reachable(store, userId);
  const endpoint = state.endpoints[endpointId];
  if (!endpoint) return { userId, drop: 'gone' };
  if ('drop' in account) return account;
  // The path of such a URL is often secret.
  const { host } = new URL(endpoint.url);
  return { userId, to: account.email, canTurnOff: false, write: () => webhookOffMail(deps, { host, disabledAt }) };
}

/** Whether the account's previous address was confirmed. */
async function wasConfirmed(store: EventStore, changed: RecordedEvent): Promise<boolean> {
  const { events } = await loadHistory(store, accountDecider, changed.stream);
  const before = events.slice(
    0,
    events.findIndex(({ id }) => id === changed.id),
  );
  const account = before.reduce(accountDecider.evolve, accountDecider.initialState());
  return account.status === 'active' && account.emailProof === 'confirmed';
}
