import { describe, expect, it } from 'vitest';
import type { AccountEvent, EmailEvent } from '../../src/domain/account/events.ts';
import type { SecondFactorEvent } from '../../src/domain/secondFactor/events.ts';
import { accounts } from '../../src/projections/accounts.ts';
import { project } from '../given/stores/projection.ts';

const userId = 'user-1';
const at = '2026-03-01T10:00:00.000Z';
const registered: Extract<AccountEvent, { type: 'AccountRegistered' }> = {
  type: 'AccountRegistered',
  data: { userId, email: 'ann@example.com', name: 'Ann', passwordHash: 'secret', registeredAt: at },
};
const account = {
  id: userId,
  email: 'ann@example.com',
  name: 'Ann',
  is_admin: false,
  sign_in_enabled: true,
  has_password: true,
  mfa_enabled: false,
  unwanted_mails: [],
  emailProof: 'confirmed',
  contended: false,
  pendingEmail: null,
  createdAt: at,
};

describe('the accounts read model', () => {
  it('shows an account without its password', () =>
    expect(project(accounts, registered)).toEqual({ [userId]: account }));
  it('shows admins', () =>
    expect(project(accounts, registered, { type: 'AccountAdminGranted', data: { userId, reason: 'demo' } })).toEqual({
      [userId]: { ...account, is_admin: true },
    }));
  it('shows former admins', () => {
    const revoked: AccountEvent = { type: 'AccountAdminRevoked', data: { userId, reason: 'admin', revokedAt: at } };
    expect(
      project(accounts, registered, { type: 'AccountAdminGranted', data: { userId, reason: 'demo' } }, revoked),
    ).toEqual({ [userId]: account });
  });
  it('shows users with a second factor', () => {
    const on: SecondFactorEvent = {
      type: 'SecondFactorEnabled',
      data: { userId, enrolmentId: 'e', step: 1, recoveryCodeHashes: [], enabledAt: at },
    };
    const off: SecondFactorEvent = { type: 'SecondFactorRemoved', data: { userId, reason: 'owner', removedAt: at } };
    expect(project(accounts, registered, on)).toEqual({ [userId]: { ...account, mfa_enabled: true } });
    expect(project(accounts, registered, on, off)).toEqual({ [userId]: account });
  });
  it('shows the newest address', () =>
    expect(
      project(accounts, registered, {
        type: 'AccountEmailChanged',
        data: { userId, formerEmail: 'ann@example.com', email: 'b@example.com', changedAt: at },
      }),
    ).toEqual({ [userId]: { ...account, email: 'b@example.com' } }));
  it('shows whether the address is confirmed', () => {
    type AnyEvent = Parameters<typeof project<object, never>>[1];
    const shown = (...events: readonly (AccountEvent | EmailEvent)[]) =>
      project(accounts, registered, ...(events as AnyEvent[]))[userId];
    const asked = (email: string): AccountEvent => ({
      type: 'AccountEmailConfirmationAsked',
      data: { userId, requestId: 'r', email, askedAt: at },
    });
    const own = asked('ann@example.com');
    const contended: EmailEvent = { type: 'EmailContended', data: { userId, contendedAt: at } };
    const data = { userId, email: 'ann@example.com' };
    expect(shown(own)).toMatchObject({ emailProof: 'unconfirmed', pendingEmail: null });
    expect(shown(own, contended)).toMatchObject({ emailProof: 'unconfirmed', contended: true });
    expect(shown(own, contended, { type: 'AccountEmailConfirmed', data: { ...data, confirmedAt: at } })).toMatchObject({
      emailProof: 'confirmed',
      contended: false,
    });
    expect(shown(own, contended, { type: 'AccountEmailLost', data: { ...data, lostAt: at } })).toMatchObject({
      emailProof: 'lost',
      contended: false,
    });
    const pendingEmail = { email: 'b@example.com', askedAt: at };
    expect(shown(asked('b@example.com'))).toMatchObject({ emailProof: 'confirmed', pendingEmail });
    const refused: AccountEvent = {
      type: 'AccountEmailChangeRefused',
      data: { userId, email: 'b@example.com', refusedAt: at },
    };
    expect(shown(asked('b@example.com'), refused)).toMatchObject({ emailProof: 'confirmed', pendingEmail: null });
    const changed: AccountEvent = {
      type: 'AccountPasswordChanged',
      data: { userId, passwordHash: 'new', changedAt: at },
    };
    const ended: AccountEvent = {
      type: 'AccountSessionsEnded',
      data: { userId, reason: 'revoked', keptSessionId: null, endedAt: at },
    };
    for (const ending of [changed, ended])
      expect(shown(own, asked('b@example.com'), ending)).toMatchObject({
        emailProof: 'unconfirmed',
        pendingEmail: null,
      });
  });
  it('shows email preferences', () => {
    const set = (wanted: boolean): AccountEvent => ({
      type: 'AccountMailChoiceSet',
      data: { userId, mail: 'job_done', wanted, setAt: at },
    });
    const shown = (...events: AccountEvent[]) =>
      project(accounts, registered, ...(events as Parameters<typeof project<object, never>>[1][]));
    expect(shown(set(false))).toEqual({ [userId]: { ...account, unwanted_mails: ['job_done'] } });
    expect(shown(set(false), set(true))).toEqual({ [userId]: account });
  });
  it('removes a deleted account', () =>
    expect(project(accounts, registered, { type: 'AccountDeleted', data: { userId, deletedAt: at } })).toEqual({}));
  it('removes an account whose sign-up was abandoned', () =>
    expect(project(accounts, registered, { type: 'EmailRefused', data: { userId, refusedAt: at } })).toEqual({}));
  it('reports whether any account can log in', () => {
    const disabled = { type: 'AccountDisabled', data: { userId, disabledAt: at } } as const;
    expect(project(accounts, registered, disabled)[userId]).toMatchObject({ sign_in_enabled: false });
    expect(
      project(accounts, registered, disabled, { type: 'AccountEnabled', data: { userId, enabledAt: at } })[userId],
    ).toMatchObject({ sign_in_enabled: true });
  });
  it('creates no account from other events', () =>
    expect(project(accounts, { type: 'AccountAdminGranted', data: { userId, reason: 'demo' } })).toEqual({}));
});
