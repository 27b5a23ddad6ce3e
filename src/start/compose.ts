/** The composition root: the only file that chooses adapters and sees every part. */
import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { normaliseSubmission } from '../audit/crawl/url.ts';
import { createParserPool } from '../audit/facts/parse/parserPool.ts';
import { compareStored, readScope, scoreComparer } from '../audit/report/storedRuns.ts';
import { hasFirstAccount } from '../commands/account/claimInstallation.ts';
import { requireEmailProof } from '../commands/account/requireEmailProof.ts';
import { checkBooks } from '../commands/billing/checkBooks.ts';
import { type Cause, type CommandContext, contextOf } from '../commands/context.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { SampleView } from '../http/contract/sample.ts';
import type { HttpDeps, NormalizeUrl, ProbeDeps } from '../http/deps/deps.ts';
import { attachRealtime } from '../http/realtime/realtime.ts';
import { createRateLimiter, DEFAULT_RATE_LIMITS } from '../http/request/rateLimits.ts';
import { createApp } from '../http/server/app.ts';
import { createProbeApp } from '../http/server/probeApp.ts';
import { createServer, type HttpServer } from '../http/server/server.ts';
import { createMetrics, type Metrics } from '../http/usage/metrics.ts';
import { createSecurityLog } from '../http/usage/securityLog.ts';
import { createUserPresence } from '../http/usage/userPresence.ts';
import { createViews } from '../http/usage/views.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import type { Mailer } from '../integrations/mailer/mailer.ts';
import { createOutbox } from '../integrations/mailer/outbox.ts';
import { createPasswords } from '../integrations/passwords.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import { drawPreview } from '../integrations/previewImage/previewImage.ts';
import { createRenderer } from '../integrations/renderer/chromiumRenderer.ts';
import { createWebhookUrlCheck } from '../integrations/webhookUrl.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { measureWork } from '../work/measure.ts';
import { WORK_RULES } from '../work/rules.ts';
import { createFollowUp } from '../workers/followUp.ts';
import { analystLabel, chooseAnalyst } from './chooseAnalyst.ts';
import { type Config, ConfigError } from './config.ts';
import { type DemoSite, openDemoAdmin, openDemoSite, type SignIn } from './demo.ts';
import { createHealth } from './health.ts';
import { recordKeys } from './identity/settleIdentity.ts';
import { onFreePort } from './listen.ts';
import { openProgress } from './liveProgress.ts';
import { createInstallationMeasure } from './monitor/measureInstallation.ts';
import { startMonitor } from './monitor/monitor.ts';
import { problemsOf } from './monitor/problems.ts';
import { readSystemState } from './monitor/systemState.ts';
import { type OpenPayments, openPayments } from './openPayments.ts';
import { openStores, type Stores } from './openStores.ts';
import { removeEndedParts } from './partFiles.ts';
import { openReportRuns } from './reports/openReportRuns.ts';
import { storedReports } from './reports/storedReports.ts';
import { checkKeyFiles } from './secrets/checkKeyFiles.ts';
import { createLostKeys, keysInFiles, reportLostKeys } from './secrets/lostKeys.ts';
import { openMfaKeys, secondFactorsFit } from './secrets/mfaSecret.ts';
import { shareSecretOf } from './secrets/shareSecret.ts';
import { sequenceTextsOf } from './sequenceTexts.ts';
import { sleep } from './sleep.ts';
import { type Projector, startProjector } from './startProjector.ts';
import { startWorkers, type Workers } from './startWorkers.ts';
import { userAgent as userAgentOf, version } from './version.ts';

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
  /** Returns work and leases, closes sockets with their position, lets requests finish. Idempotent. */
  stop(): Promise<void>;
};

const SERVED_WITHIN_MS = 2_000;
/** How often counted security events are written that no event of their kind has followed. */
const SECURITY_LOG_MS = 60_000;
/** After this the response says that the work takes longer. */
const REWORK_WAIT_MS = 2_000;

const now = (): string => new Date().toISOString();
const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * @throws StoreUnavailable when another process holds the data folder or a store's server is unavailable; the system's error when no port is free;
 * ConfigError, DamagedKeyFile
 */
