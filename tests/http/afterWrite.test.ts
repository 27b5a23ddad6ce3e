/** The answer to a write includes what was written, or says that it cannot be shown yet. */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterWrite, NotShownYet } from '../../src/http/routing/afterWrite.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = pino({ level: 'silent' });
const position = '00000000000000000007';
const made = { ids: { thingId: 'a' }, location: '/things/a' };

/** Read models of which some are behind; `asked`: which were waited for together, and how long at most. */
function readModelsWith({ behind = [], takes = 0 }: { readonly behind?: readonly string[]; readonly takes?: number }) {
  const asked: [models: string, ms: number][] = [];
  const readModels = {
    reached: async (models: readonly string[], at: string, ms: number) => {
      expect(at).toBe(position);
      asked.push([models.join(), Math.round(ms)]);
      const isBehind = models.some((model) => behind.includes(model));
      await new Promise((resolve) => setTimeout(resolve, isBehind ? ms : takes));
      return !isBehind;
    },
    get: async (model: string, id: string) => ({ id, position, data: { model } }),
    getMany: async () => [],
    find: async () => ({ documents: [], cursor: null }),
    count: async () => 3,
    parked: async () => [],
  } as unknown as ReadModels;
  return { deps: { readModels, log }, asked };
}

async function settled<T>(work: Promise<T>): Promise<T> {
  const caught = work.catch(() => undefined);
  await vi.runAllTimersAsync();
  await caught;
  return work;
}

describe('after a write', () => {
  it('each model that the answer is read from is waited for once, those asked for together with one call, and no other', async () => {
    const { deps, asked } = readModelsWith({});
    const answer = await settled(
      afterWrite(deps, { position, made }, async (shown) => {
        await Promise.all([shown.get('one', 'a'), shown.get('one', 'b'), shown.find('two', {})]);
        await shown.getMany('three', ['a']);
        await shown.parked();
        return shown.count('one');
      }),
    );
    expect(answer).toBe(3);
    expect(asked.map(([models]) => models)).toEqual(['one,two', 'three']);
  });

  it('all of them together are waited for two seconds at most', async () => {
    const { deps, asked } = readModelsWith({ behind: ['late'], takes: 1_500 });
    const read = async (shown: ReadModels) => [await shown.get('one', 'a'), await shown.get('late', 'a')];
    const began = Date.now();
    await expect(settled(afterWrite(deps, { position, made }, read))).rejects.toBeInstanceOf(NotShownYet);
    expect(asked).toEqual([
      ['one', 2_000],
      ['late', 500],
    ]);
    expect(Date.now() - began).toBe(2_000);
  });

  it('an answer that only a model can give is not given while it is behind', async () => {
    const { deps } = readModelsWith({ behind: ['late'] });
    const refused = settled(afterWrite(deps, { position, made }, (shown) => shown.get('late', 'a')));
    await expect(refused).rejects.toMatchObject({ code: 'NOT_SHOWN_YET', headers: { 'Retry-After': '2' }, made });
  });

  it('an answer of the command’s own result is given whether they are behind or not', async () => {
    const { deps } = readModelsWith({ behind: ['late'] });
    for (const model of ['late', 'one']) {
      expect(await settled(afterWrite(deps, { position, answer: 'done' }, (shown) => shown.get(model, 'a')))).toBe(
        'done',
      );
    }
  });

  it('another answer takes the place of what cannot be read', async () => {
    const { deps } = readModelsWith({ behind: ['late'] });
    const count = (model: string) =>
      settled(afterWrite(deps, { position, otherwise: () => 0 }, (shown) => shown.count(model)));
    expect([await count('one'), await count('late')]).toEqual([3, 0]);
  });

  it('a failure of the reading is one of the answer', async () => {
    const { deps } = readModelsWith({});
    const read = async (): Promise<never> => {
      throw new Error('gone');
    };
    for (const written of [
      { position, made },
      { position, answer: 'done' },
      { position, otherwise: () => 'done' },
    ]) {
      await expect(settled(afterWrite(deps, written as { position: string; answer: string }, read))).rejects.toThrow(
        'gone',
      );
    }
  });
});
