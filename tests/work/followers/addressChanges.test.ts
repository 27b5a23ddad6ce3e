import { describe, expect, it } from 'vitest';
import { changeEmail, finishEmailChange } from '../../../src/commands/account/changeEmail.ts';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { emailStreamOf } from '../../../src/commands/account/emailStreamOf.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { accountDecider } from '../../../src/domain/account/decide.ts';
import { emailDecider } from '../../../src/domain/account/email.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { createAddressChanges } from '../../../src/work/followers/addressChanges.ts';
import { atEveryCrash, orCrash, type Product, product, userOf, withAdmin } from '../../given/commands.ts';
import { ownedOf } from '../../given/leaver.ts';
import { followLog } from '../../given/work/following.ts';

const NEW = 'new@example.com';
const OLD = 'ann@example.com';

const ownerOf = async ({ store }: Product, email: string) =>
  (await loadState(store, emailDecider, emailStreamOf(email))).state.userId;
const emailOf = async ({ store }: Product, userId: string) => {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state.email : null;
};
const follow = (made: Product) => followLog(made.store, createAddressChanges({ context: made.context }));

/** Something happens right before, or right after, the nth append. */
function meanwhile(
  store: EventStore,
  nth: number,
  when: 'before' | 'after',
  act: () => Promise<unknown>,
): EventStore & { readonly appends: () => number } {
  let appends = 0;
  const append: EventStore['append'] = async (...input) => {
    appends += 1;
    const turn = appends;
    if (turn === nth && when === 'before') await act();
    const result = await store.append(...input);
    if (turn === nth && when === 'after') await act();
    return result;
  };
  return Object.assign(Object.create(store) as EventStore, { append, appends: () => appends });
}

describe('a change of address', () => {
  it('is completed or undone after a crash: one address, one claim', async () => {
    const outcomes: (string | null)[] = [];
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      await orCrash(changeEmail(made.context('command-1', breaking(made.store)), { userId: ann, email: NEW }));
      await follow(made);
      const email = await emailOf(made, ann);
      outcomes.push(email);
      expect([await ownerOf(made, OLD), await ownerOf(made, NEW)]).toEqual(email === NEW ? [null, ann] : [ann, null]);
      const before = (await made.log()).length;
      await follow(made);
      expect(await made.log()).toHaveLength(before);
    });
    expect(deaths).toBe(8);
    expect(outcomes.filter((email) => email === OLD)).toHaveLength(1);
  });

  it('requested again for another address leaves no claim on the first one', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      await orCrash(changeEmail(made.context('command-1', breaking(made.store)), { userId: ann, email: NEW }));
      await changeEmail(made.context(), { userId: ann, email: 'other@example.com' });
      await follow(made);
      expect([await emailOf(made, ann), await ownerOf(made, 'other@example.com')]).toEqual(['other@example.com', ann]);
      expect([await ownerOf(made, NEW), await ownerOf(made, OLD)]).toEqual([null, null]);
    });
  });

  it('succeeds for its owner when the follower is faster at any step', async () => {
    let times = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; ; nth += 1) {
        const made = await withAdmin();
        const ann = await userOf(made);
        const store = meanwhile(made.store, nth, when, () => follow(made));
        await changeEmail(made.context('command-1', store), { userId: ann, email: NEW });
        await follow(made);
        expect([await emailOf(made, ann), await ownerOf(made, NEW), await ownerOf(made, OLD)]).toEqual([
          NEW,
          ann,
          null,
        ]);
        expect((await made.types('account-')).filter((type) => type === 'AccountEmailChanged')).toHaveLength(1);
        if (store.appends() < nth) break;
        times += 1;
      }
    }
    expect(times).toBeGreaterThan(3);
  });

  it('and back keeps the claim while the follower processes the first change', async () => {
    for (const when of ['before', 'after'] as const) {
      const made = await withAdmin();
      const ann = await userOf(made);
      await changeEmail(made.context(), { userId: ann, email: NEW });
      // As before the former address was released.
      await handle(made.context(), emailDecider, emailStreamOf(OLD), {
        type: 'ClaimEmail',
        userId: ann,
        proven: true,
        at: made.now(),
      });
      const back = () => changeEmail(made.context(), { userId: ann, email: OLD });
      const store = meanwhile(made.store, 1, when, back);
      await followLog(made.store, createAddressChanges({ context: () => made.context(undefined, store) }));
      expect([await emailOf(made, ann), await ownerOf(made, OLD), await ownerOf(made, NEW)]).toEqual([OLD, ann, null]);
    }
  });

  it('that claims its address after its account was erased leaves it free', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await handle(made.context(), accountDecider, accountStream(ann), {
      type: 'RequestEmailChange',
      email: NEW,
      at: made.now(),
    });
    await deleteAccount(made.context(), { userId: ann });
    await eraseAccount(made.context(), { userId: ann, owned: ownedOf(made) });
    await handle(made.context(), emailDecider, emailStreamOf(NEW), {
      type: 'ClaimEmail',
      userId: ann,
      proven: true,
      at: made.now(),
    });
    await follow(made);
    expect(await ownerOf(made, NEW)).toBeNull();
    await expect(finishEmailChange(made.context(), { userId: ann, email: NEW })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
    expect(await ownerOf(made, NEW)).toBeNull();
  });

  it('leaves the claim of an unfinished sign-up alone', async () => {
    const made = product();
    const store = meanwhile(made.store, 2, 'after', () => follow(made));
    const { userId } = await signUp(made.context('command-1', store), {
      email: OLD,
      name: 'Ann',
      passwordHash: 'hash',
    });
    expect(await ownerOf(made, OLD)).toBe(userId);
  });
});