export async function startApp(config: Config, log: Logger, open = openStores): Promise<RunningApp> {
  if (!config.servers || config.demo) openDataDir(config.DATA_DIR);
  checkKeyFiles(config);
  const stores = await open(config, log, { isStart: true });
  if (!config.servers) removeEndedParts(config.DATA_DIR);
  if (config.CHECKPOINT_DIR !== undefined) removeEndedParts(config.CHECKPOINT_DIR);
  const parts: Parts = { server: createServer() };
  try {
    return await startRole(config, log, stores, parts);
  } catch (error) {
    // In the order of any other stop: a part that lost its store would report that, too, beside the reason. Requests that were accepted are still answered.
    await stopParts(parts, stores).catch((late: unknown) => log.warn({ err: late }, 'a part of the program could not be stopped'));
    throw error;
  }
}

/** What runs so far. */
type Parts = {
  projector?: Projector;
  demoSite?: DemoSite;
  readonly server: ReturnType<typeof createServer>;
  realtime?: ReturnType<typeof attachRealtime>;
  metrics?: Metrics;
  sales?: OpenPayments;
  tools?: Awaited<ReturnType<typeof openSiteTools>>;
  progress?: Pick<ReturnType<typeof openProgress>, 'close'>;
  workers?: Workers;
  monitor?: ReturnType<typeof startMonitor>;
  views?: ReturnType<typeof createViews>;
  securityLog?: ReturnType<typeof createSecurityLog>;
  securityTimer?: NodeJS.Timeout;
  /** Of lost keys. */
  reporting?: ReturnType<typeof reportLostKeys>;
};

async function stopParts(parts: Parts, stores: Stores): Promise<void> {
  const { projector, demoSite, server, realtime, metrics, sales, tools, progress, workers, monitor, views } = parts;
  await Promise.all([server.stop(async () => realtime?.close()), workers?.stop()]);
  await views?.close();
  clearInterval(parts.securityTimer);
  parts.securityLog?.flush();
  await parts.reporting?.stop();
  // Only now: requests still finishing may wait for their own events to be projected.
  await Promise.all([projector?.stop(), tools?.close(), demoSite?.close(), sales?.close(), monitor?.stop(), progress?.close()]);
  metrics?.close();
  await stores.close();
}

/** Listening, with an address that opens in a browser. */
async function openPort({ PORT, HOST }: Config, server: HttpServer) {
  const port = await onFreePort(PORT, (candidate) => server.listen(candidate, HOST));
  return { portTaken: PORT !== 0 && port !== PORT, url: `http://${HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST}:${port}` };
}

