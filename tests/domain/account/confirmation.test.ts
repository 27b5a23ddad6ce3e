import { describe, expect, it } from 'vitest';
import { pendingEmail } from '../../../src/domain/account/confirmation.ts';
import { type AccountCommand, accountDecider } from '../../../src/domain/account/decide.ts';
import { type EmailCommand, emailDecider } from '../../../src/domain/account/email.ts';
import type { AccountEvent, EmailEvent } from '../../../src/domain/account/events.ts';
import { currentEvent } from '../../../src/domain/stored/current.ts';
import { redacted } from '../../../src/domain/stored/redaction.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-03-01T10:00:00.000Z';
const later = (hours: number): string => new Date(Date.parse(at) + hours * 3_600_000).toISOString();
const userId = 'user-1';
const OWN = 'ann@example.com';
const NEW = 'new@example.com';

describe('confirming an email address', () => {
  const given = specOf(accountDecider);
  const registered: AccountEvent = {
    type: 'AccountRegistered',
    data: { userId, email: OWN, name: 'Ann', passwordHash: 'hash', registeredAt: at },
  };
  const asked = (requestId: string, email = OWN, askedAt = at): AccountEvent => ({
    type: 'AccountEmailConfirmationAsked',
    data: { userId, requestId, email, askedAt },
  });
  const issued = (requestId: string, tokenHash: string, issuedAt = at): AccountEvent => ({
    type: 'AccountEmailConfirmationIssued',
    data: {
      userId,
      requestId,
      tokenHash,
      issuedAt,
      expiresAt: new Date(Date.parse(issuedAt) + 24 * 3_600_000).toISOString(),
    },
  });
  const confirmed: AccountEvent = { type: 'AccountEmailConfirmed', data: { userId, email: OWN, confirmedAt: at } };
  const lost: AccountEvent = { type: 'AccountEmailLost', data: { userId, email: OWN, lostAt: at } };
  const ask = (requestId: string, email: string | null, when = at): AccountCommand => ({
    type: 'RequestEmailConfirmation',
    requestId,
    email,
    at: when,
  });
  const confirm: AccountCommand = { type: 'ConfirmEmail', email: OWN, at };
  const lose: AccountCommand = { type: 'LoseEmail', email: OWN, at };
  const stateOf = (...events: readonly AccountEvent[]) => {
    const state = events.reduce(accountDecider.evolve, accountDecider.initialState());
    if (state.status !== 'active') throw new Error(state.status);
    return state;
  };

  it('requires confirmation from registration on, in one append', () =>
    given()
      .when({
        type: 'RegisterAccount',
        userId,
        email: OWN,
        name: 'Ann',
        passwordHash: 'hash',
        at,
        confirmationId: 'r1',
      })
      .then(registered, asked('r1')));
  it('requires none for accounts older than confirmation, or where no email is sent', () => {
    expect(stateOf(registered).emailProof).toBe('confirmed');
    given(registered).when(ask('r1', null)).thenNothing();
    given(registered).when(lose).thenNothing();
  });
  it('is confirmed once', () => {
    given(registered, asked('r1')).when(confirm).then(confirmed);
    given(registered, asked('r1'), confirmed).when(confirm).thenNothing();
    given(registered, asked('r1'))
      .when({ ...confirm, email: NEW })
      .thenNothing();
  });
  it('releases an address that another account has proven, unless its own owner has; regains it by proving it later', () => {
    given(registered, asked('r1')).when(lose).then(lost);
    given(registered, asked('r1'), lost).when(lose).thenNothing();
    given(registered, asked('r1'), confirmed).when(lose).thenNothing();
    given(registered, asked('r1'), lost).when(confirm).then(confirmed);
  });
  it('sends no more emails to a released address, unless it is requested again', () => {
    given(registered, asked('r1'), lost).when(ask('r2', null)).thenNothing();
    given(registered, asked('r1'), lost).when(ask('r2', OWN)).then(asked('r2'));
  });
  it('resends the email at most five times an hour', () => {
    given(registered, asked('r1')).when(ask('r2', null)).then(asked('r2'));
    const five = ['r1', 'r2', 'r3', 'r4', 'r5'].map((requestId) => asked(requestId));
    given(registered, ...five)
      .when(ask('r6', null))
      .thenRefused('TOO_MANY_CONFIRMATIONS');
    given(registered, ...five)
      .when(ask('r6', null, later(1)))
      .then(asked('r6', OWN, later(1)));
  });
  it('records the new address, and resends that email while its link is valid', () => {
    given(registered).when(ask('r1', NEW)).then(asked('r1', NEW));
    given(registered, asked('r1', NEW)).when(ask('r2', null)).then(asked('r2', NEW));
    given(registered, asked('r1', NEW))
      .when(ask('r2', null, later(24)))
      .thenNothing();
    const { confirmations } = stateOf(registered, asked('r1', NEW));
    expect([pendingEmail(confirmations, OWN, later(23)), pendingEmail(confirmations, OWN, later(24))]).toEqual([
      NEW,
      null,
    ]);
  });

  const issue = (requestId: string): AccountCommand => ({
    type: 'IssueEmailConfirmation',
    requestId,
    tokenHash: 'hash',
    at,
  });
  it('sends no link that is no longer needed', () => {
    given(registered, asked('r1')).when(issue('r1')).then(issued('r1', 'hash'));
    given(registered, asked('r1'), confirmed).when(issue('r1')).thenNothing();
    given(registered, asked('r1', NEW), asked('r2', 'other@example.com')).when(issue('r1')).thenNothing();
  });
  it('keeps the link to the current address while a change is pending, and no link after the change', () => {
    const links = (...events: readonly AccountEvent[]) =>
      stateOf(...events).confirmations.flatMap((one) => one.links.map(({ tokenHash }) => tokenHash));
    const own = [registered, asked('r1'), issued('r1', 'own')];
    expect(links(...own, asked('r2', NEW), issued('r2', 'new'))).toEqual(['own', 'new']);
    const moved: AccountEvent = {
      type: 'AccountEmailChanged',
      data: { userId, formerEmail: OWN, email: NEW, changedAt: at },
    };
    expect(links(...own, asked('r2', NEW), issued('r2', 'new'), moved)).toEqual([]);
    expect(stateOf(...own, moved).emailProof).toBe('confirmed');
  });
  describe.each<[string, AccountEvent]>([
    ['a new password', { type: 'AccountPasswordChanged', data: { userId, passwordHash: 'new', changedAt: at } }],
    [
      'the end of all sessions',
      { type: 'AccountSessionsEnded', data: { userId, reason: 'revoked', keptSessionId: null, endedAt: at } },
    ],
  ])('the proof of an address after %s', (_, ending) => {
    const moving = [registered, asked('r1'), issued('r1', 'own'), asked('r2', NEW), issued('r2', 'new')];
    const move: AccountCommand = { type: 'RequestEmailChange', email: NEW, tokenHash: 'new', at };
    it('no link leads to another address, and the one to its own still works', () => {
      const { confirmations } = stateOf(...moving, ending);
      expect(confirmations.flatMap(({ links }) => links.map(({ tokenHash }) => tokenHash))).toEqual(['own']);
      expect(pendingEmail(confirmations, OWN, at)).toBeNull();
      given(...moving, ending)
        .when(issue('r2'))
        .thenNothing();
    });
    it('no link that was just being opened does', () => {
      const changeAsked: AccountEvent = { type: 'AccountEmailChangeAsked', data: { userId, email: NEW, askedAt: at } };
      given(...moving)
        .when(move)
        .then(changeAsked);
      given(...moving, ending)
        .when(move)
        .thenRefused('CONFIRMATION_INVALID');
      given(...moving, changeAsked, ending)
        .when({ type: 'ChangeEmail', email: NEW, at })
        .thenRefused('EMAIL_CHANGE_SUPERSEDED');
    });
    it('an address that was taken before stays, and another can be requested', () => {
      const moved: AccountEvent = {
        type: 'AccountEmailChanged',
        data: { userId, formerEmail: OWN, email: NEW, changedAt: at },
      };
      expect(stateOf(...moving, ending, moved).email).toBe(NEW);
      given(...moving, ending)
        .when(ask('r3', NEW))
        .then(asked('r3', NEW));
    });
  });
  it('drops the reset link of an address that belongs to another account', () => {
    const resetAsked: AccountEvent = { type: 'PasswordResetAsked', data: { userId, requestId: 'p', askedAt: at } };
    const tokens = { accessTokenHash: 'a', refreshTokenHash: 'r' };
    const resetIssued: AccountEvent = {
      type: 'PasswordResetIssued',
      data: { userId, requestId: 'p', ...tokens, issuedAt: at, expiresAt: later(1) },
    };
    given(registered, asked('r1'), resetAsked, resetIssued, lost)
      .when({ type: 'ResetPassword', accessTokenHash: 'a', passwordHash: 'x', at })
      .thenRefused('RESET_INVALID');
  });
  it('never exposes the hash of its token', () =>
    expect(redacted('AccountEmailConfirmationIssued', issued('r1', 'hash').data)).not.toHaveProperty(
      'tokenHash',
      'hash',
    ));
});

