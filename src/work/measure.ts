/** Pending work, this process's share of it, and how far consumers lag behind the log: for monitoring. */
import { countGivenUp } from '../projections/givenUpWork.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { FollowerLag } from './followerLag.ts';
import { measureDepth } from './items.ts';
import type { KindState } from './runner.ts';

export type MeasureDeps = {
  readonly readModels: ReadModels;
  /** Names of the kinds. */
  readonly kinds: readonly string[];
  /** Null in a process that takes no work: then only what every process knows is measured. */
  readonly workers: { state(): readonly KindState[]; followerLag(): Promise<readonly FollowerLag[]> } | null;
  /** UTC ISO. */
  readonly now: () => string;
};

export async function measureWork({ readModels, kinds, workers, now }: MeasureDeps) {
  const states = new Map(workers?.state().map((state) => [state.kind, state]));
  const measured = (kind: string) =>
    Promise.all([measureDepth(readModels, kind, now()), countGivenUp(readModels, kind)]);
  const [depths, lags] = await Promise.all([Promise.all(kinds.map(measured)), workers?.followerLag() ?? []]);
  return {
    kinds: depths.map(([{ depth, dueSince }, givenUp], at) => {
      const kind = kinds[at] ?? '';
      const oldestSeconds = dueSince === null ? 0 : Math.max(0, (Date.parse(now()) - Date.parse(dueSince)) / 1_000);
      return { kind, depth, oldestSeconds, givenUp, here: states.get(kind) ?? null };
    }),
    followers: lags.map(({ follower, behind, ageMs }) => ({ follower, behind, oldestSeconds: ageMs / 1_000 })),
  };
}
