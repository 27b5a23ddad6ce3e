import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createHub, type RealtimeDeps } from '../../../src/http/realtime/hub.ts';
import type { Change } from '../../../src/readModels/readModels.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('misses nothing while a watch is broken that has received no change yet', async () => {
  let watches = 0;
  const readModels = {
    servedPosition: async () => '7',
    async *watch({
      models,
      after,
      signal,
    }: {
      readonly models: readonly string[];
      readonly after?: string;
      readonly signal: AbortSignal;
    }) {
      if (models[0] === 'shares') {
        watches += 1;
        if (watches === 1) throw new Error('the connection is gone');
        // Revoked in between: whoever watches from now on is not told.
        if (after === '7')
          yield {
            model: 'shares',
            id: 'job-1',
            kind: 'UPDATE',
            data: { shares: [] },
            old: null,
            position: '8',
          } as unknown as Change;
      }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
  const hub = createHub({
    readModels,
    log: { error: vi.fn(), warn: vi.fn() },
    metrics: {},
    config: {},
  } as unknown as RealtimeDeps);
  const sharesChanged = vi.fn();
  hub.followShare({ jobId: 'job-1', ownerId: 'user-1', sharesChanged, jobChanged: vi.fn(), gone: vi.fn() });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sharesChanged).toHaveBeenCalledWith([]);
  await hub.close();
});
