/** The state that a process keeps for each kind of work. */
import { describe, expect, it } from 'vitest';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import type { WorkKind } from '../../src/work/kind.ts';
import { createKindQueue, followItems } from '../../src/work/kindQueue.ts';
import { toyRule, toyWork } from '../given/work/toyWork.ts';

describe('following the list of work', () => {
  it('leaves no open subscription behind when the list cannot be read', async () => {
    const work = toyWork();
    await work.ready;
    const watches: AbortSignal[] = [];
    const away: Partial<ReadModels> = {
      find: async () => Promise.reject(new Error('away')),
      watch(options) {
        if (options.signal) watches.push(options.signal);
        return work.readModels.watch(options);
      },
    };
    const readModels = Object.assign(Object.create(work.readModels) as ReadModels, away);
    const queues = new Map([['toy', createKindQueue({ rule: toyRule } as WorkKind, work.now())]]);
    await expect(followItems(readModels, queues, new AbortController().signal)).rejects.toThrow('away');
    expect(watches.map(({ aborted }) => aborted)).toEqual([true]);
    await work.stop();
  });
});
