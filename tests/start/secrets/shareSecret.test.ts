import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shareSecretOf } from '../../../src/start/secrets/shareSecret.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'share-secret-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the secret of shared links', () => {
  it('is the configured one', () => {
    expect(shareSecretOf({ SHARE_SECRET: 'x'.repeat(32), DATA_DIR: dir, servers: null })).toBe('x'.repeat(32));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is created once and readable only by its owner', () => {
    const config = { DATA_DIR: dir, servers: null };
    const secret = shareSecretOf(config);
    expect(secret).toHaveLength(43);
    expect(shareSecretOf(config)).toBe(secret);
    expect(readdirSync(dir)).toEqual(['share-secret']);
    expect(statSync(join(dir, 'share-secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dir, 'share-secret'), 'utf8').trim()).toBe(secret);
  });

  it('is never replaced silently', () => {
    writeFileSync(join(dir, 'share-secret'), 'short\n');
    expect(() => shareSecretOf({ DATA_DIR: dir, servers: null })).toThrow(/holds no secret/);
  });

  it('lasts as long as the process if the data is elsewhere', () => {
    const config = { DATA_DIR: dir, servers: {} };
    expect(shareSecretOf(config)).not.toBe(shareSecretOf(config));
    expect(readdirSync(dir)).toEqual([]);
  });
});
