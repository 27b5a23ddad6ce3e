import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../../src/commands/account/changeEmail.ts';
import { emailStreamOf } from '../../../src/commands/account/emailStreamOf.ts';
import { type SignUp, signUp } from '../../../src/commands/account/signUp.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { logIn } from '../../../src/commands/session/logIn.ts';
import { emailDecider } from '../../../src/domain/account/email.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { createUnfinishedSignUps } from '../../../src/work/sweeps/unfinishedSignUps.ts';
import {
  atEveryCrash,
  crashingStore,
  orCrash,
  type Product,
  product,
  userOf,
  withAdmin,
} from '../../given/commands.ts';
import { fold } from '../../given/stores/projection.ts';
import { still } from '../../given/work/following.ts';

const ann: SignUp = { email: 'ann@example.com', name: 'Ann', passwordHash: 'hash' };
const sweep = (made: Product, kept: string | null = null, store?: EventStore) =>
  createUnfinishedSignUps({ context: () => made.context(undefined, store) }).run(kept, still);

/** The user who can log in with that address; null if there is none. */
async function owner({ store }: Product, email: string): Promise<string | null> {
  const found = await logIn({ store }, { email, password: 'any', verifyPassword: async (hash) => hash !== null }).catch(
    () => null,
  );
  return found?.userId ?? null;
}

describe('a sign-up that crashed before its address was claimed', () => {
  it('is removed after ten minutes, or completed', async () => {
    const outcomes: string[] = [];
    await atEveryCrash(async (breaking) => {
      const made = product();
      await orCrash(signUp(made.context('command-1', breaking(made.store)), ann));
      const early = await sweep(made);
      expect(early.done).toBe(0);
      made.pass(11);
      await sweep(made, early.kept);
      const userId = await owner(made, ann.email);
      expect((await made.types('account-')).includes('AccountRegistered')).toBe(userId !== null);
      outcomes.push(userId === null ? 'removed' : 'stands');
    });
    // Before: account, claim; after: account. From the claim on the account exists.
    expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(3);
  });

  it('leaves the address free for another, and does not come back', async () => {
    let removed = 0;
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      await orCrash(signUp(made.context('command-1', breaking(made.store)), ann));
      made.pass(11);
      if ((await sweep(made)).done === 0) return;
      removed += 1;
      await expect(signUp(made.context('command-1'), ann)).rejects.toMatchObject({ code: 'SIGN_UP_EXPIRED' });
      const { userId } = await signUp(made.context(), ann);
      expect(await owner(made, ann.email)).toBe(userId);
    });
    expect(removed).toBe(2);
  });

  it('cannot claim its address after the sweep', async () => {
    const made = await withAdmin();
    const email = emailStreamOf(ann.email);
    const slow = Object.assign(Object.create(made.store) as EventStore, {
      append: async (...input: Parameters<EventStore['append']>) => {
        if (input[0] === email) {
          made.pass(11);
          await sweep(made);
        }
        return made.store.append(...input);
      },
    });
    await expect(signUp(made.context('command-1', slow), ann)).rejects.toMatchObject({ code: 'SIGN_UP_EXPIRED' });
    expect(await owner(made, ann.email)).toBeNull();
  });

  it('is completed when it gets its address at the last moment', async () => {
    const made = await withAdmin();
    await orCrash(signUp(made.context('command-1', crashingStore(made.store, 1, 'after')), ann));
    made.pass(11);
    const racing = Object.assign(Object.create(made.store) as EventStore, {
      append: async (...input: Parameters<EventStore['append']>) => {
        await signUp(made.context('command-1'), ann);
        return made.store.append(...input);
      },
    });
    expect((await sweep(made, null, racing)).done).toBe(0);
    expect(await owner(made, ann.email)).not.toBeNull();
  });

  it('is removed from the read model that has seen it', async () => {
    const made = await withAdmin();
    await orCrash(signUp(made.context('command-1', crashingStore(made.store, 1, 'after')), ann));
    const seen = [...(await made.log())];
    made.pass(11);
    await sweep(made);
    const later = (await made.log()).filter((event) => !seen.some((one) => one.position === event.position));
    const events = [...seen, ...later] as unknown as Parameters<typeof accounts.evolve>[1][];
    expect(Object.values(fold(accounts, events)).map((account) => account.email)).toEqual(['admin@example.com']);
    expect((await loadState(made.store, emailDecider, emailStreamOf(ann.email))).state.userId).toBeNull();
  });
});

describe('the sweep of sign-ups', () => {
  it('resumes where it was, and leaves recent and completed sign-ups alone', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    await changeEmail(made.context(), { userId, email: 'moved@example.com' });
    made.pass(11);
    await signUp(made.context(), { ...ann, email: 'young@example.com' });
    const before = (await made.log()).length;
    const young = (await made.log()).find(
      ({ type, data }) => type === 'AccountRegistered' && (data as { email: string }).email === 'young@example.com',
    );
    const first = await sweep(made);
    expect(first.done).toBe(0);
    expect((first.kept ?? '') < (young?.position ?? '')).toBe(true);
    made.pass(11);
    const second = await sweep(made, first.kept);
    expect((second.kept ?? '') >= (young?.position ?? '')).toBe(true);
    expect(await made.log()).toHaveLength(before);
  });

  it('starts over on a log that was replaced by an older one', async () => {
    const made = await withAdmin();
    await orCrash(signUp(made.context('command-1', crashingStore(made.store, 1, 'after')), ann));
    made.pass(11);
    expect((await sweep(made, '9'.repeat(20))).done).toBe(1);
  });
});
