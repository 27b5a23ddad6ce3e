/** The built server for torture runs: one process on the embedded stores, without effective rate limits. */
import { BUILT_SERVER, type RunningServer, startServer } from '../given/product/processes.ts';

export type VictimOptions = {
  readonly dataDir: string;
  readonly allowHosts: string;
  /** Its entry file. Default: the build that `npm start` runs. */
  readonly server?: string | undefined;
  /** Free audits of each account. Default: more than anyone can use. */
  readonly allowance?: number | undefined;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>> | undefined;
};

/** The settings of every process under torture. */
export const tortured = (allowHosts: string, allowance = 100_000): Readonly<Record<string, string>> => ({
  NODE_ENV: 'test',
  // Each client has its own address, or they would soon run into rate limits.
  TRUST_PROXY: 'true',
  DEMO: 'false',
  LOG_LEVEL: 'error',
  FREE_ANALYSES_PER_MONTH: String(allowance),
  AUDIT_ALLOW_HOSTS: allowHosts,
  AUDIT_THREADS: '1',
});

/**
 * Without payments, so that users can create webhooks, and with the allowance: as in production without a payment
 * provider.
 */
const NOTHING_SOLD = { NODE_ENV: 'production', APP_URL: 'http://127.0.0.1', ADMIN_MFA: 'off' };

export function startVictim({
  dataDir,
  allowHosts,
  server = BUILT_SERVER,
  allowance,
  env,
}: VictimOptions): RunningServer {
  return startServer({
    entry: server,
    env: { ...tortured(allowHosts, allowance), ...(env?.BILLING ? {} : NOTHING_SOLD), ...env, DATA_DIR: dataDir },
  });
}
