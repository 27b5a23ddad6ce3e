/**
 * An account that a stranger set up with somebody else's address: what of theirs outlives the owner's proof, and what
 * of the owner's does.
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePassword } from '../../src/commands/account/changePassword.ts';
import { confirmEmail } from '../../src/commands/account/confirmEmail.ts';
import { emailStreamOf } from '../../src/commands/account/emailStreamOf.ts';
import { endFormerAccess } from '../../src/commands/account/endFormerAccess.ts';
import { issuePasswordReset } from '../../src/commands/account/issuePasswordReset.ts';
import {
  issueEmailConfirmation,
  requestEmailConfirmation,
} from '../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../src/commands/account/requestPasswordReset.ts';
import { resetPassword } from '../../src/commands/account/resetPassword.ts';
import { contextOf } from '../../src/commands/context.ts';
import { loadState } from '../../src/commands/handle.ts';
import { issueLogInMail, requestLogInMail } from '../../src/commands/logIn/logInMail.ts';
import { carryOutSessionsEnd } from '../../src/commands/session/endSessions.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { emailDecider } from '../../src/domain/account/email.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { DomainError } from '../../src/domain/decider.ts';
import { logInStream } from '../../src/domain/logIn/events.ts';
import { logInDecider } from '../../src/domain/logIn/logIn.ts';
import { secondFactorStream } from '../../src/domain/secondFactor/events.ts';
import { secondFactorDecider } from '../../src/domain/secondFactor/secondFactor.ts';
import type { Position } from '../../src/eventStore/eventStore.ts';
import { listSessions } from '../../src/projections/sessions.ts';
import { PASSWORD, type TestUser } from '../given/product/http.ts';
import { type InterruptedApp, startInterruptedApp } from '../given/product/interrupted.ts';
import { codeOf, enrolled } from '../given/secondFactor.ts';

const BOSS = 'boss@corp.example';
const NEW_PASSWORD = 'a password of one’s own';
const MANY = { points: 1e6, seconds: 60 };
const HOOK = { url: 'https://hooks.example.com/', events: ['job.completed'] };

let app: InterruptedApp;
beforeAll(async () => {
  app = await startInterruptedApp({
    config: { adminEmail: BOSS },
    rateLimits: { reset: MANY, recovery: MANY, loginAddress: MANY },
  });
});
afterAll(() => app.close());

const addressOf = (name: string): string => `${name}-${randomUUID()}@example.com`;
const join = (email = addressOf('ann')): Promise<TestUser> => app.signUp({ email, confirmed: false });
const logIn = async (email: string, password = NEW_PASSWORD) =>
  (await app.call('POST', '/api/v1/auth/login', { body: { email, password } })).body;
const context = () =>
  contextOf(
    { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
    null,
  );
const accountOf = async (userId: string) => {
  const { state } = await loadState(app.store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw new Error(`The account is ${state.status}.`);
  return state;
};
/** The token of the last email with a link, to the account's own address or to the one it moves to. */
async function linkFor({ userId }: TestUser): Promise<string> {
  const { requestId = '' } = (await accountOf(userId)).confirmations.at(-1) ?? {};
  return (await issueEmailConfirmation(context(), { userId, requestId, newToken: app.deps.newToken })) ?? '';
}
/** The access token of the last reset email. */
async function resetLinkOf(userId: string): Promise<string> {
  const { requestId = '' } = (await accountOf(userId)).resets.at(-1) ?? {};
  return (await issuePasswordReset(context(), { userId, requestId, newToken: app.deps.newToken }))?.accessToken ?? '';
}
/** The same, requested by whoever reads the address's email. */
async function resetLinkFor(email: string): Promise<string> {
  await requestPasswordReset(context(), { email });
  return resetLinkOf((await loadState(app.store, emailDecider, emailStreamOf(email))).state.userId ?? '');
}
const setPassword = async (token: string, password = NEW_PASSWORD) =>
  (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password } })).status;
const reset = async (email: string, password = NEW_PASSWORD): Promise<void> =>
  expect(await setPassword(await resetLinkFor(email), password)).toBe(200);

/**
 * As the route does it, in another process: in this one, its writes would wait for those of the interrupted request.
 * False if the link is void.
 */
