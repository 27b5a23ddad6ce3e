/** Whether a process can do its work, by its role. Tells only from the stores, so that every process of an installation says the same. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { ProbeDeps, Readiness } from './http/deps.ts';
import type { Stores } from './openStores.ts';
import { measureServedLag, type ServedLag } from './projections/servedLag.ts';
import type { Projector } from './startProjector.ts';
import { READ_MODELS } from './work/rules.ts';

/** Read models further behind than this make their projector unready, ms. */
const PROJECTOR_LAG_MS = 10_000;
/** And those who only read them: later than a standby needs to take over, or all of them would leave the proxy at once. */
const READER_LAG_MS = 30_000;
/** A store that takes longer to answer is away. */
const PATIENCE_MS = 3_000;

/** `projector` is null in a process that runs none. */
export function createHealth(
  role: Config['ROLE'],
  stores: Pick<Stores, 'store' | 'readModels'>,
  projector: Pick<Projector, 'state'> | null,
): ProbeDeps['health'] {
  const measure = (): Promise<ServedLag> => inTime(measureServedLag({ ...stores, projections: READ_MODELS }, Date.now()));
  return {
    ready: async () => readinessOf(role, projector?.state() ?? null, await measure()),
    lag: async () => (await measure()).behind,
  };
}

function readinessOf(role: Config['ROLE'], state: string | null, { served, ageMs, behind }: ServedLag): Readiness {
  const events = Math.max(0, ...Object.values(behind));
  const stores = { ok: true };
  // A worker needs no read model to go on, and a standby is ready when it can take over.
  if (role === 'worker') return { ok: true, checks: { stores } };
  if (role === 'projector' && state === 'standby') return { ok: true, checks: { stores, projector: { ok: true, detail: 'standby' } } };
  const ok = served && ageMs < (state === 'leading' ? PROJECTOR_LAG_MS : READER_LAG_MS);
  const projector = state === null ? {} : { projector: { ok: true, detail: state } };
  return { ok, checks: { stores, projections: { ok, detail: `${events} behind, ${Math.round(ageMs / 1000)} s` }, ...projector } };
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([
      answer,
      wait(PATIENCE_MS, undefined, { signal: late.signal, ref: false }).then(() => {
        throw new Error(`the stores did not answer within ${PATIENCE_MS / 1000} s`);
      }),
    ]);
  } finally {
    late.abort();
  }
}
