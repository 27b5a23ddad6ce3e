/** The HTTP side of a process: the API, the web app and the websocket, with what only they need. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareStored, readScope, scoreComparer } from '../../audit/report/storedRuns.ts';
import { requireEmailProof } from '../../commands/account/requireEmailProof.ts';
import type { Cause, CommandContext } from '../../commands/context.ts';
import type { Actor } from '../../domain/stored/metadata.ts';
import type { SampleView } from '../../http/contract/sample.ts';
import type { HttpDeps, ProbeDeps } from '../../http/deps/deps.ts';
import type { DispatchDeps } from '../../http/dispatch/dispatch.ts';
import { createNetworkOf } from '../../http/jobs/submitterNetwork.ts';
import { createMcp } from '../../http/mcp/mcp.ts';
import { attachRealtime } from '../../http/realtime/realtime.ts';
import { createRateLimiter } from '../../http/request/rateLimits.ts';
import { createApp } from '../../http/server/app.ts';
import type { createServer } from '../../http/server/server.ts';
import { createSecurityLog } from '../../http/usage/securityLog.ts';
import { createTallies } from '../../http/usage/tallies.ts';
import { createUserPresence } from '../../http/usage/userPresence.ts';
import { createViews } from '../../http/usage/views.ts';
import { drawPreview } from '../../integrations/previewImage/previewImage.ts';
import { createWebhookUrlCheck } from '../../integrations/webhookUrl.ts';
import type { Config } from '../config.ts';
import type { OpenPayments } from '../openPayments.ts';
import { openSso } from '../openSso.ts';
import type { Stores } from '../openStores.ts';
import { openReportRuns } from '../reports/openReportRuns.ts';
import { storedReports } from '../reports/storedReports.ts';
import type { openKeys } from '../secrets/openKeys.ts';
import { sequenceTextsOf } from '../sequenceTexts.ts';
import { httpConfigOf } from './httpConfig.ts';
import { createSiteUrlCheck } from './siteUrl.ts';

/** How often counted security events are written that no event of their kind has followed. */
const SECURITY_LOG_MS = 60_000;

export type ServedHttp = {
  /** For callers in this process. */
  readonly within: DispatchDeps;
  closeSockets(): Promise<void>;
  /** Once no request is under way. */
  close(): Promise<void>;
};

type HttpParts = Pick<Required<HttpDeps>, 'liveProgress' | 'liveFeed' | 'now' | 'newToken' | 'passwords' | 'system'> & {
  readonly config: Config;
  readonly stores: Stores;
  /** What health and metrics need. */
  readonly watched: ProbeDeps;
  readonly server: ReturnType<typeof createServer>;
  readonly keys: Awaited<ReturnType<typeof openKeys>>;
  readonly sales: OpenPayments;
  readonly context: (actor: Actor, cause: Cause | null) => CommandContext;
  readonly appUrl: string;
  readonly demoSite: string | null;
  readonly demoAdmin: string | null;
  readonly allowHosts: readonly string[];
};

/** From now on the server, which listens already, answers. */
export async function serveHttp(parts: HttpParts): Promise<ServedHttp> {
  const { config, stores, watched, server, keys, sales, context, appUrl, demoSite, demoAdmin, allowHosts } = parts;
  const { liveProgress, liveFeed, now, newToken, passwords, system } = parts;
  const { log } = watched;
  // Recorded only where it applies: accounts have their days from the first start with the rule.
  const proofsSince =
    config.SMTP_URL && !config.unlimited
      ? await requireEmailProof(context({ kind: 'system', id: 'start' }, null))
      : null;
  const securityLog = createSecurityLog({ log, now });
  const settling = setInterval(securityLog.settle, SECURITY_LOG_MS).unref();
  const views = createViews(() => context({ kind: 'anonymous', id: 'share-visits' }, null), log);
  const tallies = createTallies({
    context: () => context({ kind: 'system', id: 'tallies' }, null),
    log,
    metrics: watched.metrics,
  });
  const deps: HttpDeps = {
    ...watched,
    securityLog,
    store: stores.store,
    readModels: stores.readModels,
    claims: stores.claims,
    networkOf: createNetworkOf(stores.marks),
    presence: stores.presence,
    liveProgress,
    liveFeed,
    now,
    newId: randomUUID,
    newToken,
    passwords,
    config: httpConfigOf(config, { appUrl, demoSite, demoAdmin, proofsSince, reportPrice: sales.reportPrice }),
    normalizeUrl: createSiteUrlCheck(allowHosts),
    sample: builtSample(),
    vetWebhookUrl: createWebhookUrlCheck(allowHosts),
    runs: { compare: compareStored, readScope, scoreComparer },
    reports: storedReports,
    reportRuns: openReportRuns(config, stores, log),
    sequenceTexts: sequenceTextsOf({ appUrl, supportEmail: config.SUPPORT_EMAIL, companyName: config.COMPANY_NAME }),
    payments: sales.payments,
    sso: openSso(config, appUrl),
    mfaKeys: keys.mfaKeys,
    pseudonyms: keys.pseudonyms,
    sharing: { secret: keys.shareSecret, visits: views.visits, drawPreview },
    reportOpenings: views.reportOpenings,
    tallies,
    userPresence: createUserPresence({ presence: stores.presence, now, log }),
    system,
    mcp: createMcp(() => ({ deps, limiter })),
  };
  const limiter = createRateLimiter(deps.config.rateLimits);
  const app = createApp(deps, { stopping: server.stopping, limiter });
  const realtime = attachRealtime(server.node, deps, {}, limiter);
  server.handle(app);
  return {
    within: { deps, limiter },
    closeSockets: () => realtime.close(),
    async close() {
      await Promise.all([views.close(), tallies.close(), deps.mcp.close()]);
      clearInterval(settling);
      securityLog.flush();
    },
  };
}

/** The build's audit of the demo site; none when run from source. */
function builtSample(): SampleView | undefined {
  const file = fileURLToPath(new URL('../../../sample.json', import.meta.url));
  return import.meta.url.endsWith('.js') && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