async function resetElsewhere({ userId }: TestUser, accessToken: string): Promise<boolean> {
  const ctx = context();
  try {
    await resetPassword(ctx, { accessToken, passwordHash: await app.deps.passwords.hash(NEW_PASSWORD, '') });
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
  const list = async (owner: string, at: Position) => {
    await app.readModels.reached(['sessions'], at, 5_000);
    return listSessions(app.readModels, owner);
  };
  await carryOutSessionsEnd(ctx, { userId, list });
  await endFormerAccess(ctx, { userId });
  return true;
}

/** What outlives a session, as somebody in it sets it up. */
async function setUp(user: TestUser, token = user.token) {
  const call = (method: string, path: string, body: object) => app.call(method, path, { token, body });
  const { key } = (await call('POST', '/api/v1/api-keys', { name: 'A key', scope: 'write' })).body;
  const { data } = (await call('POST', '/api/v1/webhooks', HOOK)).body;
  return { key: key as string, webhookId: data.id as string };
}
/** Whether its key and webhook still work. */
async function worksOf(
  made: { readonly key: string; readonly webhookId: string },
  token: string,
): Promise<readonly [key: boolean, webhook: boolean]> {
  const { data } = (await app.call('GET', '/api/v1/webhooks', { token })).body;
  const hook = data.find(({ id }: { readonly id: string }) => id === made.webhookId);
  return [(await app.call('GET', '/api/v1/jobs', { token: made.key })).status === 200, hook?.active === true];
}
const isFactorOn = async ({ userId }: TestUser) =>
  (await loadState(app.store, secondFactorDecider, secondFactorStream(userId))).state.enabled !== null;
/** As an earlier version recorded it: the link was opened by somebody, who showed nothing else. */
async function confirmedByLinkAlone({ userId, email }: TestUser): Promise<void> {
  const at = app.deps.now();
  await app.given(emailStreamOf(email), { type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } });
  await app.given(`account-${userId}`, { type: 'AccountEmailConfirmed', data: { userId, email, confirmedAt: at } });
}

describe('a stranger who signed up first', () => {
  it('with the configured admin’s address administers nothing, whatever the admin clicks', async () => {
    const stranger = await join(BOSS);
    const link = await linkFor(stranger);
    const boss = (body: object) => app.call('POST', '/api/v1/auth/confirm-email', { body: { token: link, ...body } });
    expect(
      (await app.call('POST', '/api/v1/auth/signup-first', { body: { email: BOSS, password: NEW_PASSWORD } })).body
        .code,
    ).toBe('EMAIL_TAKEN');
    // The button of the page, then the password that the boss would have chosen.
    expect([(await boss({})).status, (await boss({ password: NEW_PASSWORD })).status]).toEqual([403, 401]);
    expect((await stranger.call('GET', '/api/v1/admin/overview')).status).toBe(403);
    expect(
      (await app.call('POST', '/api/v1/auth/confirm-email/choose-password', { body: { token: link } })).status,
    ).toBe(200);
    expect(await setPassword(await resetLinkOf(stranger.userId))).toBe(200);
    expect((await stranger.call('GET', '/api/v1/auth/profile')).status).toBe(401);
    expect((await logIn(BOSS, PASSWORD)).code).toBe('INVALID_CREDENTIALS');
    const { profile, token } = await logIn(BOSS);
    expect(profile).toMatchObject({ is_admin: true, email_state: 'confirmed' });
    expect((await app.call('GET', '/api/v1/admin/overview', { token })).status).toBe(200);
  });

  it('loses keys, webhooks, second factor and sessions to the reset that proves the address; later resets keep the owner’s', async () => {
    const stranger = await join();
    const theirs = await setUp(stranger);
    await enrolled(app, stranger);
    await stranger.call('POST', '/api/v1/auth/change-email', { email: addressOf('away'), password: PASSWORD });
    await reset(stranger.email);
    const owner = await logIn(stranger.email);
    expect(owner.profile).toMatchObject({ mfa: 'off', email_state: 'confirmed', pending_email: null });
    expect(await worksOf(theirs, owner.token)).toEqual([false, false]);

    const user = {
      ...stranger,
      token: owner.token,
      password: NEW_PASSWORD,
      call: (method: string, path: string, body?: unknown) => app.call(method, path, { token: owner.token, body }),
    };
    const own = await setUp(user);
    await user.call('PUT', `/api/v1/webhooks/${theirs.webhookId}`, { active: true });
    const { recoveryCodes } = await enrolled(app, user);
    const next = addressOf('next');
    await user.call('POST', '/api/v1/auth/change-email', { email: next, password: NEW_PASSWORD });
    const move = await linkFor(user);
    await reset(stranger.email, 'the third password');
    expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(401);
    const challenge = await logIn(stranger.email, 'the third password');
    expect(challenge).toMatchObject({ mfa_required: true });
    const { token } = (
      await app.call('POST', '/api/v1/auth/mfa/verify', {
        body: { mfa_token: challenge.mfa_token, recovery_code: recoveryCodes[0] },
      })
    ).body;
    expect([await worksOf(own, token), await worksOf({ ...theirs, key: own.key }, token)]).toEqual([
      [true, true],
      [true, true],
    ]);
    // The change of address that was pending is void.
    expect((await app.call('POST', '/api/v1/auth/confirm-email', { token, body: { token: move } })).status).toBe(404);
  });

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'signed in',
      async (user) =>
        app.call('POST', '/api/v1/auth/confirm-email', { token: user.token, body: { token: await linkFor(user) } }),
    ],
    [
      'by the password',
      async (user) =>
        app.call('POST', '/api/v1/auth/confirm-email', { body: { token: await linkFor(user), password: PASSWORD } }),
    ],
  ])(
    'is the owner if they confirm the address %s: then a reset ends sessions and pending changes only',
    async (_, confirm) => {
      const user = await join();
      const own = await setUp(user);
      expect(await confirm(user)).toMatchObject({ status: 200 });
      await reset(user.email);
      expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(401);
      expect(await worksOf(own, (await logIn(user.email)).token)).toEqual([true, true]);
    },
  );
});

