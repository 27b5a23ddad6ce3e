import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { emailStreamOf } from '../../src/commands/emailStreamOf.ts';
import { loadState } from '../../src/commands/handle.ts';
import { logIn } from '../../src/commands/logIn.ts';
import { reconcileAccounts } from '../../src/commands/reconcileAccounts.ts';
import { type SignUp, signUp } from '../../src/commands/signUp.ts';
import { accountStream } from '../../src/domain/account/account.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { emailDecider } from '../../src/domain/account/email.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { accounts } from '../../src/projections/accounts.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, product, withAdmin } from '../given/commands.ts';
import { fold } from '../given/projection.ts';

const ann: SignUp = { email: 'Ann@Example.com ', name: 'Ann', passwordHash: 'hash' };

/** Who can log in with that address; null when nobody can. */
async function owner({ store }: Product, email: string): Promise<string | null> {
  const found = await logIn({ store }, { email, password: 'any', verifyPassword: async (hash) => hash !== null }).catch(() => null);
  return found?.userId ?? null;
}
const accountOf = async ({ store }: Product, userId: string) => (await loadState(store, accountDecider, accountStream(userId))).state;

describe('signing up', () => {
  it('makes an account that can log in, in any spelling of its address', async () => {
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

  it('makes the configured address admin', async () => {
    const made = await withAdmin();
    expect((await signUp(made.context(), { ...ann, adminEmail: 'ANN@example.com' })).isAdmin).toBe(true);
    expect((await signUp(made.context(), { ...ann, email: 'bob@example.com', adminEmail: 'ann@example.com' })).isAdmin).toBe(false);
  });

  it('answers with the position of the account’s last event', async () => {
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
    await expect(signUp(made.context(), { ...ann, email: 'ANN@example.com' })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect(await made.log()).toHaveLength(before);
  });

  it('lets one of many who want the same address at once have it, and leaves nothing of the others', async () => {
    const made = await withAdmin();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => signUp(made.context(), ann)));
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.userId] : []));
    expect(won).toHaveLength(1);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'EMAIL_TAKEN' });
    expect(await owner(made, 'ann@example.com')).toBe(won[0]);
    const registered = (await made.log()).filter((event) => event.type === 'AccountRegistered');
    expect(registered).toHaveLength(2);
  });

  it('leads to the same account when it is repeated', async () => {
    const made = await withAdmin();
    const first = await signUp(made.context('command-1'), ann);
    const before = (await made.log()).length;
    made.pass(1);
    expect(await signUp(made.context('command-1'), ann)).toEqual(first);
    expect(await made.log()).toHaveLength(before);
  });

  it('holds no address in the names of its streams', async () => {
    const made = product();
    await signUp(made.context(), ann);
    for (const event of await made.log()) expect(event.stream).not.toContain('ann');
  });
});

