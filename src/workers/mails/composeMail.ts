/** Which mail an event leads to, and to whom; written from the streams, since read models may be behind. */
import { issuePasswordReset } from '../../commands/account/issuePasswordReset.ts';
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { type ActiveAccount, accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { hasResult, JOB_ENDS } from '../../domain/job/job.ts';
import type { MailDropReason } from '../../domain/mail/events.ts';
import { planDecider } from '../../domain/plan/decide.ts';
import { planStream } from '../../domain/plan/plan.ts';
import { type DataOf, eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { webhooksDecider, webhooksStream } from '../../domain/webhooks/webhooks.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import { batchEndedBy, type EndOfJob, type LoadedJob, loadJob } from './batch.ts';
import { type EndedJob, jobsDoneMail } from './jobsDone.ts';
import type { MailContent } from './layout.ts';
import { emailChangedMail, passwordChangedMail, passwordResetMail, webhookOffMail } from './texts.ts';

export type ComposeDeps = {
  readonly context: ContextOf;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  readonly appUrl: string;
  readonly supportEmail: string;
};

export type Draft =
  | { readonly userId: string; readonly drop: MailDropReason }
  | {
      readonly userId: string;
      readonly to: string;
      /** The link that turns such mails off is asked for by those who have one. Null: there is nothing to write about any more. */
      readonly write: (unsubscribeUrl: string) => MailContent | Promise<MailContent | null>;
      readonly canTurnOff: boolean;
    };

/** Writes nothing: what a mail needs to be written is written when somebody has its stream in hand. `waits`: whether it leads to a mail is not known yet. */
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
  if (isOf(event, 'AccountPasswordChanged')) {
    const { userId, changedAt } = event.data;
    const account = await activeAccount(store, userId);
    return account ? { userId, to: account.email, canTurnOff: false, write: () => passwordChangedMail(deps, changedAt) } : { userId, drop: 'gone' };
  }
  if (isOf(event, 'AccountEmailChanged')) {
    const { userId, formerEmail, email, changedAt } = event.data;
    return { userId, to: formerEmail, canTurnOff: false, write: () => emailChangedMail(deps, { email, changedAt }) };
  }
  if (isOf(event, ...JOB_ENDS)) return jobDone(deps, store, event);
  if (isOf(event, 'WebhookDisabled')) return webhookOff(deps, store, event.data);
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
  if (!jobs.some(({ state }) => 'outcome' in state && hasResult(state.outcome))) return { userId, drop: 'nothing_to_tell' };
  const account = await activeAccount(store, userId);
  const there = jobs.filter(({ state }) => state.status === 'finished');
  if (there.length === 0 || !account) return { userId, drop: 'gone' };
  if (account.unwantedMails.includes('job_done')) return { userId, drop: 'not_wanted' };
  const endedJobs = await Promise.all(there.map((job) => endedJob(store, job)));
  return { userId, to: account.email, canTurnOff: true, write: (unsubscribeUrl) => jobsDoneMail(deps, { jobs: endedJobs, unsubscribeUrl }) };
}

async function endedJob(store: EventStore, { state, events }: LoadedJob): Promise<EndedJob> {
  if (state.status !== 'finished') throw new Error('The job has not ended.');
  const { jobId, host, outcome } = state;
  const { state: plan } = await loadState(store, planDecider, planStream(jobId));
  const report = eventsOf(events, 'JobReportReady').at(-1)?.data;
  return { jobId, host, outcome, score: report?.score ?? null, items: plan.status === 'generated' ? plan.items : [] };
}

async function webhookOff(deps: ComposeDeps, store: EventStore, { userId, endpointId, disabledAt }: DataOf<'WebhookDisabled'>): Promise<Draft> {
  const { state } = await loadState(store, webhooksDecider, webhooksStream(userId));
  const account = await activeAccount(store, userId);
  const endpoint = state.endpoints[endpointId];
  if (!account || !endpoint) return { userId, drop: 'gone' };
  // The path of such an address is often a secret.
  const { host } = new URL(endpoint.url);
  return { userId, to: account.email, canTurnOff: false, write: () => webhookOffMail(deps, { host, disabledAt }) };
}

async function activeAccount(store: EventStore, userId: string): Promise<ActiveAccount | null> {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state : null;
}