async function startRole(config: Config, log: Logger, stores: Stores, parts: Parts): Promise<RunningApp> {
  const { server } = parts;
  const runs = (role: Config['ROLE']): boolean => config.ROLE === 'all' || config.ROLE === role;
  const projector = runs('projector') ? startProjector(stores, log) : null;
  if (projector) parts.projector = projector;
  const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });
  const context = (actor: Actor, cause: Cause | null): CommandContext => contextOf({ store: stores.store, now, commandId: randomUUID(), actor }, cause);

  const demoSite: DemoSite | null = config.demo ? await openDemoSite(config.DEMO_PORT) : null;
  if (demoSite) parts.demoSite = demoSite;
  const demoAdmin = config.demo ? await openDemoAdmin(context({ kind: 'system', id: 'demo' }, null), passwords, config.DATA_DIR) : null;
  const allowHosts = [...config.allowHosts, ...(demoSite ? [new URL(demoSite.url).host] : [])];

  // Usually brief. A long rebuild continues behind an open port that reports not ready.
  if (projector) await Promise.race([projector.ready, wait(SERVED_WITHIN_MS, undefined, { ref: false })]);
  const { url, portTaken } = await openPort(config, server);
  const appUrl = config.APP_URL ?? url;
  const metrics = createMetrics();
  parts.metrics = metrics;
  const sales = await openPayments(config, { log, now, url, appUrl, metrics });
  parts.sales = sales;
  answerBooks(stores, sales);
  // Workers only: nothing that takes seconds is ever done within a request.
  const tools = runs('worker') ? await openSiteTools(config, { allowHosts, appUrl, readModels: stores.readModels }) : null;
  if (tools) parts.tools = tools;
  const state = () => readSystemState({ config, stores, now });
  const progress = openProgress(config, { presence: stores.presence, now, log });
  const { liveProgress } = progress;
  parts.progress = progress;
  const workers =
    tools &&
    startWorkers({
      ...stores,
      ...tools,
      ...{ liveProgress, config, log, allowHosts, newToken, appUrl, context, now },
      mailer: await chooseMailer(config, appUrl, log),
      payments: sales.payments,
      problems: async () => problemsOf(await state()),
    });
  if (workers) parts.workers = workers;
  const keys = runs('http') ? await openKeys(config, stores, log) : null;
  const monitor = startMonitor({
    ...{ config, stores, now, log },
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
    work: { measure: () => measureWork({ readModels: stores.readModels, kinds: WORK_RULES.map(({ kind }) => kind), workers, now }) },
    installation: createInstallationMeasure(state, () => performance.now()),
  };
  const securityLog = createSecurityLog({ log, now });
  parts.securityLog = securityLog;
  parts.securityTimer = setInterval(securityLog.settle, SECURITY_LOG_MS).unref();
  const views = createViews(() => context({ kind: 'anonymous', id: 'share-visits' }, null), log);
  parts.views = views;
  if (keys) {
    const deps: HttpDeps = {
      ...watched,
      securityLog,
      ...{ store: stores.store, readModels: stores.readModels, claims: stores.claims, presence: stores.presence },
      ...{ liveProgress, now, newId: randomUUID, newToken, passwords },
      config: httpConfig(config, {
        ...{ appUrl, demoSite: demoSite?.url ?? null, demoAdmin: demoAdmin?.email ?? null, reportPrice: sales.reportPrice },
        // Recorded only where it applies: accounts have their days from the first start with the rule.
        proofsSince: config.SMTP_URL && !config.unlimited ? await requireEmailProof(context({ kind: 'system', id: 'start' }, null)) : null,
      }),
      normalizeUrl,
      sample: builtSample(),
      vetWebhookUrl: createWebhookUrlCheck(allowHosts),
      runs: { compare: compareStored, readScope, scoreComparer },
      ...{ reports: storedReports, reportRuns: openReportRuns(config, stores, log) },
      sequenceTexts: sequenceTextsOf({ appUrl, supportEmail: config.SUPPORT_EMAIL, companyName: config.COMPANY_NAME }),
      ...{ payments: sales.payments, mfaKeys: keys.mfaKeys },
      ...{ sharing: { secret: keys.shareSecret, visits: views.visits, drawPreview }, reportOpenings: views.reportOpenings },
      userPresence: createUserPresence({ presence: stores.presence, now, log }),
      system: monitor.system(),
    };
    const limiter = createRateLimiter(deps.config.rateLimits);
    const app = createApp(deps, { stopping: server.stopping, limiter });
    parts.realtime = attachRealtime(server.node, deps, {}, limiter);
    server.handle(app);
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
    stop: () => {
      stopped ??= stopParts(parts, stores);
      return stopped;
    },
  };
}

/** For the banner only, so a failure must not end a process that already serves: false, too, if the store does not answer. */
const isWithoutAccounts = ({ store }: Stores): Promise<boolean> =>
  hasFirstAccount(store).then(
    (has) => !has,
    () => false,
  );

/** The keys that links and second factors are made with. The log notes by what it recognizes them, also those in files: they may be settings one day. */
async function openKeys(config: Config, { store, readModels, installationId }: Stores, log: Logger) {
  const [shareSecret, mfaKeys] = [shareSecretOf(config), await openMfaKeys(config, store, log)];
  if (installationId !== null && !config.servers) await recordKeys(store, installationId, keysInFiles(config), now);
  const parts = { config, store, readModels, shareSecret, secondFactorsFit: () => secondFactorsFit(config, mfaKeys, store), now };
  return { shareSecret, mfaKeys, lost: createLostKeys(parts) };
}

