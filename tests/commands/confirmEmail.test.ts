/** The owner of an address: the first to sign up with it holds it, the one who proves it by email keeps it. */

import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/account/changeEmail.ts';
import { grantAtLogIn } from '../../src/commands/account/claimInstallation.ts';
import { confirmEmail } from '../../src/commands/account/confirmEmail.ts';
import { issuePasswordReset } from '../../src/commands/account/issuePasswordReset.ts';
import { proveEmail } from '../../src/commands/account/proveEmail.ts';
import {
  issueEmailConfirmation,
  requestEmailConfirmation,
} from '../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../src/commands/account/requestPasswordReset.ts';
import { resetPassword } from '../../src/commands/account/resetPassword.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { logIn } from '../../src/commands/session/logIn.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { createAddressChanges } from '../../src/work/followers/addressChanges.ts';
import { createFinishedSignUps } from '../../src/work/followers/finishedSignUps.ts';
import { createUnfinishedSignUps } from '../../src/work/sweeps/unfinishedSignUps.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { followLog, still } from '../given/work/following.ts';
import { lastEvent } from '../given/work/mailDelivery.ts';

const EMAIL = 'ann@example.com';
const NEW = 'new@example.com';

const join = async ({ context }: Product, email = EMAIL) =>
  (await signUp(context(), { email, name: 'Ann', passwordHash: 'hash', asksProof: true })).userId;
/** Long enough that another account may request an address without a proof. */
const joinLater = (made: Product, email = EMAIL) => {
  made.pass(48 * 60);
  return join(made, email);
};
const accountOf = async ({ store }: Product, userId: string) => {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  if (state.status !== 'active') throw new Error(`The account is ${state.status}.`);
  return state;
};
const owner = async ({ store }: Product, email = EMAIL) =>
  (await logIn({ store }, { email, password: 'any', verifyPassword: async (hash) => hash !== null }).catch(() => null))
    ?.userId ?? null;

let drawn = 0;
/** Of the last email that the account requested. */
async function linkOf(made: Product, userId: string): Promise<string> {
  const { requestId = '' } = (await accountOf(made, userId)).confirmations.at(-1) ?? {};
  const newToken = () => `secret${String(++drawn).padStart(37, '0')}`;
  return (await issueEmailConfirmation(made.context(), { userId, requestId, newToken })) ?? 'none';
}
const open = (made: Product, token: string, ctx = made.context()) => confirmEmail(ctx, { token, by: 'password' });

