import { describe, expect, it } from 'vitest';
import type { LogInEvent } from '../../../src/domain/logIn/events.ts';
import { type LogInCommand, logInDecider, mailToEnter } from '../../../src/domain/logIn/logIn.ts';
import { specOf } from '../../given/decider.ts';

const userId = 'user-1';
const given = specOf(logInDecider);
const START = Date.parse('2026-03-01T10:00:00.000Z');
/** So many minutes after the start, UTC ISO. */
const minute = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
const at = minute(0);

type Asking = { readonly requestId?: string; readonly browserHash?: string; readonly known?: boolean; at?: string };

const ask = ({ requestId = 'r1', browserHash = 'b1', known = false, at: time = at }: Asking = {}): LogInCommand => ({
  type: 'AskForLogInMail',
  userId,
  requestId,
  browserHash,
  knownBrowser: known,
  unproven: false,
  at: time,
});
const asked = ({ requestId = 'r1', browserHash = 'b1', known = false, at: time = at }: Asking = {}): LogInEvent => ({
  type: 'LogInMailAsked',
  data: {
    userId,
    requestId,
    browserHash,
    ...(known ? { knownBrowser: true as const } : {}),
    askedAt: time,
    expiresAt: new Date(Date.parse(time) + 600_000).toISOString(),
  },
});
const issued = (requestId = 'r1'): LogInEvent => ({
  type: 'LogInMailIssued',
  data: { userId, requestId, codeHash: `code ${requestId}`, tokenHash: `link ${requestId}`, issuedAt: at },
});
const enter = (isRight: boolean, browserHash = 'b1', time = at): LogInCommand => ({
  type: 'EnterLogInCode',
  userId,
  browserHash,
  isRight,
  emailSince: null,
  at: time,
});
const refused = (requestId = 'r1', time = at, known = false): LogInEvent => ({
  type: 'LogInCodeRefused',
  data: { userId, requestId, ...(known ? { knownBrowser: true as const } : {}), refusedAt: time },
});
const used = (by: 'code' | 'link', requestId = 'r1', time = at): LogInEvent => ({
  type: 'LogInMailUsed',
  data: { userId, requestId, by, usedAt: time },
});
const link = (requestId = 'r1', time = at): LogInCommand => ({
  type: 'UseLogInLink',
  userId,
  tokenHash: `link ${requestId}`,
  emailSince: null,
  at: time,
});

describe('an email to log in with', () => {
  it('is requested', () => given().when(ask()).then(asked()));
  it('is requested once by a repeated command', () => given(asked()).when(ask()).thenNothing());
  it('has a code that works once, in the browser that asked', () => {
    given(asked(), issued()).when(enter(true)).then(used('code'));
    given(asked(), issued()).when(enter(true, 'b2')).thenRefused('LOG_IN_CODE_INVALID');
    given(asked(), issued(), used('code')).when(enter(true)).thenRefused('LOG_IN_CODE_INVALID');
  });
  it('has a link that works once, anywhere, in place of the code', () => {
    given(asked(), issued()).when(link()).then(used('link'));
    given(asked(), issued(), used('link')).when(link()).thenRefused('LOG_IN_LINK_INVALID');
    given(asked(), issued(), used('link')).when(enter(true)).thenRefused('LOG_IN_CODE_INVALID');
    given(asked(), issued(), used('code')).when(link()).thenRefused('LOG_IN_LINK_INVALID');
  });
  it('expires after ten minutes', () => {
    given(asked(), issued())
      .when(enter(true, 'b1', minute(9.99)))
      .then(used('code', 'r1', minute(9.99)));
    given(asked(), issued())
      .when(enter(true, 'b1', minute(10)))
      .thenRefused('LOG_IN_CODE_INVALID');
    given(asked(), issued())
      .when(link('r1', minute(10)))
      .thenRefused('LOG_IN_LINK_INVALID');
  });
  it('counts only for the address that the account has', () => {
    for (const emailSince of [at, minute(1)]) {
      const late = { at: minute(2), emailSince };
      given(asked(), issued())
        .when({ ...enter(true), ...late } as LogInCommand)
        .thenRefused('LOG_IN_CODE_INVALID');
      given(asked(), issued())
        .when({ ...link(), ...late } as LogInCommand)
        .thenRefused('LOG_IN_LINK_INVALID');
    }
    given(asked(), issued())
      .when({ ...link(), emailSince: minute(-1) } as LogInCommand)
      .then(used('link'));
  });
  it('gets no code and link when it is too late to send it', () =>
    given(asked())
      .when({
        type: 'IssueLogInMail',
        userId,
        requestId: 'r1',
        codeHash: 'code',
        tokenHash: 'link',
        at: minute(10),
      })
      .thenNothing());
  it('is sent three times an hour, and as often to browsers that had logged in before', () => {
    const three = [asked({ requestId: 'a' }), asked({ requestId: 'b' }), asked({ requestId: 'c' })];
    given(...three)
      .when(ask({ requestId: 'd' }))
      .thenNothing();
    given(...three)
      .when(ask({ requestId: 'd', known: true }))
      .then(asked({ requestId: 'd', known: true }));
    given(...three)
      .when(ask({ requestId: 'd', at: minute(60) }))
      .then(asked({ requestId: 'd', at: minute(60) }));
  });
  it('may be sent twice: then both codes and both links count', () => {
    const state = [
      asked(),
      issued(),
      { ...issued(), data: { ...issued().data, codeHash: 'code 2' } } as LogInEvent,
    ].reduce(logInDecider.evolve, logInDecider.initialState());
    expect(
      mailToEnter(state, { browserHash: 'b1', emailSince: null, at }).issued.map(({ codeHash }) => codeHash),
    ).toEqual(['code r1', 'code 2']);
  });
});

