/** The composition root: the only file that chooses adapters and sees every part. */
import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hasFirstAccount } from '../commands/account/claimInstallation.ts';
import { checkBooks } from '../commands/billing/checkBooks.ts';
import { type Cause, type CommandContext, contextOf } from '../commands/context.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { ProbeDeps } from '../http/deps/deps.ts';
import { createProbeApp } from '../http/server/probeApp.ts';
import { createServer, type HttpServer } from '../http/server/server.ts';
import { createMetrics, type Metrics } from '../http/usage/metrics.ts';
import { createPasswords } from '../integrations/passwords.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import { measureWork } from '../work/measure.ts';
import { WORK_RULES } from '../work/rules.ts';
import { analystLabel } from './chooseAnalyst.ts';
import { chooseMailer, keepsMail } from './chooseMailer.ts';
import { type Config, ConfigError } from './config.ts';
import { type DemoSite, openDemoAdmin, openDemoSite, type SignIn } from './demo.ts';
import { createHealth } from './health.ts';
import { type ServedHttp, serveHttp } from './http/serveHttp.ts';
import { onFreePort } from './listen.ts';
import { openFeed } from './liveFeed.ts';
import { openProgress } from './liveProgress.ts';
import { createInstallationMeasure } from './monitor/measureInstallation.ts';
import { startMonitor } from './monitor/monitor.ts';
import { problemsOf } from './monitor/problems.ts';
import { readSystemState } from './monitor/systemState.ts';
import { type OpenPayments, openPayments } from './openPayments.ts';
import { openStores, type Stores } from './openStores.ts';
import { removeEndedParts } from './partFiles.ts';
import { checkKeyFiles } from './secrets/checkKeyFiles.ts';
import { reportLostKeys } from './secrets/lostKeys.ts';
import { openKeys } from './secrets/openKeys.ts';
import { openSiteTools } from './siteTools.ts';
import { sleep } from './sleep.ts';
import { type Projector, startProjector } from './startProjector.ts';
import { startWorkers, type Workers } from './startWorkers.ts';
import { warnOfUnknownProducts } from './unknownProducts.ts';

export type RunningApp = {
  readonly role: Config['ROLE'];
  readonly url: string;
  /** The requested port was taken, and another is used. */
  readonly portTaken: boolean;
  /** The stores in use, for display. */
  readonly stores: string;
  readonly demoSite: string | null;
  readonly demoAdmin: SignIn | null;
  /** Nobody has signed up yet, and no address is configured: whoever comes first administers the installation. */
  readonly firstBecomesAdmin: boolean;
  readonly analyst: string;
  /** Null: nothing is sold. */
  readonly payments: Pick<Payments, 'mode' | 'sandboxUrl'> | null;
  /** For callers in this process; null in one that serves no pages. */
  readonly within: ServedHttp['within'] | null;
  /** Returns work and leases, closes sockets with their position, lets requests finish. Idempotent. */
  stop(): Promise<void>;
};

const SERVED_WITHIN_MS = 2_000;

const now = (): string => new Date().toISOString();
const newToken = (): string => randomBytes(32).toString('base64url');

export type StartOptions = {
  readonly open?: typeof openStores;
  /** False: no port is opened, and callers in this process alone are served. */
  readonly listens?: boolean;
};

/**
 * @throws StoreUnavailable when another process holds the data folder or a store's server is unavailable; the system's
 *   error when no port is free; ConfigError, DamagedKeyFile
 */
export async function startApp(
  config: Config,
  log: Logger,
  { open = openStores, listens = true }: StartOptions = {},
): Promise<RunningApp> {
  if (!config.servers || config.demo) openDataDir(config.DATA_DIR);
  checkKeyFiles(config);
  const stores = await open(config, log, { isStart: true });
  if (!config.servers) removeEndedParts(config.DATA_DIR);
  if (config.CHECKPOINT_DIR !== undefined) removeEndedParts(config.CHECKPOINT_DIR);
  const parts: Parts = { server: createServer() };
  try {
    return await startRole({ config, log, listens }, stores, parts);
  } catch (error) {
    // In the order of any other stop: a part that lost its store would report that, too, beside the reason. Requests
    // that were accepted are still answered.
    await stopParts(parts, stores).catch((late: unknown) =>
      log.warn({ err: late }, 'a part of the program could not be stopped'),
    );
    throw error;
  }
}

