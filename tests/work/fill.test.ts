/** Filling free slots beside other processes: what is checked again, and when. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rest, toyWork, until } from '../given/work/toyWork.ts';

let work: ReturnType<typeof toyWork>;
afterEach(() => work.stop());

describe('a free slot', () => {
  it('goes to the user’s next item at once when another process was faster with the first', async () => {
    work = toyWork({ parallelOfLane: 2 });
    await work.ready;
    const { take } = work.claims;
    vi.spyOn(work.claims, 'take').mockImplementationOnce(async (request) => {
      await take({ ...request, holder: 'two' });
      return 'taken';
    });
    await work.enqueue('a1', 'ann');
    await work.enqueue('a2', 'ann');
    await rest();
    work.start('one');
    await until(() => work.running.length === 1);
    expect(work.taken()).toEqual(['a2']);
  });

  it('is not offered once a second to a user whose only item is in progress here', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 2 });
    await work.ready;
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    await rest();
    const read = vi.spyOn(work.claims, 'read');
    await work.pass(9_000);
    expect(read).not.toHaveBeenCalled();
    await work.enqueue('b', 'ann');
    await until(() => work.running.length === 2);
  });

  it('reads the list of a user once for each item, not again when it is taken or done', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 2 });
    await work.ready;
    work.start();
    await rest();
    const read = vi.spyOn(work.claims, 'read');
    for (let nth = 1; nth <= 5; nth += 1) {
      await work.enqueue(`a${nth}`, 'ann');
      await until(() => work.running.length === 1);
      await rest();
      await work.running[0]?.finish();
      await until(() => work.running.length === 0);
      await rest();
      expect(read).toHaveBeenCalledTimes(nth);
    }
    await work.pass(30_000);
    expect(read).toHaveBeenCalledTimes(5);
  });

  it('goes on with the rest of a user’s items as others end, however many there are', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 2 });
    await work.ready;
    for (let nth = 0; nth < 50; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start();
    for (let nth = 0; nth < 50; nth += 1) {
      await until(() => work.running.length === Math.min(2, 50 - nth));
      await work.running[0]?.finish();
    }
    await until(() => work.running.length === 0);
  });
});
