/**
 * The product in this process on stores in memory, each of which can be made faulty to prove that the checker notices.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { normaliseSubmission } from '../../../src/audit/crawl/url.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { compareStored, readScope, scoreComparer } from '../../../src/audit/report/storedRuns.ts';
import { type Cause, type CommandContext, contextOf } from '../../../src/commands/context.ts';
import { startDemoSite } from '../../../src/demoSite/demoSite.ts';
import type { Actor } from '../../../src/domain/stored/metadata.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { HttpDeps } from '../../../src/http/deps/deps.ts';
import { DEFAULT_RATE_LIMITS } from '../../../src/http/request/rateLimits.ts';
import { createApp } from '../../../src/http/server/app.ts';
import { createServer } from '../../../src/http/server/server.ts';
import { createMetrics } from '../../../src/http/usage/metrics.ts';
import { createSecurityLog } from '../../../src/http/usage/securityLog.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { createSmtpMailer } from '../../../src/integrations/mailer/smtp.ts';
import type { Payments } from '../../../src/integrations/payments/payments.ts';
import { createWebhookUrlCheck } from '../../../src/integrations/webhookUrl.ts';
import type { Claims } from '../../../src/readModels/claims.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { createKeptReports } from '../../../src/reports/keptReports.ts';
import { createReportRuns } from '../../../src/reports/reportRuns.ts';
import { loadConfig } from '../../../src/start/config.ts';
import { httpConfigOf } from '../../../src/start/http/httpConfig.ts';
import { storedReports } from '../../../src/start/reports/storedReports.ts';
import { sequenceTextsOf } from '../../../src/start/sequenceTexts.ts';
import { startProjector } from '../../../src/start/startProjector.ts';
import { startWorkers } from '../../../src/start/startWorkers.ts';
import { createMissedProviderEvents } from '../../../src/work/sweeps/missedProviderEvents.ts';
// A server loads the engine a second after its start: here the first audit must not have to wait for it.
import '../../../src/workers/auditSteps.ts';
import { followUpWith } from '../../given/followUp.ts';
import { quickPasswords } from '../../given/passwords.ts';
import { unwatched } from '../../given/product/system.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { preparedReadModels } from '../../given/stores/readModels.ts';
import { type Arena, type ArenaOptions, readStore } from '../arena.ts';
import { followLog } from '../work/witness.ts';
import { readWorkView } from '../work/workLog.ts';

/** One way in which an adapter could be wrong. */
export type Plant = {
  readonly eventStore?: (store: EventStore) => EventStore;
  /** Only for the routes: the projector keeps the real ones. */
  readonly readModels?: (readModels: ReadModels) => ReadModels;
  /** For the projector. */
  readonly projected?: (readModels: ReadModels) => ReadModels;
  /** For the workers. */
  readonly worked?: (readModels: ReadModels) => ReadModels;
  readonly claims?: (claims: Claims) => Claims;
  /** For the workers and sweeps. */
  readonly payments?: (payments: Payments) => Payments;
};

type Place = Awaited<ReturnType<typeof takePort>>;

/** A reserved port, so that others can be configured with it before the product listens. */
export async function takePort() {
  const server = createServer({ drainMs: 2_000 });
  return { server, port: await server.listen(0, '127.0.0.1') };
}

type PlantedOptions = ArenaOptions & {
  /** The payment provider. Default: none. */
  readonly payments?: Payments | null;
  /** Default: its own. */
  readonly place?: Place;
};

export type PlantedArena = Arena & {
  readonly store: EventStore;
  /** Runs the hourly sweep now. */
  sweep(): Promise<void>;
};

