import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/changeEmail.ts';
import { emailStreamOf } from '../../src/commands/emailStreamOf.ts';
import { loadState } from '../../src/commands/handle.ts';
import { reconcileAccounts } from '../../src/commands/reconcileAccounts.ts';
import { reconcileEmailChanges } from '../../src/commands/reconcileEmailChanges.ts';
import { signUp } from '../../src/commands/signUp.ts';
import { accountStream } from '../../src/domain/account/account.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { emailDecider } from '../../src/domain/account/email.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';

const NEW = 'new@example.com';
const OLD = 'ann@example.com';

const ownerOf = async ({ store }: Product, email: string) => (await loadState(store, emailDecider, emailStreamOf(email))).state.userId;
const emailOf = async ({ store }: Product, userId: string) => {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state.email : null;
};
const reconcile = (made: Product) => reconcileEmailChanges(made.context(), { after: START });

describe('moving to another address', () => {
  it('claims the new one, in any spelling, and lets go of the former', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await changeEmail(made.context(), { userId: ann, email: ' NEW@example.com' });
    expect([await emailOf(made, ann), await ownerOf(made, NEW), await ownerOf(made, OLD)]).toEqual([NEW, ann, null]);
    const bob = await signUp(made.context(), { email: OLD, name: 'Bob', passwordHash: 'hash' });
    expect(await ownerOf(made, OLD)).toBe(bob.userId);
  });

  it('is refused when somebody has it, and changes nothing', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await userOf(made, NEW);
    await expect(changeEmail(made.context(), { userId: ann, email: NEW })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect([await emailOf(made, ann), await ownerOf(made, OLD)]).toEqual([OLD, ann]);
    made.pass(2);
    expect((await reconcile(made)).finished).toBe(0);
    expect([await emailOf(made, ann), await ownerOf(made, OLD)]).toEqual([OLD, ann]);
  });

  it('and back again keeps the account whole', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await changeEmail(made.context(), { userId: ann, email: NEW });
    await changeEmail(made.context(), { userId: ann, email: OLD });
    made.pass(11);
    await reconcile(made);
    expect((await reconcileAccounts(made.context(), { after: START })).removed).toBe(0);
    expect([await emailOf(made, ann), await ownerOf(made, OLD), await ownerOf(made, NEW)]).toEqual([OLD, ann, null]);
  });

  it('does not look like a sign-up that broke off', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await changeEmail(made.context(), { userId: ann, email: NEW });
    made.pass(11);
    expect((await reconcileAccounts(made.context(), { after: START })).removed).toBe(0);
    expect(await emailOf(made, ann)).toBe(NEW);
  });

  it('that dies on the way is finished by the reconciler, or never began: one address, one claim', async () => {
    const outcomes: (string | null)[] = [];
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      await orCrash(changeEmail(made.context('command-1', breaking(made.store)), { userId: ann, email: NEW }));
      made.pass(11);
      await reconcile(made);
      await reconcileAccounts(made.context(), { after: START });
      const email = await emailOf(made, ann);
      outcomes.push(email);
      expect([await ownerOf(made, OLD), await ownerOf(made, NEW)]).toEqual(email === NEW ? [null, ann] : [ann, null]);
      await expect(reconcile(made)).resolves.toMatchObject({ finished: 0 });
    });
    expect(deaths).toBe(8);
    expect(outcomes.filter((email) => email === OLD)).toHaveLength(1);
  });

  it('that is asked for anew elsewhere leaves no claim on the first wish', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      await orCrash(changeEmail(made.context('command-1', breaking(made.store)), { userId: ann, email: NEW }));
      await changeEmail(made.context(), { userId: ann, email: 'other@example.com' });
      made.pass(2);
      await reconcile(made);
      expect([await emailOf(made, ann), await ownerOf(made, 'other@example.com')]).toEqual(['other@example.com', ann]);
      expect([await ownerOf(made, NEW), await ownerOf(made, OLD)]).toEqual([null, null]);
    });
  });

  it('is left alone while it may be under way', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await made.store.append(
      accountStream(ann),
      [
        {
          id: crypto.randomUUID(),
          type: 'AccountEmailChangeAsked',
          data: { userId: ann, email: NEW, askedAt: made.now() },
          metadata: { actor: 'system', at: made.now() },
        },
      ],
      { expected: 'any' },
    );
    expect((await reconcile(made)).finished).toBe(0);
    expect(await emailOf(made, ann)).toBe(OLD);
  });
});
