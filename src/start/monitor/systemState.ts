/** The state of the installation, based on the stores alone, so that every process gives the same answer. */
import type { SystemState } from '../../http/deps/system.ts';
import { ascending } from '../../model/order.ts';
import { countUnknownPlans } from '../../projections/billing.ts';
import { countGivenUp } from '../../projections/givenUpWork.ts';
import { countFailedMails, countRefusedMails } from '../../projections/mails/failedMails.ts';
import { countFailedDeliveries } from '../../projections/webhookDeliveries.ts';
import { measureServedLag } from '../../projector/servedLag.ts';
import type { Claims, Marks } from '../../readModels/claims.ts';
import { measureDepth } from '../../work/items.ts';
import { READ_MODELS, WORK_RULES } from '../../work/rules.ts';
import { keptBySweep } from '../../work/runSweeps.ts';
import { VERIFIED_LOG, verifiedIn } from '../../work/sweeps/verifiedLog.ts';
import type { Config } from '../config.ts';
import type { Stores } from '../openStores.ts';
import type { LostKeys } from '../secrets/lostKeys.ts';
import { diskOf } from './disk.ts';
import { readLastBackup } from './lastBackup.ts';
import { listProcesses } from './processPresence.ts';

export type SystemStateParts = {
  readonly config: Pick<Config, 'DATA_DIR' | 'servers'>;
  readonly stores: Pick<Stores, 'store' | 'readModels' | 'presence'> & {
    readonly claims: Pick<Claims, 'running' | 'read'>;
    readonly marks: Pick<Marks, 'read'>;
  };
  /** Of a process that has the keys. */
  readonly lostKeys?: LostKeys;
  /** UTC ISO. */
  readonly now: () => string;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Limit of parked documents shown: one mistake in a projection may park very many. */
const MOST_PARKED = 100;

export async function readSystemState({ config, stores, lostKeys, now }: SystemStateParts): Promise<SystemState> {
  const { store, readModels, presence, marks } = stores;
  const at = now();
  const yesterday = new Date(Date.parse(at) - DAY_MS).toISOString();
  const [
    projections,
    parked,
    processes,
    failedToday,
    refusedToday,
    failedDeliveries,
    unknownPlans,
    disk,
    backup,
    kept,
    lost,
  ] = await Promise.all([
    measureServedLag({ store, readModels, projections: READ_MODELS }, Date.parse(at)),
    readModels.parked(),
    listProcesses(presence, at),
    countFailedMails(readModels, yesterday),
    countRefusedMails(readModels, yesterday),
    countFailedDeliveries(readModels, yesterday),
    countUnknownPlans(readModels),
    diskOf(config.DATA_DIR),
    config.servers ? ('elsewhere' as const) : readLastBackup(config.DATA_DIR),
    keptBySweep(marks, VERIFIED_LOG),
    lostKeys?.read(),
  ]);
  const records = parked.toSorted((a, b) => ascending(a.parkedAt, b.parkedAt));
  return {
    at,
    projections,
    parked: {
      total: records.length,
      first: records[0] ?? null,
      records: records.slice(0, MOST_PARKED),
      models: countBy(records.map(({ model }) => model)),
    },
    work: await workOf(stores, { at, yesterday }),
    processes,
    mails: { failedToday, refusedToday },
    webhooks: { failedToday: failedDeliveries },
    unknownPlans,
    // If processes share stores, the fullest disk among those that have a data folder.
    disk: [disk, ...processes.map((each) => each.disk)].reduce(
      (least, each) => (each && (!least || each.free < least.free) ? each : least),
      null,
    ),
    backup,
    verified: verifiedOf(kept),
    lostKeys: lost ?? [],
  };
}

/** Faults found by a pass in progress are reported immediately. */
function verifiedOf(kept: string | null): SystemState['verified'] {
  const { done = null, running = null } = verifiedIn(kept) ?? {};
  return running !== null && running.faults > 0 ? running : done;
}

type Times = { readonly at: string; readonly yesterday: string };

async function workOf(
  { readModels, claims }: SystemStateParts['stores'],
  { at, yesterday }: Times,
): Promise<SystemState['work']> {
  return Promise.all(
    WORK_RULES.map(async ({ kind }) => {
      const [{ depth, dueSince }, running, givenUp, givenUpToday] = await Promise.all([
        measureDepth(readModels, kind, at),
        claims.running(kind),
        countGivenUp(readModels, kind),
        countGivenUp(readModels, kind, yesterday),
      ]);
      return {
        kind,
        depth,
        oldestSeconds: dueSince === null ? 0 : Math.max(0, (Date.parse(at) - Date.parse(dueSince)) / 1_000),
        running: sum([...running.values()]),
        givenUp,
        givenUpToday,
      };
    }),
  );
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
