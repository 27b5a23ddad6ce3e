/** Documents as they stood: for random histories exactly what the projection had said when it had come so far; what was erased since is told as erased. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePositions, type RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { FEEDS } from '../../../src/history/past/feeds.ts';
import { openPast } from '../../../src/history/past/past.ts';
import { replay } from '../../../src/history/past/replay.ts';
import { PROJECTIONS } from '../../../src/projections/all.ts';
import type { AnyProjection } from '../../../src/projections/projection.ts';
import { applyBatch, openLane } from '../../../src/projector/projectionLane.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';
import { documentsOf } from '../../given/stores/replay.ts';
import { type History, live, steps } from '../../given/work/workHistory.ts';

const SEED = 20261123;
const isFull = process.env.TEST_FULL !== undefined;
const RUNS = isFull ? 2_000 : 40;

const handles = (projection: AnyProjection, { type }: RecordedEvent): boolean => (projection.handles as readonly string[]).includes(type);
const namesStreams = ({ name }: AnyProjection): boolean => 'streams' in (FEEDS[name] ?? {});

/** What was erased by several at once may have been noted by each of them. */
const inOrder = (log: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  [...new Map(log.map((event) => [event.position, event])).values()].sort((a, b) => comparePositions(a.position, b.position));

type Lived = Pick<History, 'made'> & { readonly log: readonly RecordedEvent[] };

type Seen = { compared: number; erased: number; readonly models: Set<string> };

/**
 * At the position of every event, the documents that it names: no other changes there, so that each is compared wherever it does. The projections are
 * given the log as it was, before anything of it was erased.
 */
async function compareAll({ made, log }: Lived, readModels: ReadModels, seen: Seen): Promise<void> {
  const lanes = await Promise.all(PROJECTIONS.map((projection) => openLane(readModels, projection, 'then')));
  for (const event of log) {
    const taking = lanes.filter(({ projection }) => handles(projection, event));
    await applyBatch(readModels, taking, { events: [event], upTo: event.position }, () => '2026-01-01T00:00:00.000Z');
    const past = openPast({ store: made.store, position: event.position });
    for (const { projection } of taking.filter((lane) => namesStreams(lane.projection))) {
      const { name } = projection;
      const said = new Map((await readModels.states(name, projection.keys(event), 'then')).map((state) => [state.id, state]));
      for (const id of projection.keys(event)) {
        const then = await past.documentAsOf(name, id);
        if (then.status === 'erased') seen.erased += 1;
        else {
          seen.compared += 1;
          seen.models.add(name);
          const state = said.get(id);
          expect(then.status === 'there' ? then.document : null, `${name} ${id} at ${event.position}`).toEqual(state?.data ? state : null);
        }
      }
    }
  }
  expect(await readModels.parked()).toEqual([]);
}

/** Made anew of what the log still has: as the projector makes it. */
async function compareReplays({ made }: Lived, readModels: ReadModels): Promise<void> {
  const events = await made.log();
  const position = events.at(-1)?.position ?? '';
  const lanes = await Promise.all(PROJECTIONS.map((projection) => openLane(readModels, projection, 'anew')));
  await applyBatch(readModels, lanes, { events, upTo: position }, () => '2026-01-01T00:00:00.000Z');
  for (const projection of PROJECTIONS) {
    const { states, failures } = await replay(made.store, projection, { position });
    expect([...failures]).toEqual([]);
    const replayed = Object.fromEntries([...states.values()].flatMap(({ id, position: at, data }) => (data ? [[id, { position: at, ...data }]] : [])));
    expect(replayed, projection.name).toEqual(await documentsOf(readModels, projection.name, 'anew'));
  }
}

describe('documents as they stood', () => {
  it(
    'are what the projection said when it had come so far, at every position of a history; and a replay is what a rebuild is',
    async () => {
      const seen: Seen = { compared: 0, erased: 0, models: new Set() };
      await fc.assert(
        fc.asyncProperty(steps, async (todo) => {
          const { made, log } = await live(todo);
          // Texts and a plan, which those histories do without.
          await finishedAnalysis({ made });
          const history = { made, log: inOrder([...log, ...(await made.log())]) };
          const readModels = memoryReadModels();
          try {
            await compareAll(history, readModels, seen);
            await compareReplays(history, readModels);
          } finally {
            await readModels.close();
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
      expect(seen.compared).toBeGreaterThan(RUNS * 25);
      expect(seen.erased).toBeGreaterThan(0);
      expect([...seen.models].sort()).toEqual(expect.arrayContaining(['accounts', 'billing', 'boards', 'jobFiles', 'jobs', 'webhookDeliveries']));
    },
    isFull ? 7_200_000 : 300_000,
  );
});

describe('the table of feeds', () => {
  it('has a line for every read model', () => {
    expect(Object.keys(FEEDS).sort()).toEqual(PROJECTIONS.map(({ name }) => name).sort());
  });
});
