import { expect, it } from 'vitest';
import { signUp } from '../../../src/commands/account/signUp.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { enterByProvider } from '../../../src/commands/logIn/enterByProvider.ts';
import { unlinkIdentity } from '../../../src/commands/logIn/identities.ts';
import { logInStream } from '../../../src/domain/logIn/events.ts';
import { logInDecider } from '../../../src/domain/logIn/logIn.ts';
import { atEveryCrash, orCrash, withAdmin } from '../../given/commands.ts';

const EMAIL = 'ann@example.com';
const IDENTITY = { provider: 'example', issuer: 'https://id.example.com', subject: '42', email: EMAIL };
const enter = (ctx: CommandContext, subject = IDENTITY.subject) =>
  enterByProvider(ctx, {
    identity: { ...IDENTITY, subject },
    emailVerified: true,
    name: 'Ann',
    label: 'Example',
    createsAccounts: true,
  });
const refusedWith = (code: string) => expect.objectContaining({ code });

it('opens one account in the end, wherever the process dies while it is made', async () => {
  const deaths = await atEveryCrash(async (breaking) => {
    const made = await withAdmin();
    await orCrash(enter(made.context('command-1', breaking(made.store))));
    const { account } = await enter(made.context());
    expect(account).toMatchObject({ email: EMAIL, emailProof: 'confirmed', passwordHash: null });
    const again = await enter(made.context());
    expect([again.account.userId, again.isNew]).toEqual([account.userId, false]);
  });
  expect(deaths).toBeGreaterThan(6);
});

it('opens no account that a person has been in by the address alone', async () => {
  const made = await withAdmin();
  const { account } = await enter(made.context());
  await expect(enter(made.context(), 'another')).rejects.toEqual(refusedWith('IDENTITY_NOT_LINKED'));
  const { identities } = (await loadState(made.store, logInDecider, logInStream(account.userId))).state;
  const [identityId = ''] = Object.keys(identities);
  const removal = { userId: account.userId, identityId, reason: 'owner', hasOtherWay: true } as const;
  await unlinkIdentity(made.context(), removal);
  await expect(enter(made.context())).rejects.toEqual(refusedWith('IDENTITY_NOT_LINKED'));
});

it('opens no account that was proven otherwise', async () => {
  const made = await withAdmin();
  await signUp(made.context(), { email: EMAIL, name: 'Ann', passwordHash: null });
  await expect(enter(made.context())).rejects.toEqual(refusedWith('IDENTITY_NOT_LINKED'));
});
