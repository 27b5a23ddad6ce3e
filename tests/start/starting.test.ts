/**
 * The moments between the open port and the end of the start: who asks then is answered, and what only decorates the
 * banner ends nothing.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INSTALLATION_STREAM } from '../../src/domain/account/events.ts';
import { type EventStore, StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { startApp } from '../../src/start/compose.ts';
import { type Config, ConfigError, loadConfig } from '../../src/start/config.ts';
import { freePort } from '../given/product/freePort.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

/** What the mocks do; hoisted with them. */
const { during } = vi.hoisted(() => ({
  during: { payments: async (): Promise<void> => undefined, isStoreGone: (): boolean => false },
}));

vi.mock('../../src/start/openPayments.ts', () => ({
  openPayments: async () => {
    await during.payments();
    return { payments: null, reportPrice: () => null, close: async () => undefined };
  },
}));
vi.mock('../../src/start/openStores.ts', () => ({
  openStores: async () => {
    const [memory, readModels] = [memoryEventStore(), memoryReadModels()];
    const { claims, marks, presence, snapshots } = readModels;
    const read: EventStore['read'] = async (stream, how) => {
      if (stream === INSTALLATION_STREAM && during.isStoreGone()) throw new StoreUnavailable('gone');
      return memory.read(stream, how);
    };
    const store = new Proxy(memory, {
      get: (target, key) => (key === 'read' ? read : Reflect.get(target, key).bind?.(target)),
    });
    const close = async () => void (await Promise.all([readModels.close(), memory.close()]));
    return {
      store,
      readModels,
      claims,
      marks,
      presence,
      snapshots,
      leases: null,
      label: 'memory',
      checkLog: () => memory.check(),
      close,
    };
  },
}));

/** Resolves when servers of this process have received this many requests. */
const received = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    const onRequest = () => {
      if (--left > 0) return;
      unsubscribe('http.server.request.start', onRequest);
      resolve();
    };
    subscribe('http.server.request.start', onRequest);
  });

let stop = async (): Promise<void> => undefined;
beforeEach(() => Object.assign(during, { payments: async () => undefined, isStoreGone: () => false }));
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});

const configured = (role: Config['ROLE'], port: number): Config =>
  loadConfig({
    NODE_ENV: 'test',
    DEMO: 'false',
    PORT: String(port),
    ROLE: role,
    SHARE_SECRET: 'a secret that is long enough for this',
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    MONGODB_URL: 'mongodb://127.0.0.1:1',
  });
const start = async (config: Config) => {
  const app = await startApp(config, pino({ level: 'silent' }));
  stop = app.stop;
  return app;
};

describe('a start', () => {
  it.each(['all', 'http', 'worker', 'projector'] as const)(
    'of the role %s answers what arrives as soon as its port is open',
    async (role) => {
      const port = await freePort();
      const asked: Promise<Response>[] = [];
      during.payments = async () => {
        const all = received(3);
        // The port is open, and nothing behind it yet.
        for (const path of ['/healthz', '/healthz', '/nothing']) asked.push(fetch(`http://127.0.0.1:${port}${path}`));
        await all;
      };
      await start(configured(role, port));
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 404]);
    },
  );

  it('that fails after its port is open answers what has arrived, and listens no more', async () => {
    const port = await freePort();
    const asked: Promise<Response>[] = [];
    during.payments = async () => {
      const one = received(1);
      asked.push(fetch(`http://127.0.0.1:${port}/readyz`));
      await one;
      throw new ConfigError(['the prices cannot be sold']);
    };
    await expect(start(configured('http', port))).rejects.toThrow('the prices cannot be sold');
    expect(asked).toHaveLength(1);
    const answer = await (asked[0] as Promise<Response>);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
  });

  it('goes on if the event store goes away when only the banner is left, without the line about the first account', async () => {
    during.isStoreGone = () => true;
    const app = await start(configured('http', 0));
    expect(app.firstBecomesAdmin).toBe(false);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    await stop();
    during.isStoreGone = () => false;
    expect((await start(configured('http', 0))).firstBecomesAdmin).toBe(true);
  });
});
