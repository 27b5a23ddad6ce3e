/**
 * The installation's secret for second factors, kept outside the event log: a copy of the log reveals no authenticator
 * secrets.
 */

import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadState } from '../../commands/handle.ts';
import { type MfaKeys, mfaKeys } from '../../commands/secondFactor/mfaKeys.ts';
import { IDENTITY_STREAM } from '../../domain/installation/events.ts';
import { identityDecider } from '../../domain/installation/identity.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { secondFactorDecider } from '../../domain/secondFactor/secondFactor.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Config } from '../config.ts';
import { keptSecret } from './shareSecret.ts';

/** Next to the log, and to be kept as long as it: with another secret, existing second factors cannot be verified. */
export const MFA_FILE = 'mfa-secret';
export const WITHOUT_MFA_SECRET = 'codes that were set up with the former one are then refused.';
/** Of the newest set-ups. */
const MOST_SEEN = 1_000;

type MfaConfig = Pick<Config, 'MFA_SECRET' | 'DATA_DIR' | 'servers' | 'adminMfa'>;

/**
 * The configured secret or, with the embedded stores, one generated once and kept in the data folder. Null: the
 * processes share none, so second factors cannot be set up.
 */
export function mfaKeysOf(config: MfaConfig, log: Pick<Logger, 'warn'>): MfaKeys | null {
  if (config.MFA_SECRET !== undefined) return mfaKeys(config.MFA_SECRET);
  if (!config.servers) return mfaKeys(keptSecret(join(config.DATA_DIR, MFA_FILE), WITHOUT_MFA_SECRET));
  const locked = config.adminMfa ? ', and the admin pages stay closed until it is set or ADMIN_MFA=off' : '';
  log.warn(`MFA_SECRET is not set: nobody can turn two-factor authentication on${locked}`);
  return null;
}

/**
 * With a warning in the log if they are not the ones that the log's second factors were set up with, as after a restore
 * without the file.
 */
export async function openMfaKeys(
  config: MfaConfig,
  store: EventStore,
  log: Pick<Logger, 'warn'>,
): Promise<MfaKeys | null> {
  const keys = mfaKeysOf(config, log);
  // Only the embedded store finds events by their type without reading the whole log.
  if (keys === null || config.servers) return keys;
  const fits = await opensAll(keys, store).catch((error: unknown) => {
    log.warn({ err: error }, 'whether the secret for second factors is the right one could not be checked');
    return true;
  });
  if (fits) return keys;
  const source = config.MFA_SECRET === undefined ? `${join(config.DATA_DIR, MFA_FILE)} is` : 'MFA_SECRET is';
  log.warn(
    `Two-factor authentication: ${source} not the secret that the second factors in the log were set up with, so every code is answered 503 MFA_UNAVAILABLE. ` +
      'Put the former one back (npm run backup copies it to a .keys folder) and restart. If it is lost: recovery codes work, and npm run admin -- reset-mfa <email>.',
  );
  return keys;
}

/**
 * Whether all second factors in the log can be checked. On servers, a key in the settings is recognized at the start,
 * and only a missing one shows here.
 */
export async function secondFactorsFit(config: MfaConfig, keys: MfaKeys | null, store: EventStore): Promise<boolean> {
  if (keys === null) {
    const { state } = await loadState(store, identityDecider, IDENTITY_STREAM);
    return state.fingerprints.second_factors.length === 0;
  }
  return config.servers !== null || opensAll(keys, store);
}

/** True, too, if nobody has a second factor. After a key was lost, new ones fit and older ones do not. */
async function opensAll(keys: MfaKeys, store: EventStore): Promise<boolean> {
  const { events } = await store.readAll({
    direction: 'backward',
    limit: MOST_SEEN,
    filter: { types: ['SecondFactorEnabled'] },
  });
  for (const { userId } of eventsOf(events, 'SecondFactorEnabled').map(({ data }) => data)) {
    const { enabled } = (await loadState(store, secondFactorDecider, secondFactorStream(userId))).state;
    if (enabled && keys.open(enabled.sealedSecret, userId) === null) return false;
  }
  return true;
}
