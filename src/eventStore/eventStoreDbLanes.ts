/**
 * The calls of one consumer. It takes an event only when it is asked for one: a worker that is busy must not hold what another could do. So
 * there is a call for each event in its hands, and one more while it waits; only when much is kept back for later, calls get room for more.
 */
import { type Bell, createBell } from './bell.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { type Incoming, type Lane, openLane } from './eventStoreDbLane.ts';

export type Lanes = {
  /** Rings when something came, or a call broke. */
  readonly changed: Bell;
  /** Something that came, now in the consumer's hands. */
  readonly take: () => { readonly lane: Lane; readonly incoming: Incoming } | null;
  /** Sees to it that something can come. @throws what ended the calls */
  readonly ensure: () => Promise<void>;
  /** Something came, or a call broke. */
  readonly hasNews: () => boolean;
  /** The consumer waits for an event, or does not. */
  readonly setAsking: (isAsking: boolean) => void;
  /** After something was settled: calls that hold nothing are let go unless they are waited on. */
  readonly settled: (lane: Lane) => void;
  /** Lets go of all that is not in the consumer's hands, and of the rest when it is settled. */
  readonly retire: () => Promise<void>;
  readonly isEmpty: () => boolean;
  /** Lets go of everything. */
  readonly close: () => Promise<void>;
};

const MOST_LANES = 32;
/** So many events kept back make a new call as large as they are many. */
const MANY_KEPT_BACK = 8;
const LARGEST_LANE = 256;

export function createLanes(connection: EventStoreDbConnection, group: string): Lanes {
  const lanes = new Set<Lane>();
  const changed = createBell();
  let isAsking = false;
  let isRetired = false;

  function letGo(lane: Lane): Promise<void> {
    lanes.delete(lane);
    return lane.end();
  }

  function letGoIfIdle(lane: Lane): void {
    if (!isAsking && lane.isIdle() && lanes.has(lane)) void letGo(lane);
  }

  async function open(): Promise<void> {
    const keptBack = [...lanes].reduce((sum, lane) => sum + [...lane.held.values()].filter((incoming) => incoming.isKeptBack).length, 0);
    const lane = await openLane(connection, group, keptBack < MANY_KEPT_BACK ? 1 : Math.min(LARGEST_LANE, keptBack), changed.ring);
    lanes.add(lane);
    if (isRetired) await letGo(lane);
  }

  return {
    changed,
    take() {
      for (const lane of lanes) {
        const incoming = lane.take();
        if (incoming !== undefined) return { lane, incoming };
      }
      return null;
    },
    async ensure() {
      let failure: Error | null = null;
      for (const lane of lanes) {
        if (lane.failure() === null) continue;
        failure = lane.failure();
        lanes.delete(lane);
      }
      if (failure !== null) throw failure;
      if (lanes.size < MOST_LANES && ![...lanes].some((lane) => lane.hasRoom() || lane.waiting.length > 0)) await open();
    },
    hasNews: () => [...lanes].some((lane) => lane.waiting.length > 0 || lane.failure() !== null),
    setAsking(asking) {
      isAsking = asking;
      if (asking) return;
      // One that asks again in the same turn keeps its calls.
      setImmediate(() => {
        for (const lane of lanes) letGoIfIdle(lane);
      });
    },
    settled(lane) {
      setImmediate(() => letGoIfIdle(lane));
    },
    async retire() {
      isRetired = true;
      isAsking = false;
      await Promise.all([...lanes].filter((lane) => lane.isIdle()).map(letGo));
    },
    isEmpty: () => lanes.size === 0,
    async close() {
      isRetired = true;
      await Promise.all([...lanes].map(letGo));
    },
  };
}
