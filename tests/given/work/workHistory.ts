/**
 * Random histories of a product's work, written by its own commands, with every event that was ever in the log,
 * including erased ones.
 */

import fc from 'fast-check';
import { changeEmail } from '../../../src/commands/account/changeEmail.ts';
import { changePassword } from '../../../src/commands/account/changePassword.ts';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { requestEmailConfirmation } from '../../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../../src/commands/account/requestPasswordReset.ts';
import { writeExportPart } from '../../../src/commands/accountExport/exportFile.ts';
import { expireAccountExport } from '../../../src/commands/accountExport/removeAccountExport.ts';
import { requestAccountExport } from '../../../src/commands/accountExport/requestAccountExport.ts';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { derivedId } from '../../../src/commands/derivedId.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { keepLastOnly } from '../../../src/commands/keepLastOnly.ts';
import { linkIdentity, unlinkIdentity } from '../../../src/commands/logIn/identities.ts';
import { requestLogInMail } from '../../../src/commands/logIn/logInMail.ts';
import { removePasskey } from '../../../src/commands/logIn/passkeys.ts';
import { mailIdOf, mailKindOf } from '../../../src/commands/mail/mailOf.ts';
import { resendMail } from '../../../src/commands/mail/resendMail.ts';
import { forgetPromptTrial } from '../../../src/commands/promptTrial/forgetPromptTrial.ts';
import { requestPromptTrial } from '../../../src/commands/promptTrial/requestPromptTrial.ts';
import { requestRework } from '../../../src/commands/rework/requestRework.ts';
import { forgetDelivery, queueDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook, removeWebhook, switchWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { dropGivenUp } from '../../../src/commands/work/givenUp.ts';
import { type AccountExportCommand, accountExportDecider } from '../../../src/domain/accountExport/accountExport.ts';
import { exportsStream } from '../../../src/domain/accountExport/events.ts';
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import { DomainError } from '../../../src/domain/decider.ts';
import type { JobCommand } from '../../../src/domain/job/decide.ts';
import { jobStream } from '../../../src/domain/job/events.ts';
import { logInStream } from '../../../src/domain/logIn/events.ts';
import { logInDecider } from '../../../src/domain/logIn/logIn.ts';
import { type MailCause, type MailKind, mailStream } from '../../../src/domain/mail/events.ts';
import { type MailCommand, mailDecider } from '../../../src/domain/mail/mail.ts';
import { whyNotResent } from '../../../src/domain/mail/resend.ts';
import { promptTrialStream } from '../../../src/domain/promptTrial/events.ts';
import { type PromptTrialCommand, promptTrialDecider } from '../../../src/domain/promptTrial/promptTrial.ts';
import { providerEventStream } from '../../../src/domain/providerEvent/events.ts';
import { type ProviderEventCommand, providerEventDecider } from '../../../src/domain/providerEvent/providerEvent.ts';
import { reworkStream } from '../../../src/domain/rework/events.ts';
import { type ReworkCommand, type ReworkSubject, reworkDecider } from '../../../src/domain/rework/rework.ts';
import { sequenceMailsStream, sequenceStream } from '../../../src/domain/sequence/events.ts';
import { type SequenceMailsCommand, sequenceMailsDecider } from '../../../src/domain/sequence/mails.ts';
import { sequenceDecider } from '../../../src/domain/sequence/sequence.ts';
import { isOf } from '../../../src/domain/stored/eventOf.ts';
import { type DeliveryCommand, deliveryDecider } from '../../../src/domain/webhooks/delivery.ts';
import { deliveryStream } from '../../../src/domain/webhooks/events.ts';
import { followUpStream, workStream } from '../../../src/domain/work/events.ts';
import { type FollowUpCommand, followUpDecider, workDecider } from '../../../src/domain/work/followUp.ts';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  StreamDeleted,
} from '../../../src/eventStore/eventStore.ts';
import { setFollowUpAside } from '../../../src/work/kinds/followUp.ts';
import { decideOn, workOn } from '../audit/auditedJob.ts';
import { bought, periodStart, subscribed } from '../billing/facts.ts';
import { type Product, product, userOf, withAdmin } from '../commands.ts';
import { ownedOf } from '../leaver.ts';
import { turnSecondFactor } from '../secondFactor.ts';
import { memoryEventStore } from '../stores/eventStore.ts';

