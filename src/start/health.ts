/**
 * Whether a process can do its work, by its role. Based on the stores alone, so that every process of an installation
 * gives the same answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ProbeDeps, Readiness } from '../http/deps/deps.ts';
import { measureServedLag, type ServedLag } from '../projector/servedLag.ts';
import { READ_MODELS } from '../work/rules.ts';
import { findStalled, listParkedItems, STALLED_AFTER_MS } from '../work/stalled.ts';
import type { Config } from './config.ts';
import type { Stores } from './openStores.ts';
import type { Projector } from './startProjector.ts';
import type { Workers } from './startWorkers.ts';

/** A projector lagging further behind than this is not ready, ms. */
const PROJECTOR_LAG_MS = 10_000;
/**
 * The limit for mere readers: longer than a standby needs to take over, or all of them would leave the proxy at once.
 */
const READER_LAG_MS = 30_000;
/** A store that takes longer to respond is unavailable. */
const TIMEOUT_MS = 3_000;
/** Probes share a check of the work for this many timeouts. */
const SHARED_TIMEOUTS = 5;
const MINUTE_MS = 60_000;

type Check = Readiness['checks'][string];
type TakenWork = Pick<Workers, 'kinds' | 'state' | 'idleSince'>;
type HealthStores = Pick<Stores, 'store' | 'readModels' | 'claims' | 'checkLog'>;

/** `projector` and `work` are null in a process that runs none. */
export function createHealth(
  role: Config['ROLE'],
  stores: HealthStores,
  projector: Pick<Projector, 'state'> | null,
  work: TakenWork | null = null,
  timeoutMs = TIMEOUT_MS,
): ProbeDeps['health'] {
  const measure = (): Promise<ServedLag> => measureServedLag({ ...stores, projections: READ_MODELS }, Date.now());
  // A check continues after its probe has timed out: on slow stores, one for each probe would slow them down further.
  let checking: { readonly done: Promise<Check>; readonly since: number } | null = null;
  const checkWorkOnce = (taken: TakenWork): Promise<Check> => {
    // One whose store never answers must not be waited for when the store is back.
    if (checking && performance.now() - checking.since < SHARED_TIMEOUTS * timeoutMs) return checking.done;
    const begun = { done: checkWork(stores, taken), since: performance.now() };
    checking = begun;
    const end = (): void => {
      if (checking === begun) checking = null;
    };
    begun.done.then(end, end);
    return begun.done;
  };
  return {
    ready: async () => {
      const [log, lag, works] = await inTime(
        timeoutMs,
        Promise.all([checkLog(stores), measure(), work && checkWorkOnce(work)]),
      );
      const { ok, checks } = readinessOf(role, projector?.state() ?? null, lag);
      const all = { ...checks, stores: log, ...(works === null ? {} : { work: works }) };
      return { ok: ok && log.ok && works?.ok !== false, checks: all };
    },
    lag: async () => (await inTime(timeoutMs, measure())).behind,
  };
}

/** Not ready: the log cannot be written or read. */
function checkLog(stores: HealthStores): Promise<Check> {
  return stores.checkLog().then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, detail: error instanceof Error ? error.message : 'unknown' }),
  );
}

/**
 * Not ready: due work that is not claimed despite a free slot in this process, or a process that takes no work at all.
 * Events that the list of work could not apply are only reported: everything else is served and done, and without this
 * process it would not be. They raise an alert (`monitor/problems.ts`).
 */
async function checkWork({ readModels, claims }: HealthStores, { kinds, state, idleSince }: TakenWork): Promise<Check> {
  const now = new Date().toISOString();
  const idle = idleSince();
  const isIdle = idle !== null && Date.parse(now) - Date.parse(idle) >= STALLED_AFTER_MS;
  const [parked, stalled] = await Promise.all([
    listParkedItems(readModels),
    findStalled({ readModels, claims, kinds }, state(), now),
  ]);
  const [first] = parked;
  const notes = first
    ? [
        `parked: ${parked.length}, first ${first.documentId} at ${first.eventType} (${first.position}): see Parked events on /admin/system`,
      ]
    : [];
  const problems = [
    ...(isIdle
      ? [`idle: has taken no work since ${idle} because it has no lease: see its log, then restart this process`]
      : []),
    ...stalled.map(({ kind, itemId, dueAt }) => {
      const minutes = Math.floor((Date.parse(now) - Date.parse(dueAt)) / MINUTE_MS);
      return `stalled: ${kind} ${itemId} has been due for ${minutes} min although a slot is free: see npm run work -- list --kind ${kind}, then restart this process`;
    }),
  ];
  const details = [...problems, ...notes];
  return { ok: problems.length === 0, ...(details.length === 0 ? {} : { detail: details.join('; ') }) };
}

function readinessOf(role: Config['ROLE'], state: string | null, { served, ageMs, behind }: ServedLag): Readiness {
  const events = Math.max(0, ...Object.values(behind));
  // A worker does not need read models to continue, and a standby is ready if it can take over.
  if (role === 'worker') return { ok: true, checks: {} };
  if (role === 'projector' && state === 'standby')
    return { ok: true, checks: { projector: { ok: true, detail: 'standby' } } };
  const ok = served && ageMs < (state === 'leading' ? PROJECTOR_LAG_MS : READER_LAG_MS);
  const projector = state === null ? {} : { projector: { ok: true, detail: state } };
  return {
    ok,
    checks: { projections: { ok, detail: `${events} behind, ${Math.round(ageMs / 1000)} s` }, ...projector },
  };
}

async function inTime<T>(ms: number, answer: Promise<T>): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([
      answer,
      wait(ms, undefined, { signal: late.signal, ref: false }).then(() => {
        throw new Error(`the stores did not answer within ${ms / 1000} s`);
      }),
    ]);
  } finally {
    late.abort();
  }
}
