/** Ways in which background work could be wrong. Each looks right in a single request. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Claims } from '../../../src/readModels/claims.ts';
import type { ReadModels, Write } from '../../../src/readModels/readModels.ts';
import { WORK_ITEMS } from '../../../src/work/items.ts';
import type { Plant } from '../history/plantedArena.ts';
import { appending, bound, every } from '../history/plants.ts';

export type PlantedWork = {
  readonly name: string;
  plant(): Plant;
  /** How long users wait for the mail that confirms their address, ms: short where it comes late. */
  readonly mailMs?: number;
  /** The expected verdict. */
  readonly says: RegExp;
};

/** Acknowledged, but not written. */
const unwritten = (types: readonly string[], nth: number): Plant =>
  appending(types, nth, async () => ({ revision: 1n, position: '0'.repeat(20) }));

/** Some writes to the list of pending work are lost. */
function withoutWrites(isLost: (write: Write) => boolean): Plant {
  return {
    projected: (readModels) => ({
      ...bound(readModels),
      commit: (commits, shared) =>
        readModels.commit(
          commits.map((commit) =>
            commit.model === WORK_ITEMS
              ? { ...commit, writes: commit.writes.filter((write) => !isLost(write)) }
              : commit,
          ),
          shared,
        ),
    }),
  };
}

/** Sometimes a process that has just claimed an item is considered dead, and continues anyway. */
function vacatedAlive(claims: Claims): Claims {
  const due = every(6);
  return {
    ...claims,
    take: async (request) => {
      const taken = await claims.take(request);
      if (typeof taken === 'object' && due()) await claims.vacate(request.holder);
      return taken;
    },
  };
}

/** Claims are dropped soon after an item is settled, instead of when the list has caught up. */
export const FORGETFUL: Plant = {
  claims: (claims) => ({
    ...claims,
    letGo: async (claim, notes) => {
      const wasHeld = await claims.letGo(claim, notes);
      if (notes.settledAt) setTimeout(() => void claims.remove(claim.kind, [claim.itemId]).catch(() => undefined), 20);
      return wasHeld;
    },
  }),
  projected: (readModels) => ({
    ...bound(readModels),
    commit: async (commits, shared) => {
      await wait(100);
      return readModels.commit(commits, shared);
    },
  }),
};

/** Workers are never notified that the list has changed. */
export const deaf = (readModels: ReadModels): ReadModels => ({
  ...bound(readModels),
  async *watch({ signal }) {
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  },
});

export const PLANTED_WORK: readonly PlantedWork[] = [
  {
    name: 'a live holder is considered dead, and still writes its result',
    plant: () => ({ claims: vacatedAlive }),
    says: /was begun again \(\w+ at \d+\) although nothing had broken off the try before it/,
  },
  {
    name: 'a sent mail is not recorded',
    plant: () => unwritten(['MailSent'], 4),
    says: /mail \S+ was begun again \(MailPrepared at \d+\) although nothing had broken off the try before it/,
  },
  {
    name: 'finished work stays in the list',
    plant: () => {
      const due = every(5);
      return withoutWrites(({ data }) => data === null && due());
    },
    says: /\S+ is listed, but the log has no such work pending/,
  },
  {
    name: 'pending work is missing from the list',
    plant: () => {
      const due = every(5);
      return withoutWrites(({ id, data }) => id.startsWith('audit/') && data !== null && due());
    },
    says: /audit\/\S+ is pending and was never done/,
  },
  {
    name: 'workers are not notified of pending work',
    plant: () => ({ worked: deaf }),
    mailMs: 500,
    says: /something due \(\w+ of \S+\) stood \d{4,} ms beside a free place/,
  },
  {
    name: 'a used audit is not recorded',
    plant: () => unwritten(['AnalysisConsumed'], 4),
    says: /the reservation of job \S+ ended never/,
  },
];
