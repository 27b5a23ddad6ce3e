import { describe, expect, it } from 'vitest';
import { runServiceChecks, type ServiceCheck } from '../../../src/start/monitor/serviceChecks.ts';

/** A manual clock: a sleep ends when the test has moved the clock that far. */
function timeline() {
  let ms = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => new Date(Date.UTC(2026, 2, 10) + ms).toISOString(),
    clock: () => ms,
    sleep: (length: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper);
          resolve();
        };
        const sleeper = { at: ms + length, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', sleeper.wake);
      }),
    async pass(length: number): Promise<void> {
      ms += length;
      for (const sleeper of [...sleepers]) if (sleeper.at <= ms) sleeper.wake();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
  };
}

const forever: ServiceCheck = () => new Promise(() => undefined);

function started(check: ServiceCheck) {
  const time = timeline();
  const ending = new AbortController();
  const checks = runServiceChecks({ checks: { it: check }, ...time, signal: ending.signal });
  const end = async (): Promise<void> => {
    ending.abort();
    await checks.done;
  };
  return { time, read: () => checks.read().it, end };
}

describe('services', () => {
  it('are checked in the background every 30 s, and report the last result', async () => {
    let asked = 0;
    const { time, read, end } = started(async () => {
      asked += 1;
      return { status: asked === 1 ? 'up' : 'degraded', detail: null };
    });
    expect(read()).toEqual({ status: 'degraded', detail: 'Not checked yet.', checkedAt: null, latencyMs: null });
    await time.pass(0);
    expect(read()).toEqual({ status: 'up', detail: null, checkedAt: '2026-03-10T00:00:00.000Z', latencyMs: 0 });
    await time.pass(29_999);
    expect(asked).toBe(1);
    await time.pass(1);
    expect(read()).toMatchObject({ status: 'degraded', checkedAt: '2026-03-10T00:00:30.000Z' });
    await end();
  });

  it('are down if they do not respond within 3 s', async () => {
    const { time, read, end } = started(forever);
    await time.pass(3_000);
    expect(read()).toEqual({
      status: 'down',
      detail: 'No answer within 3 seconds.',
      checkedAt: '2026-03-10T00:00:03.000Z',
      latencyMs: 3_000,
    });
    await end();
  });

  it('are down with a reason if they fail, and have no latency if not set up', async () => {
    const failing = started(() => Promise.reject(new Error('The key was refused.')));
    await failing.time.pass(0);
    expect(failing.read()).toMatchObject({ status: 'down', detail: 'The key was refused.' });
    await failing.end();
    const none = started(async () => ({ status: 'not_configured', detail: null }));
    await none.time.pass(0);
    expect(none.read()).toMatchObject({ status: 'not_configured', latencyMs: null });
    await none.end();
  });
});
