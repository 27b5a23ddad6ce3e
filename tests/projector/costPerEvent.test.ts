/** What an event costs in documents read and written: the same, however much its user owns. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { applyBatch, type Lane, openLane } from '../../src/projector/projectionLane.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { FROZEN_EVENTS } from '../given/frozenEvents.ts';
import { ofUser } from '../given/reportHistory.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

type Cost = { readonly read: number; readonly written: number };

/** At most, for each document that the event names. */
const OF_A_DOCUMENT: Readonly<Record<string, Cost>> = {
  // A job or user counts in three sums: its site, its user, everybody. The last activity of two of them is looked up.
  userProgress: { read: 1 + 3 + 2 * 2, written: 1 + 3 },
};
const ONE: Cost = { read: 1, written: 1 };

/** It takes along all of an account, however much that is. */
const OF_AN_ACCOUNT = /^\S+ AccountDeleted/;

/** The things of one user, each with every event that there is: jobs, links, keys, emails … */
const [FEW, MANY] = [10, 200];

const oneUser = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) => (name === 'userId' ? 'userId-0' : inner));

let place = 0;
function recordedAs({ type, data, metadata, sample }: (typeof FROZEN_EVENTS)[number], nth: number): RecordedEvent {
  place += 1;
  return {
    id: `${sample}-${place}`,
    type,
    data: oneUser(ofUser(data, nth)) as RecordedEvent['data'],
    metadata,
    stream: `stream-${nth}`,
    revision: BigInt(place),
    position: String(place).padStart(20, '0'),
  };
}

const isDeletion = (type: string): boolean => /Deleted|Revoked|Refused/.test(type);
const NOW = () => '2026-01-01T00:00:00.000Z';

type Counting = { readonly readModels: ReadModels; readonly count: Record<keyof Cost, number> };

/** Counts the documents that pass through the store. */
function counting(readModels: ReadModels): Counting {
  const count = { read: 0, written: 0 };
  return {
    count,
    readModels: {
      ...readModels,
      states: async (model, ids, build) => {
        count.read += ids.length;
        return readModels.states(model, ids, build);
      },
      find: async (...query) => {
        const page = await readModels.find(...query);
        count.read += page.documents.length;
        return page as never;
      },
      commit: async (commits, shared) => {
        count.written += commits.reduce((sum, { writes }) => sum + writes.length, 0);
        return readModels.commit(commits, shared);
      },
    },
  };
}

/** `takesAlong`: it deletes documents that it does not name. */
type Event = Cost & { readonly named: number; readonly takesAlong: boolean };

/** The cost of each event of the user's first thing, by model and sample. */
async function costsWith(things: number): Promise<ReadonlyMap<string, Event>> {
  const stored = memoryReadModels();
  const { readModels, count } = counting(stored);
  const events = Array.from({ length: things }, (_, nth) =>
    FROZEN_EVENTS.filter(({ type }) => !isDeletion(type)).map((event) => recordedAs(event, nth)),
  ).flat();
  const last = FROZEN_EVENTS.toSorted((a, b) => Number(isDeletion(a.type)) - Number(isDeletion(b.type))).map((event) =>
    recordedAs(event, 0),
  );
  const costs = new Map<string, Event>();
  for (const projection of READ_MODELS) {
    const lane = await openLane(readModels, projection, 'v1');
    for (let from = 0; from < events.length; from += 500) await apply(readModels, lane, events.slice(from, from + 500));
    for (const event of last) {
      if (!lane.handles.has(event.type)) continue;
      Object.assign(count, { read: 0, written: 0 });
      await apply(readModels, lane, [event]);
      const named = new Set(projection.keys(event)).size;
      const takesAlong = (projection.deletes?.(event) ?? null) !== null;
      costs.set(`${projection.name} ${event.id.slice(0, event.id.lastIndexOf('-'))}`, { ...count, named, takesAlong });
    }
  }
  await stored.close();
  return costs;
}

const apply = (readModels: ReadModels, lane: Lane, events: readonly RecordedEvent[]) =>
  applyBatch(readModels, [lane], { events, upTo: events.at(-1)?.position ?? '' }, NOW);

describe('the cost of an event', () => {
  let few: Awaited<ReturnType<typeof costsWith>>;
  let many: typeof few;
  beforeAll(async () => {
    few = await costsWith(FEW);
    many = await costsWith(MANY);
  });

  it('is a constant for each document that it names, unless it deletes others', () => {
    expect(many.size).toBeGreaterThan(300);
    const above = [...many].filter(([what, { read, written, named, takesAlong }]) => {
      const most = OF_A_DOCUMENT[what.slice(0, what.indexOf(' '))] ?? ONE;
      return !takesAlong && (read > most.read * named || written > most.written * named);
    });
    expect(above).toEqual([]);
  });

  it('does not depend on how much the user owns', () => {
    const differing = [...many].filter(
      ([what, cost]) => !OF_AN_ACCOUNT.test(what) && JSON.stringify(cost) !== JSON.stringify(few.get(what)),
    );
    expect(differing).toEqual([]);
  });
});