describe('an address that an earlier version took for proven by the link alone', () => {
  it('is proven by the first reset, which ends what was set up before the link was opened, and nothing later', async () => {
    const stranger = await join();
    const theirs = await setUp(stranger);
    await enrolled(app, stranger);
    await confirmedByLinkAlone(stranger);
    const since = await setUp(stranger);
    await reset(stranger.email);
    const owner = await logIn(stranger.email);
    expect(owner.profile).toMatchObject({ mfa: 'off' });
    expect([await worksOf(theirs, owner.token), await worksOf(since, owner.token)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect((await stranger.call('GET', '/api/v1/auth/profile')).status).toBe(401);
  });

  it('keeps a second factor that was turned on since, and everything at the second reset', async () => {
    const user = await join();
    await confirmedByLinkAlone(user);
    await enrolled(app, user);
    const own = await setUp(user);
    for (const password of [NEW_PASSWORD, 'the third password']) await reset(user.email, password);
    expect(await logIn(user.email, 'the third password')).toMatchObject({ mfa_required: true });
    expect((await app.call('GET', '/api/v1/jobs', { token: own.key })).status).toBe(200);
  });

  it('had its first reset if that was in the earlier version', async () => {
    const user = await join();
    const own = await setUp(user);
    await confirmedByLinkAlone(user);
    await app.given(`account-${user.userId}`, {
      type: 'PasswordResetUsed',
      data: { userId: user.userId, requestId: 'one', usedAt: app.deps.now() },
    });
    await reset(user.email);
    expect(await worksOf(own, (await logIn(user.email)).token)).toEqual([true, true]);
  });

  it('of a change to it counts the same', async () => {
    const stranger = await app.signUp();
    const theirs = await setUp(stranger);
    const email = addressOf('victim');
    await stranger.call('POST', '/api/v1/auth/change-email', { email, password: PASSWORD });
    await linkFor(stranger);
    const [at, { userId }] = [app.deps.now(), stranger];
    await app.given(`account-${userId}`, { type: 'AccountEmailChangeAsked', data: { userId, email, askedAt: at } });
    await app.given(emailStreamOf(email), { type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } });
    await app.given(`account-${userId}`, {
      type: 'AccountEmailChanged',
      data: { userId, formerEmail: stranger.email, email, changedAt: at },
    });
    await reset(email);
    expect(await worksOf(theirs, (await logIn(email)).token)).toEqual([false, false]);
  });
});

it('an account from where no email is sent counts as proven: a reset keeps what it has', async () => {
  const user = await join();
  // Registered without a request to confirm the address, like every account of the earliest versions.
  const userId = randomUUID();
  const email = addressOf('old');
  const [at, passwordHash] = [app.deps.now(), await app.deps.passwords.hash(PASSWORD, '')];
  await app.given(`account-${userId}`, {
    type: 'AccountRegistered',
    data: { userId, email, name: 'Old', passwordHash, registeredAt: at },
  });
  await app.given(emailStreamOf(email), { type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } });
  const own = await setUp(user, (await logIn(email, PASSWORD)).token);
  await reset(email);
  expect(await worksOf(own, (await logIn(email)).token)).toEqual([true, true]);
});

