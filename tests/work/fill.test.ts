/** Filling free slots beside other processes: what is checked again, and when. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { rest, toyWork, until } from '../given/work/toyWork.ts';

let work: ReturnType<typeof toyWork>;
/** Claims that wait to be let through. */
let waiting: (() => void)[] | null = null;
afterEach(async () => {
  await letThrough();
  waiting = null;
  await work.stop();
});

async function letThrough(): Promise<void> {
  for (; waiting !== null && waiting.length > 0; await rest()) for (const go of waiting.splice(0)) go();
}

/** Claims wait as they do for a distant store. Returns the items asked for so far. */
function slowClaims(): readonly { readonly itemId: string; readonly lane: string }[] {
  const { take } = work.claims;
  const asked: { readonly itemId: string; readonly lane: string }[] = [];
  waiting = [];
  vi.spyOn(work.claims, 'take').mockImplementation(async (request) => {
    asked.push(request.item);
    await new Promise<void>((resolve) => waiting?.push(resolve));
    return take(request);
  });
  return asked;
}

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

describe('several free slots', () => {
  it('are filled with the items of a single user, one after the other, up to the user’s limit', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start();
    await until(() => work.running.length === 4);
    expect(work.taken()).toEqual(['a1', 'a2', 'a3', 'a4']);
    await work.running[0]?.finish();
    await until(() => work.taken().includes('a5'));
    expect(work.taken()).toEqual(['a2', 'a3', 'a4', 'a5']);
  });

  it('are shared evenly among users', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    for (const user of ['ann', 'bob', 'cec'])
      for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`${user}${nth}`, user);
    await rest();
    work.start();
    await until(() => work.running.length === 8);
    const of = (user: string): number => work.running.filter(({ item }) => item.lane === user).length;
    expect(['ann', 'bob', 'cec'].map(of).sort()).toEqual([2, 3, 3]);
  });

  it('leave reserved slots to users with nothing in progress', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 4, keptForIdle: 1 });
    await work.ready;
    for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start();
    await until(() => work.running.length === 3);
    await rest();
    expect(work.taken()).toEqual(['a1', 'a2', 'a3']);
    await work.enqueue('b1', 'bob');
    await until(() => work.running.length === 4);
    expect(work.taken()).toContain('b1');
  });

  it('that become free while a claim is being made are filled right after it', async () => {
    work = toyWork({ parallel: 2, parallelOfLane: 1 });
    await work.ready;
    work.start();
    await work.enqueue('b', 'ben');
    await until(() => work.running.length === 1);
    const asked = slowClaims();
    await work.enqueue('a', 'ann');
    await until(() => asked.length === 1);
    await work.enqueue('c', 'cleo');
    await work.running[0]?.finish();
    await rest();
    expect(asked.map(({ itemId }) => itemId)).toEqual(['a']);
    await letThrough();
    expect(work.taken()).toEqual(['a', 'c']);
  });

  it('take what is left of the user’s items when other processes were faster with some', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    const { take } = work.claims;
    vi.spyOn(work.claims, 'take').mockImplementation(async (request) => {
      if (!['a1', 'a3'].includes(request.item.itemId)) return take(request);
      await take({ ...request, holder: 'two' });
      return 'taken';
    });
    for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start('one');
    await rest();
    expect(work.taken()).toEqual(['a2', 'a4']);
    const running = await work.claims.running('toy');
    expect(running.get('ann')).toBe(4);
  });

  it('keep what was claimed when the store fails at another item, which is tried again', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    const { take } = work.claims;
    vi.spyOn(work.claims, 'take').mockImplementationOnce(take).mockRejectedValueOnce(new Error('The store is away.'));
    for (let nth = 1; nth <= 3; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start();
    await rest();
    expect(work.taken()).toEqual(['a1']);
    await work.pass(1_000);
    expect(work.taken()).toEqual(['a1', 'a2', 'a3']);
  });
});

describe('reserved slots', () => {
  const places = { parallel: 3, parallelOfLane: 2, keptForIdle: 1 };

  it('are not for a user who has begun something since midnight, until the next day', async () => {
    work = toyWork(places);
    await work.ready;
    work.start();
    for (const [id, lane] of [
      ['c1', 'cec'],
      ['a1', 'ann'],
      ['b1', 'bob'],
    ] as const) {
      await work.enqueue(id, lane);
      await until(() => work.taken().includes(id));
    }
    await work.running.find(({ item }) => item.lane === 'cec')?.finish();
    await work.enqueue('c2', 'cec');
    await rest();
    expect(work.taken()).toEqual(['a1', 'b1']);
    await work.enqueue('d1', 'dan');
    await until(() => work.taken().includes('d1'));
    await work.running.find(({ item }) => item.lane === 'dan')?.finish();
    await rest();
    expect(work.taken()).toEqual(['a1', 'b1']);
    work.clock.advance(24 * 60 * 60_000);
    await until(() => work.taken().includes('c2'));
  });

  it('are not for a user whose audit of today another process knows of', async () => {
    const asked: string[] = [];
    work = toyWork({
      ...places,
      hadSince: async (lane, since) => {
        asked.push(`${lane} ${since}`);
        return lane === 'cec';
      },
    });
    await work.ready;
    work.start();
    for (const [id, lane] of [
      ['a1', 'ann'],
      ['b1', 'bob'],
      ['c1', 'cec'],
      ['c2', 'cec'],
    ] as const)
      await work.enqueue(id, lane);
    await rest();
    expect(work.taken()).toEqual(['a1', 'b1']);
    await work.enqueue('d1', 'dan');
    await until(() => work.taken().includes('d1'));
    expect(asked).toEqual(['cec 2026-01-01T00:00:00.000Z', 'dan 2026-01-01T00:00:00.000Z']);
  });
});

