/** The installation's secret for second factors, outside of the event log: a copy of the log reveals no secret of an authenticator app. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type MfaKeys, mfaKeys } from '../commands/secondFactor/mfaKeys.ts';
import type { Config } from './config.ts';
import { keptSecret } from './shareSecret.ts';

/** Beside the log, and to be kept as long as it: with another one, codes that were set up before cannot be checked. */
const FILE = 'mfa-secret';

/** The configured one, else, with the embedded stores, one that is made once and kept in the data folder. Null: processes share none, so nobody can set a second factor up. */
export function mfaKeysOf(config: Pick<Config, 'MFA_SECRET' | 'DATA_DIR' | 'servers' | 'adminMfa'>, log: Pick<Logger, 'warn'>): MfaKeys | null {
  if (config.MFA_SECRET !== undefined) return mfaKeys(config.MFA_SECRET);
  if (!config.servers) return mfaKeys(keptSecret(join(config.DATA_DIR, FILE), 'codes that were set up with the former one are then refused.'));
  const locked = config.adminMfa ? ', and the admin pages stay closed until it is set or ADMIN_MFA=off' : '';
  log.warn(`MFA_SECRET is not set: nobody can turn two-factor authentication on${locked}`);
  return null;
}
