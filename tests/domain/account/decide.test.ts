import { describe, expect, it } from 'vitest';
import { normaliseEmail } from '../../../src/domain/account/account.ts';
import { type AccountCommand, accountDecider } from '../../../src/domain/account/decide.ts';
import { emailDecider } from '../../../src/domain/account/email.ts';
import type { AccountEvent } from '../../../src/domain/account/events.ts';
import { installationDecider } from '../../../src/domain/account/installation.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-03-01T10:00:00.000Z';
const userId = 'user-1';

describe('an account', () => {
  const given = specOf(accountDecider);
  const register: AccountCommand = { type: 'RegisterAccount', userId, email: 'ann@example.com', name: 'Ann', passwordHash: 'hash', at };
  const registered: AccountEvent = {
    type: 'AccountRegistered',
    data: { userId, email: 'ann@example.com', name: 'Ann', passwordHash: 'hash', registeredAt: at },
  };
  const deleted: AccountEvent = { type: 'AccountDeleted', data: { userId, deletedAt: at } };
  const granted: AccountEvent = { type: 'AccountAdminGranted', data: { userId, reason: 'first_account' } };

  it('is registered', () => given().when(register).then(registered));
  it('is registered once', () => given(registered).when(register).thenNothing());
  it('is called User when its owner gives no name', () =>
    given()
      .when({ ...register, name: '  ' })
      .then({ ...registered, data: { ...registered.data, name: 'User' } } as AccountEvent));
  it('is not registered again after its deletion', () => given(registered, deleted).when(register).thenRefused('ACCOUNT_NOT_FOUND'));

  it('takes a new password', () =>
    given(registered)
      .when({ type: 'ChangePassword', passwordHash: 'new', at })
      .then({ type: 'AccountPasswordChanged', data: { userId, passwordHash: 'new', changedAt: at } }));
  it('keeps the password that it has', () => given(registered).when({ type: 'ChangePassword', passwordHash: 'hash', at }).thenNothing());
  it('needs to be there for a new password', () => given().when({ type: 'ChangePassword', passwordHash: 'new', at }).thenRefused('ACCOUNT_NOT_FOUND'));

  it('becomes admin', () => given(registered).when({ type: 'GrantAdmin', reason: 'first_account' }).then(granted));
  it('becomes admin once, for whatever reason', () => given(registered, granted).when({ type: 'GrantAdmin', reason: 'demo' }).thenNothing());
  it('does not become admin after its deletion', () =>
    given(registered, deleted).when({ type: 'GrantAdmin', reason: 'demo' }).thenRefused('ACCOUNT_NOT_FOUND'));

  it('is deleted', () => given(registered).when({ type: 'DeleteAccount', at }).then(deleted));
  it('is deleted once', () => given(registered, deleted).when({ type: 'DeleteAccount', at }).thenNothing());
  it('cannot be deleted before it is there', () => given().when({ type: 'DeleteAccount', at }).thenRefused('ACCOUNT_NOT_FOUND'));
});

describe('an address', () => {
  it('is the same in every spelling', () => {
    expect(normaliseEmail('  Ann@Example.COM ')).toBe('ann@example.com');
    expect(normaliseEmail('jose\u0301@example.com')).toBe(normaliseEmail('jos\u00e9@example.com'));
  });

  const given = specOf(emailDecider);
  const claimed = { type: 'EmailClaimed', data: { userId, claimedAt: at } } as const;
  const released = { type: 'EmailReleased', data: { userId, releasedAt: at } } as const;
  const refused = { type: 'EmailRefused', data: { userId, refusedAt: at } } as const;

  it('goes to the first who claims it', () => given().when({ type: 'ClaimEmail', userId, at }).then(claimed));
  it('is claimed once', () => given(claimed).when({ type: 'ClaimEmail', userId, at }).thenNothing());
  it('goes to nobody else', () => given(claimed).when({ type: 'ClaimEmail', userId: 'user-2', at }).thenRefused('EMAIL_TAKEN'));
  it('can be claimed again when released', () =>
    given(claimed, released)
      .when({ type: 'ClaimEmail', userId: 'user-2', at })
      .then({ type: 'EmailClaimed', data: { userId: 'user-2', claimedAt: at } }));
  it('is released by who has it', () => given(claimed).when({ type: 'ReleaseEmail', userId, at }).then(released));
  it('is not released by another', () => given(claimed).when({ type: 'ReleaseEmail', userId: 'user-2', at }).thenNothing());

  it('is refused for good to a sign-up that was given up', () => {
    given().when({ type: 'RefuseEmail', userId, at }).then(refused);
    given(refused).when({ type: 'ClaimEmail', userId, at }).thenRefused('SIGN_UP_EXPIRED');
  });
  it('is refused once', () => given(refused).when({ type: 'RefuseEmail', userId, at }).thenNothing());
  it('is not refused to who has it', () => given(claimed).when({ type: 'RefuseEmail', userId, at }).thenNothing());
  it('stays free for others after a refusal', () =>
    given(refused)
      .when({ type: 'ClaimEmail', userId: 'user-2', at })
      .then({ type: 'EmailClaimed', data: { userId: 'user-2', claimedAt: at } }));
});

describe('the installation', () => {
  const given = specOf(installationDecider);
  const claimed = { type: 'InstallationClaimed', data: { userId, claimedAt: at } } as const;
  it('belongs to the first', () => given().when({ type: 'ClaimInstallation', userId, at }).then(claimed));
  it('stays with the first', () => given(claimed).when({ type: 'ClaimInstallation', userId: 'user-2', at }).thenNothing());
});
