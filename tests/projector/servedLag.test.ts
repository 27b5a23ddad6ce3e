import { describe, expect, it } from 'vitest';
import { measureServedLag } from '../../src/projector/servedLag.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { append, filled, TOYS } from '../projections/toys.ts';

const MINUTE_LATER = Date.parse('2026-01-01T00:01:00.000Z');

describe('the lag that any process can report', () => {
  it('nothing serves before the first projector, everything after it', async () => {
    const sources = { store: rawEventStore(), readModels: memoryReadModels(), projections: TOYS };
    await append(sources.store, filled('a', 1), filled('b', 1));
    expect(await measureServedLag(sources, MINUTE_LATER)).toEqual({
      served: false,
      ageMs: 60_000,
      behind: { boxes: 2, owners: 2, tally: 2 },
    });
    const running = projecting(sources.store, sources.readModels, TOYS);
    await running.ready;
    expect(await measureServedLag(sources, MINUTE_LATER)).toEqual({
      served: true,
      ageMs: 0,
      behind: { boxes: 0, owners: 0, tally: 0 },
    });
    await running.stop();
    await append(sources.store, filled('a', 1));
    expect(await measureServedLag(sources, MINUTE_LATER)).toEqual({
      served: true,
      ageMs: 60_000,
      behind: { boxes: 1, owners: 1, tally: 1 },
    });
  });

  it('events that no model handles cause no lag', async () => {
    const sources = { store: rawEventStore(), readModels: memoryReadModels(), projections: TOYS };
    const running = projecting(sources.store, sources.readModels, TOYS);
    await running.ready;
    await running.stop();
    await append(sources.store, { type: 'Elsewhere', data: {} });
    expect((await measureServedLag(sources, MINUTE_LATER)).ageMs).toBe(0);
  });

  it('fails when a store does not answer', async () => {
    const sources = { store: rawEventStore(), readModels: memoryReadModels(), projections: TOYS };
    await sources.store.close();
    await expect(measureServedLag(sources, MINUTE_LATER)).rejects.toThrow('closed');
  });
});