describe('wrong codes', () => {
  const five = Array.from({ length: 5 }, () => refused());
  it('are recorded', () => given(asked(), issued()).when(enter(false)).then(refused()));
  it('end that code after five, and neither its link nor another browser’s code', () => {
    given(asked(), issued(), ...five)
      .when(enter(true))
      .thenRefused('LOG_IN_CODE_INVALID');
    given(asked(), issued(), ...five)
      .when(link())
      .then(used('link'));
    given(asked(), issued(), ...five, asked({ requestId: 'r2', browserHash: 'b2' }), issued('r2'))
      .when(enter(true, 'b2'))
      .then(used('code', 'r2'));
  });
  it('end all codes after thirty in a day, except in browsers that had logged in before', () => {
    const thirty = Array.from({ length: 6 }, (_, nth) => [
      asked({ requestId: `s${nth}`, browserHash: 'stranger', at: minute(nth * 20) }),
      ...Array.from({ length: 5 }, () => refused(`s${nth}`, minute(nth * 20))),
    ]).flat();
    const later = minute(180);
    given(...thirty, asked({ requestId: 'r2', at: later }), issued('r2'))
      .when(enter(true, 'b1', later))
      .thenRefused('LOG_IN_CODE_INVALID');
    given(...thirty, asked({ requestId: 'r2', known: true, at: later }), issued('r2'))
      .when(enter(true, 'b1', later))
      .then(used('code', 'r2', later));
    const withoutCode = asked({ requestId: 'r2', at: later });
    given(...thirty)
      .when(ask({ requestId: 'r2', at: later }))
      .then({ ...withoutCode, data: { ...withoutCode.data, withoutCode: true } } as LogInEvent);
    const tomorrow = minute(24 * 60);
    given(...thirty)
      .when(ask({ requestId: 'r2', at: tomorrow }))
      .then(asked({ requestId: 'r2', at: tomorrow }));
  });
  it('in a known browser do not count for the others', () => {
    const many = Array.from({ length: 40 }, () => refused('k1', at, true));
    given(asked({ requestId: 'k1', browserHash: 'k', known: true }), ...many, asked(), issued())
      .when(enter(true))
      .then(used('code'));
  });
});

