/** Holders that stop, lose their claims, or vanish: how the runner and the next holder react. */
import { afterEach, describe, expect, it } from 'vitest';
import { getItem, WORK_ITEMS } from '../../src/work/items.ts';
import { rest, toyWork, until } from '../given/work/toyWork.ts';

let work: ReturnType<typeof toyWork>;
const open = async (...options: Parameters<typeof toyWork>): Promise<void> => {
  work = toyWork(...options);
  await work.ready;
};
afterEach(() => work.stop());

const claimOf = async (id: string) => (await work.claims.read('toy', [id]))[0];
const listed = async (id: string): Promise<boolean> => (await getItem(work.readModels, 'toy', id)) !== null;

describe('a holder', () => {
  it('keeps an item that is requested again while holding it, and the rest of its lane continues', async () => {
    await open({ parallelOfLane: 2 });
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.clock.advance(10);
    await work.write('WorkRetryAsked', { id: 'x', kind: 'toy', itemId: 'a' } as never);
    work.clock.advance(10);
    await work.enqueue('b', 'ann');
    await work.pass(3_000);
    expect(work.taken()).toEqual(['a', 'b']);
  });

  it('that stops in order releases its items without counting an attempt', async () => {
    await open();
    const first = work.start('one');
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    await first.stop();
    expect(await claimOf('a')).toMatchObject({ holder: null, attempts: 0, vanishings: 0, vanished: false });
    work.start('two');
    await until(() => work.running.length === 1);
  });

  it('stops working on an item that another event has ended, and keeps its other work', async () => {
    await open();
    const runner = work.start();
    await work.enqueue('a', 'ann');
    await work.enqueue('b', 'ben');
    await until(() => work.running.length === 2);
    await work.readModels.reached([WORK_ITEMS], await work.write('ToyDone', { id: 'a' }), 5_000);
    runner.interrupt('toy', 'a', 'cancelled');
    await until(() => work.running.length === 1);
    expect(work.taken()).toEqual(['b']);
    await work.pass(5_000);
    expect(work.taken()).toEqual(['b']);
  });

  it('that has lost its claims takes nothing more', async () => {
    await open();
    let held = true;
    work.start('one', () => held);
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    held = false;
    await work.enqueue('b', 'ben');
    await work.pass(5_000);
    expect(work.taken()).toEqual(['a']);
  });

  it('that vanishes twice makes the item run alone, and is given up after seven times', async () => {
    await open({ parallel: 3 });
    await work.enqueue('bad', 'ann');
    for (let vanished = 1; vanished <= 6; vanished += 1) {
      const runner = work.start(`holder ${vanished}`);
      if (vanished === 3) {
        // From now on it waits until nothing else runs in its process, and nothing new begins before.
        await work.enqueue('other', 'ann');
      }
      await until(() => work.running.some(({ item }) => item.itemId === 'bad'), `bad for the ${vanished}. time`);
      if (vanished === 3) {
        await work.pass(2_000);
        expect(work.taken()).toEqual(['bad']);
      }
      // As after a kill: nothing is released.
      await work.claims.vacate(`holder ${vanished}`);
      await runner.stop();
      await until(() => work.running.length === 0);
    }
    const last = work.start('holder 7');
    await until(() => work.running.some(({ item }) => item.itemId === 'bad'));
    await work.claims.vacate('holder 7');
    await last.stop();
    work.start('holder 8');
    await until(async () => !(await listed('bad')));
    await until(() => work.taken().includes('other'));
  });

  it('that vanishes does not count against items that had to wait meanwhile', async () => {
    await open({ parallel: 3 });
    await work.enqueue('bad', 'ann');
    await work.enqueue('other', 'ben');
    for (let vanished = 1; vanished <= 7; vanished += 1) {
      const runner = work.start(`holder ${vanished}`);
      // The first two times both run, and either may be the cause.
      await until(
        () => work.taken().includes('bad') && (vanished > 2 || work.running.length === 2),
        `bad for the ${vanished}. time`,
      );
      await rest();
      if (vanished > 2) expect([work.taken(), (await claimOf('other'))?.holder]).toEqual([['bad'], null]);
      await work.claims.vacate(`holder ${vanished}`);
      await runner.stop();
    }
    work.start('last');
    await until(async () => !(await listed('bad')));
    await until(() => work.taken().includes('other'));
    expect(await claimOf('other')).toMatchObject({ vanishings: 2 });
  });

  it('that stops in order while waiting to run alone keeps its count', async () => {
    await open({ parallel: 3, parallelOfLane: 1 });
    await work.enqueue('bad', 'ann');
    for (const holder of ['one', 'two']) {
      const runner = work.start(holder);
      await until(() => work.running.length === 1);
      await work.claims.vacate(holder);
      await runner.stop();
    }
    await work.enqueue('other', 'ben', { rank: 1 });
    await rest();
    let isFirst = true;
    const stopped = work.start('three');
    await until(() => work.running.length === 1);
    isFirst = work.taken()[0] === 'other';
    await rest();
    await stopped.stop();
    expect([isFirst, await claimOf('bad')]).toMatchObject([true, { holder: null, vanishings: 2, vanished: false }]);
  });

  it('that vanishes after a step has ended does not count against the item', async () => {
    await open();
    await work.enqueue('a', 'ann');
    for (let round = 0; round < 12; round += 1) {
      const runner = work.start(`holder ${round}`);
      await until(() => work.running.length === 1);
      work.steps.set('a', round + 1);
      await work.claims.vacate(`holder ${round}`);
      await runner.stop();
    }
    work.start('last');
    await until(() => work.running.length === 1);
    expect(await claimOf('a')).toMatchObject({ vanishings: 1 });
  });
});
