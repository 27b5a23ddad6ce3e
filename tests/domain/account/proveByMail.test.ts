/** What a code or a link from an email proves of an account, and what ends with it. */
import { describe, it } from 'vitest';
import { type AccountCommand, accountDecider } from '../../../src/domain/account/decide.ts';
import type { AccountEvent } from '../../../src/domain/account/events.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-03-01T10:00:00.000Z';
const userId = 'user-1';
const email = 'ann@example.com';
const given = specOf(accountDecider);

const registered: AccountEvent = {
  type: 'AccountRegistered',
  data: { userId, email, name: 'Ann', passwordHash: 'hash', registeredAt: at },
};
const asked: AccountEvent = {
  type: 'AccountEmailConfirmationAsked',
  data: { userId, requestId: 'r', email, askedAt: at },
};
const confirmed = (by?: 'mail' | 'session'): AccountEvent => ({
  type: 'AccountEmailConfirmed',
  data: { userId, email, confirmedAt: at, ...(by ? { by } : {}) },
});
const changed: AccountEvent = {
  type: 'AccountPasswordChanged',
  data: { userId, passwordHash: 'another', changedAt: at },
};
const prove: AccountCommand = { type: 'ProveByMail', email, at };
const proven = (endsSetUpBefore: 'this_proof' | 'earlier_proof'): AccountEvent => ({
  type: 'AccountProvenByMail',
  data: { userId, endsSetUpBefore, provenAt: at },
});
const removed: AccountEvent = { type: 'AccountPasswordRemoved', data: { userId, removedAt: at } };
const ended: AccountEvent = {
  type: 'AccountSessionsEnded',
  data: { userId, reason: 'revoked', keptSessionId: null, endedAt: at },
};

describe('a proof by mail', () => {
  it('that is the first ends the password and the sessions', () =>
    given(registered, asked, confirmed('mail')).when(prove).then(proven('this_proof'), removed, ended));
  it('ends a password that is set between its two events, too', () =>
    given(registered, asked, confirmed('mail'), changed).when(prove).then(proven('this_proof'), removed, ended));
  it('ends nothing once the owner has proven the address', () => {
    given(registered, asked, confirmed('session')).when(prove).thenNothing();
    given(registered, asked, confirmed('mail'), proven('this_proof')).when(prove).thenNothing();
    given(registered).when(prove).thenNothing();
  });
  it('after a link alone ends a password from before that link, and keeps one from after it', () => {
    given(registered, asked, confirmed()).when(prove).then(proven('earlier_proof'), removed, ended);
    given(registered, asked, confirmed(), changed).when(prove).then(proven('earlier_proof'), ended);
  });
  it('of another address than the account has by then proves nothing', () =>
    given(registered, asked, confirmed('mail'))
      .when({ type: 'ProveByMail', email: 'former@example.com', at })
      .thenNothing());
});
