/** How far followers lag behind the log. */
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import type { Follower } from './follower.ts';

export type FollowerLag = {
  readonly follower: string;
  /** Null: it never began. */
  readonly position: Position | null;
  /** Distance to the log's head in positions, including events it does not handle. */
  readonly behind: number;
  /** Age in ms of the oldest event still to be followed; 0 if there is none. */
  readonly ageMs: number;
};

type Sources = {
  readonly store: EventStore;
  readonly followers: readonly Follower[];
  /** From the leading process's memory, or from its mark. */
  readonly positionOf: (follower: Follower) => Promise<Position | null>;
};

/** @throws the stores' errors when they are unavailable */
export async function measureFollowerLag(
  { store, followers, positionOf }: Sources,
  nowMs: number,
): Promise<readonly FollowerLag[]> {
  const head = await store.head();
  return Promise.all(
    followers.map(async (follower): Promise<FollowerLag> => {
      const position = await positionOf(follower);
      const behind = Math.max(0, Number(BigInt(head) - BigInt(position ?? START)));
      const ageMs = behind === 0 ? 0 : await oldestAgeMs(store, follower.types, position ?? START, nowMs);
      return { follower: follower.name, position, behind, ageMs };
    }),
  );
}

async function oldestAgeMs(
  store: EventStore,
  types: readonly string[],
  after: Position,
  nowMs: number,
): Promise<number> {
  const { events } = await store.readAll({ after, limit: 1, filter: { types } });
  const at = events[0]?.metadata.at;
  return at === undefined ? 0 : Math.max(0, nowMs - Date.parse(at));
}
