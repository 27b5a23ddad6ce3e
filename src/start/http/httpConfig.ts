/** What the HTTP layer knows of the settings. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpConfig } from '../../http/deps/deps.ts';
import { DEFAULT_RATE_LIMITS } from '../../http/request/rateLimits.ts';
import { analystLabel } from '../chooseAnalyst.ts';
import { keepsMail, keepsOrSendsMail } from '../chooseMailer.ts';
import type { Config } from '../config.ts';
import { version } from '../version.ts';

/** After this the response says that the work takes longer. */
const REWORK_WAIT_MS = 2_000;

/** What is known once the program runs. */
type HttpFacts = Pick<HttpConfig, 'appUrl'> &
  Partial<Pick<HttpConfig, 'demoSite' | 'proofsSince' | 'demoAdmin'>> & {
    /** May change while the program runs. */
    readonly reportPrice?: () => HttpConfig['reportPrice'];
  };

export function httpConfigOf(config: Config, facts: HttpFacts): HttpConfig {
  const { appUrl, demoSite = null, demoAdmin = null, proofsSince = null, reportPrice = () => null } = facts;
  return {
    version: version(),
    appUrl,
    demoAdmin,
    proofsSince,
    production: config.production,
    developmentMode: config.NODE_ENV === 'development',
    demoSite,
    analystLabel: analystLabel(config),
    supportEmail: config.SUPPORT_EMAIL,
    mail: keepsOrSendsMail(config),
    mailIsKept: keepsMail(config),
    trustProxy: config.TRUST_PROXY,
    freeAnalysesPerMonth: config.FREE_ANALYSES_PER_MONTH,
    unlimited: config.unlimited,
    get reportPrice() {
      return reportPrice();
    },
    bounds: { maxPages: config.AUDIT_MAX_PAGES, maxMs: config.AUDIT_MAX_SECONDS * 1000 },
    adminEmail: config.ADMIN_EMAIL ?? null,
    adminMfa: config.adminMfa,
    webDir: webDir(),
    metricsToken: config.METRICS_TOKEN ?? null,
    mcp: config.MCP === 'on',
    reworkWaitMs: REWORK_WAIT_MS,
    rateLimits: DEFAULT_RATE_LIMITS,
  };
}

/** The built web app, next to the built server; none when run from source, where the development server provides it. */
function webDir(): string | null {
  const dir = fileURLToPath(new URL('../../../web', import.meta.url));
  const built = import.meta.url.endsWith('.js');
  return built && existsSync(join(dir, 'index.html')) ? dir : null;
}
