/** Due work beside a free place: when it counts as stalled, and when it has a reason to wait. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../src/readModels/claims.ts';
import { getItem, itemKey, WORK_ITEMS } from '../../src/work/items.ts';
import type { WorkItem } from '../../src/work/kind.ts';
import { findStalled, listParkedItems } from '../../src/work/stalled.ts';
import { toyRule, toyWork, until } from '../given/work/toyWork.ts';
import { deaf } from '../torture/work/workPlants.ts';

const LANE_LIMIT = 2;

let work: ReturnType<typeof toyWork>;
beforeEach(async () => {
  work = toyWork();
  await work.ready;
});
afterEach(() => work.stop());

const ago = (seconds: number): string => new Date(work.clock.now() - seconds * 1_000).toISOString();
const deps = () => ({
  readModels: work.readModels,
  claims: work.claims,
  kinds: [{ rule: toyRule, parallelOfLane: LANE_LIMIT }],
});
const stalled = (freeSince: string | null, idleFreeSince = freeSince) =>
  findStalled(
    deps(),
    [{ kind: 'toy', freeSince, idleFreeSince, hadToday: new Set(['dan']), fullNetworks: new Set(['crowd']) }],
    work.now(),
  );
const idsOf = async (freeSince: string | null) => (await stalled(freeSince)).map(({ itemId }) => itemId);

async function enqueued(id: string, lane = 'ann', seconds = 61): Promise<WorkItem> {
  await work.enqueue(id, lane, { dueAt: ago(seconds) });
  await until(async () => (await getItem(work.readModels, 'toy', id)) !== null);
  return (await getItem(work.readModels, 'toy', id))?.data as WorkItem;
}
async function taken(item: WorkItem, holder = 'somebody'): Promise<Claim> {
  const claim = await work.claims.take({ item, seen: null, holder, laneLimit: 10 });
  if (typeof claim === 'string') throw new Error(claim);
  return claim;
}

describe('work is stalled', () => {
  it('when an item has been due, and a place free, for over a minute', async () => {
    await enqueued('a');
    expect(await stalled(ago(61))).toEqual([{ kind: 'toy', itemId: 'a', dueAt: ago(61), freeSince: ago(61) }]);
  });

  it('whatever else is running, and however late it came in its lane', async () => {
    const [first, second] = [await enqueued('a1', 'ann', 90), await enqueued('a2', 'ann', 80)];
    await enqueued('a3', 'ann', 70);
    await enqueued('b1', 'ben', 65);
    await taken(first);
    expect(await idsOf(ago(61))).toEqual(['a2']);
    await taken(second);
    expect(await idsOf(ago(61))).toEqual(['b1']);
  });

  it('when a lane with nothing running waits beside the place kept for it, and no other lane', async () => {
    await taken(await enqueued('a1', 'ann', 90));
    await enqueued('a2', 'ann', 80);
    expect(await stalled(null, ago(61))).toEqual([]);
    await enqueued('b1', 'ben', 70);
    expect(await stalled(null, ago(59))).toEqual([]);
    expect(await stalled(ago(10), ago(61))).toEqual([
      { kind: 'toy', itemId: 'b1', dueAt: ago(70), freeSince: ago(61) },
    ]);
  });

  it('when its recorded attempts are of an earlier opening', async () => {
    const claim = await taken(await enqueued('a'));
    await work.claims.letGo(claim, { notBefore: ago(-600) });
    expect(await idsOf(ago(61))).toEqual([]);
    await enqueued('a');
    await until(async () => (await getItem(work.readModels, 'toy', 'a'))?.data.opening !== claim.opening);
    expect(await idsOf(ago(61))).toEqual(['a']);
  });
});

describe('a process that receives no list changes', () => {
  const listed = async (id: string, lane: string): Promise<void> => {
    await work.enqueue(id, lane);
    await until(async () => (await getItem(work.readModels, 'toy', id)) !== null);
  };
  /** The stalled lanes a minute after an item came for another lane, while these items are running. */
  async function stalledBeside(lanes: readonly string[], places: NonNullable<Parameters<typeof toyWork>[0]>) {
    await work.stop();
    work = toyWork({ ...places, worked: deaf });
    await work.ready;
    for (const lane of lanes) await listed(`${lane} first`, lane);
    const runner = work.start();
    await until(() => work.running.length === lanes.length);
    // While it is quiet, it reads the list a few more times.
    await work.pass(16_000);
    await listed('later', 'zoe');
    await work.pass(61_000);
    return findStalled(deps(), runner.state(), work.now());
  }

  it('has its due work stalled beside a place for anyone', async () => {
    expect(await stalledBeside(['ann'], { parallel: 2, parallelOfLane: LANE_LIMIT })).toMatchObject([
      { kind: 'toy', itemId: 'later' },
    ]);
  });

  it('has it stalled beside the place kept for users with nothing running', async () => {
    const places = { parallel: 3, parallelOfLane: LANE_LIMIT, keptForIdle: 1 };
    expect(await stalledBeside(['ann', 'ben'], places)).toMatchObject([{ kind: 'toy', itemId: 'later' }]);
  });

  it('has none stalled where all places are taken', async () => {
    expect(await stalledBeside(['ann'], { parallel: 1, parallelOfLane: LANE_LIMIT })).toEqual([]);
  });
});

