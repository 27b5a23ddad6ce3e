import { describe, expect, it } from 'vitest';
import { claimInstallation } from '../../src/commands/account/claimInstallation.ts';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { grantAdmin } from '../../src/commands/account/grantAdmin.ts';
import { adminsInLog, revokeAdmin } from '../../src/commands/account/revokeAdmin.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { loadState } from '../../src/commands/handle.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { type Product, product, userOf } from '../given/commands.ts';

const isAdmin = async ({ store }: Product, userId: string): Promise<boolean> => {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' && state.isAdmin;
};
const revoke = (made: Product, userId: string, adminEmail: string | null = null, store = made.store) =>
  revokeAdmin(made.context(null, store), { userId, reason: 'admin', adminEmail, listAdmins: () => adminsInLog(store) });

/** Ann and Bob are admins. */
async function twoAdmins() {
  const made = product();
  const ann = await userOf(made);
  const bob = await userOf(made, 'bob@example.com');
  await grantAdmin(made.context(), { userId: bob, reason: 'admin' });
  return { made, ann, bob };
}

describe('withdrawing the right to administer', () => {
  it('works while another admin is left', async () => {
    const { made, ann, bob } = await twoAdmins();
    await revoke(made, ann);
    await revoke(made, ann);
    expect([await isAdmin(made, ann), await isAdmin(made, bob)]).toEqual([false, true]);
    await expect(revoke(made, bob)).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    expect(await isAdmin(made, bob)).toBe(true);
    expect((await made.types('account-')).filter((type) => type === 'AccountAdminRevoked')).toHaveLength(1);
  });

  it('does not count an admin whose account was deleted', async () => {
    const { made, ann, bob } = await twoAdmins();
    await deleteAccount(made.context(), { userId: bob });
    await expect(revoke(made, ann)).rejects.toMatchObject({ code: 'LAST_ADMIN' });
  });

  it('leaves one admin when two withdraw each other’s right at the same time', async () => {
    const { made, ann, bob } = await twoAdmins();
    // Bob's write comes between Ann's check of the remaining admins and her own write.
    let meanwhile: Promise<unknown> | null = null;
    const store = Object.assign(Object.create(made.store) as typeof made.store, {
      append: async (...input: Parameters<typeof made.store.append>) => {
        const isFirst = meanwhile === null;
        meanwhile ??= revoke(made, ann);
        if (isFirst) await meanwhile;
        return made.store.append(...input);
      },
    });
    await expect(revoke(made, bob, null, store)).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    expect([await isAdmin(made, ann), await isAdmin(made, bob)]).toEqual([false, true]);
  });

  it('is refused for the account named by ADMIN_EMAIL, in any spelling', async () => {
    const { made, ann } = await twoAdmins();
    await expect(revoke(made, ann, 'ANN@example.com')).rejects.toMatchObject({
      code: 'ADMIN_CONFIGURED',
      message: expect.stringContaining('ADMIN_EMAIL'),
    });
    await revoke(made, ann, 'carl@example.com');
    expect(await isAdmin(made, ann)).toBe(false);
  });

  it('is not undone by the next sign-up, nor by the setting', async () => {
    const made = product();
    const { userId: ann } = await signUp(made.context(), {
      email: 'ann@example.com',
      name: 'Ann',
      passwordHash: 'hash',
      adminEmail: 'ann@example.com',
    });
    const bob = await userOf(made, 'bob@example.com');
    await grantAdmin(made.context(), { userId: bob, reason: 'operator' });
    await revoke(made, ann);
    await userOf(made, 'carl@example.com');
    await claimInstallation(made.context(), { userId: ann });
    await claimInstallation(made.context(), { userId: ann, adminEmail: 'ann@example.com' });
    expect(await isAdmin(made, ann)).toBe(false);
  });
});