/** What runs so far. */
type Parts = {
  projector?: Projector;
  demoSite?: DemoSite;
  readonly server: ReturnType<typeof createServer>;
  http?: ServedHttp;
  metrics?: Metrics;
  sales?: OpenPayments;
  tools?: Awaited<ReturnType<typeof openSiteTools>>;
  progress?: Pick<ReturnType<typeof openProgress>, 'close'>;
  feed?: Pick<ReturnType<typeof openFeed>, 'close'>;
  workers?: Workers;
  monitor?: ReturnType<typeof startMonitor>;
  /** Of lost keys. */
  reporting?: ReturnType<typeof reportLostKeys>;
};

async function stopParts(parts: Parts, stores: Stores): Promise<void> {
  const { projector, demoSite, server, http, metrics, sales, tools, progress, feed, workers, monitor } = parts;
  await Promise.all([server.stop(async () => http?.closeSockets()), workers?.stop()]);
  await http?.close();
  await parts.reporting?.stop();
  // Only now: requests still finishing may wait for their own events to be projected.
  await Promise.all([
    projector?.stop(),
    tools?.close(),
    demoSite?.close(),
    sales?.close(),
    monitor?.stop(),
    progress?.close(),
    feed?.close(),
  ]);
  metrics?.close();
  await stores.close();
}

/** By that name, passkeys work: they need a host name. */
const AT_LOCALHOST = ['0.0.0.0', '::', '127.0.0.1'];

/** Listening, with an address that opens in a browser. */
async function openPort({ PORT, HOST }: Config, server: HttpServer) {
  const port = await onFreePort(PORT, (candidate) => server.listen(candidate, HOST));
  return {
    portTaken: PORT !== 0 && port !== PORT,
    url: `http://${AT_LOCALHOST.includes(HOST) ? 'localhost' : HOST}:${port}`,
  };
}

/** Nobody can open it: links in texts lead nowhere. */
const NO_PORT = { portTaken: false, url: 'http://localhost' };

type Starting = { readonly config: Config; readonly log: Logger; readonly listens: boolean };

