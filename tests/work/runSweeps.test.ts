/** The loop of the sweeps: when they run, what they keep, what a failure costs. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSweeps, sweepMark } from '../../src/work/runSweeps.ts';
import type { Sweep } from '../../src/work/sweep.ts';
import { type ManualClock, manualClock } from '../given/manualClock.ts';
import { givenMarks, sleepOn } from '../given/work/following.ts';

const HOUR = 60 * 60 * 1_000;
const MARK = sweepMark('tested');

let clock: ManualClock;
let stopping: AbortController;
beforeEach(() => {
  clock = manualClock();
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

const iso = (): string => new Date(clock.now()).toISOString();

/** Runs by their time, ms after the start, and the state kept before. */
function sweeping(
  run: (kept: string | null, nth: number) => Promise<string | null> = async () => null,
): Sweep & { readonly runs: [number, string | null][] } {
  const runs: [number, string | null][] = [];
  const begun = clock.now();
  return {
    name: 'tested',
    everyMs: HOUR,
    runs,
    run: async (kept) => {
      runs.push([clock.now() - begun, kept]);
      return { done: 0, kept: await run(kept, runs.length) };
    },
  };
}

function start(sweep: Sweep, marks = givenMarks()) {
  const logged: string[] = [];
  const log = (_details: object, text: string) => void logged.push(text);
  const { done } = runSweeps({
    sweeps: [sweep],
    marks,
    signal: stopping.signal,
    now: iso,
    sleep: sleepOn(clock),
    log: { info: log, error: log },
  });
  return { done, logged, marks };
}

async function pass(ms: number, step: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    for (let nth = 0; nth < 3; nth += 1) await turn();
    clock.advance(step);
  }
  for (let nth = 0; nth < 3; nth += 1) await turn();
}

describe('a sweep', () => {
  it('runs at the start without a mark, then every period, and gets its kept state', async () => {
    const sweep = sweeping(async (kept) => String(Number(kept ?? 0) + 1));
    const { marks } = start(sweep);
    await pass(2 * HOUR, HOUR / 4);
    expect(sweep.runs).toEqual([
      [0, null],
      [HOUR, '1'],
      [2 * HOUR, '2'],
    ]);
    expect(JSON.parse(marks.kept.get(MARK) ?? '')).toEqual({ ranAt: iso(), kept: '3' });
  });

  it('waits for the rest of its period after a restart', async () => {
    const ranAt = new Date(clock.now() - HOUR / 2).toISOString();
    const sweep = sweeping();
    start(sweep, givenMarks({ [MARK]: JSON.stringify({ ranAt, kept: 'here' }) }));
    await pass(HOUR, HOUR / 4);
    expect(sweep.runs).toEqual([[HOUR / 2, 'here']]);
  });

  it.each([
    ['is damaged', '{"ranAt": 7'],
    ['says nothing', '{}'],
    ['is of a time that has not come', JSON.stringify({ ranAt: '2999-01-01T00:00:00.000Z', kept: null })],
  ])('runs at the start when its mark %s', async (_what, mark) => {
    const sweep = sweeping();
    start(sweep, givenMarks({ [MARK]: mark }));
    await pass(1, 1);
    expect(sweep.runs).toEqual([[0, null]]);
  });

  it('that fails is retried after a minute, with its earlier state', async () => {
    const sweep = sweeping(async (_kept, nth) => {
      if (nth === 2) throw new Error('The store is away.');
      return `run ${nth}`;
    });
    const { logged } = start(sweep);
    await pass(HOUR + 60_000, 60_000);
    expect(sweep.runs).toEqual([
      [0, null],
      [HOUR, 'run 1'],
      [HOUR + 60_000, 'run 1'],
    ]);
    expect(logged).toEqual(['a sweep failed and will be retried']);
  });

  it('never runs twice at a time', async () => {
    let ends = (): void => undefined;
    const sweep = sweeping(() => new Promise((resolve) => (ends = () => resolve(null))));
    start(sweep);
    await pass(3 * HOUR, HOUR / 2);
    expect(sweep.runs).toHaveLength(1);
    ends();
    await pass(HOUR, HOUR / 2);
    expect(sweep.runs).toHaveLength(2);
    ends();
  });

  it('that is aborted keeps nothing, and ends with the signal', async () => {
    const sweep = sweeping(async () => {
      stopping.abort();
      return 'half';
    });
    const { done, marks } = start(sweep);
    await done;
    expect(marks.kept.size).toBe(0);
  });
});