type Owned = { readonly userId: string; readonly id: string };

export type World = {
  readonly made: Product;
  /** Every event ever written. */
  readonly log: RecordedEvent[];
  /** Events seen by an occasional reader, who missed those erased in between. */
  readonly seen: RecordedEvent[];
  readonly users: { readonly userId: string; email: string; gone: boolean }[];
  readonly jobs: Owned[];
  readonly endpoints: Owned[];
  readonly deliveries: (Owned & { readonly endpointId: string; attempt: number })[];
  readonly reworks: string[];
  readonly providerEvents: string[];
  readonly followUps: string[];
  readonly sequenceMails: Owned[];
};

export type History = Omit<World, 'users' | 'endpoints'> & { readonly userIds: readonly string[] };

/** An act on an existing item, chosen by `nth`; `how` chooses the variant. */
export type Act = (world: World, nth: number, how: number) => Promise<unknown>;

export const of = <T>(list: readonly T[], nth: number): T | null => list[nth % Math.max(1, list.length)] ?? null;
const BOUNDS = { maxPages: 5, maxMs: 1_000 };

const onJob =
  (command: (at: string, how: number) => JobCommand): Act =>
  async ({ made, jobs }, nth, how) => {
    const job = of(jobs, nth);
    if (job) await decideOn(made, job.id, command(made.now(), how));
  };

const onDelivery =
  (command: (at: string, how: number, attempt: number) => DeliveryCommand): Act =>
  async ({ made, deliveries }, nth, how) => {
    const delivery = of(deliveries, nth);
    if (!delivery) return;
    const { state } = await handle(
      made.context(),
      deliveryDecider,
      deliveryStream(delivery.id),
      command(made.now(), how, delivery.attempt),
    );
    delivery.attempt = 'attempt' in state ? state.attempt : 0;
  };

type MailFacts = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: MailKind;
  readonly at: string;
  readonly cause: MailCause;
};

const onMail =
  (command: (facts: MailFacts, how: number) => MailCommand): Act =>
  async ({ made, log }, nth, how) => {
    const settled = new Set<string>();
    for (const { type, data } of log) {
      const { mailId } = data as { readonly mailId: string };
      if (type === 'MailSent' || type === 'MailDropped') settled.add(mailId);
      else if (type === 'MailRequeued') settled.delete(mailId);
    }
    const mails = log.filter((each) => mailIdOf(each) !== null);
    const pending = mails.filter((each) => !settled.has(mailIdOf(each) ?? ''));
    const event = of(pending.length > 0 ? pending : mails, nth);
    if (!event) return;
    const mailId = mailIdOf(event) ?? '';
    const { userId } = event.data as { readonly userId: string };
    const cause = { id: event.id, stream: event.stream, revision: String(event.revision), type: event.type };
    const facts = { mailId, userId, kind: mailKindOf(event) ?? 'job_done', at: made.now(), cause };
    await handle(made.context(), mailDecider, mailStream(mailId), command(facts, how));
  };

const onRework =
  (command: (at: string, attempt: number) => ReworkCommand): Act =>
  async ({ made, reworks }, nth) => {
    const id = of(reworks, nth);
    if (id === null) return;
    const { state } = await loadState(made.store, reworkDecider, reworkStream(id));
    await handle(
      made.context(),
      reworkDecider,
      reworkStream(id),
      command(made.now(), state.status === 'none' ? 1 : state.attempt),
    );
  };

