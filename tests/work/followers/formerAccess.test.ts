/** What a reset ends, where its command dies at any write. */

import { expect, it } from 'vitest';
import { endFormerAccess } from '../../../src/commands/account/endFormerAccess.ts';
import { issuePasswordReset } from '../../../src/commands/account/issuePasswordReset.ts';
import { requestPasswordReset } from '../../../src/commands/account/requestPasswordReset.ts';
import { resetPassword } from '../../../src/commands/account/resetPassword.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { addWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { apiKeysDecider } from '../../../src/domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../../src/domain/apiKeys/events.ts';
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
let drawn = 0;
const newToken = (): string => {
  drawn += 1;
  return `secret${String(drawn).padStart(37, '0')}`;
};

async function setUp(made: Product, userId: string): Promise<void> {
  await createApiKey(made.context(), { userId, name: 'A key', scope: 'read', expiresAt: null, newToken });
  await addWebhook(made.context(), { userId, url: 'https://hooks.example.com/', events: ['job.completed'], newToken });
  await turnSecondFactor(made.context(), { userId, on: true });
}
async function left(
  { store }: Product,
  userId: string,
): Promise<readonly [keys: number, webhooks: number, factor: boolean]> {
  const keys = (await loadState(store, apiKeysDecider, apiKeysStream(userId))).state.keys;
  const { endpoints } = (await loadState(store, webhooksDecider, webhooksStream(userId))).state;
  const { enabled } = (await loadState(store, secondFactorDecider, secondFactorStream(userId))).state;
  return [Object.keys(keys).length, Object.values(endpoints).filter(({ active }) => active).length, enabled !== null];
}

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
    expect(await left(made, userId)).toEqual([0, 0, false]);
    await setUp(made, userId);
    await followLog(made.store, createFormerAccess({ context: made.context }));
    await endFormerAccess(made.context(), { userId });
    expect(await left(made, userId)).toEqual([1, 1, true]);
  });
  expect(deaths).toBeGreaterThan(6);
});
