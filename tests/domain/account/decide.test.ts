import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AccountCommand, accountDecider } from '../../../src/domain/account/decide.ts';
import { emailDecider } from '../../../src/domain/account/email.ts';
import type { AccountEvent } from '../../../src/domain/account/events.ts';
import { installationDecider } from '../../../src/domain/account/installation.ts';
import { currentEvent } from '../../../src/domain/stored/current.ts';
import { normaliseEmail } from '../../../src/model/emailAddress.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-03-01T10:00:00.000Z';
const userId = 'user-1';

describe('an account', () => {
  const given = specOf(accountDecider);
  const register: AccountCommand = {
    type: 'RegisterAccount',
    userId,
    email: 'ann@example.com',
    name: 'Ann',
    passwordHash: 'hash',
    at,
  };
  const registered: AccountEvent = {
    type: 'AccountRegistered',
    data: { userId, email: 'ann@example.com', name: 'Ann', passwordHash: 'hash', registeredAt: at },
  };
  const deleted: AccountEvent = { type: 'AccountDeleted', data: { userId, deletedAt: at } };
  const granted: AccountEvent = { type: 'AccountAdminGranted', data: { userId, reason: 'first_account' } };

  const grant = (reason: 'configured' | 'admin' | 'operator'): AccountCommand => ({ type: 'GrantAdmin', reason });
  const revoke: AccountCommand = { type: 'RevokeAdmin', reason: 'operator', at };
  const revoked: AccountEvent = { type: 'AccountAdminRevoked', data: { userId, reason: 'operator', revokedAt: at } };
  it('gains and loses the right to administer, once each', () => {
    given(registered, granted).when(grant('admin')).thenNothing();
    given(registered, granted).when(revoke).then(revoked);
    given(registered, granted, revoked).when(revoke).thenNothing();
    given(registered).when(revoke).thenNothing();
  });
  it('reads grants from before people could make them', () => {
    const frozen = JSON.parse(
      readFileSync(new URL('../../stored/frozen/AccountAdminGranted.v1.json', import.meta.url), 'utf8'),
    );
    expect(currentEvent(frozen)).toMatchObject({ data: frozen.data });
  });
  it.each(['AccountAdminGranted.v2', 'AccountAdminRevoked.v1'])(
    'reads %s, from before groups gave the right',
    (name) => {
      const frozen = JSON.parse(readFileSync(new URL(`../../stored/frozen/${name}.json`, import.meta.url), 'utf8'));
      expect(currentEvent(frozen)).toMatchObject({ data: frozen.data });
    },
  );
  it('loses to a provider only what the same provider gave, and may get it back from it', () => {
    const byGroup: AccountEvent = {
      type: 'AccountAdminGranted',
      data: { userId, reason: 'provider', provider: 'work' },
    };
    const taken: AccountEvent = {
      type: 'AccountAdminRevoked',
      data: { userId, reason: 'provider', provider: 'work', revokedAt: at },
    };
    const take = (provider: string) => ({ type: 'RevokeAdmin', reason: 'provider', provider, at }) as const;
    const give = { type: 'GrantAdmin', reason: 'provider', provider: 'work' } as const;
    given(registered, byGroup).when(take('work')).then(taken);
    given(registered, byGroup).when(take('other')).thenNothing();
    given(registered, granted).when(take('work')).thenNothing();
    given(registered, byGroup, taken).when(give).then(byGroup);
    given(registered, granted, revoked).when(give).thenNothing();
  });
  it('regains a right withdrawn by a person only from a person', () => {
    given(registered, granted, revoked).when(grant('configured')).thenNothing();
    given(registered, granted, revoked)
      .when(grant('admin'))
      .then({ type: 'AccountAdminGranted', data: { userId, reason: 'admin' } });
  });
  it('is made an admin by a person only after its address is confirmed, since someone else may have signed up with it', () => {
    const asked: AccountEvent = {
      type: 'AccountEmailConfirmationAsked',
      data: { userId, requestId: 'r1', email: 'ann@example.com', askedAt: at },
    };
    for (const reason of ['admin', 'operator'] as const)
      given(registered, asked).when(grant(reason)).thenRefused('EMAIL_UNCONFIRMED');
  });

  it('is registered', () => given().when(register).then(registered));
  it('is registered once', () => given(registered).when(register).thenNothing());
  it('is called User when no name is given', () =>
    given()
      .when({ ...register, name: '  ' })
      .then({ ...registered, data: { ...registered.data, name: 'User' } } as AccountEvent));
  it('cannot register again after its deletion', () =>
    given(registered, deleted).when(register).thenRefused('ACCOUNT_NOT_FOUND'));

  const disabled: AccountEvent = { type: 'AccountDisabled', data: { userId, disabledAt: at } };
  const enabled: AccountEvent = { type: 'AccountEnabled', data: { userId, enabledAt: at } };
  it('is disabled once, which ends every session', () => {
    given(registered).when({ type: 'DisableAccount', at }).then(disabled, sessionsEnded('revoked', null));
    given(registered, disabled).when({ type: 'DisableAccount', at }).thenNothing();
  });
  it('is enabled again once', () => {
    given(registered, disabled).when({ type: 'EnableAccount', at }).then(enabled);
    given(registered, disabled, enabled).when({ type: 'EnableAccount', at }).thenNothing();
    given(registered).when({ type: 'EnableAccount', at }).thenNothing();
  });
  it('cannot be disabled after its deletion', () =>
    given(registered, deleted).when({ type: 'DisableAccount', at }).thenRefused('ACCOUNT_NOT_FOUND'));

  const changed: AccountEvent = {
    type: 'AccountPasswordChanged',
    data: { userId, passwordHash: 'new', changedAt: at },
  };
  const sessionsEnded = (reason: 'password_changed' | 'revoked', keptSessionId: string | null): AccountEvent => ({
    type: 'AccountSessionsEnded',
    data: { userId, reason, keptSessionId, endedAt: at },
  });
  const changePassword = (passwordHash: string): AccountCommand => ({
    type: 'ChangePassword',
    passwordHash,
    keptSessionId: 's1',
    at,
  });
  it('takes a new password, which ends every other session', () =>
    given(registered).when(changePassword('new')).then(changed, sessionsEnded('password_changed', 's1')));
  it('keeps the password it already has', () => given(registered).when(changePassword('hash')).thenNothing());
  it('must exist to get a new password', () => given().when(changePassword('new')).thenRefused('ACCOUNT_NOT_FOUND'));
  it('ends its sessions as often as asked', () =>
    given(registered, sessionsEnded('revoked', null))
      .when({ type: 'EndSessions', keptSessionId: null, at })
      .then(sessionsEnded('revoked', null)));

  describe('resetting a forgotten password', () => {
    const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
    const askedAt = (requestId: string, minutes = 0): AccountEvent => ({
      type: 'PasswordResetAsked',
      data: { userId, requestId, askedAt: later(minutes) },
    });
    const issuedAt = (requestId: string, number: number, minutes = 0): AccountEvent => ({
      type: 'PasswordResetIssued',
      data: {
        userId,
        requestId,
        accessTokenHash: `a${number}`,
        refreshTokenHash: `r${number}`,
        issuedAt: later(minutes),
        expiresAt: later(minutes + 60),
      },
    });
    const ask = (requestId: string, minutes = 0): AccountCommand => ({
      type: 'RequestPasswordReset',
      requestId,
      at: later(minutes),
    });
    const reset = (accessTokenHash: string, minutes = 0): AccountCommand => ({
      type: 'ResetPassword',
      accessTokenHash,
      passwordHash: 'new',
      at: later(minutes),
    });
    const done = (requestId: string, minutes: number): AccountEvent[] => [
      { type: 'PasswordResetUsed', data: { userId, requestId, usedAt: later(minutes) } },
      { type: 'AccountPasswordChanged', data: { userId, passwordHash: 'new', changedAt: later(minutes) } },
      {
        type: 'AccountSessionsEnded',
        data: { userId, reason: 'password_changed', keptSessionId: null, endedAt: later(minutes) },
      },
    ];

    it('sends a link', () => given(registered).when(ask('q1')).then(askedAt('q1')));
    it('sends at most three an hour, and does not reveal the limit', () => {
      given(registered, askedAt('q1'), askedAt('q2', 1)).when(ask('q3', 2)).then(askedAt('q3', 2));
      given(registered, askedAt('q1'), askedAt('q2', 1), askedAt('q3', 2)).when(ask('q4', 59)).thenNothing();
      given(registered, askedAt('q1'), askedAt('q2', 1), askedAt('q3', 2)).when(ask('q4', 61)).then(askedAt('q4', 61));
    });
    it('counts used links too', () =>
      given(registered, askedAt('q1'), issuedAt('q1', 1), ...done('q1', 1), askedAt('q2', 2), askedAt('q3', 3))
        .when(ask('q4', 4))
        .thenNothing());
    it('issues tokens valid for an hour', () =>
      given(registered, askedAt('q1'))
        .when({
          type: 'IssuePasswordReset',
          requestId: 'q1',
          accessTokenHash: 'a1',
          refreshTokenHash: 'r1',
          at: later(5),
        })
        .then(issuedAt('q1', 1, 5)));
    it('issues none without a request', () =>
      given(registered)
        .when({ type: 'IssuePasswordReset', requestId: 'q1', accessTokenHash: 'a1', refreshTokenHash: 'r1', at })
        .thenNothing());
    it('sets a new password by the link, which ends every session', () =>
      given(registered, askedAt('q1'), issuedAt('q1', 1))
        .when(reset('a1', 59))
        .then(...done('q1', 59)));
    it('refuses a link older than an hour', () =>
      given(registered, askedAt('q1'), issuedAt('q1', 1)).when(reset('a1', 60)).thenRefused('RESET_INVALID'));
    it('refuses another account’s token, and the refresh token', () => {
      given(registered, askedAt('q1'), issuedAt('q1', 1)).when(reset('a2')).thenRefused('RESET_INVALID');
      given(registered, askedAt('q1'), issuedAt('q1', 1)).when(reset('r1')).thenRefused('RESET_INVALID');
    });
    it('accepts either link when the email may have been sent twice', () => {
      const twice = [registered, askedAt('q1'), issuedAt('q1', 1), issuedAt('q1', 2, 1)];
      given(...twice)
        .when(reset('a1', 2))
        .then(...done('q1', 2));
      given(...twice)
        .when(reset('a2', 2))
        .then(...done('q1', 2));
    });
    it('accepts one link only, once', () => {
      const used = [registered, askedAt('q1'), issuedAt('q1', 1), askedAt('q2'), issuedAt('q2', 2), ...done('q1', 3)];
      given(...used)
        .when(reset('a1', 4))
        .thenRefused('RESET_INVALID');
      given(...used)
        .when(reset('a2', 4))
        .thenRefused('RESET_INVALID');
    });
    it('invalidates all links when the address changes, but not when somebody who knows the password changes that', () => {
      given(registered, askedAt('q1'), issuedAt('q1', 1), changed)
        .when(reset('a1'))
        .then(...done('q1', 0));
      const moved: AccountEvent = {
        type: 'AccountEmailChanged',
        data: { userId, formerEmail: 'ann@example.com', email: 'b@example.com', changedAt: at },
      };
      given(registered, askedAt('q1'), issuedAt('q1', 1), moved).when(reset('a1')).thenRefused('RESET_INVALID');
    });
    it('sends nothing after the account’s deletion', () =>
      given(registered, deleted).when(ask('q1')).thenRefused('ACCOUNT_NOT_FOUND'));
  });

  describe('changing the email address', () => {
    const email = 'new@example.com';
    const asked: AccountEvent = { type: 'AccountEmailChangeAsked', data: { userId, email, askedAt: at } };
    const moved: AccountEvent = {
      type: 'AccountEmailChanged',
      data: { userId, formerEmail: 'ann@example.com', email, changedAt: at },
    };
    const refused: AccountEvent = { type: 'AccountEmailChangeRefused', data: { userId, email, refusedAt: at } };
    it('records the request first', () =>
      given(registered).when({ type: 'RequestEmailChange', email, at }).then(asked));
    it('records the request once', () =>
      given(registered, asked).when({ type: 'RequestEmailChange', email, at }).thenNothing());
    it('does nothing for the current address', () =>
      given(registered).when({ type: 'RequestEmailChange', email: 'ann@example.com', at }).thenNothing());
    it('changes the address', () => given(registered, asked).when({ type: 'ChangeEmail', email, at }).then(moved));
    it('changes the address once', () =>
      given(registered, asked, moved).when({ type: 'ChangeEmail', email, at }).thenNothing());
    it('ignores an address that is no longer requested', () =>
      given(registered, asked, {
        type: 'AccountEmailChangeAsked',
        data: { userId, email: 'other@example.com', askedAt: at },
      })
        .when({ type: 'ChangeEmail', email, at })
        .thenRefused('EMAIL_CHANGE_SUPERSEDED'));
    it('keeps the old address when another account has the new one', () =>
      given(registered, asked).when({ type: 'RefuseEmailChange', email, at }).then(refused));
    it('can be requested again afterwards', () =>
      given(registered, asked, refused).when({ type: 'RequestEmailChange', email, at }).then(asked));
  });

  describe('email preferences', () => {
    const set = (wanted: boolean): AccountEvent => ({
      type: 'AccountMailChoiceSet',
      data: { userId, mail: 'job_done', wanted, setAt: at },
    });
    const wish = (wanted: boolean): AccountCommand => ({ type: 'SetMailChoice', mail: 'job_done', wanted, at });
    it('are on from the start', () => given(registered).when(wish(true)).thenNothing());
    it('can be turned off', () => given(registered).when(wish(false)).then(set(false)));
    it('can be turned off once', () => given(registered, set(false)).when(wish(false)).thenNothing());
    it('can be turned on again', () => given(registered, set(false)).when(wish(true)).then(set(true)));
  });

  it('becomes an admin', () => given(registered).when({ type: 'GrantAdmin', reason: 'first_account' }).then(granted));
  it('becomes an admin once, whatever the reason', () =>
    given(registered, granted).when({ type: 'GrantAdmin', reason: 'demo' }).thenNothing());
  it('does not become an admin after its deletion', () =>
    given(registered, deleted).when({ type: 'GrantAdmin', reason: 'demo' }).thenRefused('ACCOUNT_NOT_FOUND'));

  it('is deleted', () => given(registered).when({ type: 'DeleteAccount', at }).then(deleted));
  it('is deleted once', () => given(registered, deleted).when({ type: 'DeleteAccount', at }).thenNothing());
  it('cannot be deleted before it exists', () =>
    given().when({ type: 'DeleteAccount', at }).thenRefused('ACCOUNT_NOT_FOUND'));
});

