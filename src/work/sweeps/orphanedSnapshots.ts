/**
 * Removes unusable stream snapshots: of streams erased or restored since, of deleted accounts, and of outdated folds.
 * Others are managed by their writers.
 */
import type { SnapshotKind } from '../../commands/snapshots/kinds.ts';
import type { SnapshotHead, Snapshots } from '../../readModels/snapshots.ts';
import type { Sweep } from '../sweep.ts';

const EVERY_MS = 60 * 60 * 1_000;
const PAGE = 200;

export type OrphanedSnapshotsDeps = {
  readonly snapshots: Pick<Snapshots, 'list' | 'remove'>;
  readonly kinds: readonly SnapshotKind[];
};

export function createOrphanedSnapshots({ snapshots, kinds }: OrphanedSnapshotsDeps): Sweep {
  const of = new Map(kinds.map((kind) => [kind.name, kind]));
  async function isOrphan(head: SnapshotHead): Promise<boolean> {
    const kind = of.get(head.name);
    return kind !== undefined && (kind.version !== head.version || !(await kind.stands(head)));
  }

  return {
    name: 'orphanedSnapshots',
    everyMs: EVERY_MS,
    run: async (_kept, signal) => {
      let done = 0;
      for (let after: SnapshotHead | undefined; !signal.aborted; ) {
        const page = await snapshots.list({ limit: PAGE, ...(after ? { after } : {}) });
        for (const head of page) {
          if (signal.aborted || !(await isOrphan(head))) continue;
          await snapshots.remove(head);
          done += 1;
        }
        after = page.at(-1);
        if (page.length < PAGE) break;
      }
      return { done, kept: null };
    },
  };
}
