/**
 * The installation's secret for pseudonyms in anonymized exports: the same for all of them, in a terminal and over HTTP,
 * so that they join. It is in no answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { contextOf } from '../../commands/context.ts';
import { handle, loadState } from '../../commands/handle.ts';
import { PSEUDONYM_KEY_STREAM } from '../../domain/installation/events.ts';
import { isReplaced, pseudonymKeyDecider } from '../../domain/installation/pseudonymKey.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { createPseudonyms, type Pseudonyms } from '../../reports/events/pseudonyms.ts';
import type { Config } from '../config.ts';
import { keptSecret } from './shareSecret.ts';

/** Kept as long as earlier exports: with another secret, later ones do not join with them. */
export const PSEUDONYM_FILE = 'pseudonym-key';
export const WITHOUT_PSEUDONYM_SECRET = 'exports from then on have other pseudonyms.';

/**
 * The configured secret or, with the embedded stores, one generated once and kept in the data folder. Null: the
 * processes share none. @throws DamagedKeyFile
 */
export function pseudonymsOf({
  PSEUDONYM_SECRET,
  DATA_DIR,
  servers,
}: Pick<Config, 'PSEUDONYM_SECRET' | 'DATA_DIR' | 'servers'>): Pseudonyms | null {
  if (PSEUDONYM_SECRET !== undefined) return createPseudonyms(PSEUDONYM_SECRET);
  return servers ? null : createPseudonyms(keptSecret(join(DATA_DIR, PSEUDONYM_FILE), WITHOUT_PSEUDONYM_SECRET));
}

/** So that another one is recognized. */
export async function recordPseudonymKey(
  store: EventStore,
  { fingerprint }: Pick<Pseudonyms, 'fingerprint'>,
  now: () => string,
): Promise<void> {
  const actor = { kind: 'system', id: 'start' } as const;
  const context = contextOf({ store, now, commandId: randomUUID(), actor }, null);
  await handle(context, pseudonymKeyDecider, PSEUDONYM_KEY_STREAM, {
    type: 'RecordPseudonymKey',
    pseudonyms: fingerprint,
    at: now(),
  });
}

/** Whether exports join with those made with the first key. True, too, if no key was ever recorded. */
export async function pseudonymsFit(store: EventStore, pseudonyms: Pseudonyms | null, at: string): Promise<boolean> {
  const { state } = await loadState(store, pseudonymKeyDecider, PSEUDONYM_KEY_STREAM);
  return pseudonyms === null ? state === null : !isReplaced(state, at);
}
