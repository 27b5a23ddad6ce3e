/** The installation's secret for second factors, kept outside the event log: a copy of the log reveals no authenticator secrets. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type MfaKeys, mfaKeys } from '../../commands/secondFactor/mfaKeys.ts';
import type { Config } from '../config.ts';
import { keptSecret } from './shareSecret.ts';

/** Next to the log, and to be kept as long as it: with another secret, existing second factors cannot be verified. */
const FILE = 'mfa-secret';

/**
 * The configured secret or, with the embedded stores, one generated once and kept in the data folder. Null: the processes share none, so second factors
 * cannot be set up.
 */
export function mfaKeysOf(config: Pick<Config, 'MFA_SECRET' | 'DATA_DIR' | 'servers' | 'adminMfa'>, log: Pick<Logger, 'warn'>): MfaKeys | null {
  if (config.MFA_SECRET !== undefined) return mfaKeys(config.MFA_SECRET);
  if (!config.servers) return mfaKeys(keptSecret(join(config.DATA_DIR, FILE), 'codes that were set up with the former one are then refused.'));
  const locked = config.adminMfa ? ', and the admin pages stay closed until it is set or ADMIN_MFA=off' : '';
  log.warn(`MFA_SECRET is not set: nobody can turn two-factor authentication on${locked}`);
  return null;
}
