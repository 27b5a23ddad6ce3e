/** What each role opens: only workers have the parts that fetch sites and write about them. */
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startApp } from '../../src/start/compose.ts';
import { type Config, loadConfig } from '../../src/start/config.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

/**
 * `noting`: records that it was opened, and can be closed. Hoisted with the mocks: some are called while the product is
 * loaded.
 */
const { opened, noting } = vi.hoisted(() => {
  const names: string[] = [];
  const open =
    (what: string, more: object = {}) =>
    () => {
      names.push(what);
      return { close: async () => undefined, ...more };
    };
  return { opened: names, noting: open };
});

vi.mock('../../src/audit/facts/parse/parserPool.ts', () => ({ createParserPool: noting('parser threads') }));
vi.mock('../../src/integrations/renderer/chromiumRenderer.ts', () => ({ createRenderer: noting('a browser') }));
vi.mock('../../src/integrations/analyst/rules.ts', () => ({
  RULES_LABEL: 'Built-in analyst',
  createRulesAnalyst: noting('an analyst', { label: 'Built-in analyst' }),
}));
vi.mock('../../src/start/openStores.ts', () => ({
  openStores: async () => {
    const [store, readModels] = [memoryEventStore(), memoryReadModels()];
    const { claims, marks, presence, snapshots } = readModels;
    const close = async () => void (await Promise.all([readModels.close(), store.close()]));
    return {
      store,
      readModels,
      claims,
      marks,
      presence,
      snapshots,
      leases: null,
      label: 'memory',
      checkLog: () => store.check(),
      close,
    };
  },
}));

let stop = async (): Promise<void> => undefined;
afterEach(() => stop());

describe('a process', () => {
  it.each([
    ['http', []],
    ['projector', []],
    ['worker', ['a browser', 'an analyst', 'parser threads']],
    ['all', ['a browser', 'an analyst', 'parser threads']],
  ] as const)('of the role %s opens what it needs and nothing else', async (role, expected) => {
    opened.length = 0;
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', MONGODB_URL: 'mongodb://127.0.0.1:1' };
    const given = {
      NODE_ENV: 'test',
      DEMO: 'false',
      PORT: '0',
      CHROMIUM_PATH: process.execPath,
      ROLE: role,
      SHARE_SECRET: 'a secret that is long enough for this',
    };
    const config: Config = loadConfig({ ...given, ...servers });
    const app = await startApp(config, pino({ level: 'silent' }));
    stop = app.stop;
    expect([...opened].sort()).toEqual(expected);
    expect(app.analyst).toBe('Built-in analyst');
  });
});
