/** The key of pseudonyms: one per installation, and what is said when it is lost. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { pseudonymsFit, pseudonymsOf, recordPseudonymKey } from '../../../src/start/secrets/pseudonymSecret.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';

const SERVERS = { eventStoreUrl: 'esdb://x', mongoUrl: 'mongodb://x' };
const SECRET = 'x'.repeat(32);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pseudonyms-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('the secret of pseudonyms', () => {
  it('is the configured one, with which servers and files have the same pseudonyms', () => {
    const set = { PSEUDONYM_SECRET: SECRET, DATA_DIR: dir };
    expect(pseudonymsOf({ ...set, servers: null })?.id('ann')).toBe(createPseudonyms(SECRET).id('ann'));
    expect(pseudonymsOf({ ...set, servers: SERVERS })?.id('ann')).toBe(createPseudonyms(SECRET).id('ann'));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is created once and readable only by its owner', () => {
    const config = { DATA_DIR: dir, servers: null };
    const one = pseudonymsOf(config);
    expect(pseudonymsOf(config)?.id('ann')).toBe(one?.id('ann'));
    expect(statSync(join(dir, 'pseudonym-key')).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(dir, 'pseudonym-key'), 'utf8').trim();
    expect(createPseudonyms(secret).id('ann')).toBe(one?.id('ann'));
    expect(secret).not.toContain(one?.fingerprint);
  });

  it('is missing on servers without the setting', () => {
    expect(pseudonymsOf({ DATA_DIR: dir, servers: SERVERS })).toBeNull();
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a start with another key of pseudonyms', () => {
  const now = () => '2026-03-10T12:00:00.000Z';
  const [first, other] = [createPseudonyms(SECRET), createPseudonyms('y'.repeat(32))];

  it('is noticed, also if no key is set any more; with the first one, all is well', async () => {
    const store = memoryEventStore();
    expect(await pseudonymsFit(store, null, now())).toBe(true);
    await recordPseudonymKey(store, first, now);
    await recordPseudonymKey(store, first, now);
    expect(await pseudonymsFit(store, first, now())).toBe(true);
    expect(await pseudonymsFit(store, null, now())).toBe(false);
    await recordPseudonymKey(store, other, now);
    expect(await pseudonymsFit(store, other, now())).toBe(false);
    expect(await pseudonymsFit(store, other, '2026-04-10T12:00:00.000Z')).toBe(true);
    await recordPseudonymKey(store, first, now);
    expect(await pseudonymsFit(store, first, now())).toBe(true);
    const { events } = await store.readAll();
    expect(events).toHaveLength(3);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(SECRET);
    await store.close();
  });
});