const onPromptTrial =
  (command: (at: string, attempt: number) => PromptTrialCommand): Act =>
  async ({ made, jobs }, nth) => {
    const job = of(jobs, nth);
    if (!job) return;
    const { state } = await loadState(made.store, promptTrialDecider, promptTrialStream(job.id));
    await handle(
      made.context(),
      promptTrialDecider,
      promptTrialStream(job.id),
      command(made.now(), state.status === 'none' ? 1 : state.attempt),
    );
  };

const ANSWER = {
  model: 'm',
  text: 'T',
  refused: null,
  dropped: 0,
  inputTokens: 1,
  outputTokens: 1,
  costMicros: 1,
  ms: 1,
};

const SUBJECTS: readonly ReworkSubject[] = [
  { what: 'plan' },
  { what: 'summary' },
  { what: 'verification', actionId: 'title-missing' },
];

const onProviderEvent =
  (command: (at: string) => ProviderEventCommand): Act =>
  async ({ made, providerEvents }, nth) => {
    const id = of(providerEvents, nth);
    if (id !== null) await handle(made.context(), providerEventDecider, providerEventStream(id), command(made.now()));
  };

/** Records the provider's state of a user's payment or plan in the bill. */
const onBill =
  (command: (userId: string, at: string, how: number) => BillingCommand): Act =>
  async ({ made, users }, nth, how) => {
    const { userId = '' } = of(users, nth) ?? {};
    await handle(made.context(), billingDecider, billingStream(userId), command(userId, made.now(), how));
  };

const onPlan = (more: Parameters<typeof subscribed>[0]): Act =>
  onBill((userId, at) => ({ type: 'RecordSubscription', userId, subscription: { ...subscribed(more), asOf: at }, at }));

const onFollowUp =
  (command: (at: string) => FollowUpCommand): Act =>
  async ({ made, followUps }, nth) => {
    const id = of(followUps, nth);
    if (id !== null) await handle(made.context(), followUpDecider, followUpStream(id), command(made.now()));
  };

const onExport =
  (command: (at: string, attempt: number) => AccountExportCommand): Act =>
  async ({ made, users }, nth) => {
    const { userId = '' } = of(users, nth) ?? {};
    const { state } = await loadState(made.store, accountExportDecider, exportsStream(userId));
    await handle(
      made.context(),
      accountExportDecider,
      exportsStream(userId),
      command(made.now(), state.status === 'none' ? 1 : state.attempt),
    );
  };

const onSequenceMail =
  (command: (mailId: string, at: string) => SequenceMailsCommand): Act =>
  async ({ made, sequenceMails }, nth) => {
    const mail = of(sequenceMails, nth);
    if (mail)
      await handle(
        made.context(),
        sequenceMailsDecider,
        sequenceMailsStream(mail.userId),
        command(mail.id, made.now()),
      );
  };

/** A passkey, an identity, or an email to log in with. */
const addWayIn: Act = async ({ made, users, log }, nth, how) => {
  const { userId = '', email = '' } = of(users, nth) ?? {};
  const removal = { userId, reason: 'owner', hasOtherWay: true } as const;
  if (how % 3 === 0) {
    await requestLogInMail(made.context(), { email, browser: `b${how}`, knownBrowser: false });
  } else if (how % 3 === 1) {
    const passkeyId = made.context().commandId;
    const passkey = { userId, passkeyId, credentialId: passkeyId, publicKey: 'key', counter: 0, isSynced: true };
    const command = { type: 'AddPasskey', ...passkey, name: 'Phone', at: made.now() } as const;
    await handle(made.context(), logInDecider, logInStream(userId), command);
    await removePasskey(made.context(), { ...removal, passkeyId });
  } else {
    const identity = { provider: 'example', issuer: 'https://id.example.com', subject: `s${log.length}`, email: null };
    const { identityId } = await linkIdentity(made.context(), { userId, ...identity });
    await unlinkIdentity(made.context(), { ...removal, identityId });
  }
};