/** The tools for auditing sites: page parser threads and a browser, each started on first use, and the analyst. */
async function openSiteTools(
  config: Config,
  { allowHosts, appUrl, readModels }: { readonly allowHosts: readonly string[]; readonly appUrl: string; readonly readModels: ReadModels },
) {
  const parser = createParserPool({ threads: config.AUDIT_THREADS });
  const renderer = config.CHROMIUM_PATH === undefined ? null : createRenderer({ executablePath: config.CHROMIUM_PATH });
  const userAgent = userAgentOf(appUrl);
  const analyst = await chooseAnalyst(config, readModels);
  const followUp = createFollowUp({
    ...{ analyst, userAgent, sleep, deadline: AbortSignal.timeout, clock: Date.now, parse: parser.parse },
    openFetcher: () => createFetcher({ allowHosts, userAgent }),
    ...(renderer ? { renderThrough: renderer.through } : {}),
  });
  const close = async (): Promise<void> => void (await Promise.all([parser.close(), renderer?.close()]));
  return { parse: parser.parse, renderer, analyst, followUp, close };
}

/** Accessible only by its owner: it holds email addresses and password hashes. @throws ConfigError */
function openDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!statSync(dir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${dir} cannot be used as a folder of this process (${(error as NodeJS.ErrnoException).code})`]);
  }
}

function answerBooks({ store, answerBooks }: Stores, { payments }: OpenPayments): void {
  if (payments) answerBooks(() => checkBooks(store, payments));
}

/** Processes that share stores share no folder, so emails kept by one could not be found. */
const keepsOrSendsMail = ({ SMTP_URL, servers }: Config): boolean => SMTP_URL !== undefined || servers === null;

const keepsMail = (config: Config): boolean => config.SMTP_URL === undefined && keepsOrSendsMail(config);

async function chooseMailer(config: Config, appUrl: string, log: Logger): Promise<Mailer | null> {
  const from = config.MAIL_FROM ?? `SEO Workbench <no-reply@${new URL(appUrl).hostname}>`;
  if (config.SMTP_URL) {
    // The library is loaded only if email is sent.
    const { createSmtpMailer } = await import('../integrations/mailer/smtp.ts');
    return createSmtpMailer({ url: config.SMTP_URL, from });
  }
  if (!keepsOrSendsMail(config)) {
    log.warn('SMTP_URL is not set: no mail is sent, nobody can reset a password');
    return null;
  }
  const onMail = (file: string, { subject }: { readonly subject: string }): void => {
    if (!config.production) log.warn({ file, subject }, 'a mail waits in the outbox');
  };
  return createOutbox({ dir: join(config.DATA_DIR, 'outbox'), from, now, onMail });
}

const normalizeUrl: NormalizeUrl = (text) => {
  const submission = normaliseSubmission(text);
  return submission.ok ? submission : { ok: false, error: submission.reason };
};

function httpConfig(
  config: Config,
  at: Pick<HttpDeps['config'], 'appUrl' | 'demoSite' | 'proofsSince' | 'demoAdmin'> & { readonly reportPrice: OpenPayments['reportPrice'] },
): HttpDeps['config'] {
  return {
    version: version(),
    appUrl: at.appUrl,
    demoAdmin: at.demoAdmin ?? null,
    proofsSince: at.proofsSince ?? null,
    production: config.production,
    developmentMode: config.NODE_ENV === 'development',
    demoSite: at.demoSite,
    analystLabel: analystLabel(config),
    supportEmail: config.SUPPORT_EMAIL,
    mail: keepsOrSendsMail(config),
    mailIsKept: keepsMail(config),
    trustProxy: config.TRUST_PROXY,
    freeAnalysesPerMonth: config.FREE_ANALYSES_PER_MONTH,
    unlimited: config.unlimited,
    get reportPrice() {
      return at.reportPrice();
    },
    bounds: { maxPages: config.AUDIT_MAX_PAGES, maxMs: config.AUDIT_MAX_SECONDS * 1000 },
    adminEmail: config.ADMIN_EMAIL ?? null,
    adminMfa: config.adminMfa,
    webDir: webDir(),
    metricsToken: config.METRICS_TOKEN ?? null,
    reworkWaitMs: REWORK_WAIT_MS,
    rateLimits: DEFAULT_RATE_LIMITS,
  };
}

/** The built web app next to the built server; none when run from source, where the development server provides it. */
function webDir(): string | null {
  const dir = fileURLToPath(new URL('../../web', import.meta.url));
  const built = import.meta.url.endsWith('.js');
  return built && existsSync(join(dir, 'index.html')) ? dir : null;
}

/** The build's audit of the demo site; none when run from source. */
function builtSample(): SampleView | undefined {
  const file = fileURLToPath(new URL('../../sample.json', import.meta.url));
  return import.meta.url.endsWith('.js') && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
