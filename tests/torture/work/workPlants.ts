/** Ways in which the part that does the work could be wrong. Each looks right to who asks it once. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Claims } from '../../../src/readModels/claims.ts';
import type { ReadModels, Write } from '../../../src/readModels/readModels.ts';
import { WORK_ITEMS } from '../../../src/work/items.ts';
import type { Plant } from '../history/plantedArena.ts';
import { appending, bound, every } from '../history/plants.ts';

export type PlantedWork = {
  readonly name: string;
  plant(): Plant;
  /** How long users look for the mail that confirms their address, ms: where it comes late, they need not wait for it. */
  readonly mailMs?: number;
  /** What the verdict must say. */
  readonly says: RegExp;
};

/** Acknowledged, and not written. */
const unwritten = (types: readonly string[], nth: number): Plant => appending(types, nth, async () => ({ revision: 1n, position: '0'.repeat(20) }));

/** Some writes to the list of what is pending never come to be. */
function withoutWrites(isLost: (write: Write) => boolean): Plant {
  return {
    projected: (readModels) => ({
      ...bound(readModels),
      commit: (commits) =>
        readModels.commit(
          commits.map((commit) => (commit.model === WORK_ITEMS ? { ...commit, writes: commit.writes.filter((write) => !isLost(write)) } : commit)),
        ),
    }),
  };
}

/** Whoever has just taken something is taken for dead now and then, and goes on with it all the same. */
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

/** Claims go soon after something is settled, instead of when the list has passed that. */
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
    commit: async (commits) => {
      await wait(100);
      return readModels.commit(commits);
    },
  }),
};

/** Who works is never told that the list has changed. */
export const deaf = (readModels: ReadModels): ReadModels => ({
  ...bound(readModels),
  async *watch({ signal }) {
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  },
});

export const PLANTED_WORK: readonly PlantedWork[] = [
  {
    name: 'a holder that is alive is taken for dead, and writes what it has done nevertheless',
    plant: () => ({ claims: vacatedAlive }),
    says: /was begun again \(\w+ at \d+\) although nothing had broken off the try before it/,
  },
  {
    name: 'that a mail was sent is not written down',
    plant: () => unwritten(['MailSent'], 4),
    says: /mail \S+ was begun again \(MailPrepared at \d+\) although nothing had broken off the try before it/,
  },
  {
    name: 'what was done stays in the list',
    plant: () => {
      const due = every(5);
      return withoutWrites(({ data }) => data === null && due());
    },
    says: /\S+ is listed, but the log has no such work pending/,
  },
  {
    name: 'something that is pending does not come into the list',
    plant: () => {
      const due = every(5);
      return withoutWrites(({ id, data }) => id.startsWith('audit/') && data !== null && due());
    },
    says: /audit\/\S+ is pending and was never done/,
  },
  {
    name: 'who works does not hear of what is pending',
    plant: () => ({ worked: deaf }),
    mailMs: 500,
    says: /something due \(\w+ of \S+\) stood \d{4,} ms beside a free place/,
  },
  {
    name: 'that an analysis was used up is not written down',
    plant: () => unwritten(['AnalysisConsumed'], 4),
    says: /the reservation of job \S+ ended never/,
  },
];