describe('a sign-up that dies on the way', () => {
  const died = (ctx: CommandContext) => orCrash(signUp(ctx, ann));

  it('is finished by a repeat', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = product();
      await died(made.context('command-1', breaking(made.store)));
      const { userId, isAdmin } = await signUp(made.context('command-1'), ann);
      expect(await owner(made, ann.email)).toBe(userId);
      expect(isAdmin).toBe(true);
      expect((await made.log()).map((event) => event.type).sort()).toEqual(['AccountAdminGranted', 'AccountRegistered', 'EmailClaimed', 'InstallationClaimed']);
    });
    expect(deaths).toBe(8);
  });

  it('is removed by the reconciler, or stands', async () => {
    const outcomes: string[] = [];
    await atEveryCrash(async (breaking) => {
      const made = product();
      await died(made.context('command-1', breaking(made.store)));
      expect((await reconcileAccounts(made.context(), { after: START })).removed).toBe(0);
      made.pass(11);
      await reconcileAccounts(made.context(), { after: START });
      const userId = await owner(made, ann.email);
      expect((await made.types('account-')).includes('AccountRegistered')).toBe(userId !== null);
      if (userId !== null) expect(await accountOf(made, userId)).toMatchObject({ isAdmin: true });
      outcomes.push(userId === null ? 'removed' : 'stands');
    });
    // Before: account, claim; after: account. From the claim on the account exists.
    expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(3);
  });

  it('leaves the address free for another, and does not come back', async () => {
    let removed = 0;
    await atEveryCrash(async (breaking) => {
      const fresh = await withAdmin();
      await died(fresh.context('command-1', breaking(fresh.store)));
      fresh.pass(11);
      const reconciled = await reconcileAccounts(fresh.context(), { after: START });
      if (reconciled.removed === 0) return;
      removed += 1;
      await expect(signUp(fresh.context('command-1'), ann)).rejects.toMatchObject({ code: 'SIGN_UP_EXPIRED' });
      const { userId } = await signUp(fresh.context(), ann);
      expect(await owner(fresh, ann.email)).toBe(userId);
    });
    expect(removed).toBe(2);
  });

  it('cannot claim its address any more when the reconciler came between', async () => {
    const made = await withAdmin();
    const email = emailStreamOf(ann.email);
    const slow = Object.assign(Object.create(made.store) as typeof made.store, {
      append: async (...input: Parameters<typeof made.store.append>) => {
        if (input[0] === email) {
          made.pass(11);
          await reconcileAccounts(made.context(), { after: START });
        }
        return made.store.append(...input);
      },
    });
    await expect(signUp(made.context('command-1', slow), ann)).rejects.toMatchObject({ code: 'SIGN_UP_EXPIRED' });
    expect(await owner(made, ann.email)).toBeNull();
  });

  it('does not keep the right to administer from the first account that stands', async () => {
    const made = product();
    expect(await died(made.context('command-1', crashingStore(made.store, 2, 'before')))).toBe('crashed');
    const next = await signUp(made.context(), { ...ann, email: 'bob@example.com' });
    expect(next.isAdmin).toBe(true);
    expect((await signUp(made.context('command-1'), ann)).isAdmin).toBe(false);
  });

  it('leaves the right to administer to the account that came first, whoever comes next', async () => {
    const made = product();
    // Dies between the claim of the address and the claim of the installation.
    const first = await died(made.context('command-1', crashingStore(made.store, 3, 'before')));
    expect(first).toBe('crashed');
    const second = await signUp(made.context(), { ...ann, email: 'bob@example.com' });
    expect(second.isAdmin).toBe(false);
    const userId = await owner(made, ann.email);
    expect(await accountOf(made, userId ?? '')).toMatchObject({ isAdmin: true });
  });
});

describe('the reconciler of accounts', () => {
  it('leaves an account that gets its address at the last moment', async () => {
    const made = await withAdmin();
    await orCrash(signUp(made.context('command-1', crashingStore(made.store, 1, 'after')), ann));
    made.pass(11);
    const racing = Object.assign(Object.create(made.store) as typeof made.store, {
      append: async (...input: Parameters<typeof made.store.append>) => {
        await signUp(made.context('command-1'), ann);
        return made.store.append(...input);
      },
    });
    expect((await reconcileAccounts(made.context(undefined, racing), { after: START })).removed).toBe(0);
    expect(await owner(made, ann.email)).not.toBeNull();
  });

  it('goes on where it was, and leaves young and finished sign-ups alone', async () => {
    const made = await withAdmin();
    await signUp(made.context(), ann);
    made.pass(11);
    await signUp(made.context(), { ...ann, email: 'young@example.com' });
    const before = (await made.log()).length;
    const first = await reconcileAccounts(made.context(), { after: START });
    expect(first.removed).toBe(0);
    const young = (await made.log()).find((event) => event.type === 'AccountRegistered' && (event.data as { email: string }).email === 'young@example.com');
    expect(first.next < (young?.position ?? '')).toBe(true);
    made.pass(11);
    const second = await reconcileAccounts(made.context(), { after: first.next });
    expect(second.next >= (young?.position ?? '')).toBe(true);
    expect(await made.log()).toHaveLength(before);
  });

  it('lets the read model forget a removed account that it has seen', async () => {
    const made = await withAdmin();
    await orCrash(signUp(made.context('command-1', crashingStore(made.store, 1, 'after')), ann));
    const seen = [...(await made.log())];
    made.pass(11);
    await reconcileAccounts(made.context(), { after: START });
    const later = (await made.log()).filter((event) => !seen.some((one) => one.position === event.position));
    const events = [...seen, ...later] as unknown as Parameters<typeof accounts.evolve>[1][];
    expect(Object.values(fold(accounts, events)).map((account) => account.email)).toEqual(['admin@example.com']);
    expect((await loadState(made.store, emailDecider, emailStreamOf(ann.email))).state.userId).toBeNull();
  });
});