describe('a network', () => {
  const crowd = async (): Promise<void> => {
    for (let nth = 1; nth <= 30; nth += 1)
      for (const id of [`x${nth}`, `y${nth}`]) await work.enqueue(id, `free ${nth}`, { network: 'one' });
    await rest();
  };
  const isCrowd = (id: string): boolean => /^[xy]/.test(id);

  it('of 30 free accounts keeps neither a paying user in it nor a stranger waiting', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 2, keptForIdle: 1 });
    await work.ready;
    await crowd();
    work.start();
    await until(() => work.running.length === 2);
    await rest();
    expect(work.taken().every(isCrowd)).toBe(true);
    await work.enqueue('paid', 'paul', { rank: 1 });
    await work.enqueue('strange', 'sue', { network: 'two' });
    await until(() => work.taken().includes('paid') && work.taken().includes('strange'));
    for (let nth = 0; nth < 10; nth += 1) {
      await work.running.find(({ item }) => isCrowd(item.itemId))?.finish();
      await rest();
      expect(work.taken().filter(isCrowd)).toHaveLength(2);
    }
  });

  it('has one at a time where there is only one slot', async () => {
    work = toyWork({ parallel: 1, parallelOfLane: 1 });
    await work.ready;
    await crowd();
    work.start();
    await until(() => work.running.length === 1);
  });

  it('that is at its limit does not want a slot', async () => {
    work = toyWork({ parallel: 4, parallelOfLane: 2 });
    await work.ready;
    await crowd();
    await work.enqueue('s', 'sue');
    await rest();
    work.start();
    await until(() => work.running.length === 3);
    const wanted = async (isOfCrowd: boolean) =>
      work.running.find(({ item }) => isCrowd(item.itemId) === isOfCrowd)?.holding.isSlotWanted();
    expect([await wanted(true), await wanted(false)]).toEqual([true, false]);
  });
});

describe('the slot of an item is wanted', () => {
  const isWanted = async (): Promise<boolean | undefined> => work.running[0]?.holding.isSlotWanted();
  const open = async (...options: Parameters<typeof toyWork>): Promise<void> => {
    work = toyWork(...options);
    await work.ready;
    work.start();
    await work.enqueue('a1', 'ann');
    await until(() => work.running.length === 1);
    await rest();
  };

  it('when another user’s item waits for it, and not by the item itself', async () => {
    await open({ parallel: 1, parallelOfLane: 1 });
    expect(await isWanted()).toBe(false);
    // As if it had been offered after it was taken.
    await work.write('ToyPutOff', { id: 'a1', dueAt: work.now() });
    await rest();
    expect(await isWanted()).toBe(false);
    await work.enqueue('b1', 'bob');
    await rest();
    expect(await isWanted()).toBe(true);
  });

  it('when the same user’s next item waits for it', async () => {
    await open({ parallel: 4, parallelOfLane: 1 });
    await work.enqueue('a2', 'ann');
    await rest();
    expect(await isWanted()).toBe(true);
  });

  it('not when what waits could not have it: it is reserved for others', async () => {
    await open({ parallel: 3, parallelOfLane: 2, keptForIdle: 1 });
    for (const [id, lane] of [
      ['b1', 'bob'],
      ['c1', 'cec'],
    ] as const) {
      await work.enqueue(id, lane);
      await until(() => work.taken().includes(id));
    }
    await work.enqueue('b2', 'bob');
    await rest();
    expect(await isWanted()).toBe(false);
    await work.enqueue('d1', 'dan');
    await rest();
    expect(await isWanted()).toBe(true);
  });
});

describe('while the log cannot be written', () => {
  it('one item a second is begun, which finds out, and the others once it can be', async () => {
    work = toyWork({ parallel: 32, parallelOfLane: 1 });
    await work.ready;
    for (let nth = 0; nth < 40; nth += 1) await work.enqueue(`a${nth}`, `user ${nth}`);
    await rest();
    work.start();
    await until(() => work.running.length === 32);
    const claimed = vi.spyOn(work.claims, 'take');
    const fail = async (): Promise<void> => {
      for (const each of [...work.running]) each.fail(new StoreUnavailable('The disk is full.'));
      await rest();
    };
    await fail();
    expect(work.running).toHaveLength(0);
    for (let second = 1; second <= 20; second += 1) {
      await work.pass(1_000);
      expect(claimed.mock.calls.length).toBeLessThanOrEqual(second);
      expect(work.running).toHaveLength(1);
      await fail();
    }
    await work.pass(1_000);
    await work.running[0]?.finish();
    await until(() => work.running.length === 32);
  });

  it('an item that goes on for ten seconds shows that it can be', async () => {
    work = toyWork({ parallel: 32, parallelOfLane: 1 });
    await work.ready;
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.running[0]?.fail(new StoreUnavailable('The disk is full.'));
    await rest();
    for (let nth = 0; nth < 30; nth += 1) await work.enqueue(`b${nth}`, `user ${nth}`);
    await work.pass(9_000);
    expect(work.running.length).toBeLessThanOrEqual(9);
    await work.pass(2_000);
    expect(work.running).toHaveLength(31);
  });
});
