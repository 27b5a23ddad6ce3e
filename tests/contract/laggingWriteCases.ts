/** What each writing route is asked while the projector is stopped, and the right answer. */

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { issuePasswordReset } from '../../src/commands/account/issuePasswordReset.ts';
import {
  issueEmailConfirmation,
  requestEmailConfirmation,
} from '../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../src/commands/account/requestPasswordReset.ts';
import { grantCredits } from '../../src/commands/billing/grantCredits.ts';
import { type CommandContext, contextOf } from '../../src/commands/context.ts';
import { loadState } from '../../src/commands/handle.ts';
import { issueLogInMail, requestLogInMail } from '../../src/commands/logIn/logInMail.ts';
import { mailIdOf } from '../../src/commands/mail/mailOf.ts';
import { hashToken } from '../../src/commands/tokens.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { logInStream } from '../../src/domain/logIn/events.ts';
import { logInDecider } from '../../src/domain/logIn/logIn.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { type AnalysisGiven, type GivenJob, givenJob } from '../given/analysis.ts';
import { addedPasskey, askedForPasskey, deviceFor, newPasskeyFor } from '../given/passkey.ts';
import { PASSWORD, type TestUser } from '../given/product/http.ts';
import type { Prepared } from '../given/product/routeCalls.ts';
import type { Shop } from '../given/product/shop.ts';
import { codeOf, enrolled } from '../given/secondFactor.ts';

export type Given = {
  readonly app: Shop;
  /** An admin, new in each case. */
  readonly caller: TestUser;
  /** A finished audit of the caller's, if the route is about one. */
  readonly jobId: string;
  readonly analysisOf: (user: TestUser, given?: AnalysisGiven) => Promise<GivenJob>;
};

/** In place of what the route's own example and names lead to. */
export type Asked = Partial<Prepared> & {
  /** Null: nobody who is logged in. */
  readonly caller?: TestUser | null;
  readonly jobId?: string;
};

export type WriteCase = {
  /** What the call needs, made while the projector runs. */
  readonly given?: (given: Given) => Promise<Asked>;
  /** Of the body of the right answer. */
  readonly answer: object;
  /** The types of events that it writes, once. */
  readonly writes: readonly string[];
  /**
   * Its answer while the projector is stopped, unless that is the right one already: nothing but the read models can
   * give it, or a worker has to do it first.
   */
  readonly meanwhile?: 'not shown' | object;
  /** For what is not shown: of the body at the place that a request without a key is told. */
  readonly shown?: object;
  /** A repeat after it is nobody's any more: the session that asked has ended. */
  readonly endsSession?: true;
};

export const contextIn = ({ store, deps }: Shop): CommandContext =>
  contextOf({ store, now: deps.now, commandId: randomUUID(), actor: { kind: 'worker', id: 'given' } }, null);

/** A call by nobody who is logged in. */
const anybody = (body: object): Asked => ({ caller: null, body });

/** The first time, which ends what was set up before. */
const LOGS_IN_BY_MAIL = [
  'LogInMailUsed',
  'AccountProvenByMail',
  'AccountPasswordRemoved',
  'AccountSessionsEnded',
  'SessionEnded',
  'SessionStarted',
];

/** An email to log in with, as it was sent. */
async function logInMailOf(app: Shop, { userId, email }: TestUser) {
  const browser = app.deps.newToken();
  await requestLogInMail(contextIn(app), { email, browser, knownBrowser: false });
  const { state } = await loadState(app.store, logInDecider, logInStream(userId));
  const requestId = state.mails.at(-1)?.requestId ?? '';
  const hashCode = (code: string) => app.deps.passwords.hash(code, '');
  const given = { userId, requestId, withCode: true, newToken: app.deps.newToken, hashCode };
  const { code = '', token = '' } = (await issueLogInMail(contextIn(app), given)) ?? {};
  return { code: code ?? '', token, browser };
}