describe('passkeys', () => {
  const passkey = (passkeyId: string, counter = 0) =>
    ({
      userId,
      passkeyId,
      credentialId: `credential ${passkeyId}`,
      publicKey: 'key',
      counter,
      isSynced: counter === 0,
      name: 'Phone',
    }) as const;
  const added = (passkeyId = 'p1', counter = 0): LogInEvent => ({
    type: 'PasskeyAdded',
    data: { ...passkey(passkeyId, counter), addedAt: at },
  });
  /** Asked for, and answered, so many minutes after the start. */
  const use = (counter: number, asked = 1, answered = asked): LogInCommand => ({
    type: 'UsePasskey',
    userId,
    passkeyId: 'p1',
    counter,
    challengedAt: minute(asked),
    at: minute(answered),
  });
  const counted = (counter: number, minutes = 0): LogInEvent => ({
    type: 'PasskeyUsed',
    data: { userId, passkeyId: 'p1', counter, usedAt: minute(minutes) },
  });
  const remove = (hasOtherWay: boolean): LogInCommand => ({
    type: 'RemovePasskey',
    userId,
    passkeyId: 'p1',
    reason: 'owner',
    hasOtherWay,
    at,
  });

  it('are added once each, up to twenty', () => {
    given()
      .when({ type: 'AddPasskey', ...passkey('p1'), at })
      .then(added());
    given(added())
      .when({ type: 'AddPasskey', ...passkey('p1'), at })
      .thenNothing();
    given(added())
      .when({ type: 'AddPasskey', ...passkey('p2'), credentialId: 'credential p1', at })
      .thenRefused('PASSKEY_EXISTS');
    given(...Array.from({ length: 20 }, (_, nth) => added(`p${nth}`)))
      .when({ type: 'AddPasskey', ...passkey('p20'), at })
      .thenRefused('TOO_MANY_PASSKEYS');
  });
  it('whose counter stays 0 are valid, and whose counter goes back are not', () => {
    given(added()).when(use(0)).then(counted(0, 1));
    given(added(), counted(0)).when(use(0)).then(counted(0, 1));
    given(added('p1', 5)).when(use(6)).then(counted(6, 1));
    for (const counter of [5, 4, 0]) given(added('p1', 5)).when(use(counter)).thenRefused('PASSKEY_INVALID');
    given(added('p1', 5), counted(9)).when(use(9)).thenRefused('PASSKEY_INVALID');
  });
  it('take an answer once, also where clocks differ', () => {
    given(added(), counted(0, 2))
      .when(use(0, 1, 3))
      .thenRefused('PASSKEY_INVALID');
    given(added(), counted(0, 2))
      .when(use(0, 2, 3))
      .thenRefused('PASSKEY_INVALID');
    given(added(), counted(0, 2))
      .when(use(0, 3, 4))
      .then(counted(0, 4));
    given(added())
      .when(use(0, 5, 4))
      .then(counted(0, 5));
  });
  it('are named', () => {
    const rename = (name: string): LogInCommand => ({ type: 'RenamePasskey', userId, passkeyId: 'p1', name, at });
    given(added())
      .when(rename('Key'))
      .then({ type: 'PasskeyRenamed', data: { userId, passkeyId: 'p1', name: 'Key', renamedAt: at } });
    given(added()).when(rename('Phone')).thenNothing();
    given().when(rename('Key')).thenRefused('PASSKEY_NOT_FOUND');
  });
  it('are removed, but not the last way in', () => {
    const removed: LogInEvent = {
      type: 'PasskeyRemoved',
      data: { userId, passkeyId: 'p1', reason: 'owner', removedAt: at },
    };
    given(added()).when(remove(true)).then(removed);
    given(added(), added('p2')).when(remove(false)).then(removed);
    given(added()).when(remove(false)).thenRefused('LAST_WAY_IN');
    given().when(remove(true)).thenRefused('PASSKEY_NOT_FOUND');
  });
});

describe('identities', () => {
  const identity = (identityId: string) =>
    ({
      userId,
      identityId,
      provider: 'example',
      issuer: 'https://id.example',
      subject: identityId,
      email: null,
    }) as const;
  const linked = (identityId = 'i1'): LogInEvent => ({
    type: 'IdentityLinked',
    data: { ...identity(identityId), linkedAt: at },
  });
  const unlink = (hasOtherWay: boolean): LogInCommand => ({
    type: 'UnlinkIdentity',
    userId,
    identityId: 'i1',
    reason: 'owner',
    hasOtherWay,
    at,
  });

  it('are added once each, up to twenty', () => {
    given()
      .when({ type: 'LinkIdentity', ...identity('i1'), at })
      .then(linked());
    given(linked())
      .when({ type: 'LinkIdentity', ...identity('i1'), at })
      .thenNothing();
    given(...Array.from({ length: 20 }, (_, nth) => linked(`i${nth}`)))
      .when({ type: 'LinkIdentity', ...identity('i20'), at })
      .thenRefused('TOO_MANY_IDENTITIES');
  });
  it('are removed, but not the last way in', () => {
    const unlinked: LogInEvent = {
      type: 'IdentityUnlinked',
      data: { userId, identityId: 'i1', reason: 'owner', unlinkedAt: at },
    };
    given(linked()).when(unlink(true)).then(unlinked);
    given(linked(), linked('i2')).when(unlink(false)).then(unlinked);
    given(linked()).when(unlink(false)).thenRefused('single_identity_not_deletable');
    given().when(unlink(true)).thenRefused('identity_not_found');
  });
});

it('takes nothing any more once the account is deleted', () => {
  const closed: LogInEvent = { type: 'LogInClosed', data: { userId, closedAt: at } };
  given(asked()).when({ type: 'CloseLogIn', userId, at }).then(closed);
  given(asked(), closed).when({ type: 'CloseLogIn', userId, at }).thenNothing();
  given(closed).when(ask()).thenRefused('ACCOUNT_NOT_FOUND');
});
