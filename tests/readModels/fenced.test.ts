import { describe, expect, it } from 'vitest';
import { fencedReadModels } from '../../src/readModels/fenced.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const MODEL = { name: 'boxes', version: 1, indexes: [['owner']] };
const at = (n: number): string => String(n).padStart(20, '0');
const commitOf = (n: number) => ({
  model: 'boxes',
  build: 'v1',
  checkpoint: at(n),
  writes: [{ id: 'a', position: at(n), data: { owner: 'ada', n } }],
});

describe('read models behind a lease', () => {
  async function fenced(): Promise<{ readModels: ReadModels; bare: ReadModels; lose(): void }> {
    let isHeld = true;
    const bare = memoryReadModels();
    const readModels = fencedReadModels(bare, () => isHeld);
    await readModels.prepare(MODEL, 'v1');
    await readModels.commit([commitOf(1)]);
    await readModels.serve('boxes', 'v1');
    return {
      readModels,
      bare,
      lose() {
        isHeld = false;
      },
    };
  }

  it('are written while it is held', async () => {
    const { readModels, bare } = await fenced();
    await readModels.commit([commitOf(2)]);
    expect(await bare.get('boxes', 'a')).toMatchObject({ position: at(2), data: { n: 2 } });
    await bare.close();
  });

  it('refuse every write when it is lost, without effect', async () => {
    const { readModels, bare, lose } = await fenced();
    await bare.prepare(MODEL, 'v2');
    lose();
    const lost = { code: 'LEASE_LOST' };
    await expect(readModels.commit([commitOf(2)])).rejects.toMatchObject(lost);
    await expect(readModels.prepare(MODEL, 'v3')).rejects.toMatchObject(lost);
    await expect(readModels.serve('boxes', 'v2')).rejects.toMatchObject(lost);
    await expect(readModels.drop('boxes', 'v1')).rejects.toMatchObject(lost);
    expect(await bare.checkpoint('boxes', 'v1')).toBe(at(1));
    expect(await bare.serving('boxes')).toBe('v1');
    await expect(bare.commit([{ ...commitOf(3), build: 'v3' }])).rejects.toMatchObject({ code: 'UNKNOWN_BUILD' });
    await bare.close();
  });

  it('are read and watched as before when it is lost', async () => {
    const { readModels, bare, lose } = await fenced();
    lose();
    expect(await readModels.serving('boxes')).toBe('v1');
    expect(await readModels.checkpoint('boxes', 'v1')).toBe(at(1));
    expect(await readModels.get('boxes', 'a')).toMatchObject({ data: { n: 1 } });
    expect(await readModels.getMany('boxes', ['a'])).toHaveLength(1);
    expect(await readModels.states('boxes', ['a'], 'v1')).toHaveLength(1);
    expect((await readModels.find('boxes', { where: { owner: 'ada' } })).documents).toHaveLength(1);
    expect(await readModels.count('boxes', { owner: 'ada' })).toBe(1);
    expect(await readModels.parked()).toEqual([]);
    expect(await readModels.reached(['boxes'], at(1), 0)).toBe(true);
    for await (const change of readModels.watch({ models: ['boxes'], after: at(0) })) {
      expect(change).toMatchObject({ id: 'a', position: at(1) });
      break;
    }
    await readModels.close();
    await expect(bare.serving('boxes')).rejects.toMatchObject({ code: 'READ_MODELS_CLOSED' });
  });
});
