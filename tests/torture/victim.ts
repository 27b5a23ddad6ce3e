/** The built server as it is tortured: one process on the embedded stores, settings that let clients ask as much as they like. */
import { BUILT_SERVER, type RunningServer, startServer } from '../given/product/processes.ts';

export type VictimOptions = {
  readonly dataDir: string;
  readonly allowHosts: string;
  /** Its entry file. Default: the build that `npm start` runs. */
  readonly server?: string | undefined;
  /** Free analyses of each account. Default: more than anybody can use. */
  readonly allowance?: number | undefined;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>> | undefined;
};

/** What every tortured process is set to. */
export const tortured = (allowHosts: string, allowance = 100_000): Readonly<Record<string, string>> => ({
  NODE_ENV: 'test',
  // Each client has an address of its own, or they would soon be too many at one.
  TRUST_PROXY: 'true',
  DEMO: 'false',
  LOG_LEVEL: 'error',
  FREE_ANALYSES_PER_MONTH: String(allowance),
  AUDIT_ALLOW_HOSTS: allowHosts,
  AUDIT_THREADS: '1',
});

/** Nothing is sold, so that users make webhooks, and the allowance holds: as in production where nobody said who takes payments. */
const NOTHING_SOLD = { NODE_ENV: 'production', APP_URL: 'http://127.0.0.1', ADMIN_MFA: 'off' };

export function startVictim({ dataDir, allowHosts, server = BUILT_SERVER, allowance, env }: VictimOptions): RunningServer {
  return startServer({ entry: server, env: { ...tortured(allowHosts, allowance), ...(env?.BILLING ? {} : NOTHING_SOLD), ...env, DATA_DIR: dataDir } });
}
