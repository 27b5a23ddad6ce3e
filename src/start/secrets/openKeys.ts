import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { recordKeys } from '../identity/settleIdentity.ts';
import type { Stores } from '../openStores.ts';
import { createLostKeys, keysInFiles } from './lostKeys.ts';
import { openMfaKeys, secondFactorsFit } from './mfaSecret.ts';
import { pseudonymsFit, pseudonymsOf, recordPseudonymKey } from './pseudonymSecret.ts';
import { shareSecretOf } from './shareSecret.ts';

/**
 * The keys that links, second factors and pseudonyms are made with. The log notes by what it recognizes them, also those in files:
 * they may be settings one day.
 */
export async function openKeys(
  config: Config,
  { store, readModels, installationId }: Stores,
  log: Logger,
  now: () => string,
) {
  const [shareSecret, mfaKeys] = [shareSecretOf(config), await openMfaKeys(config, store, log)];
  if (installationId !== null && !config.servers) await recordKeys(store, installationId, keysInFiles(config), now);
  const pseudonyms = pseudonymsOf(config);
  if (pseudonyms) await recordPseudonymKey(store, pseudonyms, now);
  const parts = {
    config,
    store,
    readModels,
    shareSecret,
    secondFactorsFit: () => secondFactorsFit(config, mfaKeys, store),
    pseudonymsFit: () => pseudonymsFit(store, pseudonyms, now()),
    now,
  };
  return { shareSecret, mfaKeys, pseudonyms, lost: createLostKeys(parts) };
}