export async function openPlantedArena(
  plant: Plant = {},
  { allowance = 15, env, hosts = [], payments = null, place }: PlantedOptions = {},
): Promise<PlantedArena> {
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const whole = memoryEventStore();
  const readModels = await preparedReadModels();
  const store = plant.eventStore?.(whole) ?? whole;
  const shown = plant.readModels?.(readModels) ?? readModels;
  const log = pino({ level: 'silent' });
  const now = (): string => new Date().toISOString();
  const config = loadConfig({
    NODE_ENV: 'test',
    DEMO: 'false',
    AUDIT_THREADS: '1',
    AUDIT_ALLOW_HOSTS: [new URL(site.url).host, ...hosts].join(),
    ...env,
  });
  const context = (actor: Actor, cause: Cause | null): CommandContext =>
    contextOf({ store, now, commandId: randomUUID(), actor }, cause);
  const projector = startProjector(
    { store, readModels: plant.projected?.(readModels) ?? readModels, leases: null, marks: readModels.marks },
    log,
  );
  await projector.ready;
  const { server, port } = place ?? (await takePort());
  const url = `http://127.0.0.1:${port}`;
  const worked = payments && (plant.payments?.(payments) ?? payments);
  const workers = startWorkers({
    config,
    log,
    store,
    storedLog: whole,
    readModels: plant.worked?.(readModels) ?? readModels,
    claims: plant.claims?.(readModels.claims) ?? readModels.claims,
    marks: readModels.marks,
    snapshots: readModels.snapshots,
    leases: null,
    parse: async (page) => parsePage(page),
    analyst: createRulesAnalyst(),
    followUp: followUpWith(),
    renderer: null,
    allowHosts: config.allowHosts,
    mailer:
      config.SMTP_URL === undefined ? null : createSmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM ?? '' }),
    payments: worked,
    newToken: () => randomBytes(32).toString('base64url'),
    hashCode: quickPasswords.hash,
    appUrl: url,
    context,
    now,
    problems: async () => [],
  });
  const many = { points: 1e6, seconds: 60 };
  const deps: HttpDeps = {
    store,
    readModels: shown,
    claims: readModels.claims,
    now,
    newId: randomUUID,
    newToken: () => randomBytes(32).toString('base64url'),
    passwords: quickPasswords,
    log,
    securityLog: createSecurityLog({ log, now }),
    config: {
      ...httpConfigOf(config, { appUrl: url }),
      mailIsKept: false,
      trustProxy: true,
      freeAnalysesPerMonth: allowance,
      reportPrice: { amount: 5_000, currency: 'usd' },
      bounds: { maxPages: 1, maxMs: 30_000 },
      adminMfa: false,
      webDir: null,
      rateLimits: { ...DEFAULT_RATE_LIMITS, address: many, user: many, signup: many, submit: many },
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
    vetWebhookUrl: createWebhookUrlCheck(config.allowHosts),
    normalizeUrl: (text) => {
      const submission = normaliseSubmission(text);
      return submission.ok ? submission : { ok: false, error: submission.reason };
    },
    health: { ready: async () => ({ ok: true, checks: { stores: { ok: true } } }), lag: async () => ({}) },
    metrics: createMetrics(),
    mfaKeys: null,
    pseudonyms: null,
    sharing: {
      secret: 'not used',
      visits: { record: () => false, close: async () => undefined },
      drawPreview: async () => new Uint8Array(),
    },
    ...unwatched({ store, readModels, now }),
  };
  server.handle(createApp(deps, { stopping: server.stopping }));
  let stopped: Promise<unknown> | null = null;
  const stop = (): Promise<unknown> => {
    stopped ??= Promise.all([server.stop(async () => undefined), workers.stop()]).then(() => projector.stop());
    return stopped;
  };
  return {
    name: 'the product in this process',
    site: site.url,
    urls: () => [url],
    targets: [],
    ready: async () => undefined,
    readLog: async () => ({ ...(await readStore(store)), whole: false }),
    readWork: () => readWorkView(whole, readModels),
    store: whole,
    sweep: async () => {
      const sweep = createMissedProviderEvents({
        context: (cause) => context({ kind: 'system', id: 'sweeps' }, cause),
        payments: worked,
      });
      await sweep.run(null, new AbortController().signal);
    },
    follow: (take, signal) => followLog(whole, take, signal),
    loseReadModels: async () => {
      throw new Error('They are in memory.');
    },
    finish: async () => {
      await stop();
      return readStore(store);
    },
    output: () => '',
    close: async () => {
      await stop();
      deps.metrics.close();
      await readModels.close();
      await whole.close();
      await site.close();
    },
  };
}