async function accountOf(app: Shop, userId: string) {
  const { state } = await loadState(app.store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw new Error(`The account is ${state.status}.`);
  return state;
}

/** The token of the link that confirms an account's own address. */
async function confirmationOf(app: Shop, { userId }: TestUser): Promise<string> {
  await requestEmailConfirmation(contextIn(app), { userId, email: null });
  const { requestId = '' } = (await accountOf(app, userId)).confirmations.at(-1) ?? {};
  return (await issueEmailConfirmation(contextIn(app), { userId, requestId, newToken: app.deps.newToken })) ?? '';
}

/** The tokens of a link that resets the password. */
export async function resetOf(app: Shop, { userId, email }: TestUser) {
  await requestPasswordReset(contextIn(app), { email });
  const { requestId = '' } = (await accountOf(app, userId)).resets.at(-1) ?? {};
  const tokens = await issuePasswordReset(contextIn(app), { userId, requestId, newToken: app.deps.newToken });
  if (!tokens) throw new Error('The request is no longer valid.');
  return tokens;
}

async function withAnAudit({ caller, analysisOf }: Given): Promise<Asked> {
  await analysisOf(caller);
  return {};
}

async function givenUp({ app }: Given): Promise<Asked> {
  const { userId } = await app.signUp();
  const deliveryId = randomUUID();
  const of = { deliveryId, endpointId: 'e' };
  const tried = { attempt: 6, ok: false, status: 500, ms: 1, error: null, triedAt: app.deps.now(), nextTryAt: null };
  await app.given(
    `webhook-delivery-${deliveryId}`,
    { type: 'WebhookQueued', data: { ...of, userId, event: 'job.completed', body: '{}', queuedAt: app.deps.now() } },
    { type: 'WebhookTried', data: { ...of, ...tried } },
  );
  return { body: { kind: 'webhook', item_id: deliveryId } };
}

/** An audit that waits for a worker. */
async function workItem({ app }: Given): Promise<Asked> {
  const { jobId } = await givenJob(app, (await app.signUp()).userId);
  return { body: { kind: 'audit', item_id: jobId } };
}

async function failedMail({ app, caller: { userId } }: Given): Promise<Asked> {
  await app.given(`account-${userId}`, {
    type: 'AccountPasswordChanged',
    data: { userId, passwordHash: 'x', changedAt: app.deps.now() },
  });
  const read = await app.store.read(`account-${userId}`);
  const led = read.status === 'found' ? read.events.at(-1) : undefined;
  const mailId = (led && mailIdOf(led)) ?? '';
  const cause = led && { id: led.id, stream: led.stream, revision: String(led.revision), type: led.type };
  const dropped = { mailId, userId, kind: 'password_changed', reason: 'refused', cause, droppedAt: app.deps.now() };
  await app.given(`mail-${mailId}`, { type: 'MailDropped', data: dropped });
  return { body: { mail_id: mailId } };
}

async function parkedDocument({ app }: Given): Promise<Asked> {
  const [model, documentId] = ['boards', randomUUID()];
  const build = (await app.readModels.serving(model)) ?? '';
  const record = {
    model,
    documentId,
    build,
    eventType: 'PlanGenerated',
    error: 'TypeError',
    position: START,
    parkedAt: app.deps.now(),
  };
  await app.readModels.commit([{ model, build, checkpoint: START, writes: [], park: [record] }]);
  return { body: { model, document_id: documentId } };
}

/** With a plan that the provider knows of. */
async function subscribed({ app, caller }: Given): Promise<Asked> {
  await app.provider.subscribe(caller.userId, await app.customerOf(caller), 'tier2');
  await caller.call('POST', '/api/v1/subscription/sync');
  return {};
}

async function leaving(given: Given): Promise<Asked> {
  await subscribed(given);
  await given.caller.call('POST', '/api/v1/subscription/cancel', { immediately: false });
  return {};
}

async function withPrompt({ caller }: Given): Promise<Asked> {
  const [first, second] = [
    'Write one sentence on each of up to {{max_points}} actions.',
    'Write three sentences on each of up to {{max_points}} actions.',
  ];
  for (const content of [first, second])
    await caller.call('PUT', '/api/v1/admin/prompts/summary', {
      content,
      name: 'Executive summary',
      description: 'Short',
      is_active: true,
    });
  return {};
}

async function withCode({ app, caller }: Given): Promise<Asked> {
  const { secret } = await enrolled(app, caller);
  return { body: { code: codeOf(secret, app.deps.now(), 1) } };
}

export const CASES: Readonly<Record<string, WriteCase>> = {
  'DELETE /account': {
    given: withAnAudit,
    answer: { message: expect.stringContaining('has been deleted') },
    writes: ['AccountDeleted', 'SessionEnded', 'JobDeleted', 'MailDropped', 'EmailReleased', 'MailDropped'],
  },
  'POST /account/export': {
    answer: { export: { status: 'ready', percent: 100 } },
    meanwhile: { export: { ask: 1, status: 'pending' } },
    writes: ['AccountExportRequested'],
  },
  'DELETE /actions/analyses/{jobId}': { answer: { message: 'Analysis deleted successfully' }, writes: ['JobDeleted'] },
  'POST /actions/parse': { answer: { actionsCount: 2, actions: [{ id: 'first' }, { id: 'second' }] }, writes: [] },
  'POST /actions/subscribe': { answer: { table: 'actions' }, writes: [] },
  'PUT /actions/{actionId}/progress': {
    answer: { action: { id: 'first', status: 'in-progress' }, stats: { inProgressActions: 1 } },
    writes: ['ActionStarted'],
  },
  'POST /actions/{actionId}/undo': {
    answer: { action: { id: 'first', status: 'todo' } },
    writes: ['ActionMoveUndone'],
    given: async ({ caller, jobId }) => {
      await caller.call('PUT', `/api/v1/actions/first/progress?jobId=${jobId}`, { status: 'in-progress' });
      return {};
    },
  },
  'POST /actions/{actionId}/verify': {
    answer: { verification: {} },
    meanwhile: { pending: true, rework: { what: 'verification', status: 'pending' } },
    writes: ['VerificationAsked'],
  },
  'POST /admin/email-sequences/sequences': {
    answer: { sequence: { name: 'Welcome', description: 'For new users' } },
    meanwhile: 'not shown',
    shown: { sequence: { name: 'Welcome' } },
    writes: ['SequenceCreated'],
  },
  'DELETE /admin/email-sequences/sequences/{sequenceId}': {
    answer: { message: 'Sequence deleted' },
    writes: ['SequenceDeleted'],
  },
  'PUT /admin/email-sequences/sequences/{sequenceId}': {
    answer: { sequence: { description: 'For everybody who signs up' } },
    meanwhile: 'not shown',
    shown: { sequence: { description: 'For everybody who signs up' } },
    writes: ['SequenceEdited'],
  },
  'POST /admin/email-sequences/sequences/{sequenceId}/templates': {
    answer: { template: { name: 'Getting started' } },
    meanwhile: 'not shown',
    shown: { template: { name: 'Getting started' } },
    writes: ['SequenceTemplateAdded'],
  },
  'POST /admin/email-sequences/templates/preview': { answer: { preview: { subject: 'Welcome' } }, writes: [] },
  'DELETE /admin/email-sequences/templates/{templateId}': {
    answer: { message: 'Template deleted' },
    writes: ['SequenceTemplateRemoved'],
  },
  'PUT /admin/email-sequences/templates/{templateId}': {
    answer: { template: { subject: 'Hello {{user_name}}' } },
    meanwhile: 'not shown',
    shown: { template: { subject: 'Hello {{user_name}}' } },
    writes: ['SequenceTemplateChanged'],
  },
  'POST /admin/email-sequences/templates/{templateId}/test': {
    answer: { sent_to: expect.stringContaining('@') },
    writes: ['SequenceTestAsked'],
  },
  'POST /admin/jobs/{jobId}/cancel': {
    answer: { data: { status: 'failed' } },
    meanwhile: 'not shown',
    shown: { data: { job: { status: 'failed' } } },
    writes: ['JobCancelled', 'AnalysisReleased'],
    given: async ({ app }) => givenJob(app, (await app.signUp()).userId),
  },
  'POST /admin/jobs/{jobId}/retry': {
    answer: { data: { status: 'queued' } },
    meanwhile: 'not shown',
    shown: { data: { job: { status: 'queued' } } },
    writes: ['AnalysisReserved', 'JobSubmitted', 'JobQueued'],
    given: async ({ app }) => {
      const { userId } = await app.signUp();
      const { jobId } = await givenJob(app, userId);
      await app.given(`job-${jobId}`, {
        type: 'JobFailed',
        data: { jobId, userId, code: 'INTERNAL', reason: 'Ours.', failedAt: app.deps.now() },
      });
      return { jobId };
    },
  },
  'PUT /admin/prompts/{key}': {
    answer: { prompt: { description: 'For a reader who is not technical' } },
    meanwhile: 'not shown',
    shown: {
      prompts: expect.arrayContaining([
        expect.objectContaining({ key: 'summary', description: 'For a reader who is not technical' }),
      ]),
    },
    writes: ['PromptSaved'],
  },
  'POST /admin/prompts/{key}/preview': { answer: { preview: { host: 'example.com' } }, writes: [] },
  'POST /admin/prompts/{key}/revert/{versionId}': {
    answer: { prompt: { key: 'summary', content: expect.not.stringContaining('Write three') } },
    meanwhile: 'not shown',
    shown: {
      prompts: expect.arrayContaining([
        expect.objectContaining({ key: 'summary', content: expect.not.stringContaining('Write three') }),
      ]),
    },
    writes: ['PromptReverted'],
    given: withPrompt,
  },
  'POST /admin/prompts/{key}/trial': {
    answer: { trial: { ask: 1, status: 'answered' } },
    meanwhile: { trial: { ask: 1, status: 'pending' } },
    writes: ['PromptTrialAsked'],
  },
  'POST /admin/session': { answer: { data: { seconds_left: 1_800 } }, writes: [] },
  'POST /admin/system/given-up/drop': { answer: { success: true }, writes: ['GivenUpWorkDropped'], given: givenUp },
  'POST /admin/system/given-up/retry': { answer: { success: true }, writes: ['WebhookRequeued'], given: givenUp },
  'POST /admin/system/given-up/retry-all': {
    answer: { success: true },
    writes: ['WebhookRequeued'],
    given: async (given) => {
      await givenUp(given);
      return {};
    },
  },
  'POST /admin/system/mails/resend': { answer: { success: true }, writes: ['MailRequeued'], given: failedMail },
  'POST /admin/system/parked/retry': {
    answer: { outcome: 'pending' },
    writes: ['ParkedRetryAsked'],
    given: parkedDocument,
  },
  'POST /admin/system/work/drop': { answer: { success: true }, writes: ['JobFailed'], given: workItem },
  'POST /admin/system/work/retry': { answer: { success: true }, writes: ['WorkRetryAsked'], given: workItem },
  'DELETE /admin/users/{userId}': {
    answer: { message: expect.stringContaining('has been deleted') },
    writes: ['AccountDeleted', 'SessionEnded', 'EmailReleased', 'MailDropped'],
    given: async ({ app }) => {
      const { userId, email } = await app.signUp();
      return { path: { userId }, body: { email } };
    },
  },
  'PUT /admin/users/{userId}/admin-right': {
    answer: { data: { is_admin: true } },
    writes: ['AccountAdminGranted'],
    given: async () => ({ body: { admin: true } }),
  },
  'POST /admin/users/{userId}/credits': {
    answer: { credits: 3 },
    writes: ['BillingNoteWritten', 'CreditsGranted'],
  },
  'POST /admin/users/{userId}/plan/resume': {
    answer: { message: 'The plan is no longer on hold' },
    writes: ['BillingNoteWritten', 'SubscriptionResumed'],
    given: async ({ app }) => {
      const { userId } = await app.signUp();
      const at = app.deps.now();
      const of = { userId, subscriptionId: `sub_${userId}` };
      const period = { periodStart: at, periodEnd: '2027-01-01T00:00:00.000Z', price: 7_900, currency: 'usd' };
      const plan = { tier: 'tier2', status: 'active', paid: null, asOf: at, startedAt: at };
      const hold = { reason: 'disputed', paymentIntentId: 'pi_1', disputeId: 'dp_1', suspendedAt: at };
      await app.given(
        `billing-${userId}`,
        { type: 'SubscriptionStarted', data: { ...of, ...period, ...plan } },
        { type: 'SubscriptionSuspended', data: { ...of, ...hold } },
      );
      return { path: { userId } };
    },
  },
  'DELETE /admin/users/{userId}/sessions': {
    answer: { message: 'All sessions ended' },
    writes: ['AccountSessionsEnded', 'SessionEnded'],
  },
  'DELETE /admin/users/{userId}/sessions/{sessionId}': {
    answer: { message: 'Session ended' },
    writes: ['SessionEnded'],
  },
  'PUT /admin/users/{userId}/sign-in': {
    answer: { message: 'Log-in is disabled' },
    writes: ['AccountDisabled', 'AccountSessionsEnded', 'SessionEnded'],
  },
  'POST /analytics/preview-cta-clicked': { answer: { success: true }, writes: [] },
  'POST /analytics/preview-viewed': { answer: { success: true }, writes: [] },
  'POST /api-keys': {
    answer: { key: expect.stringMatching(/^seo_live_/), data: { name: 'A program', scope: 'read' } },
    writes: ['ApiKeyCreated'],
  },
  'DELETE /api-keys/{keyId}': {
    answer: { message: 'API key revoked' },
    meanwhile: 'not shown',
    shown: { data: [] },
    writes: ['ApiKeyRevoked'],
  },
  'POST /auth/change-email': {
    answer: { pending: true },
    writes: ['EmailConfirmationRequested', 'AccountEmailConfirmationAsked'],
    given: async () => ({ body: { email: `${randomUUID()}@example.com`, password: PASSWORD } }),
  },
  'POST /auth/change-password': {
    answer: { message: expect.stringContaining('was changed') },
    writes: ['AccountPasswordChanged', 'AccountSessionsEnded'],
  },
  'POST /auth/confirm-email': {
    answer: { message: 'Your email address is confirmed.' },
    writes: ['EmailClaimed', 'AccountEmailConfirmed'],
    given: async ({ app }) => {
      const user = await app.signUp({ confirmed: false });
      return anybody({ token: await confirmationOf(app, user), password: PASSWORD });
    },
  },
  'POST /auth/confirm-email/choose-password': {
    answer: { success: true },
    writes: ['PasswordResetAsked'],
    given: async ({ app }) => anybody({ token: await confirmationOf(app, await app.signUp({ confirmed: false })) }),
  },
  'POST /auth/create-checkout-session': {
    answer: { amount: 5_000, currency: 'usd' },
    writes: [],
    given: async () => ({ body: { priceId: 'price_report', quantity: 1, billingEmail: 'bills@example.com' } }),
  },
  'POST /auth/customer-session': { answer: { clientSecret: expect.any(String) }, writes: [] },
  'POST /auth/login': {
    answer: { profile: { is_admin: true } },
    writes: ['SessionStarted'],
    given: async ({ caller }) => anybody({ email: caller.email, password: PASSWORD }),
  },
  'POST /auth/logout': { answer: { message: 'Logged out' }, writes: ['SessionEnded'], endsSession: true },
  'POST /auth/logout-everywhere': {
    answer: { message: 'Logged out everywhere' },
    writes: ['AccountSessionsEnded', 'SessionEnded'],
    endsSession: true,
  },
  'PUT /auth/mail-preferences': {
    answer: { data: { job_done: false, subscription_ends: true, sequence: true } },
    writes: ['AccountMailChoiceSet'],
  },
  'POST /auth/mfa/confirm': {
    answer: { data: { recovery_codes: expect.any(Array) } },
    writes: ['AccountSessionsEnded', 'SecondFactorEnabled', 'AccountSessionsEnded', 'SessionRefreshed'],
    given: async ({ app, caller }) => {
      const { body } = await caller.call('POST', '/api/v1/auth/mfa/enrol', { password: PASSWORD });
      return { body: { code: codeOf(body.data.secret, app.deps.now()) } };
    },
  },
  'POST /auth/mfa/enrol': { answer: { data: { secret: expect.any(String) } }, writes: ['SecondFactorEnrolmentBegun'] },
  'POST /auth/mfa/remove': {
    answer: { message: 'Two-factor authentication is off.' },
    writes: ['SessionRefreshed', 'AccountSessionsEnded', 'SecondFactorRemoved'],
    given: async (given) => ({ ...(await withCode(given)), body: { password: PASSWORD } }),
  },
  'POST /auth/mfa/step-up': {
    answer: { success: true },
    writes: ['SecondFactorPassed', 'SessionRefreshed'],
    given: withCode,
  },
  'POST /auth/mfa/verify': {
    answer: { profile: { is_admin: true, mfa: 'on' } },
    writes: ['SecondFactorPassed', 'SessionStarted'],
    given: async (given) => {
      const { body } = await withCode(given);
      const { email } = given.caller;
      const { mfa_token } = (
        await given.app.call('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })
      ).body;
      return anybody({ mfa_token, ...(body as object) });
    },
  },
  'POST /auth/mfa/step-up/passkey-options': {
    answer: { options: { challenge: expect.any(String) } },
    writes: [],
    given: async ({ app, caller }) => {
      await addedPasskey(app, caller);
      return {};
    },
  },
  'POST /auth/mfa/verify/passkey-options': {
    answer: { options: { challenge: expect.any(String) } },
    writes: [],
    given: async (given) => {
      await addedPasskey(given.app, given.caller);
      await withCode(given);
      const { email } = given.caller;
      const { body } = await given.app.call('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } });
      return anybody({ mfa_token: body.mfa_token });
    },
  },
  'POST /auth/passkeys': {
    answer: { data: { name: 'Key', last_used_at: null } },
    writes: ['PasskeyAdded'],
    given: async ({ app, caller }) => {
      const { options, headers } = await newPasskeyFor(app, caller);
      return { body: { name: 'Key', passkey: deviceFor(app).create(options) }, headers };
    },
  },
  'POST /auth/passkeys/log-in': {
    answer: { user_id: expect.any(String) },
    writes: ['PasskeyUsed', 'SessionStarted'],
    given: async ({ app, caller }) => {
      const { made } = await addedPasskey(app, caller);
      const { options, headers } = await askedForPasskey(app, '/api/v1/auth/passkeys/log-in/options');
      return { ...anybody({ passkey: made.get(options) }), headers };
    },
  },
  'POST /auth/passkeys/log-in/options': {
    answer: { options: { allowCredentials: [] } },
    writes: [],
    given: async () => anybody({}),
  },
  'POST /auth/passkeys/options': { answer: { options: { attestation: 'none' } }, writes: [] },
  'PUT /auth/passkeys/{passkeyId}': { answer: { data: { name: 'Key' } }, writes: ['PasskeyRenamed'] },
  'DELETE /auth/passkeys/{passkeyId}': { answer: { message: 'Passkey removed' }, writes: ['PasskeyRemoved'] },
  'POST /auth/refresh': {
    answer: { session: {} },
    writes: ['SessionRefreshed'],
    given: async ({ caller }) => anybody({ refresh_token: caller.refreshToken }),
  },
  'POST /auth/resend-confirmation': {
    answer: { sent_to: expect.stringContaining('@') },
    writes: ['EmailConfirmationRequested', 'AccountEmailConfirmationAsked'],
    given: async ({ app }) => ({ caller: await app.signUp({ confirmed: false }) }),
  },
  'POST /auth/reset-password': {
    answer: { success: true },
    writes: ['PasswordResetAsked'],
    given: async ({ caller }) => anybody({ email: caller.email }),
  },
  'POST /auth/log-in-mail': {
    answer: { success: true },
    writes: ['LogInMailAsked'],
    given: async ({ caller }) => anybody({ email: caller.email }),
  },
  'POST /auth/log-in-mail/code': {
    answer: { user_id: expect.any(String), profile: { email_state: 'confirmed' } },
    writes: LOGS_IN_BY_MAIL,
    given: async ({ app, caller }) => {
      const { code, browser } = await logInMailOf(app, caller);
      return { ...anybody({ email: caller.email, code }), headers: { cookie: `log_in_browser=${browser}` } };
    },
  },
  'POST /auth/log-in-mail/open': {
    answer: { email: expect.any(String) },
    writes: [],
    given: async ({ app, caller }) => anybody({ token: (await logInMailOf(app, caller)).token }),
  },
  'POST /auth/log-in-mail/link': {
    answer: { user_id: expect.any(String), profile: { email_state: 'confirmed' } },
    writes: LOGS_IN_BY_MAIL,
    given: async ({ app, caller }) => anybody({ token: (await logInMailOf(app, caller)).token }),
  },
  'POST /auth/sso/{provider}/start': {
    answer: { url: expect.any(String) },
    writes: [],
    given: async () => anybody({}),
  },
  'POST /auth/sso/{provider}/finish': {
    answer: { user_id: expect.any(String), profile: { email_state: 'confirmed' } },
    writes: [
      'AccountRegistered',
      'AccountEmailConfirmationAsked',
      'EmailClaimed',
      'AccountEmailConfirmed',
      'IdentityClaimed',
      'IdentityLinked',
      'SessionStarted',
    ],
    given: async ({ app }) => {
      const { body, headers } = await ssoAttempt(app, '/api/v1/auth/sso/local/start', {});
      return { ...anybody(body), headers };
    },
  },
  'POST /auth/identities/{provider}/start': { answer: { url: expect.any(String) }, writes: [] },
  'POST /auth/identities/{provider}/finish': {
    answer: { identity: { provider: 'local' } },
    writes: ['IdentityClaimed', 'IdentityLinked'],
    given: async ({ app, caller }) =>
      ssoAttempt(app, '/api/v1/auth/identities/local/start', { token: caller.token, body: { password: PASSWORD } }),
  },
  'DELETE /auth/identities/{identityId}': {
    answer: { message: 'Removed' },
    writes: ['IdentityUnlinked', 'IdentityReleased'],
  },
  'DELETE /auth/sessions/{sessionId}': { answer: { message: 'Session ended' }, writes: ['SessionEnded'] },
  'POST /auth/signup-first': {
    answer: { profile: { is_admin: false, plan: 'free' }, next_step: 'submit_first_site' },
    writes: ['AccountRegistered', 'AccountEmailConfirmationAsked', 'EmailClaimed', 'SessionStarted', 'CustomerLinked'],
    given: async () => anybody({ email: `${randomUUID()}@example.com`, password: PASSWORD }),
  },
  'POST /auth/update-password': {
    answer: { data: { redirect: '/login' } },
    writes: ['PasswordResetUsed', 'AccountPasswordChanged', 'AccountSessionsEnded', 'SessionEnded'],
    given: async ({ app, caller }) => ({ caller: { ...caller, token: (await resetOf(app, caller)).accessToken } }),
  },
  'POST /auth/validate-discount': { answer: { valid: false }, writes: [] },
  'POST /auth/leave-purchase': {
    answer: { success: true },
    writes: ['CodeUseReleased'],
    given: async ({ app, caller }) => {
      const code = randomUUID().slice(0, 8);
      await app.coupon(code, { percent_off: 10 }, { max_redemptions: 1 });
      const { priceId } = (await app.provider.payments.catalogue()).report;
      const wish = { priceId, quantity: 1, billingEmail: 'a@example.com', discountCode: code };
      const { paymentIntentId } = (await caller.call('POST', '/api/v1/auth/create-checkout-session', wish)).body;
      return { body: { paymentIntentId } };
    },
  },
  'POST /auth/verify-payment-and-add-credits': {
    answer: { already_processed: false, funds_added: 5_000 },
    writes: ['FundsAdded'],
    given: async ({ app, caller }) => ({
      body: { paymentIntentId: await app.provider.buy(caller.userId, await app.customerOf(caller)) },
    }),
  },
  'POST /auth/verify-recovery-token': {
    answer: { user: { email: expect.any(String) } },
    writes: [],
    given: async ({ app, caller }) => {
      const { accessToken, refreshToken } = await resetOf(app, caller);
      return anybody({ access_token: accessToken, refresh_token: refreshToken });
    },
  },
  'DELETE /jobs': { given: withAnAudit, answer: { data: { deleted_count: 1 } }, writes: ['JobsDeleted', 'JobDeleted'] },
  'DELETE /jobs/{jobId}': { answer: { message: 'Job deleted successfully' }, writes: ['JobDeleted'] },
  'POST /jobs/{jobId}/cancel': {
    answer: { data: { status: 'failed' } },
    meanwhile: 'not shown',
    shown: { data: { status: 'failed' } },
    writes: ['JobCancelled', 'AnalysisReleased'],
    given: ({ app, caller }) => givenJob(app, caller.userId),
  },
  'POST /jobs/{jobId}/generate-executive-summary': {
    answer: { executive_summary: expect.stringContaining('example.com') },
    meanwhile: { pending: true, rework: { what: 'summary', status: 'pending' } },
    writes: ['SummaryAsked'],
  },
  'POST /jobs/{jobId}/regenerate-actions': {
    answer: { actionsCount: 2 },
    meanwhile: { pending: true, rework: { what: 'actions', status: 'pending' } },
    writes: ['PlanRegenerationAsked'],
  },
  'POST /jobs/{jobId}/unlock': {
    answer: { data: { access: 'full' } },
    meanwhile: 'not shown',
    shown: { data: { access: 'full' } },
    writes: ['UnlockPaid', 'JobUnlocked'],
    given: async ({ app, analysisOf }) => {
      const caller = await app.signUp();
      const { jobId } = await analysisOf(caller, { access: 'preview' });
      await grantCredits(contextIn(app), { userId: caller.userId, credits: 1, reason: 'A gift' });
      return { caller, jobId };
    },
  },
  'POST /mail/unsubscribe': {
    answer: { message: expect.stringContaining('no more emails') },
    writes: ['AccountMailChoiceSet'],
    given: async ({ app, caller: { userId } }) => {
      const mailId = randomUUID();
      const token = `${mailId}.${app.deps.newToken()}`;
      const mail = {
        mailId,
        userId,
        kind: 'job_done',
        attempt: 1,
        unsubscribeHash: hashToken(token),
        preparedAt: app.deps.now(),
      };
      await app.given(`mail-${mailId}`, { type: 'MailPrepared', data: mail });
      return anybody({ token });
    },
  },
  'POST /process': {
    answer: { data: { host: 'example.com', status: 'pending' } },
    writes: ['AnalysisReserved', 'JobSubmitted', 'JobQueued'],
  },
  'POST /process/batch': {
    answer: { jobs: [{ host: 'example.com', status: 'pending' }] },
    writes: ['AnalysisReserved', 'JobSubmitted', 'JobQueued'],
  },
  'POST /share/create': {
    answer: { data: { shareUrl: expect.stringContaining('/shared/') } },
    writes: ['ShareCreated'],
  },
  'DELETE /share/{shareId}': { answer: { message: 'Link revoked' }, writes: ['ShareRevoked'] },
  'POST /subscription/cancel': {
    answer: { data: { currentPeriodEnd: '2026-04-10T12:00:00.000Z' } },
    writes: ['SubscriptionCancelScheduled'],
    given: subscribed,
  },
  'POST /subscription/create-checkout': { answer: { url: expect.stringContaining('/checkout/') }, writes: [] },
  'POST /subscription/customer-portal': { answer: { url: expect.stringContaining('/portal/') }, writes: [] },
  'POST /subscription/reactivate': {
    answer: { data: { subscription: { cancelAtPeriodEnd: false } } },
    meanwhile: 'not shown',
    shown: { data: { subscription: { cancelAtPeriodEnd: false } } },
    writes: ['SubscriptionReactivated'],
    given: leaving,
  },
  'POST /subscription/sync': {
    answer: { data: { synced_at: '2026-03-10T12:00:00.000Z' } },
    writes: ['SubscriptionSynced'],
    given: subscribed,
  },
  'POST /subscription/update-plan': {
    answer: { data: { subscription: { tier: 'tier3' } } },
    meanwhile: 'not shown',
    shown: { data: { subscription: { tier: 'tier3' } } },
    writes: ['SubscriptionChanged'],
    given: subscribed,
  },
  'POST /subscription/upgrade-cost': {
    answer: { data: { amount: 12_000, currency: 'usd' } },
    writes: [],
    given: subscribed,
  },
  'POST /webhooks': {
    answer: { secret: expect.stringMatching(/^whsec_/), data: { active: true } },
    writes: ['WebhookSecretSet', 'WebhookAdded'],
  },
  'DELETE /webhooks/{endpointId}': { answer: { message: 'Webhook removed' }, writes: ['WebhookRemoved'] },
  'PUT /webhooks/{endpointId}': {
    answer: { data: { active: false } },
    meanwhile: 'not shown',
    shown: { data: [{ active: false }] },
    writes: ['WebhookDisabled'],
  },
  'POST /webhooks/{endpointId}/deliveries/{deliveryId}/redeliver': {
    answer: { delivery_id: expect.any(String) },
    writes: ['WebhookRequeued'],
    given: async ({ app, caller }) => {
      const { userId } = caller;
      const endpointId = (
        await caller.call('POST', '/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] })
      ).body.data.id;
      const deliveryId = (await caller.call('POST', `/api/v1/webhooks/${endpointId}/test`)).body.delivery_id;
      const tried = {
        deliveryId,
        endpointId,
        userId,
        attempt: 1,
        ok: true,
        status: 200,
        ms: 1,
        error: null,
        triedAt: app.deps.now(),
        nextTryAt: null,
      };
      const { userId: _, ...data } = tried;
      await app.given(`webhook-delivery-${deliveryId}`, { type: 'WebhookTried', data });
      return { path: { endpointId, deliveryId } };
    },
  },
  'POST /webhooks/{endpointId}/secret': {
    answer: { secret: expect.stringMatching(/^whsec_/), former_until: '2026-03-11T12:00:00.000Z' },
    writes: ['WebhookSecretRotated'],
  },
  'POST /webhooks/{endpointId}/test': { answer: { delivery_id: expect.any(String) }, writes: ['WebhookQueued'] },
};

/** What a browser that the provider led back sends. */
async function ssoAttempt(app: Shop, path: string, call: { readonly token?: string; readonly body?: object }) {
  const started = await app.call('POST', path, call);
  const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const state = new URL(started.body.url).searchParams.get('state');
  return { body: { code: 'a code', state }, headers: { cookie } };
}
