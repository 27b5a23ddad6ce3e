import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mfaKeysOf } from '../../../src/start/secrets/mfaSecret.ts';

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
});
