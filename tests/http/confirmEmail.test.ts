/** Addresses are confirmed by email: the link, its limits, and the owner of an address that two accounts request. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { enrolled } from '../given/secondFactor.ts';
import { type MailingApp, startMailing } from '../given/work/mails.ts';

const BOSS = 'boss@example.com';
const DAYS = 24 * 60 * 60_000;

let app: TestApp;
let mailing: MailingApp;
beforeAll(async () => {
  app = await startTestApp({ config: { adminEmail: BOSS } });
  mailing = await startMailing(app);
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});

const addressOf = (name: string): string => `${name}-${randomUUID()}@example.com`;
const join = (email: string): Promise<TestUser> => app.signUp({ email, confirmed: false });
const profileOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/profile')).body.profile;
const confirm = (token: string | null) => app.call('POST', '/api/v1/auth/confirm-email', { body: { token } });
const resend = (user: TestUser) => user.call('POST', '/api/v1/auth/resend-confirmation', {});
const logIn = async (email: string, password = PASSWORD) => (await app.call('POST', '/api/v1/auth/login', { body: { email, password } })).body.user_id ?? null;
const tokenIn = (text: string) => new URLSearchParams(mailing.link(text, '/confirm-email').hash.slice(1)).get('token');
/** Of the account's own emails: two may be sent to one address. */
const linkFor = async (user: TestUser, to = user.email) =>
  tokenIn((await mailing.server.next((mail) => mail.to === to && mail.text.includes(user.userId))).text);
/** The access token of a reset link, requested by whoever reads the address's email. */
async function resetLinkFor(email: string): Promise<string> {
  await app.call('POST', '/api/v1/auth/reset-password', { body: { email } });
  const mail = await mailing.server.next(({ to, subject }) => to === email && subject.startsWith('Reset'));
  return new URLSearchParams(mailing.link(mail.text, '/reset-password').hash.slice(1)).get('access_token') ?? '';
}

describe('sign-up', () => {
  it('logs in at once without restrictions; the emailed link confirms the address once', async () => {
    const ann = await join(addressOf('ann'));
    expect(await profileOf(ann)).toMatchObject({ email_state: 'unconfirmed', pending_email: null });
    expect((await ann.call('POST', '/api/v1/process', { url: 'https://www.example.org/' })).status).toBeLessThan(300);
    expect(await logIn(ann.email)).toBe(ann.userId);
    const token = await linkFor(ann);
    expect(await confirm(`${token}x`)).toMatchObject({ status: 404, body: { code: 'CONFIRMATION_INVALID' } });
    expect((await confirm(token)).body).toEqual({ success: true, message: 'Your email address is confirmed.', email: ann.email });
    expect(await profileOf(ann)).toMatchObject({ email_state: 'confirmed' });
    expect((await confirm(token)).status).toBe(404);
    expect((await resend(ann)).body).toEqual({ success: true, sent_to: null });
  });

  it('resends the link on request, within a limit, and keeps no token in logs or read models', async () => {
    const ann = await join(addressOf('ann'));
    for (let nth = 0; nth < 4; nth += 1) expect((await resend(ann)).body).toEqual({ success: true, sent_to: ann.email });
    expect(await resend(ann)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_CONFIRMATIONS' } });
    const secret = (await linkFor(ann))?.split('.')[1] ?? '';
    const { events } = await app.store.readAll({ limit: 5_000 });
    expect(JSON.stringify(events.map(({ data }) => data)) + app.logLines.join('')).not.toContain(secret);
    expect((await app.call('POST', '/api/v1/auth/resend-confirmation', { body: {} })).status).toBe(401);
  });
});

describe('an address that a stranger signed up with', () => {
  it('goes to its owner after a sign-up and the link; the stranger stays logged in without it', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    expect((await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: PASSWORD } })).body.code).toBe('EMAIL_TAKEN');
    app.advance(2 * DAYS);
    // Sessions expire meanwhile.
    const strangersToken = (await app.call('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })).body.token;
    const owner = await join(email);
    expect(await profileOf(owner)).toMatchObject({ email_state: 'contended' });
    expect(await logIn(email)).toBe(stranger.userId);
    expect((await confirm(await linkFor(owner))).status).toBe(200);
    expect(await profileOf(owner)).toMatchObject({ email_state: 'confirmed' });
    expect(await logIn(email)).toBe(owner.userId);
    const { body } = await app.call('GET', '/api/v1/auth/profile', { token: strangersToken });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'lost' });
  });

  it('goes to its owner at once by a password reset, after which nothing of the stranger’s opens the account', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    const { body: made } = await stranger.call('POST', '/api/v1/api-keys', { name: 'mine', scope: 'read' });
    const keyOpens = async () => (await app.call('GET', '/api/v1/jobs', { token: made.key })).status;
    expect(await keyOpens()).toBe(200);
    const token = await resetLinkFor(email);
    expect((await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: 'a new password' } })).status).toBe(200);
    expect([await keyOpens(), (await stranger.call('GET', '/api/v1/auth/profile')).status]).toEqual([401, 401]);
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password: 'a new password' } });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'confirmed' });
  });

  it('asks its owner for no code of the stranger’s once a reset has proven it', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    await enrolled(app, stranger);
    const password = 'a new password';
    await app.call('POST', '/api/v1/auth/update-password', { token: await resetLinkFor(email), body: { password } });
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password } });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'confirmed', mfa: 'off' });
    await mailing.server.next(({ to, subject }) => to === email && subject.startsWith('Two-factor authentication was turned off'));
    await app.readModels.reached(['activity'], await app.store.head(), 5_000);
    expect((await app.call('GET', '/api/v1/auth/activity', { token: body.token })).text).toContain('Two-factor authentication turned off');
  });

  it('is not moved away by a link from before the reset', async () => {
    const [email, away] = [addressOf('ann'), addressOf('away')];
    const stranger = await join(email);
    await stranger.call('POST', '/api/v1/auth/change-email', { email: away, password: PASSWORD });
    const link = await linkFor(stranger, away);
    await app.call('POST', '/api/v1/auth/update-password', { token: await resetLinkFor(email), body: { password: 'a new password' } });
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password: 'a new password' } });
    expect(body.profile).toMatchObject({ email_state: 'confirmed', pending_email: null });
    expect(await confirm(link)).toMatchObject({ status: 404, body: { code: 'CONFIRMATION_INVALID' } });
    expect([await logIn(email, 'a new password'), await logIn(away, 'a new password')]).toEqual([stranger.userId, null]);
  });

  it('does not block a change to it', async () => {
    const email = addressOf('next');
    await join(email);
    const ann = await app.signUp();
    expect((await ann.call('POST', '/api/v1/auth/change-email', { email, password: PASSWORD })).body).toMatchObject({ pending: true });
    expect((await confirm(await linkFor(ann, email))).status).toBe(200);
    expect(await logIn(email)).toBe(ann.userId);
  });
});