async function startRole({ config, log, listens }: Starting, stores: Stores, parts: Parts): Promise<RunningApp> {
  const { server } = parts;
  const runs = (role: Config['ROLE']): boolean => config.ROLE === 'all' || config.ROLE === role;
  const projector = runs('projector') ? startProjector(stores, log) : null;
  if (projector) parts.projector = projector;
  const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });
  const context = (actor: Actor, cause: Cause | null): CommandContext =>
    contextOf({ store: stores.store, now, commandId: randomUUID(), actor }, cause);

  const demoSite: DemoSite | null = config.demo ? await openDemoSite(config.DEMO_PORT) : null;
  if (demoSite) parts.demoSite = demoSite;
  const demoAdmin = config.demo
    ? await openDemoAdmin(context({ kind: 'system', id: 'demo' }, null), passwords, config.DATA_DIR)
    : null;
  const allowHosts = [...config.allowHosts, ...(demoSite ? [new URL(demoSite.url).host] : [])];

  // Usually brief. A long rebuild continues behind an open port that reports not ready.
  if (projector) await Promise.race([projector.ready, wait(SERVED_WITHIN_MS, undefined, { ref: false })]);
  const { url, portTaken } = listens ? await openPort(config, server) : NO_PORT;
  const appUrl = config.APP_URL ?? url;
  const metrics = createMetrics();
  parts.metrics = metrics;
  const sales = await openPayments(config, { log, now, url, appUrl, metrics });
  parts.sales = sales;
  answerBooks(stores, sales);
  if (sales.payments) warnOfUnknownProducts({ ...stores, payments: sales.payments, log }).catch(() => undefined);
  // Workers only: nothing that takes seconds is ever done within a request.
  const tools = runs('worker')
    ? await openSiteTools(config, { allowHosts, appUrl, readModels: stores.readModels })
    : null;
  if (tools) parts.tools = tools;
  const state = () => readSystemState({ config, stores, now });
  const progress = openProgress(config, { presence: stores.presence, now, log });
  const { liveProgress } = progress;
  parts.progress = progress;
  const feed = openFeed(config, { presence: stores.presence, now, log });
  const { liveFeed } = feed;
  parts.feed = feed;
  const workers =
    tools &&
    startWorkers({
      ...stores,
      ...tools,
      liveProgress,
      liveFeed,
      config,
      log,
      allowHosts,
      newToken,
      hashCode: (code) => passwords.hash(code),
      appUrl,
      context,
      now,
      mailer: await chooseMailer(config, appUrl, log, now),
      payments: sales.payments,
      problems: async () => problemsOf(await state()),
    });
  if (workers) parts.workers = workers;
  const keys = runs('http') ? await openKeys(config, stores, log, now) : null;
  const monitor = startMonitor({
    config,
    stores,
    now,
    log,
    ...(keys ? { lostKeys: keys.lost } : {}),
    payments: sales.payments,
    analyst: tools?.analyst ?? null,
    keepsMail: keepsMail(config),
    id: randomUUID(),
  });
  parts.monitor = monitor;
  const watched: ProbeDeps = {
    log,
    config: { metricsToken: config.METRICS_TOKEN ?? null },
    health: createHealth(config.ROLE, stores, projector, workers),
    metrics,
    work: {
      measure: () =>
        measureWork({ readModels: stores.readModels, kinds: WORK_RULES.map(({ kind }) => kind), workers, now }),
    },
    installation: createInstallationMeasure(state, () => performance.now()),
  };
  if (keys) {
    parts.http = await serveHttp({
      config,
      stores,
      watched,
      server,
      keys,
      sales,
      context,
      appUrl,
      allowHosts,
      liveProgress,
      liveFeed,
      now,
      newToken,
      passwords,
      demoSite: demoSite?.url ?? null,
      demoAdmin: demoAdmin?.email ?? null,
      system: monitor.system(),
    });
  } else server.handle(createProbeApp(watched, server.stopping));

  // Usually known at once; a long rebuild of the read models is not waited for.
  const reporting = keys && reportLostKeys(keys.lost, { sleep, log });
  if (reporting) parts.reporting = reporting;
  await Promise.race([reporting?.done, wait(SERVED_WITHIN_MS, undefined, { ref: false })]);
  let stopped: Promise<void> | null = null;
  return {
    role: config.ROLE,
    url,
    portTaken,
    stores: stores.label,
    demoSite: demoSite?.url ?? null,
    demoAdmin,
    firstBecomesAdmin: runs('http') && config.ADMIN_EMAIL === undefined && (await isWithoutAccounts(stores)),
    analyst: analystLabel(config),
    payments: sales.payments,
    within: parts.http?.within ?? null,
    stop: () => {
      stopped ??= stopParts(parts, stores);
      return stopped;
    },
  };
}

/**
 * For the banner only, so a failure must not end a process that already serves: false, too, if the store does not
 * answer.
 */
const isWithoutAccounts = ({ store }: Stores): Promise<boolean> =>
  hasFirstAccount(store).then(
    (has) => !has,
    () => false,
  );

/** Accessible only by its owner: it holds email addresses and password hashes. @throws ConfigError */
function openDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!statSync(dir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR: ${dir} cannot be used as a folder of this process (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}

function answerBooks({ store, answerBooks }: Stores, { payments }: OpenPayments): void {
  if (payments) answerBooks(() => checkBooks(store, payments));
}