describe('claiming an address without proof', () => {
  const given = specOf(emailDecider);
  const claimed = (id: string, proven = false): EmailEvent => ({
    type: 'EmailClaimed',
    data: { userId: id, proven, claimedAt: at },
  });
  const contended = (id: string, contendedAt = at): EmailEvent => ({
    type: 'EmailContended',
    data: { userId: id, contendedAt },
  });
  const claim = (id: string, proven = false, when = at): EmailCommand => ({
    type: 'ClaimEmail',
    userId: id,
    proven,
    at: when,
  });
  const prove = (id: string): EmailCommand => ({ type: 'ProveEmail', userId: id, at });

  it('lets another account request it after two days, without giving it to that account yet', () => {
    given(claimed('a'))
      .when(claim('b', false, later(47)))
      .thenRefused('EMAIL_TAKEN');
    given(claimed('a'))
      .when(claim('b', false, later(48)))
      .then(contended('b', later(48)));
    given(claimed('a'), contended('b')).when(claim('b')).thenNothing();
    const state = [claimed('a'), contended('b')].reduce(emailDecider.evolve, emailDecider.initialState());
    expect(state.userId).toBe('a');
  });
  it('belongs to the first account that proves it, and stays there', () => {
    given(claimed('a'), contended('b')).when(prove('b')).then(claimed('b', true));
    given(claimed('a'), contended('b')).when(prove('a')).then(claimed('a', true));
    given(claimed('a'), contended('b'), claimed('b', true)).when(prove('a')).thenRefused('EMAIL_TAKEN');
    given(claimed('a'), claimed('b', true)).when(prove('b')).thenNothing();
    given(claimed('a'), claimed('b', true)).when(claim('c')).thenRefused('EMAIL_TAKEN');
  });
  it('is not released by the account that lost it', () =>
    given(claimed('a'), claimed('b', true)).when({ type: 'ReleaseEmail', userId: 'a', at }).thenNothing());
  it('can be requested only a few times a day, since each request sends an email', () => {
    const many = [claimed('a'), ...['b', 'c', 'd', 'e', 'f'].map((id) => contended(id, later(48)))];
    given(...many)
      .when(claim('g', false, later(71)))
      .thenRefused('EMAIL_TAKEN');
    given(...many)
      .when(claim('g', false, later(72)))
      .then(contended('g', later(72)));
  });
  it('gets only a few links a day on request, however many accounts ask, and the account that holds it as many again', () => {
    const requested = (id: string, nth: number, hours = 0): EmailEvent => ({
      type: 'EmailConfirmationRequested',
      data: { userId: id, requestId: `${id}${nth}`, requestedAt: later(hours) },
    });
    const request = (id: string, hours = 0): EmailCommand => ({
      type: 'RequestConfirmation',
      userId: id,
      requestId: `${id}9`,
      at: later(hours),
    });
    const five = (id: (nth: number) => string) => [1, 2, 3, 4, 5].map((nth) => requested(id(nth), nth, 1));
    const others = [claimed('a'), ...five((nth) => `other${nth}`)];
    given(...others)
      .when(request('b', 24))
      .thenRefused('TOO_MANY_CONFIRMATIONS');
    given(...others)
      .when(request('b', 25))
      .then(requested('b', 9, 25));
    given(...others)
      .when(request('a', 2))
      .then(requested('a', 9, 2));
    given(...others, ...five(() => 'a'))
      .when(request('a', 24))
      .thenRefused('TOO_MANY_CONFIRMATIONS');
    given(...five((nth) => `other${nth}`))
      .when(claim('b', false, later(2)))
      .then({ type: 'EmailClaimed', data: { userId: 'b', proven: false, claimedAt: later(2) } });
  });
  it('cannot be requested where it could not be proven', () =>
    given(claimed('a'))
      .when(claim('b', true, later(48)))
      .thenRefused('EMAIL_TAKEN'));
  it('is refused to no account whose sign-up was recorded there, whichever account holds it now', () => {
    for (const id of ['a', 'b'])
      given(claimed('a'), contended('b'), claimed('c', true))
        .when({ type: 'RefuseEmail', userId: id, at })
        .thenNothing();
  });
  it('counts as proven in logs from before proofs existed', () => {
    const metadata = {
      actor: { kind: 'system', id: 'test' },
      at,
      correlationId: 'c',
      causationId: 'c',
      schemaVersion: 1,
    } as const;
    expect(currentEvent({ id: 'e', type: 'EmailClaimed', data: { userId, claimedAt: at }, metadata }).data).toEqual({
      userId,
      proven: true,
      claimedAt: at,
    });
  });
});
