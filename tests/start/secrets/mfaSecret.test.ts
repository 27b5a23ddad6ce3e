import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginEnrolment, confirmEnrolment } from '../../../src/commands/secondFactor/secondFactor.ts';
import { mfaKeysOf, openMfaKeys } from '../../../src/start/secrets/mfaSecret.ts';
import { product, userOf } from '../../given/commands.ts';
import { codeOf, turnSecondFactor } from '../../given/secondFactor.ts';

const SERVERS = { eventStoreUrl: 'esdb://x', mongoUrl: 'mongodb://x' };
const SECRET = 'x'.repeat(32);

let dir: string;
const warn = vi.fn();
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mfa-secret-'));
  warn.mockReset();
});
afterEach(() => rmSync(dir, { recursive: true }));

const keysOf = (given: { MFA_SECRET?: string; servers?: typeof SERVERS | null; adminMfa?: boolean } = {}) =>
  mfaKeysOf({ MFA_SECRET: undefined, servers: null, adminMfa: false, DATA_DIR: dir, ...given }, { warn });

describe('the secret for second factors', () => {
  it('is the configured one, in every process', () => {
    const sealed = keysOf({ MFA_SECRET: SECRET, servers: SERVERS })?.seal('a secret', 'ann') ?? '';
    expect(keysOf({ MFA_SECRET: SECRET })?.open(sealed, 'ann')).toBe('a secret');
    expect(warn).not.toHaveBeenCalled();
  });

  it('is created once and kept in the data folder, readable only by its owner', () => {
    const sealed = keysOf()?.seal('a secret', 'ann') ?? '';
    expect(keysOf()?.open(sealed, 'ann')).toBe('a secret');
    const file = join(dir, 'mfa-secret');
    expect(readFileSync(file, 'utf8').trim().length).toBeGreaterThanOrEqual(32);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is missing if processes share no folder, and the log explains the effect', () => {
    expect(keysOf({ servers: SERVERS })).toBeNull();
    expect(keysOf({ servers: SERVERS, adminMfa: true })).toBeNull();
    expect(warn.mock.calls.map(([text]) => String(text).includes('ADMIN_MFA=off'))).toEqual([false, true]);
  });

  it('is missed at each start if it is not the one that second factors were set up with, until it is back', async () => {
    const made = product();
    const start = () =>
      openMfaKeys({ MFA_SECRET: undefined, servers: null, adminMfa: false, DATA_DIR: dir }, made.store, { warn });
    const userId = await userOf(made);
    const keys = (await start()) ?? expect.fail();
    const { secret } = await beginEnrolment(made.context(), { userId, email: 'ann@example.com', keys });
    await confirmEnrolment(made.context(), { userId, code: codeOf(secret, made.now()), keptSessionId: '', keys });
    await start();
    expect(warn).not.toHaveBeenCalled();
    const [file, kept] = [join(dir, 'mfa-secret'), join(dir, 'kept')];
    renameSync(file, kept);
    await start();
    await start();
    expect(warn.mock.calls.map(([text]) => String(text).includes(`${file} is not the secret`))).toEqual([true, true]);
    renameSync(kept, file);
    await start();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('is of no concern once the second factor is off', async () => {
    const made = product();
    const userId = await userOf(made);
    await turnSecondFactor(made.context('on'), { userId, on: true });
    await turnSecondFactor(made.context('off'), { userId, on: false });
    await openMfaKeys({ MFA_SECRET: SECRET, servers: null, adminMfa: false, DATA_DIR: dir }, made.store, { warn });
    expect(warn).not.toHaveBeenCalled();
  });
});