describe('an email address', () => {
  it('is the same in every spelling', () => {
    expect(normaliseEmail('  Ann@Example.COM ')).toBe('ann@example.com');
    expect(normaliseEmail('jose\u0301@example.com')).toBe(normaliseEmail('jos\u00e9@example.com'));
  });

  const given = specOf(emailDecider);
  const claimed = { type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } } as const;
  const released = { type: 'EmailReleased', data: { userId, releasedAt: at } } as const;
  const refused = { type: 'EmailRefused', data: { userId, refusedAt: at } } as const;

  it('goes to the first account that claims it', () =>
    given().when({ type: 'ClaimEmail', userId, proven: true, at }).then(claimed));
  it('is claimed once', () => given(claimed).when({ type: 'ClaimEmail', userId, proven: true, at }).thenNothing());
  it('is refused to every other account', () =>
    given(claimed).when({ type: 'ClaimEmail', userId: 'user-2', proven: true, at }).thenRefused('EMAIL_TAKEN'));
  it('can be claimed again after its release', () =>
    given(claimed, released)
      .when({ type: 'ClaimEmail', userId: 'user-2', proven: true, at })
      .then({ type: 'EmailClaimed', data: { userId: 'user-2', proven: true, claimedAt: at } }));
  it('is released by its holder', () => given(claimed).when({ type: 'ReleaseEmail', userId, at }).then(released));
  it('cannot be released by another account', () =>
    given(claimed).when({ type: 'ReleaseEmail', userId: 'user-2', at }).thenNothing());

  it('is refused for good to an abandoned sign-up', () => {
    given().when({ type: 'RefuseEmail', userId, at }).then(refused);
    given(refused).when({ type: 'ClaimEmail', userId, proven: true, at }).thenRefused('SIGN_UP_EXPIRED');
  });
  it('is refused once', () => given(refused).when({ type: 'RefuseEmail', userId, at }).thenNothing());
  it('is not refused to its holder', () => given(claimed).when({ type: 'RefuseEmail', userId, at }).thenNothing());
  it('stays free for others after a refusal', () =>
    given(refused)
      .when({ type: 'ClaimEmail', userId: 'user-2', proven: true, at })
      .then({ type: 'EmailClaimed', data: { userId: 'user-2', proven: true, claimedAt: at } }));
});

describe('the installation', () => {
  const given = specOf(installationDecider);
  const claimed = { type: 'InstallationClaimed', data: { userId, claimedAt: at } } as const;
  it('belongs to the first account', () => given().when({ type: 'ClaimInstallation', userId, at }).then(claimed));
  it('stays with the first account', () =>
    given(claimed).when({ type: 'ClaimInstallation', userId: 'user-2', at }).thenNothing());
});
