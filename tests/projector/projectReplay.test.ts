import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../given/fullForm.ts';
import { assertReplayStable } from '../given/stores/replay.ts';
import { boxes, burned, filled, hoards, moved, owners, tally } from '../projections/toys.ts';

const box = fc.constantFrom('a', 'b', 'c');
const owner = fc.constantFrom('ada', 'bob');
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(box, fc.integer({ min: 1, max: 5 }), owner).map(([name, items, by]) => filled(name, items, by)),
  },
  { weight: 2, arbitrary: fc.tuple(box, owner, owner).map(([name, from, to]) => moved(name, from, to)) },
  { weight: 2, arbitrary: box.map((name) => burned(name)) },
);
const events = fc
  .array(event, { maxLength: 40, size: 'max' })
  .map((list) => list.map((each) => ({ ...each, stream: `box-${each.data.box}` })));

describe('replays', () => {
  it('one document per stream: any batches, restarts and repeats give the documents of one pass', () =>
    assertReplayStable(boxes, events, { numRuns: runs(300) }));
  it('documents fed by many streams', () => assertReplayStable(owners, events, { numRuns: runs(300) }));
  it('a single document fed by all streams', () => assertReplayStable(tally, events, { numRuns: runs(300) }));

  it('sums of other documents, with a maximum', () => assertReplayStable(hoards, events, { numRuns: runs(300) }));

  it('detects a projection that is not pure', async () => {
    const impure = {
      ...boxes,
      evolve: (document: { items: number } | null) => (document ? Object.assign(document, { items: 0 }) : { items: 1 }),
    };
    await expect(assertReplayStable(impure, events, { numRuns: 100 })).rejects.toThrow(/Property failed/);
  });

  it('detects a projection with state', async () => {
    let seen = 0;
    const remembering = { ...tally, evolve: () => ({ count: ++seen }) };
    await expect(assertReplayStable(remembering, events, { numRuns: 100 })).rejects.toThrow(/Property failed/);
  });
});
