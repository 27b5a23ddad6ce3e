/** What the projector commits together. */
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { batchesOf } from '../../src/projector/batches.ts';
import { recorded } from '../given/stores/projection.ts';

/** It names as many documents as it says. */
const projection: AnyProjection = {
  name: 'named',
  version: 1,
  indexes: [],
  handles: ['Named'],
  keys: ({ data: { documents } }) => {
    if (documents < 0) throw new Error('No keys');
    return Array.from({ length: documents }, (_, nth) => `d${nth}`);
  },
  evolve: (document) => document,
};
const lanes = [{ projection, handles: new Set(['Named']) }];
const naming = (...documents: readonly number[]): readonly RecordedEvent[] =>
  recorded(documents.map((number) => ({ type: 'Named', data: { documents: number } })));
const sizes = (batches: readonly (readonly RecordedEvent[])[]) => batches.map((batch) => batch.length);

describe('batches', () => {
  it('are one if there is little to do, even without events', () => {
    expect(sizes(batchesOf(lanes, []))).toEqual([0]);
    expect(sizes(batchesOf(lanes, naming(1)))).toEqual([1]);
    expect(sizes(batchesOf(lanes, naming(...Array<number>(200).fill(5))))).toEqual([200]);
    expect(sizes(batchesOf([], naming(100_000, 100_000)))).toEqual([2]);
  });

  it('are cut by the documents that all models change', () => {
    const events = naming(...Array<number>(200).fill(20));
    const batches = batchesOf(lanes, events);
    expect(sizes(batches)).toEqual([50, 50, 50, 50]);
    expect(batches.flat()).toEqual(events);
    expect(sizes(batchesOf([...lanes, ...lanes], events))).toEqual(Array(8).fill(25));
  });

  it('have an event of many documents alone', () => {
    expect(sizes(batchesOf(lanes, naming(1, 100_000, 1, 1)))).toEqual([1, 1, 2]);
    expect(sizes(batchesOf(lanes, naming(1_500, 1_500)))).toEqual([1, 1]);
  });

  it('count an event that cannot be read, or whose documents are unknown, as one', () => {
    const [unreadable] = naming(100_000);
    const events = [{ ...unreadable, unreadable: 'damaged' } as RecordedEvent, ...naming(-1, 998)];
    expect(sizes(batchesOf(lanes, events))).toEqual([3]);
  });
});
