import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/account/changeEmail.ts';
import { claimInstallation } from '../../src/commands/account/claimInstallation.ts';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/account/eraseAccount.ts';
import { type SignUp, signUp } from '../../src/commands/account/signUp.ts';
import type { CommandContext } from '../../src/commands/context.ts';
import { loadState } from '../../src/commands/handle.ts';
import { logIn } from '../../src/commands/session/logIn.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, product, withAdmin } from '../given/commands.ts';

const ann: SignUp = { email: 'Ann@Example.com ', name: 'Ann', passwordHash: 'hash' };

/** The user who can log in with that address; null if there is none. */
async function owner({ store }: Product, email: string): Promise<string | null> {
  const found = await logIn({ store }, { email, password: 'any', verifyPassword: async (hash) => hash !== null }).catch(
    () => null,
  );
  return found?.userId ?? null;
}
const accountOf = async ({ store }: Product, userId: string) =>
  (await loadState(store, accountDecider, accountStream(userId))).state;

describe('signing up', () => {
  it('creates an account that can log in, in any spelling of its address', async () => {
    const made = await withAdmin();
    const { userId, isAdmin } = await signUp(made.context(), ann);
    expect(isAdmin).toBe(false);
    expect(await owner(made, 'ann@example.com')).toBe(userId);
    expect(await owner(made, ' ANN@example.COM')).toBe(userId);
    expect(await accountOf(made, userId)).toMatchObject({ status: 'active', email: 'ann@example.com', name: 'Ann' });
  });

  it('makes the first account of an installation its admin, and no other', async () => {
    const made = product();
    const first = await signUp(made.context(), ann);
    const second = await signUp(made.context(), { ...ann, email: 'bob@example.com' });
    expect([first.isAdmin, second.isAdmin]).toEqual([true, false]);
    expect(await accountOf(made, first.userId)).toMatchObject({ isAdmin: true });
  });

  it('makes the configured address an admin', async () => {
    const made = await withAdmin();
    expect((await signUp(made.context(), { ...ann, adminEmail: 'ANN@example.com' })).isAdmin).toBe(true);
    expect(
      (await signUp(made.context(), { ...ann, email: 'bob@example.com', adminEmail: 'ann@example.com' })).isAdmin,
    ).toBe(false);
  });

  it('makes nobody else an admin where an address is configured, not even the first account, wherever a process crashes', async () => {
    await atEveryCrash(async (breaking) => {
      const made = product();
      const adminEmail = 'ann@example.com';
      expect((await signUp(made.context(), { ...ann, email: 'stranger@example.com', adminEmail })).isAdmin).toBe(false);
      await orCrash(signUp(made.context('command-1', breaking(made.store)), { ...ann, adminEmail }));
      expect((await signUp(made.context(), { ...ann, email: 'second@example.com', adminEmail })).isAdmin).toBe(false);
      const { userId } = await signUp(made.context('command-1'), { ...ann, adminEmail });
      const granted = (await made.log()).filter(({ type }) => type === 'AccountAdminGranted').map(({ data }) => data);
      expect(granted).toEqual([{ userId, reason: 'configured' }]);
      // Removing the setting again: the installation belongs to the configured account.
      expect((await signUp(made.context(), { ...ann, email: 'third@example.com' })).isAdmin).toBe(false);
      expect((await made.log()).filter(({ type }) => type === 'AccountAdminGranted')).toHaveLength(1);
    });
  });

  it.each<[string, (made: Product, userId: string) => Promise<unknown>]>([
    ['takes another address', (made, userId) => changeEmail(made.context(), { userId, email: 'new@example.com' })],
    [
      'deletes the account',
      async (made, userId) => {
        await deleteAccount(made.context(), { userId });
        await eraseAccount(made.context(), { userId, owned: async function* () {} });
      },
    ],
  ])('makes no stranger an admin who takes the configured address once the admin %s', async (_, leave) => {
    const made = product();
    const admin = await signUp(made.context(), { ...ann, adminEmail: 'ann@example.com' });
    expect(admin.isAdmin).toBe(true);
    await leave(made, admin.userId);
    const stranger = await signUp(made.context(), { ...ann, adminEmail: 'ann@example.com' });
    expect(stranger.isAdmin).toBe(false);
    // Nor after the setting is removed.
    await claimInstallation(made.context(), { userId: stranger.userId });
    expect(await accountOf(made, stranger.userId)).toMatchObject({ isAdmin: false });
  });

  it('returns the position of the account’s last event', async () => {
    const made = product();
    const { position, userId } = await signUp(made.context(), ann);
    const own = (await made.log()).filter((event) => event.stream === accountStream(userId));
    expect(own.map((event) => event.type)).toEqual(['AccountRegistered', 'AccountAdminGranted']);
    expect(position).toBe(own.at(-1)?.position);
  });

  it('refuses a taken address before anything is written', async () => {
    const made = await withAdmin();
    await signUp(made.context(), ann);
    const before = (await made.log()).length;
    await expect(signUp(made.context(), { ...ann, email: 'ANN@example.com' })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect(await made.log()).toHaveLength(before);
  });

  it('gives an address requested by many at once to one of them, and leaves nothing of the others', async () => {
    const made = await withAdmin();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => signUp(made.context(), ann)));
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.userId] : []));
    expect(won).toHaveLength(1);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'EMAIL_TAKEN' });
    expect(await owner(made, 'ann@example.com')).toBe(won[0]);
    const registered = (await made.log()).filter((event) => event.type === 'AccountRegistered');
    expect(registered).toHaveLength(2);
  });

  it('creates the same account when it is repeated', async () => {
    const made = await withAdmin();
    const first = await signUp(made.context('command-1'), ann);
    const before = (await made.log()).length;
    made.pass(1);
    expect(await signUp(made.context('command-1'), ann)).toEqual(first);
    expect(await made.log()).toHaveLength(before);
  });

  it('puts no address into stream names', async () => {
    const made = product();
    await signUp(made.context(), ann);
    for (const event of await made.log()) expect(event.stream).not.toContain('ann');
  });
});

describe('a sign-up that crashes', () => {
  const died = (ctx: CommandContext) => orCrash(signUp(ctx, ann));

  it('is finished by a repeat', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = product();
      await died(made.context('command-1', breaking(made.store)));
      const { userId, isAdmin } = await signUp(made.context('command-1'), ann);
      expect(await owner(made, ann.email)).toBe(userId);
      expect(isAdmin).toBe(true);
      expect((await made.log()).map((event) => event.type).sort()).toEqual([
        'AccountAdminGranted',
        'AccountRegistered',
        'EmailClaimed',
        'InstallationClaimed',
      ]);
    });
    expect(deaths).toBe(8);
  });

  it('does not take the right to administer from the first account that is completed', async () => {
    const made = product();
    expect(await died(made.context('command-1', crashingStore(made.store, 2, 'before')))).toBe('crashed');
    const next = await signUp(made.context(), { ...ann, email: 'bob@example.com' });
    expect(next.isAdmin).toBe(true);
    expect((await signUp(made.context('command-1'), ann)).isAdmin).toBe(false);
  });

  it('leaves the right to administer to the account that came first, whoever comes next', async () => {
    const made = product();
    // Crashes between the claim of the address and the claim of the installation.
    const first = await died(made.context('command-1', crashingStore(made.store, 3, 'before')));
    expect(first).toBe('crashed');
    const second = await signUp(made.context(), { ...ann, email: 'bob@example.com' });
    expect(second.isAdmin).toBe(false);
    const userId = await owner(made, ann.email);
    expect(await accountOf(made, userId ?? '')).toMatchObject({ isAdmin: true });
  });
});