const ACTS: Readonly<Record<string, Act>> = {
  async submit({ made, users, jobs }, nth, how) {
    const user = of(users, nth);
    if (!user || user.gone) return;
    const { userId } = user;
    const sites = Array.from({ length: 1 + (how % 3) }, (_, at) => ({
      host: `site${at}.example`,
      url: `https://site${at}.example/`,
    }));
    const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: BOUNDS, freeAnalyses: 1_000 });
    jobs.push(...jobIds.map((id) => ({ id, userId })));
  },
  begin: onJob((at) => ({ type: 'StartJob', at })),
  async complete(world, nth, how) {
    const job = of(world.jobs, nth);
    if (!job) return;
    await workOn(world.made, job.id);
    const at = world.made.now();
    const ends: readonly JobCommand[] = [
      { type: 'CompleteJob', at },
      { type: 'CompleteJobPartially', reason: 'The limit of 5 pages.', at },
      { type: 'SucceedJobPartially', reason: 'The model failed.', at },
    ];
    await decideOn(world.made, job.id, ends[how % 3] as JobCommand);
  },
  fail: onJob((at) => ({ type: 'FailJob', code: 'SITE_DNS', reason: 'Not found.', at })),
  failOurselves: onJob((at) => ({ type: 'FailJob', code: 'INTERNAL', reason: 'It failed several times.', at })),
  cancel: onJob((at) => ({ type: 'CancelJob', by: 'somebody', at })),
  async deleteJob({ made, jobs }, nth, how) {
    const job = of(jobs, nth);
    if (!job) return;
    await deleteJob(made.context(null, made.store, { kind: 'user', id: job.userId }), { jobId: job.id });
    // As earlier versions did: erases it regardless of pending work.
    if (how % 2 === 0) await keepLastOnly(made.store, jobStream(job.id));
  },
  /** Either mail with a link. */
  async askLink({ made, users, log }, nth, how) {
    const { userId = '', email = '' } = of(users, nth) ?? {};
    if (how % 3 > 0) await requestPasswordReset(made.context(), { email });
    else await requestEmailConfirmation(made.context(), { userId, email: `asked${log.length}@example.com` });
  },
  async changePassword({ made, users }, nth) {
    const { userId = '' } = of(users, nth) ?? {};
    await changePassword(made.context(), { userId, passwordHash: 'another', keptSessionId: '' });
  },
  async changeEmail({ made, users, log }, nth) {
    const user = of(users, nth);
    if (!user) return;
    const email = `address${log.length}@example.com`;
    await changeEmail(made.context(), { userId: user.userId, email });
    user.email = email;
  },
  async secondFactor(history, nth, how) {
    const { made, users } = history;
    const { userId = '' } = of(users, nth) ?? {};
    await turnSecondFactor(made.context(), { userId, on: true });
    if (how % 2 === 0) await turnSecondFactor(made.context(), { userId, on: false });
    await addWayIn(history, nth, how);
  },
  async addWebhook({ made, users, endpoints, log }, nth) {
    const { userId = '' } = of(users, nth) ?? {};
    const input = {
      userId,
      url: 'https://hooks.example.com/',
      events: ['job.completed'],
      newToken: () => `token ${log.length}`,
    } as const;
    endpoints.push({ id: (await addWebhook(made.context(), input)).endpointId, userId });
  },
  async switchWebhook({ made, endpoints }, nth, how) {
    const endpoint = of(endpoints, nth);
    if (!endpoint) return;
    const named = { userId: endpoint.userId, endpointId: endpoint.id };
    if (how % 3 === 0) await switchWebhook(made.context(), { ...named, on: true });
    else await switchWebhook(made.context(), { ...named, on: false, reason: how % 3 === 1 ? 'owner' : 'failing' });
  },
  async removeWebhook({ made, endpoints, deliveries }, nth) {
    const endpoint = of(endpoints, nth);
    if (!endpoint) return;
    await removeWebhook(made.context(), { userId: endpoint.userId, endpointId: endpoint.id });
    for (const { id, endpointId } of deliveries)
      if (endpointId === endpoint.id) await forgetDelivery(made.context(), { deliveryId: id, endpointId });
  },
  async queue({ made, users, endpoints, deliveries, log }, nth) {
    const endpoint = of(endpoints, nth);
    if (!endpoint || users.some(({ userId, gone }) => gone && userId === endpoint.userId)) return;
    const { userId, id: endpointId } = endpoint;
    const message = { event: 'job.completed', createdAt: made.now(), data: {} } as const;
    const { deliveryId } = await queueDelivery(made.context(), {
      userId,
      endpointId,
      causeId: `cause ${log.length}`,
      message,
    });
    deliveries.push({ id: deliveryId, userId, endpointId, attempt: 0 });
  },
  startTry: onDelivery((at) => ({ type: 'StartTry', at })),
  answerTry: onDelivery((at, how, attempt) => {
    const outcome = { ok: how % 3 === 0, status: 200, ms: 1, error: null, final: how % 3 === 1 };
    return { type: 'RecordTry', attempt, ...outcome, at };
  }),
  giveUpDelivery: onDelivery((at) => ({ type: 'GiveUpDelivery', error: 'It could not be sent.', at })),
  /** The next possible one. */
  async requeue({ made, deliveries }, nth) {
    for (const [step] of deliveries.entries()) {
      const { id = '' } = of(deliveries, nth + step) ?? {};
      const { state } = await loadState(made.store, deliveryDecider, deliveryStream(id));
      if (state.status !== 'delivered' && state.status !== 'failed') continue;
      await handle(made.context(), deliveryDecider, deliveryStream(id), { type: 'RequeueDelivery', at: made.now() });
      return;
    }
  },
  async forget({ made, deliveries }, nth) {
    const delivery = of(deliveries, nth);
    if (delivery) await forgetDelivery(made.context(), { deliveryId: delivery.id, endpointId: delivery.endpointId });
  },
  prepareMail: onMail(({ cause: _, ...facts }) => ({ type: 'PrepareMail', ...facts, unsubscribeHash: null })),
  sendMail: onMail(({ cause: _, ...facts }) => ({ type: 'MarkMailSent', ...facts, attempt: 1 })),
  giveUpMail: onMail((facts) => ({ type: 'DropMail', ...facts, reason: 'given_up' })),
  dropMail: onMail((facts, how) => ({ type: 'DropMail', ...facts, reason: how % 3 === 0 ? 'not_wanted' : 'refused' })),
  async resendMail({ made, log }, nth) {
    const dropped = of(
      log.filter(
        (event) =>
          isOf(event, 'MailDropped') &&
          whyNotResent({ cause: null, ...event.data, outcome: event.data.reason }) === null,
      ),
      nth,
    );
    if (dropped) await resendMail(made.context(), { mailId: (dropped.data as { readonly mailId: string }).mailId });
  },
  async requestRework({ made, jobs, reworks }, nth, how) {
    const job = of(jobs, nth);
    const subject = of(SUBJECTS, how);
    if (!job || !subject) return;
    reworks.push((await requestRework(made.context(), { jobId: job.id, userId: job.userId, subject })).reworkId);
  },
  startRework: onRework((at) => ({ type: 'StartRework', at })),
  finishRework: onRework((at, attempt) => ({ type: 'FinishRework', attempt, by: null, at })),
  giveUpRework: onRework((at) => ({ type: 'GiveUpRework', code: 'GIVEN_UP', reason: 'It could not be done.', at })),
  async askTrial({ made, users, jobs }, nth, how) {
    const [job, user] = [of(jobs, nth), of(users, how)];
    if (job && user)
      await requestPromptTrial(made.context(), {
        jobId: job.id,
        adminId: user.userId,
        key: 'summary',
        content: `Text ${how}`,
      });
  },
  startTrial: onPromptTrial((at) => ({ type: 'StartPromptTrial', at })),
  answerTrial: onPromptTrial((at, attempt) => ({ type: 'AnswerPromptTrial', attempt, answer: ANSWER, at })),
  giveUpTrial: onPromptTrial((at) => ({
    type: 'GiveUpPromptTrial',
    code: 'GIVEN_UP',
    reason: 'It could not be done.',
    at,
  })),
  async forgetTrial({ made, jobs }, nth) {
    const job = of(jobs, nth);
    if (job) await forgetPromptTrial(made.context(), { jobId: job.id, ask: 1 });
  },
  async requestExport({ made, users }, nth) {
    const { userId = '', gone = true } = of(users, nth) ?? {};
    if (!gone) await requestAccountExport(made.context(), { userId });
  },
  startExport: onExport((at) => ({ type: 'StartExport', at })),
  async writeExport({ made, users }, nth) {
    const { userId = '' } = of(users, nth) ?? {};
    const { state } = await loadState(made.store, accountExportDecider, exportsStream(userId));
    if (state.status === 'pending') await writeExportPart(made.context(), state, 0, '{}');
  },
  finishExport: onExport((at, attempt) => ({ type: 'FinishExport', attempt, parts: 1, bytes: 2, at })),
  failExport: onExport((at) => ({ type: 'FailExport', code: 'GIVEN_UP', reason: 'It could not be done.', at })),
  async expireExport({ made, users }, nth) {
    const { userId = '' } = of(users, nth) ?? {};
    await expireAccountExport(made.context(), { userId, ask: 1 });
  },
  receiveEvent: async ({ made, providerEvents }, nth) => {
    const subject = { kind: 'payment', paymentIntentId: `pi_${nth}` } as const;
    const event = {
      eventId: `evt_${nth}`,
      type: 'payment_intent.succeeded',
      createdAt: made.now(),
      isLive: false,
      account: null,
      objectId: null,
    };
    await receiveProviderEvent(made.context(), { ...event, amount: null, currency: null, subject }, 'webhook');
    providerEvents.push(event.eventId);
  },
  applyEvent: onProviderEvent((at) => ({
    type: 'MarkProviderEventApplied',
    userId: 'somebody',
    outcome: 'recorded',
    at,
  })),
  giveUpEvent: onProviderEvent((at) => ({ type: 'IgnoreProviderEvent', userId: null, reason: 'given_up', at })),
  requeueEvent: onProviderEvent((at) => ({ type: 'RequeueProviderEvent', at })),
  ignoreEvent: onProviderEvent((at) => ({ type: 'IgnoreProviderEvent', userId: null, reason: 'gone', at })),
  buy: onBill((userId, at, how) => ({ ...bought(`pi_${how}`), userId, at })),
  subscribe: onPlan({}),
  renew: onPlan({ nth: 1 }),
  upgrade: onBill((userId, at) => {
    const { invoice, ...plan } = subscribed({ tier: 'tier3' });
    const change = invoice && { ...invoice, invoiceId: 'in_change', reason: 'change' as const };
    return { type: 'RecordSubscription', userId, subscription: { ...plan, invoice: change, asOf: at }, at };
  }),
  failRenewal: onPlan({ nth: 2, paid: false, status: 'past_due' }),
  scheduleEnd: onPlan({ nth: 1, cancelsAt: periodStart(2) }),
  endPlan: onPlan({ nth: 2, paid: null, status: 'canceled' }),
  async setAside({ made, followUps, log }, nth) {
    const event = of(log, nth);
    if (!event) return;
    await setFollowUpAside(made.context(), 'settledAnalyses', event, 'Error');
    followUps.push(derivedId(event.id, 'followUp', 'settledAnalyses'));
  },
  finishFollowUp: onFollowUp((at) => ({ type: 'FinishFollowUp', at })),
  dropFollowUp: onFollowUp((at) => ({ type: 'DropFollowUp', reason: 'dropped', at })),
  requeueFollowUp: onFollowUp((at) => ({ type: 'RequeueFollowUp', at })),
  async scheduleMail({ made, users, sequenceMails, log }, nth, how) {
    const { userId = '', gone = true } = of(users, nth) ?? {};
    if (gone) return;
    const [stream, at] = [sequenceMailsStream(userId), made.now()];
    const enrolmentId = `enrolment ${userId} ${how % 3}`;
    const enrol = {
      type: 'Enrol',
      userId,
      sequenceId: `sequence ${how % 3}`,
      enrolmentId,
      trigger: 'sign_up',
      triggeredAt: at,
      at,
    } as const;
    const { state } = await handle(made.context(), sequenceMailsDecider, stream, enrol);
    const after = state.enrolments.find((each) => each.enrolmentId === enrolmentId)?.done.stepNumber ?? 0;
    const mailId = `mail ${log.length}`;
    const next = { mailId, templateId: 'template', stepNumber: after + 1, dueAt: at };
    await handle(made.context(), sequenceMailsDecider, stream, { type: 'ScheduleNext', enrolmentId, after, next, at });
    sequenceMails.push({ id: mailId, userId });
  },
  sendSequenceMail: onSequenceMail((mailId, at) => ({ type: 'MarkSequenceMailSent', mailId, at })),
  failSequenceMail: onSequenceMail((mailId, at) => ({ type: 'FailSequenceMail', mailId, reason: 'too_old', at })),
  requeueSequenceMail: onSequenceMail((mailId, at) => ({ type: 'RequeueSequenceMail', mailId, at })),
  skipSequenceMail: onSequenceMail((mailId, at) => ({ type: 'SkipSequenceMail', mailId, at })),
  moveSequenceMail: onSequenceMail((mailId, at) => ({
    type: 'MoveSequenceMail',
    mailId,
    dueAt: new Date(Date.parse(at) + 60_000).toISOString(),
    at,
  })),
  stopSequenceMails: onSequenceMail((_mailId, at) => ({ type: 'StopSequenceMails', reason: 'turned_off', at })),
  async askTest({ made, users }, nth) {
    const { userId = '', gone = true } = of(users, nth) ?? {};
    if (gone) return;
    const template = {
      templateId: 'template',
      name: 'T',
      subject: 'S',
      content: 'C',
      stepNumber: 1,
      delayDays: 0,
      isActive: true,
    };
    const described = { sequenceId: 'sequence', name: 'N', description: '', trigger: 'sign_up' } as const;
    const stream = sequenceStream('sequence');
    await handle(made.context(), sequenceDecider, stream, {
      type: 'CreateSequence',
      ...described,
      templates: [template],
      at: made.now(),
    });
    await handle(made.context(), sequenceDecider, stream, {
      type: 'AskTest',
      templateId: 'template',
      userId,
      at: made.now(),
    });
  },
  async askRetry({ made, jobs, deliveries, reworks, followUps }, nth, how) {
    const ids = [jobs, deliveries, reworks.map((id) => ({ id })), followUps.map((id) => ({ id }))][how % 4] ?? [];
    const kind = ['audit', 'webhook', 'rework', 'followUp'][how % 4] ?? '';
    const itemId = of<{ readonly id: string }>(ids, nth)?.id;
    if (itemId === undefined) return;
    await handle(made.context(), workDecider, workStream(kind, itemId), {
      type: 'AskRetry',
      kind,
      itemId,
      at: made.now(),
    });
  },
  /** As an operator does, in any state. */
  async dropGivenUp({ made, jobs, deliveries, providerEvents, followUps, log }, nth, how) {
    const mails = log.flatMap((event) => (isOf(event, 'MailDropped') ? [event.data.mailId] : []));
    const ids =
      [jobs.map(({ id }) => id), deliveries.map(({ id }) => id), providerEvents, followUps, mails][how % 5] ?? [];
    const kind = ['audit', 'webhook', 'providerEvent', 'followUp', 'mail'][how % 5] ?? '';
    const itemId = of(ids, nth);
    if (itemId !== null) await dropGivenUp(made.context(), { kind, itemId });
  },
  async deleteAccount({ made, users }, nth, how) {
    const user = of(users, nth);
    if (!user || how % 4 > 0) return;
    const { userId } = user;
    await deleteAccount(made.context(), { userId });
    user.gone = true;
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
  },
  pass: async ({ made }, _, how) => made.pass(how),
};