describe('the confirmation link', () => {
  it('works once, for a day, and for its own account only', async () => {
    const made = await withAdmin();
    const ann = await join(made);
    const [first, second] = [await linkOf(made, ann), await linkOf(made, ann)];
    for (const wrong of ['', 'x', `${ann}.${'A'.repeat(43)}`, first.replace(ann, await join(made, 'bob@example.com'))])
      await expect(open(made, wrong)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
    expect((await accountOf(made, ann)).emailProof).toBe('unconfirmed');
    expect(await open(made, second)).toMatchObject({ userId: ann, email: EMAIL });
    expect((await accountOf(made, ann)).emailProof).toBe('confirmed');
    for (const used of [first, second])
      await expect(open(made, used)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
    const late = await linkOf(made, await join(made, 'eve@example.com'));
    made.pass(24 * 60);
    await expect(open(made, late)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
  });

  it('leaves no token in the log', async () => {
    const made = await withAdmin();
    const token = await linkOf(made, await join(made));
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain(token.split('.')[1]);
  });
});

describe('an address that another account holds without proof', () => {
  it('goes to its owner, who signs up and opens the link; the other account remains without it', async () => {
    const made = await withAdmin();
    const squatter = await join(made);
    await expect(join(made)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const ann = await joinLater(made);
    expect(await owner(made)).toBe(squatter);
    await open(made, await linkOf(made, ann));
    expect(await owner(made)).toBe(ann);
    expect((await accountOf(made, squatter)).emailProof).toBe('lost');
    await expect(joinLater(made)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });

    // It is asked for another address, and can log in again with that.
    await requestEmailConfirmation(made.context(), { userId: squatter, email: NEW });
    await open(made, await linkOf(made, squatter));
    expect([await owner(made, NEW), await owner(made)]).toEqual([squatter, ann]);
  });

  it('stays with the first to open a link, whoever signed up first', async () => {
    const made = await withAdmin();
    const [ann, stranger] = [await join(made), await joinLater(made)];
    const late = await linkOf(made, stranger);
    await open(made, await linkOf(made, ann));
    await expect(open(made, late)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
    expect([await owner(made), (await accountOf(made, stranger)).emailProof]).toEqual([ann, 'lost']);
  });

  it('goes to its owner by a change of address, too', async () => {
    const made = await withAdmin();
    const squatter = await join(made, NEW);
    const ann = await userOf(made);
    await requestEmailConfirmation(made.context(), { userId: ann, email: NEW });
    expect([await owner(made), await owner(made, NEW)]).toEqual([ann, squatter]);
    await open(made, await linkOf(made, ann));
    expect([await owner(made), await owner(made, NEW)]).toEqual([null, ann]);
    expect((await accountOf(made, squatter)).emailProof).toBe('lost');
  });

  it('is complete after a crash at any write, and when the follower finishes it', async () => {
    const outcomes = new Set<string | null>();
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const [squatter, ann] = [await join(made), await joinLater(made)];
      const token = await linkOf(made, ann);
      await orCrash(open(made, token, made.context('command-1', breaking(made.store))));
      await followLog(made.store, createAddressChanges({ context: made.context }));
      const has = await owner(made);
      outcomes.add(has === ann ? 'ann' : 'squatter');
      expect([(await accountOf(made, ann)).emailProof, (await accountOf(made, squatter)).emailProof]).toEqual(
        has === ann ? ['confirmed', 'lost'] : ['unconfirmed', 'unconfirmed'],
      );
      const before = (await made.log()).length;
      await followLog(made.store, createAddressChanges({ context: made.context }));
      expect(await made.log()).toHaveLength(before);
    });
    expect(deaths).toBe(6);
    expect(outcomes).toEqual(new Set(['squatter', 'ann']));
  });

  it('is proven by a password reset through its email, after which no other account’s link works', async () => {
    const made = await withAdmin();
    const [ann, stranger] = [await join(made), await joinLater(made)];
    const late = await linkOf(made, stranger);
    await requestPasswordReset(made.context(), { email: EMAIL });
    const { requestId } = (await lastEvent(made, 'PasswordResetAsked')).data as { requestId: string };
    const tokens = await issuePasswordReset(made.context(), { userId: ann, requestId, newToken: () => 'B'.repeat(43) });
    await resetPassword(made.context(), { accessToken: tokens?.accessToken ?? '', passwordHash: 'new' });
    expect(await accountOf(made, ann)).toMatchObject({ emailProof: 'confirmed', passwordHash: 'new' });
    await expect(open(made, late)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
    await expect(
      resetPassword(made.context(), { accessToken: tokens?.accessToken ?? '', passwordHash: 'x' }),
    ).rejects.toMatchObject({ code: 'RESET_INVALID' });
  });

  it('never costs an account: the sweep of unfinished sign-ups spares those that hold, request or have lost it', async () => {
    const made = await withAdmin();
    const users = [await join(made), await joinLater(made), await join(made)];
    await open(made, await linkOf(made, users[1] ?? ''));
    made.pass(11);
    await createUnfinishedSignUps({ context: made.context }).run(null, still);
    for (const userId of users) expect(await accountOf(made, userId)).toMatchObject({ status: 'active' });
  });
});

describe('changing the address', () => {
  it('waits for the link, and the last request counts', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await requestEmailConfirmation(made.context(), { userId: ann, email: 'first@example.com' });
    const first = await linkOf(made, ann);
    await requestEmailConfirmation(made.context(), { userId: ann, email: ' NEW@example.com' });
    await expect(open(made, first)).rejects.toMatchObject({ code: 'CONFIRMATION_INVALID' });
    expect((await accountOf(made, ann)).email).toBe(EMAIL);
    await open(made, await linkOf(made, ann));
    expect(await accountOf(made, ann)).toMatchObject({ email: NEW, emailProof: 'confirmed' });
    expect([await owner(made, NEW), await owner(made)]).toEqual([ann, null]);
  });

  it('is refused when another account has proven the address, before or meanwhile', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await requestEmailConfirmation(made.context(), { userId: ann, email: NEW });
    const link = await linkOf(made, ann);
    const bob = await userOf(made, NEW);
    await expect(open(made, link)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    await expect(requestEmailConfirmation(made.context(), { userId: ann, email: NEW })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect([await owner(made), await owner(made, NEW)]).toEqual([ann, bob]);
  });

  it('takes effect at once where no email is sent, and then displaces nobody', async () => {
    const made = await withAdmin();
    const squatter = await join(made, NEW);
    const ann = await userOf(made);
    await expect(changeEmail(made.context(), { userId: ann, email: NEW })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect(await owner(made, NEW)).toBe(squatter);
  });
});

describe('the configured administrator', () => {
  const adminEmail = EMAIL;
  const grants = async (made: Product) =>
    (await made.log()).filter(({ type }) => type === 'AccountAdminGranted').map(({ data }) => data);

  it('is the account that proves the address, not a stranger who came first, from its next log-in', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const stranger = await signUp(made.context(), {
        email: EMAIL,
        name: 'X',
        passwordHash: 'hash',
        adminEmail,
        asksProof: true,
      });
      made.pass(48 * 60);
      const boss = await signUp(made.context(), {
        email: EMAIL,
        name: 'Boss',
        passwordHash: 'hash',
        adminEmail,
        asksProof: true,
      });
      expect([stranger.isAdmin, boss.isAdmin]).toEqual([false, false]);
      const token = await linkOf(made, boss.userId);
      await orCrash(
        confirmEmail(made.context('command-1', breaking(made.store)), { token, by: 'password', adminEmail }),
      );
      for (const follower of [
        createAddressChanges({ context: made.context }),
        createFinishedSignUps({ context: made.context, adminEmail }),
      ])
        await followLog(made.store, follower);
      const proven = (await owner(made)) === boss.userId;
      expect((await grants(made)).slice(1)).toEqual([]);
      for (const { userId } of [stranger, boss]) {
        // The setting has changed meanwhile.
        expect(await grantAtLogIn(made.context(), { userId, adminEmail: 'other@example.com' })).toBeNull();
        await grantAtLogIn(made.context(), { userId, adminEmail: EMAIL.toUpperCase() });
      }
      expect((await grants(made)).slice(1)).toEqual(proven ? [{ userId: boss.userId, reason: 'configured' }] : []);
    });
  });

  const resetTokenOf = async (made: Product, userId: string): Promise<string> => {
    await requestPasswordReset(made.context(), { email: EMAIL });
    const { requestId } = (await lastEvent(made, 'PasswordResetAsked')).data as { requestId: string };
    const newToken = () => `secret${String(++drawn).padStart(37, '0')}`;
    return (await issuePasswordReset(made.context(), { userId, requestId, newToken }))?.accessToken ?? '';
  };

  it('is the account whose address a reset proves, at every crash', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const { userId } = await signUp(made.context(), {
        email: EMAIL,
        name: 'Boss',
        passwordHash: 'hash',
        adminEmail,
        asksProof: true,
      });
      const accessToken = await resetTokenOf(made, userId);
      await orCrash(
        resetPassword(made.context('command-1', breaking(made.store)), {
          accessToken,
          passwordHash: 'new',
          adminEmail,
        }),
      );
      await followLog(made.store, createFinishedSignUps({ context: made.context, adminEmail }));
      const isDone = (await made.types('account-')).includes('PasswordResetUsed');
      expect((await grants(made)).slice(1)).toEqual([]);
      await grantAtLogIn(made.context(), { userId, adminEmail });
      expect((await grants(made)).slice(1)).toEqual(isDone ? [{ userId, reason: 'configured' }] : []);
    });
  });

  it('is no account that proved the address by a link alone, until its owner has set a new password', async () => {
    const made = await withAdmin();
    const userId = await join(made);
    await proveEmail(made.context(), { userId, email: EMAIL });
    await followLog(made.store, createFinishedSignUps({ context: made.context, adminEmail }));
    expect(await grantAtLogIn(made.context(), { userId, adminEmail })).toBeNull();
    await resetPassword(made.context(), {
      accessToken: await resetTokenOf(made, userId),
      passwordHash: 'new',
      adminEmail,
    });
    expect((await grants(made)).slice(1)).toEqual([]);
    await grantAtLogIn(made.context(), { userId, adminEmail });
    expect((await grants(made)).slice(1)).toEqual([{ userId, reason: 'configured' }]);
  });

  it('is not made again by a log-in after a person has withdrawn the right', async () => {
    const made = await withAdmin();
    const { userId } = await signUp(made.context(), {
      email: EMAIL,
      name: 'Boss',
      passwordHash: 'hash',
      adminEmail,
      asksProof: true,
    });
    await confirmEmail(made.context(), { token: await linkOf(made, userId), by: 'session', adminEmail });
    await grantAtLogIn(made.context(), { userId, adminEmail });
    await handle(made.context(), accountDecider, accountStream(userId), {
      type: 'RevokeAdmin',
      reason: 'operator',
      at: made.context().now(),
    });
    expect(await grantAtLogIn(made.context(), { userId, adminEmail })).toBeNull();
    expect((await grants(made)).slice(1)).toHaveLength(1);
  });
});