it('an address gets only a few links a day, however many accounts ask for it; its owner can sign up all the same', async () => {
  const email = addressOf('third');
  const ask = async (user: TestUser) => (await user.call('POST', '/api/v1/auth/change-email', { email, password: PASSWORD })).body;
  const [ann, bob] = [await app.signUp(), await app.signUp()];
  for (const user of [ann, bob, ann, bob]) expect(await ask(user)).toMatchObject({ pending: true });
  expect((await resend(ann)).body).toEqual({ success: true, sent_to: email });
  const refusal = { code: 'TOO_MANY_CONFIRMATIONS', error: 'We can’t send more links to this address today. Please try again tomorrow.' };
  expect(await ask(await app.signUp())).toMatchObject(refusal);
  expect((await resend(bob)).body).toMatchObject(refusal);
  const owner = await join(email);
  expect((await confirm(await linkFor(owner))).status).toBe(200);
});

describe('a link to another address, requested by somebody who has the password', () => {
  it.each<[string, (owner: TestUser) => Promise<unknown>]>([
    ['a new password', (owner) => owner.call('POST', '/api/v1/auth/change-password', { current_password: PASSWORD, password: 'a new password' })],
    ['logging out everywhere', (owner) => owner.call('POST', '/api/v1/auth/logout-everywhere', {})],
  ])('leads nowhere after %s; the one to its own address still works', async (_, end) => {
    const [ann, away] = [await join(addressOf('ann')), addressOf('away')];
    await ann.call('POST', '/api/v1/auth/change-email', { email: away, password: PASSWORD });
    const [own, link] = [await linkFor(ann), await linkFor(ann, away)];
    await end(ann);
    expect((await confirm(link)).status).toBe(404);
    expect((await confirm(own)).status).toBe(200);
  });
});

it('a reset keeps the second factor of an account whose address was proven before', async () => {
  const ann = await app.signUp({ email: addressOf('ann') });
  await enrolled(app, ann);
  const body = { password: 'a new password' };
  expect((await app.call('POST', '/api/v1/auth/update-password', { token: await resetLinkFor(ann.email), body })).status).toBe(200);
  const answer = await app.call('POST', '/api/v1/auth/login', { body: { ...body, email: ann.email } });
  expect(answer.body).toMatchObject({ mfa_required: true });
});

it('the configured administrator is the account that confirms that address', async () => {
  const boss = await join(BOSS);
  expect(await profileOf(boss)).toMatchObject({ is_admin: false });
  await confirm(await linkFor(boss));
  expect(await profileOf(boss)).toMatchObject({ is_admin: true });
});

it('where no email is sent, no confirmation is required', async () => {
  const silent = await startTestApp({ config: { mail: false } });
  try {
    const user = await silent.signUp({ confirmed: false });
    const profile = async () => (await user.call('GET', '/api/v1/auth/profile')).body;
    expect((await profile()).profile).toMatchObject({ email_state: 'confirmed', pending_email: null });
    expect((await user.call('POST', '/api/v1/auth/change-email', { email: 'next@example.com', password: PASSWORD })).body).toMatchObject({ pending: false });
    expect(await profile()).toMatchObject({ user: { email: 'next@example.com' }, profile: { email_state: 'confirmed' } });
    expect((await user.call('POST', '/api/v1/auth/resend-confirmation', {})).body).toEqual({ success: true, sent_to: null });
  } finally {
    await silent.close();
  }
});