describe('work is not stalled', () => {
  it('when no place has been free for a minute, or the item has not been due for one', async () => {
    await enqueued('a');
    expect(await idsOf(null)).toEqual([]);
    expect(await idsOf(ago(59))).toEqual([]);
    work.clock.advance(-2_000);
    expect(await idsOf(ago(61))).toEqual([]);
  });

  it('when the item is running, put off, or settled beyond the list’s position', async () => {
    const claim = await taken(await enqueued('a'));
    expect(await idsOf(ago(61))).toEqual([]);
    await work.claims.letGo(claim, { notBefore: ago(30) });
    expect(await idsOf(ago(61))).toEqual([]);
    const again = await taken(await enqueued('b', 'ben'));
    await work.claims.letGo(again, { settledAt: '9'.repeat(20) });
    expect(await idsOf(ago(61))).toEqual([]);
  });

  it('when its network is at its limit, or only a slot reserved for others is free', async () => {
    await work.enqueue('a', 'ann', { dueAt: ago(61), network: 'crowd' });
    await enqueued('d', 'dan');
    await until(async () => (await getItem(work.readModels, 'toy', 'a')) !== null);
    expect(await stalled(null, ago(61))).toEqual([]);
    expect(await idsOf(ago(61))).toEqual(['d']);
  });

  it('when its lane is at its limit', async () => {
    for (const id of ['a1', 'a2']) await taken(await enqueued(id));
    for (let at = 0; at < 250; at += 1) await work.enqueue(`later${at}`, 'ann', { dueAt: ago(61) });
    await until(async () => (await getItem(work.readModels, 'toy', 'later249')) !== null);
    expect(await idsOf(ago(61))).toEqual([]);
  });
});

it('events that the list of work could not process are reported', async () => {
  expect(await listParkedItems(work.readModels)).toEqual([]);
  const build = (await work.readModels.serving(WORK_ITEMS)) ?? '';
  const checkpoint = (await work.readModels.checkpoint(WORK_ITEMS, build)) ?? '';
  const record = {
    model: WORK_ITEMS,
    build,
    documentId: itemKey('toy', 'x'),
    position: '5'.padStart(20, '0'),
    eventType: 'ToyOwed',
    error: 'no id',
    parkedAt: ago(0),
  };
  await work.readModels.commit([{ model: WORK_ITEMS, build, checkpoint, writes: [], park: [record] }]);
  expect(await listParkedItems(work.readModels)).toEqual([record]);
});
