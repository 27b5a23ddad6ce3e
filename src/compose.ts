/** The composition root: the only file that chooses adapters and sees every part. */
import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { normaliseSubmission } from './audit/crawl/url.ts';
import { createParserPool } from './audit/facts/parserPool.ts';
import type { CommandContext } from './commands/context.ts';
import { type Config, ConfigError } from './config.ts';
import { createDemoAdmin, type DemoSite, openDemoSite, type SignIn } from './demo.ts';
import { openSqliteEventStore } from './eventStore/sqlite.ts';
import { createApp } from './http/app.ts';
import type { HttpDeps, NormalizeUrl, Readiness } from './http/deps.ts';
import { createMetrics } from './http/metrics.ts';
import { DEFAULT_RATE_LIMITS } from './http/rateLimits.ts';
import { attachRealtime } from './http/realtime.ts';
import { createServer } from './http/server.ts';
import type { Analyst } from './integrations/analyst/analyst.ts';
import { createOpenAiAnalyst } from './integrations/analyst/openAi.ts';
import { createRulesAnalyst } from './integrations/analyst/rules.ts';
import { createPasswords } from './integrations/passwords.ts';
import { onFreePort } from './listen.ts';
import { PROJECTIONS } from './projections/all.ts';
import { runProjections } from './projections/project.ts';
import { openSqliteReadModels } from './readModels/sqlite.ts';
import { startWorkers } from './startWorkers.ts';
import { version } from './version.ts';

export type RunningApp = {
  readonly url: string;
  /** Another port than the wanted one had to be taken. */
  readonly portTaken: boolean;
  readonly demoSite: string | null;
  readonly demoAdmin: SignIn | null;
  readonly analyst: string;
  /** Gives work back, tells sockets where they stood, lets requests finish. Idempotent. */
  stop(): Promise<void>;
};

/** A projection further behind than this makes the process unready, ms. */
const READY_LAG_MS = 10_000;
const SERVED_WITHIN_MS = 2_000;

const now = (): string => new Date().toISOString();

/** @throws StoreUnavailable when another process holds the data folder; the system's error when no port is free */
export async function startApp(config: Config, log: Logger): Promise<RunningApp> {
  openDataDir(config.DATA_DIR);
  const store = openSqliteEventStore({ file: join(config.DATA_DIR, 'events.db'), now: Date.now });
  const readModels = openSqliteReadModels({ file: join(config.DATA_DIR, 'readModels.db') });
  const stopping = new AbortController();
  const projecting = runProjections({ store, readModels, projections: PROJECTIONS, signal: stopping.signal, now: Date.now, log });
  let served = false;
  const whenServed = projecting.ready.then(
    () => {
      served = true;
    },
    (error: unknown) => log.error({ err: error }, 'the read models could not be served'),
  );
  const parser = createParserPool({ threads: config.AUDIT_THREADS });
  const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });
  const analyst = chooseAnalyst(config);
  const context = (actor: string): CommandContext => ({ store, now, commandId: randomUUID(), actor });

  const demoSite: DemoSite | null = config.demo ? await openDemoSite(config.DEMO_PORT) : null;
  const demoAdmin = config.demo ? await createDemoAdmin(context('system'), passwords.hash, config.DATA_DIR) : null;
  const allowHosts = [...config.allowHosts, ...(demoSite ? [new URL(demoSite.url).host] : [])];

  // Usually a moment. A long rebuild goes on behind an open port that says it is not ready.
  await Promise.race([whenServed, wait(SERVED_WITHIN_MS, undefined, { ref: false })]);
  const server = createServer();
  const port = await onFreePort(config.PORT, (candidate) => server.listen(candidate, config.HOST));
  const url = `http://${config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST}:${port}`;
  const appUrl = config.APP_URL ?? url;
  const workers = startWorkers({ config, log, store, readModels, parse: parser.parse, analyst, allowHosts, appUrl, context, now });
  const deps: HttpDeps = {
    store,
    readModels,
    now,
    newId: randomUUID,
    newToken: () => randomBytes(32).toString('base64url'),
    passwords,
    log,
    config: httpConfig(config, { appUrl, demoSite: demoSite?.url ?? null, analyst: analyst.label }),
    normalizeUrl,
    health: {
      ready: async (): Promise<Readiness> => {
        const { ageMs, behind } = await projecting.lag();
        const ok = served && ageMs < READY_LAG_MS;
        return { ok, checks: { stores: { ok: true }, projections: { ok, detail: `${behind} events behind` } } };
      },
      lag: async () => Object.fromEntries(Object.entries((await projecting.lag()).models).map(([model, lag]) => [model, lag.behind])),
    },
    metrics: createMetrics(),
  };
  server.handle(createApp(deps, { stopping: server.stopping }));
  const realtime = attachRealtime(server.node, deps);

  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await server.stop(() => realtime.close());
    await workers.stop();
    stopping.abort();
    await projecting.done;
    await Promise.all([parser.close(), demoSite?.close()]);
    deps.metrics.close();
    await readModels.close();
    await store.close();
  };
  return {
    url,
    portTaken: config.PORT !== 0 && port !== config.PORT,
    demoSite: demoSite?.url ?? null,
    demoAdmin,
    analyst: analyst.label,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** For its owner alone: it holds addresses of people and hashes of passwords. @throws ConfigError */
function openDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!statSync(dir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${dir} cannot be used as a folder of this process (${(error as NodeJS.ErrnoException).code})`]);
  }
}

function chooseAnalyst(config: Config): Analyst {
  const rules = createRulesAnalyst();
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODEL: model } = config;
  return baseUrl && apiKey && model ? createOpenAiAnalyst({ baseUrl, apiKey, model, fallback: rules }) : rules;
}

const normalizeUrl: NormalizeUrl = (text) => {
  const submission = normaliseSubmission(text);
  return submission.ok ? submission : { ok: false, error: submission.reason };
};

function httpConfig(config: Config, at: { readonly appUrl: string; readonly demoSite: string | null; readonly analyst: string }): HttpDeps['config'] {
  return {
    version: version(),
    appUrl: at.appUrl,
    production: config.production,
    developmentMode: config.NODE_ENV === 'development',
    demoSite: at.demoSite,
    analystLabel: at.analyst,
    supportEmail: config.SUPPORT_EMAIL,
    trustProxy: config.TRUST_PROXY,
    freeAnalysesPerMonth: config.FREE_ANALYSES_PER_MONTH,
    bounds: { maxPages: config.AUDIT_MAX_PAGES, maxMs: config.AUDIT_MAX_SECONDS * 1000 },
    adminEmail: config.ADMIN_EMAIL ?? null,
    webDir: webDir(),
    metricsToken: config.METRICS_TOKEN ?? null,
    rateLimits: DEFAULT_RATE_LIMITS,
  };
}

/** The built web app beside the built server; none when run from source, where the development server has it. */
function webDir(): string | null {
  const dir = fileURLToPath(new URL('../web', import.meta.url));
  const built = import.meta.url.endsWith('.js');
  return built && existsSync(join(dir, 'index.html')) ? dir : null;
}