describe('a request of the stranger that is under way while the owner resets the password', () => {
  type Race = (
    stranger: TestUser,
  ) => Promise<{ readonly act: () => Promise<unknown>; readonly left: (token: string) => Promise<unknown> }>;
  it.each<[string, Race]>([
    [
      'makes no key',
      async (user) => {
        const made: { key?: string } = {};
        return {
          act: async () =>
            Object.assign(made, (await user.call('POST', '/api/v1/api-keys', { name: 'A key', scope: 'write' })).body),
          left: async () =>
            made.key !== undefined && (await app.call('GET', '/api/v1/jobs', { token: made.key })).status === 200,
        };
      },
    ],
    [
      'leaves no webhook on',
      async (user) => ({
        act: () => user.call('POST', '/api/v1/webhooks', HOOK),
        left: async (token) =>
          (await app.call('GET', '/api/v1/webhooks', { token })).body.data.some(
            ({ active }: { readonly active: boolean }) => active,
          ),
      }),
    ],
    [
      'turns on no second factor',
      async (user) => {
        const { secret } = (await user.call('POST', '/api/v1/auth/mfa/enrol', { password: PASSWORD })).body.data;
        return {
          act: () => user.call('POST', '/api/v1/auth/mfa/confirm', { code: codeOf(secret, app.deps.now()) }),
          left: () => isFactorOn(user),
        };
      },
    ],
    [
      'sets no password',
      async (user) => ({
        act: () =>
          user.call('POST', '/api/v1/auth/change-password', {
            current_password: PASSWORD,
            password: 'of the stranger',
          }),
        left: async () => (await logIn(user.email, 'of the stranger')).token !== undefined,
      }),
    ],
  ])('%s', async (_, race) => {
    for (let nth = 1; nth < 60; nth += 1) {
      const stranger = await join();
      const link = await resetLinkFor(stranger.email);
      const { act, left } = await race(stranger);
      const done: boolean[] = [];
      const interrupted = await app.interruptedAt(
        nth,
        act,
        async () => void done.push(await resetElsewhere(stranger, link)),
      );
      if (!interrupted) return expect(nth).toBeGreaterThan(2);
      // A password that the stranger changes first voids the link: then the owner asks for another.
      if (!done[0]) await reset(stranger.email);
      const { token } = await logIn(stranger.email);
      expect(
        [token === undefined, await left(token), (await stranger.call('GET', '/api/v1/auth/profile')).status],
        `at ${nth}`,
      ).toEqual([false, false, 401]);
    }
  });
});

/** The token of the link in an email to log in with, requested by whoever reads the address's email. */
async function logInLinkFor({ userId, email }: TestUser): Promise<string> {
  await requestLogInMail(context(), { email, browser: 'a browser', knownBrowser: false });
  const { state } = await loadState(app.store, logInDecider, logInStream(userId));
  const given = { userId, requestId: state.mails.at(-1)?.requestId ?? '', withCode: false };
  const { newToken, passwords } = app.deps;
  const hashCode = (code: string) => passwords.hash(code, '');
  return (await issueLogInMail(context(), { ...given, newToken, hashCode }))?.token ?? '';
}

describe('a log-in by email that proves the address', () => {
  const OF_STRANGER = 'of the stranger';
  const prove = async (token: string) => app.call('POST', '/api/v1/auth/log-in-mail/link', { body: { token } });

  it('leaves the stranger no password, whenever they change it meanwhile', async () => {
    const passwordHash = await app.deps.passwords.hash(OF_STRANGER, '');
    for (let nth = 1; nth < 60; nth += 1) {
      const stranger = await join();
      const { userId, email } = stranger;
      const link = await logInLinkFor(stranger);
      const formerHash = (await accountOf(userId)).passwordHash ?? '';
      const change = { userId, passwordHash, formerHash, keptSessionId: randomUUID() };
      const proofs: Awaited<ReturnType<typeof prove>>[] = [];
      const interrupted = await app.interruptedAt(
        nth,
        async () => void proofs.push(await prove(link)),
        () => changePassword(context(), change).catch(isRefused),
      );
      if (!interrupted) return expect(nth).toBeGreaterThan(10);
      expect([proofs[0]?.status, (await logIn(email, OF_STRANGER)).code], `at ${nth}`).toEqual([
        200,
        'INVALID_CREDENTIALS',
      ]);
    }
  });

  it('does not log in to an account that the stranger moves to another address meanwhile', async () => {
    for (let nth = 1; nth < 60; nth += 1) {
      const stranger = await join();
      const { userId } = stranger;
      const link = await logInLinkFor(stranger);
      const email = addressOf('moved');
      await requestEmailConfirmation(context(), { userId, email });
      const move = await linkFor(stranger);
      const proofs: Awaited<ReturnType<typeof prove>>[] = [];
      const interrupted = await app.interruptedAt(
        nth,
        async () => void proofs.push(await prove(link)),
        () => confirmEmail(context(), { token: move, by: 'session' }).catch(isRefused),
      );
      if (!interrupted) return expect(nth).toBeGreaterThan(10);
      const [proof] = proofs;
      const { email: now, provenBy } = await accountOf(userId);
      expect([proof?.body.email, now, provenBy], `at ${nth}`).toEqual(
        proof?.status === 200 ? [stranger.email, stranger.email, 'mail'] : [undefined, email, 'session'],
      );
    }
  });
});

function isRefused(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
