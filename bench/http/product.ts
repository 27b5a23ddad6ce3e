/** The product's server side in this process, without workers: what the HTTP, websocket and latency figures talk to. */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { compareStored, readScope, scoreComparer } from '../../src/audit/report/storedRuns.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { type ContextOf, contextOf } from '../../src/commands/context.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import type { HttpDeps } from '../../src/http/deps/deps.ts';
import { attachRealtime } from '../../src/http/realtime/realtime.ts';
import { DEFAULT_RATE_LIMITS } from '../../src/http/request/rateLimits.ts';
import { createApp } from '../../src/http/server/app.ts';
import { createServer } from '../../src/http/server/server.ts';
import { createMetrics } from '../../src/http/usage/metrics.ts';
import { createSecurityLog } from '../../src/http/usage/securityLog.ts';
import type { Payments } from '../../src/integrations/payments/payments.ts';
import { runProjections } from '../../src/projector/project.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { createKeptReports } from '../../src/reports/keptReports.ts';
import { createReportRuns } from '../../src/reports/reportRuns.ts';
import { loadConfig } from '../../src/start/config.ts';
import { httpConfigOf } from '../../src/start/http/httpConfig.ts';
import { storedReports } from '../../src/start/reports/storedReports.ts';
import { sequenceTextsOf } from '../../src/start/sequenceTexts.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { unwatched } from '../../tests/given/product/system.ts';

export type Product = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly url: string;
  readonly port: number;
  readonly context: ContextOf;
  /** A logged-in user. */
  user(): Promise<{ readonly userId: string; readonly token: string }>;
  close(): Promise<void>;
};

type ProductStores = Pick<Product, 'store' | 'readModels'>;

const UNLIMITED = { points: 1_000_000_000, seconds: 60 };
const SILENT = pino({ level: 'silent' }, { write: () => undefined });
const now = () => new Date().toISOString();
const newToken = () => randomBytes(32).toString('base64url');

function depsOf(
  { store, readModels }: ProductStores,
  { payments = null, webDir = null }: Pick<Given, 'payments' | 'webDir'>,
): HttpDeps {
  return {
    store,
    readModels,
    // Nobody works here.
    claims: { read: async () => [] },
    now,
    newId: randomUUID,
    newToken,
    passwords: { hash: async () => 'not used', verify: async () => false },
    log: SILENT,
    securityLog: createSecurityLog({ log: SILENT, now }),
    config: {
      ...httpConfigOf(loadConfig({}), { appUrl: 'http://localhost' }),
      mailIsKept: false,
      freeAnalysesPerMonth: 1_000_000,
      reportPrice: { amount: 5_000, currency: 'usd' },
      webDir,
      rateLimits: {
        ...DEFAULT_RATE_LIMITS,
        address: UNLIMITED,
        user: UNLIMITED,
        apiKey: UNLIMITED,
        signup: UNLIMITED,
        reset: UNLIMITED,
        recovery: UNLIMITED,
        submit: UNLIMITED,
        verify: UNLIMITED,
        delivery: UNLIMITED,
        reports: UNLIMITED,
        missed: UNLIMITED,
        generate: UNLIMITED,
        login: UNLIMITED,
        loginFailures: UNLIMITED,
        loginAccount: UNLIMITED,
        loginAddress: UNLIMITED,
        confirm: UNLIMITED,
      },
    },
    runs: { compare: compareStored, readScope, scoreComparer },
    reports: storedReports,
    reportRuns: createReportRuns({ kept: createKeptReports({ store, now: Date.now }), mostMs: 20_000 }),
    sequenceTexts: sequenceTextsOf({
      appUrl: 'http://127.0.0.1',
      supportEmail: 'support@example.com',
      companyName: 'Example',
    }),
    payments,
    mfaKeys: null,
    pseudonyms: null,
    vetWebhookUrl: (url) => ({ ok: true, url }),
    normalizeUrl: (url) => ({ ok: true, url, host: new URL(url).host }),
    health: { ready: async () => ({ ok: true, checks: {} }), lag: async () => ({}) },
    metrics: createMetrics(),
    sharing: {
      secret: 'not used',
      visits: { record: () => false, close: async () => undefined },
      drawPreview: async () => new Uint8Array(),
    },
    ...unwatched({ store, readModels, now }),
  };
}

function embedded(dir: string): ProductStores {
  return {
    store: openSqliteEventStore({ file: join(dir, 'events.db') }),
    readModels: openSqliteReadModels({ file: join(dir, 'readModels.db') }),
  };
}

type Given = {
  /** They stay open when it is closed. Default: files in `dir`. */
  readonly stores?: ProductStores;
  /** Who takes payments. Default: nobody, nothing is sold. */
  readonly payments?: Payments | null;
  /** The built web app. Default: there is none. */
  readonly webDir?: string | null;
};

export async function startProduct(dir: string, { stores: given, ...more }: Given = {}): Promise<Product> {
  const stores = given ?? embedded(dir);
  const { store, readModels } = stores;
  const stop = new AbortController();
  const projecting = runProjections({
    store,
    readModels,
    projections: READ_MODELS,
    signal: stop.signal,
    now: Date.now,
  });
  await projecting.ready;
  const deps = depsOf(stores, more);
  const server = createServer();
  server.handle(createApp(deps));
  const realtime = attachRealtime(server.node, deps, {
    socketsPerUser: 100_000,
    unauthenticated: 100_000,
    unauthenticatedOfAddress: 100_000,
    maxBuffered: 512 * 1024 * 1024,
  });
  const port = await server.listen(0, '127.0.0.1');
  const context: ContextOf = (cause) =>
    contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'bench' } }, cause);
  return {
    store,
    readModels,
    port,
    url: `http://127.0.0.1:${port}`,
    context,
    async user() {
      const { userId } = await signUp(context(null), {
        email: `${randomUUID()}@example.com`,
        name: 'Bench',
        passwordHash: 'not used',
      });
      const { accessToken, position } = await startSession(context(null), { userId, newToken });
      await readModels.reached(['accounts', 'sessions'], position, 10_000);
      return { userId, token: accessToken };
    },
    async close() {
      await server.stop(() => realtime.close());
      stop.abort();
      await projecting.done;
      deps.metrics.close();
      if (given) return;
      await readModels.close();
      await store.close();
    },
  };
}
