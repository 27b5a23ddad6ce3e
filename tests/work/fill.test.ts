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
});
