import { describe, expect, it } from 'vitest';
import { START } from '../../../src/eventStore/eventStore.ts';
import { toPosition } from '../../../src/eventStore/positions.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { dailyVerification } from '../../../src/start/proof/dailyVerification.ts';
import { createVerifiedLog, type VerifyStep, verifiedIn } from '../../../src/work/sweeps/verifiedLog.ts';
import { product, withAdmin } from '../../given/commands.ts';
import { finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { still } from '../../given/work/following.ts';

const DAY = 24 * 60;

/** Ten events a step, of a log of thirty. */
function scene(
  found: (after: string) => { readonly faults: number; readonly first: string | null } = () => ({
    faults: 0,
    first: null,
  }),
) {
  const made = product();
  const steps: { after: string; turn: number }[] = [];
  let head = 30;
  const verifyStep: VerifyStep = async ({ after, turn }) => {
    steps.push({ after, turn });
    const position = toPosition(BigInt(after) + 10n);
    return { events: 10, unsealed: 0, ...found(after), position, end: Number(position) >= head, checkpoint: null };
  };
  const sweep = createVerifiedLog({ verifyStep, head: async () => toPosition(BigInt(head)), now: made.now });
  let kept: string | null = null;
  return {
    made,
    steps,
    replaceLog: (by: number) => {
      head = by;
    },
    lose: () => {
      kept = 'nothing that can be read';
    },
    run: async (times = 1) => {
      for (let run = 0; run < times; run += 1) ({ kept } = await sweep.run(kept, still));
      return verifiedIn(kept);
    },
  };
}

describe('the nightly log check', () => {
  it('goes through the log in steps, each from the end of the last one, once a day', async () => {
    const { made, steps, run } = scene();
    expect(await run()).toMatchObject({ done: null, running: { events: 10 } });
    expect(await run(2)).toMatchObject({
      turn: 1,
      done: { at: made.now(), position: toPosition(30n), events: 30, faults: 0, first: null },
      running: null,
    });
    expect(steps).toEqual([
      { after: START, turn: 0 },
      { after: toPosition(10n), turn: 0 },
      { after: toPosition(20n), turn: 0 },
    ]);
    await run(5);
    expect(steps).toHaveLength(3);
    made.pass(DAY - 1);
    await run();
    expect(steps).toHaveLength(3);
    made.pass(1);
    expect(await run()).toMatchObject({ done: { events: 30 }, running: { events: 10 } });
    expect(steps.slice(3)).toEqual([{ after: START, turn: 1 }]);
  });

  it('keeps the number of faults, and the first of them, until a pass finds none', async () => {
    let isDamaged = true;
    const { made, run } = scene((after) =>
      isDamaged && after !== START ? { faults: 2, first: `after ${after}` } : { faults: 0, first: null },
    );
    expect((await run(2))?.running).toMatchObject({ faults: 2, first: `after ${toPosition(10n)}` });
    expect((await run())?.done).toMatchObject({ faults: 4, first: `after ${toPosition(10n)}` });
    isDamaged = false;
    made.pass(DAY);
    expect((await run(3))?.done).toMatchObject({ faults: 0, first: null });
  });

  it('starts over when its state is lost, and when the log was replaced by an older one', async () => {
    const { steps, run, lose, replaceLog } = scene();
    await run(2);
    lose();
    await run();
    expect(steps.at(-1)?.after).toBe(START);
    await run();
    replaceLog(5);
    await run();
    expect(steps.at(-1)?.after).toBe(START);
  });

  it('starts over from the state of an earlier version, which stored less', () => {
    const before = { at: '2026-03-01T00:00:00.000Z', position: toPosition(20n), events: 20, faults: 1, first: 'x' };
    const done = { ...before, unsealed: 0 };
    expect(verifiedIn(JSON.stringify({ done: before, running: { ...before, isChained: true } }))).toEqual({
      done,
      running: null,
      turn: 0,
    });
  });

  it('finds the same faults as a full check, however small its steps', async () => {
    const raw = rawEventStore();
    const made = await withAdmin(product(withStoredEvents(raw)));
    const { jobId } = await finishedAnalysis({ made });
    const whole = (await made.log()).length;
    let ms = 0;
    const sweep = createVerifiedLog({
      verifyStep: dailyVerification({ storedLog: raw, page: 1, elapsed: () => (ms += 1_000) }),
      head: () => raw.head(),
      now: made.now,
    });
    const pass = async () => {
      made.pass(DAY);
      let kept = null as string | null;
      do ({ kept } = await sweep.run(kept, still));
      while (verifiedIn(kept)?.running);
      return verifiedIn(kept)?.done;
    };
    expect(await pass()).toMatchObject({ events: whole, faults: 0 });
    const { revision } = (await raw.read(`job-${jobId}`, { limit: 1 })) as { revision: bigint };
    const metadata = { ...(await made.log())[0]?.metadata, previousHash: 'x'.repeat(43) } as Parameters<
      typeof raw.append
    >[1][number]['metadata'];
    const forged = {
      id: crypto.randomUUID(),
      type: 'JobUnlocked',
      data: { jobId, userId: 'u', unlockedAt: made.now() },
      metadata,
    };
    await raw.append(`job-${jobId}`, [forged], { expected: revision });
    expect(await pass()).toMatchObject({
      events: whole + 1,
      faults: 1,
      first: expect.stringContaining(`revision ${revision} of job-${jobId}`),
    });
    await raw.close();
  });
});