/** More frequent acts: those that many others depend on. */
const OFTEN =
  'submit submit complete complete requestRework requestRework requestRework startRework finishRework askTrial askTrial startTrial answerTrial deleteJob prepareMail sendMail addWebhook queue queue startTry startTry answerTry answerTry requeue requeue receiveEvent applyEvent buy subscribe subscribe renew upgrade scheduleEnd endPlan askLink askLink switchWebhook switchWebhook dropMail dropMail resendMail resendMail sendMail dropMail requestRework finishRework askTrial giveUpTrial complete fail prepareMail sendMail queue requeue requeue giveUpDelivery giveUpDelivery startTry answerTry pass complete requestRework requeue secondFactor complete upgrade pass scheduleMail askTest sendMail queue answerTry requeue requeue giveUpEvent requeueEvent applyEvent setAside dropFollowUp requeueFollowUp finishFollowUp scheduleMail failSequenceMail requeueSequenceMail sendSequenceMail askTrial giveUpTrial requestExport requestExport finishExport requestExport failExport addWebhook queue startTry answerTry answerTry forget forget giveUpDelivery setAside dropFollowUp requeueFollowUp finishFollowUp receiveEvent giveUpEvent subscribe upgrade'.split(
    ' ',
  );

export type Steps = readonly (readonly [act: string, nth: number, how: number])[];

