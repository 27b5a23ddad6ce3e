/** What a reset, or a first log-in by email, ends, where its command dies at any write. */

import { expect, it } from 'vitest';
import { endFormerAccess } from '../../../src/commands/account/endFormerAccess.ts';
import { issuePasswordReset } from '../../../src/commands/account/issuePasswordReset.ts';
import { requestPasswordReset } from '../../../src/commands/account/requestPasswordReset.ts';
import { resetPassword } from '../../../src/commands/account/resetPassword.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { linkIdentity } from '../../../src/commands/logIn/identities.ts';
import { issueLogInMail, requestLogInMail, spendLogInLink } from '../../../src/commands/logIn/logInMail.ts';
import { addWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { accountDecider } from '../../../src/domain/account/decide.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import { apiKeysDecider } from '../../../src/domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../../src/domain/apiKeys/events.ts';
import { logInStream } from '../../../src/domain/logIn/events.ts';
import { logInDecider } from '../../../src/domain/logIn/logIn.ts';
import { secondFactorStream } from '../../../src/domain/secondFactor/events.ts';
import { secondFactorDecider } from '../../../src/domain/secondFactor/secondFactor.ts';
import { webhooksStream } from '../../../src/domain/webhooks/events.ts';
import { webhooksDecider } from '../../../src/domain/webhooks/webhooks.ts';
import { createFormerAccess } from '../../../src/work/followers/formerAccess.ts';
import { atEveryCrash, orCrash, type Product, withAdmin } from '../../given/commands.ts';
import { turnSecondFactor } from '../../given/secondFactor.ts';
import { followLog } from '../../given/work/following.ts';
import { lastEvent } from '../../given/work/mailDelivery.ts';

const EMAIL = 'ann@example.com';
const IDENTITY = { provider: 'example', issuer: 'https://id.example.com', subject: '42', email: null };
let drawn = 0;
const newToken = (): string => {
  drawn += 1;
  return `secret${String(drawn).padStart(37, '0')}`;
};

async function setUp(made: Product, userId: string): Promise<void> {
  await createApiKey(made.context(), { userId, name: 'A key', scope: 'read', expiresAt: null, newToken });
  await addWebhook(made.context(), { userId, url: 'https://hooks.example.com/', events: ['job.completed'], newToken });
  await turnSecondFactor(made.context(), { userId, on: true });
  await linkIdentity(made.context(), { ...IDENTITY, userId });
  const passkey = { userId, publicKey: 'key', counter: 0, isSynced: true, name: 'Phone', at: made.now() };
  const passkeyId = made.context().commandId;
  const command = { type: 'AddPasskey', ...passkey, passkeyId, credentialId: passkeyId } as const;
  await handle(made.context(), logInDecider, logInStream(userId), command);
}
async function left(
  { store }: Product,
  userId: string,
): Promise<readonly [keys: number, webhooks: number, factor: boolean, identities: number, passkeys: number]> {
  const keys = (await loadState(store, apiKeysDecider, apiKeysStream(userId))).state.keys;
  const { endpoints } = (await loadState(store, webhooksDecider, webhooksStream(userId))).state;
  const { enabled } = (await loadState(store, secondFactorDecider, secondFactorStream(userId))).state;
  const { identities, passkeys } = (await loadState(store, logInDecider, logInStream(userId))).state;
  return [
    Object.keys(keys).length,
    Object.values(endpoints).filter(({ active }) => active).length,
    enabled !== null,
    Object.keys(identities).length,
    Object.keys(passkeys).length,
  ];
}
const NOTHING = [0, 0, false, 0, 0];
const ALL = [1, 1, true, 1, 1];

it('ends after a crash, too, and what was set up since stays', async () => {
  const deaths = await atEveryCrash(async (breaking) => {
    const made = await withAdmin();
    const { userId } = await signUp(made.context(), {
      email: EMAIL,
      name: 'Ann',
      passwordHash: 'hash',
      asksProof: true,
    });
    await setUp(made, userId);
    await requestPasswordReset(made.context(), { email: EMAIL });
    const { requestId } = (await lastEvent(made, 'PasswordResetAsked')).data as { requestId: string };
    const { accessToken = '' } = (await issuePasswordReset(made.context(), { userId, requestId, newToken })) ?? {};
    const reset = async (ctx = made.context()): Promise<void> => {
      await resetPassword(ctx, { accessToken, passwordHash: 'new' });
      await endFormerAccess(ctx, { userId });
    };
    await orCrash(reset(made.context('command-1', breaking(made.store))));
    // If it died before the new password, the link still works.
    if (!(await made.types('account-')).includes('PasswordResetUsed'))
      await orCrash(resetPassword(made.context(), { accessToken, passwordHash: 'new' }));
    await followLog(made.store, createFormerAccess({ context: made.context }));
    expect(await left(made, userId)).toEqual(NOTHING);
    await setUp(made, userId);
    await followLog(made.store, createFormerAccess({ context: made.context }));
    await endFormerAccess(made.context(), { userId });
    expect(await left(made, userId)).toEqual(ALL);
  });
  expect(deaths).toBeGreaterThan(6);
});

it('ends by the first log-in with an emailed link, after a crash, too, together with the password', async () => {
  const deaths = await atEveryCrash(async (breaking) => {
    const made = await withAdmin();
    const { userId } = await signUp(made.context(), {
      email: EMAIL,
      name: 'Ann',
      passwordHash: 'hash',
      asksProof: true,
    });
    await setUp(made, userId);
    const logIn = async (ctx = made.context()): Promise<void> => {
      await spendLogInLink(ctx, { token: await linkOf(made, userId) });
      await endFormerAccess(ctx, { userId });
    };
    const token = await linkOf(made, userId);
    const first = async (): Promise<void> => {
      const ctx = made.context('command-1', breaking(made.store));
      await spendLogInLink(ctx, { token });
      await endFormerAccess(ctx, { userId });
    };
    await orCrash(first());
    // Whoever it was asks for another link.
    if (!(await made.types('account-')).includes('AccountProvenByMail')) await logIn();
    await followLog(made.store, createFormerAccess({ context: made.context }));
    expect(await left(made, userId)).toEqual(NOTHING);
    expect((await loadState(made.store, accountDecider, accountStream(userId))).state).toMatchObject({
      passwordHash: null,
      provenBy: 'mail',
      emailProof: 'confirmed',
    });
    await setUp(made, userId);
    await logIn();
    await followLog(made.store, createFormerAccess({ context: made.context }));
    expect(await left(made, userId)).toEqual(ALL);
  });
  expect(deaths).toBeGreaterThan(6);
});

/** The token of the link of one more email to log in with. */
async function linkOf(made: Product, userId: string): Promise<string> {
  await requestLogInMail(made.context(), { email: EMAIL, browser: newToken(), knownBrowser: false });
  const { requestId } = (await lastEvent(made, 'LogInMailAsked')).data as { requestId: string };
  const given = { userId, requestId, withCode: true, newToken, hashCode: async (code: string) => code };
  return (await issueLogInMail(made.context(), given))?.token ?? '';
}
