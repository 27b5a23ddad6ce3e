import { describe, expect, it } from 'vitest';
import { startReconciler } from '../../src/workers/reconciler.ts';

const silent = { info: () => undefined, error: () => undefined };

describe('the reconciler', () => {
  it('goes on with the other rounds when one fails, and tries that again', async () => {
    const ran: string[] = [];
    const errors: object[] = [];
    const reconciler = startReconciler({
      rounds: [
        { name: 'breaks', run: async () => Promise.reject(new Error(`broken ${ran.push('breaks')}`)) },
        { name: 'works', run: async () => ran.push('works') },
      ],
      everyMs: 3_600_000,
      log: { ...silent, error: (fields) => errors.push(fields) },
    });
    await reconciler.reconcile();
    await reconciler.reconcile();
    await reconciler.stop();
    expect(ran).toEqual(['breaks', 'works', 'breaks', 'works']);
    expect(errors).toHaveLength(2);
  });

  it('never runs two rounds at once', async () => {
    let running = 0;
    let most = 0;
    const reconciler = startReconciler({
      rounds: [
        {
          name: 'slow',
          run: async () => {
            running += 1;
            most = Math.max(most, running);
            await new Promise(setImmediate);
            running -= 1;
            return 0;
          },
        },
      ],
      everyMs: 3_600_000,
      log: silent,
    });
    await Promise.all([reconciler.reconcile(), reconciler.reconcile(), reconciler.reconcile()]);
    await reconciler.stop();
    expect(most).toBe(1);
  });
});
