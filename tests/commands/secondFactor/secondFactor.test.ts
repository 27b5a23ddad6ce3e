import { describe, expect, it } from 'vitest';
import {
  checkChallenge,
  newChallenge,
  proofInChallenge,
  userInChallenge,
} from '../../../src/commands/secondFactor/challenge.ts';
import { mfaKeys } from '../../../src/commands/secondFactor/mfaKeys.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../../../src/commands/secondFactor/recoveryCodes.ts';
import { beginEnrolment, confirmEnrolment, passSecondFactor } from '../../../src/commands/secondFactor/secondFactor.ts';
import { newTotpSecret, stepOfCode, totpUri } from '../../../src/commands/secondFactor/totp.ts';
import type { SessionProof } from '../../../src/domain/account/events.ts';
import { userOf, withAdmin } from '../../given/commands.ts';
import { codeOf } from '../../given/secondFactor.ts';

const keys = mfaKeys('a secret that is long enough for this');
const at = '2026-03-10T12:00:00.000Z';

describe('the encryption keys of second factors', () => {
  it('decrypt only for the same owner, and never encrypt alike twice', () => {
    const sealed = keys.seal('a secret', 'ann');
    expect(keys.open(sealed, 'ann')).toBe('a secret');
    expect(keys.seal('a secret', 'ann')).not.toBe(sealed);
    expect(sealed).not.toContain('secret');
    expect(keys.open(sealed, 'bob')).toBeNull();
    expect(mfaKeys('another secret that is long enough').open(sealed, 'ann')).toBeNull();
    // It begins at random.
    const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
    for (const damaged of ['', 'AAAA', sealed.slice(0, -2), changed]) expect(keys.open(damaged, 'ann')).toBeNull();
  });
});

describe('codes', () => {
  it('are those of RFC 6238', () => {
    // Its appendix B, the last six of eight digits.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect(stepOfCode(secret, '287082', '1970-01-01T00:00:59.000Z')).toBe(1);
    expect(stepOfCode(secret, '005924', '2009-02-13T23:31:30.000Z')).toBe(41_152_263);
  });
  it('are accepted one step before and after, with any spacing, and no further', () => {
    const secret = newTotpSecret();
    const now = Math.floor(Date.parse(at) / 30_000);
    for (const later of [-1, 0, 1]) expect(stepOfCode(secret, codeOf(secret, at, later), at)).toBe(now + later);
    for (const later of [-2, 2]) expect(stepOfCode(secret, codeOf(secret, at, later), at)).toBeNull();
    const code = codeOf(secret, at);
    expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, at)).toBe(now);
    for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(stepOfCode(secret, wrong, at)).toBeNull();
  });
  it('are set up by a QR code that names the product and the account', () => {
    const uri = new URL(totpUri('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'ann@example.com'));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/SEO Workbench:ann@example.com',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      digits: '6',
      period: '30',
      algorithm: 'SHA1',
    });
  });
});

describe('recovery codes', () => {
  it('are ten, hard to guess, and accepted with any spacing', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const [code = ''] = codes;
    expect(hashRecoveryCode('ann', ` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(hashRecoveryCode('ann', code));
    expect(hashRecoveryCode('bob', code)).not.toBe(hashRecoveryCode('ann', code));
  });
});

describe('the token between password and code', () => {
  const ann = { userId: 'c987d5b5-e271-8eb0-ba15-5a53460564cf', passwordHash: 'hash' };
  it('is valid for its account, with that password, for five minutes', () => {
    const { token, seconds } = newChallenge(keys, ann, { kind: 'password', at });
    expect(seconds).toBe(300);
    expect(token).not.toContain('hash');
    expect(userInChallenge(keys, token, '2026-03-10T12:04:59.999Z')).toBe(ann.userId);
    checkChallenge(keys, token, ann);
    const ended = expect.objectContaining({ code: 'MFA_CHALLENGE_ENDED' });
    expect(() => userInChallenge(keys, token, '2026-03-10T12:05:00.000Z')).toThrow(ended);
    expect(() => checkChallenge(keys, token, { ...ann, passwordHash: 'new' })).toThrow(ended);
    expect(() => checkChallenge(keys, token, { ...ann, userId: '20e35cae-193e-8f86-852c-ae8bc2ef8b6f' })).toThrow(
      ended,
    );
  });

  it.each<SessionProof>([
    { kind: 'password', at },
    { kind: 'mail', at },
    { kind: 'provider', at, provider: 'example-id' },
  ])('remembers the first proof: $kind', (proof) => {
    const { token } = newChallenge(keys, { ...ann, passwordHash: null }, proof);
    expect(userInChallenge(keys, token, at)).toBe(ann.userId);
    expect(proofInChallenge(token)).toEqual(proof);
    const other = token.replace(/~mail|~provider~example-id|(?<=\.\d{13})(?=\.)/, '~provider~other');
    expect(() => userInChallenge(keys, other, at)).toThrow(expect.objectContaining({ code: 'MFA_CHALLENGE_ENDED' }));
  });

  it('names no account unless this installation signed it', () => {
    const { token } = newChallenge(keys, ann, { kind: 'password', at });
    const foreign = newChallenge(mfaKeys('another secret that is long enough'), ann, { kind: 'password', at }).token;
    const [userId, expires, ...signatures] = token.split('.');
    const later = [userId, '9999999999999', ...signatures].join('.');
    const unsigned = [userId, expires, signatures[0], 'A'.repeat(43)].join('.');
    for (const forged of ['', 'x', `${ann.userId}.1.x`, foreign, later, unsigned])
      expect(() => userInChallenge(keys, forged, at)).toThrow(expect.objectContaining({ code: 'MFA_CHALLENGE_ENDED' }));
  });
});

describe('a second factor set up with another secret of the installation', () => {
  it('accepts no code, but still accepts a recovery code', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { secret } = await beginEnrolment(made.context(), { userId, email: 'ann@example.com', keys });
    const { recoveryCodes } = await confirmEnrolment(made.context(), {
      userId,
      code: codeOf(secret, made.now()),
      keptSessionId: '',
      keys,
    });
    made.pass(1);
    const other = mfaKeys('another secret that is long enough');
    const by = (given: { code: string } | { recoveryCode: string }) =>
      passSecondFactor(made.context(), { userId, given, keys: other });
    await expect(by({ code: codeOf(secret, made.now()) })).rejects.toMatchObject({ code: 'MFA_UNAVAILABLE' });
    await by({ recoveryCode: recoveryCodes[0] ?? '' });
    const log = JSON.stringify((await made.log()).map(({ data }) => data));
    expect(log).not.toContain(secret);
    for (const code of recoveryCodes) expect(log).not.toContain(code);
  });
});