/** `more`: names of acts beside those of this file, which are as frequent as all of these together. */
export const stepsWith = (more: readonly string[], maxLength: number): fc.Arbitrary<Steps> => {
  const own = fc.constantFrom(...Object.keys(ACTS), ...OFTEN);
  const name = more.length === 0 ? own : fc.oneof(own, fc.constantFrom(...more));
  return fc.array(fc.tuple(name, fc.nat(99), fc.nat(99)), { minLength: 1, maxLength, size: 'max' });
};

export const steps = stepsWith([], 130);

export async function live(todo: Steps, more: Readonly<Record<string, Act>> = {}): Promise<History> {
  const [log, seen]: [RecordedEvent[], RecordedEvent[]] = [[], []];
  const store = memoryEventStore();
  const made = await withAdmin(product(remembering(store, log)));
  const users: World['users'] = [];
  for (const email of ['ann@example.com', 'ben@example.com'])
    users.push({ userId: await userOf(made, email), email, gone: false });
  const world: World = {
    made,
    log,
    seen,
    users,
    jobs: [],
    endpoints: [],
    deliveries: [],
    reworks: [],
    providerEvents: [],
    followUps: [],
    sequenceMails: [],
  };
  for (const [act, nth, how] of todo) {
    await (more[act] ?? ACTS[act])?.(world, nth, how).catch((error: unknown) => {
      if (!(error instanceof DomainError) && !(error instanceof StreamDeleted)) throw error;
    });
    await remember(store, log);
    if (how % 3 === 0) await remember(store, seen);
  }
  await remember(store, seen);
  return { ...world, userIds: users.map(({ userId }) => userId) };
}

async function remember(store: EventStore, log: RecordedEvent[]): Promise<void> {
  for (let after: Position = log.at(-1)?.position ?? START; ; ) {
    const page = await store.readAll({ after, limit: 500 });
    log.push(...page.events);
    if (page.end) return;
    after = page.next;
  }
}

/** Reads events before they are erased. */
function remembering(store: EventStore, log: RecordedEvent[]): EventStore {
  const inherited: EventStore = Object.create(store);
  return Object.assign(inherited, {
    truncate: async (...input: Parameters<EventStore['truncate']>) => {
      await remember(store, log);
      return store.truncate(...input);
    },
    delete: async (...input: Parameters<EventStore['delete']>) => {
      await remember(store, log);
      return store.delete(...input);
    },
  });
}
