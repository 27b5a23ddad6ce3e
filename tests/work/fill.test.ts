/** Filling free slots beside other processes: what is checked again, and when. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getItem } from '../../src/work/items.ts';
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

  it('goes to the first of several users looked at together while others give nothing, one after the other', async () => {
    work = toyWork({ parallel: 1 });
    await work.ready;
    for (const [nth, user] of ['ann', 'bob', 'cec', 'dan', 'eve', 'fay'].entries()) {
      await work.enqueue(user, user, { dueAt: new Date(work.clock.now() - 1_000 + nth).toISOString() });
    }
    await rest();
    // Done elsewhere, which the list does not show yet.
    for (const user of ['ann', 'bob', 'cec', 'dan']) {
      const item = (await getItem(work.readModels, 'toy', user))?.data;
      if (!item) throw new Error(`${user} is not listed`);
      const claim = await work.claims.take({ item: { ...item }, seen: null, holder: 'two', laneLimit: 1 });
      if (typeof claim === 'string') throw new Error(claim);
      await work.claims.letGo(claim, { settledAt: '9'.repeat(20), notBefore: work.now() });
    }
    const { read } = work.claims;
    const looking: { readonly ids: readonly string[]; readonly go: () => void }[] = [];
    vi.spyOn(work.claims, 'read').mockImplementation(async (kind, ids) => {
      await new Promise<void>((go) => looking.push({ ids, go }));
      return read(kind, ids);
    });
    work.start();
    const rounds: (readonly string[])[] = [];
    for (await rest(); looking.length > 0; await rest()) {
      rounds.push(looking.flatMap(({ ids }) => ids));
      for (const { go } of looking.splice(0)) go();
    }
    expect(rounds).toEqual([['ann'], ['bob', 'cec'], ['dan', 'eve', 'fay']]);
    // Of those looked at together the first takes the slot, and nobody another.
    expect(work.taken()).toEqual(['eve']);
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
  it('are filled with the items of a single user from one reading, up to the user’s limit', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    const read = vi.spyOn(work.claims, 'read');
    const asked = slowClaims();
    work.start();
    await until(() => asked.length > 0);
    await rest();
    expect(asked.map(({ itemId }) => itemId)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(read).toHaveBeenCalledTimes(1);
    await letThrough();
    expect(work.taken()).toEqual(['a1', 'a2', 'a3', 'a4']);
    await work.running[0]?.finish();
    await until(() => asked.length === 5);
    await letThrough();
    expect(work.taken()).toEqual(['a2', 'a3', 'a4', 'a5']);
  });

  it('are shared evenly among users, even before any claim is made', async () => {
    work = toyWork({ parallel: 8, parallelOfLane: 4 });
    await work.ready;
    for (const user of ['ann', 'bob', 'cec'])
      for (let nth = 1; nth <= 6; nth += 1) await work.enqueue(`${user}${nth}`, user);
    await rest();
    const asked = slowClaims();
    work.start();
    await until(() => asked.length > 0);
    await rest();
    expect(asked).toHaveLength(8);
    expect(['ann', 'bob', 'cec'].map((user) => asked.filter(({ lane }) => lane === user).length).sort()).toEqual([
      2, 3, 3,
    ]);
    await letThrough();
    expect(work.running).toHaveLength(8);
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

  it('that become free while another claim is being made are filled at once', async () => {
    work = toyWork({ parallel: 2, parallelOfLane: 1 });
    await work.ready;
    work.start();
    await work.enqueue('b', 'ben');
    await until(() => work.running.length === 1);
    const asked = slowClaims();
    await work.enqueue('a', 'ann');
    await until(() => asked.length === 1);
    await work.enqueue('c', 'cleo');
    await rest();
    expect(asked.map(({ itemId }) => itemId)).toEqual(['a']);
    await work.running[0]?.finish();
    await rest();
    expect(asked.map(({ itemId }) => itemId)).toEqual(['a', 'c']);
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
    vi.spyOn(work.claims, 'take').mockRejectedValueOnce(new Error('The store is away.'));
    for (let nth = 1; nth <= 3; nth += 1) await work.enqueue(`a${nth}`, 'ann');
    await rest();
    work.start();
    await until(() => work.running.length === 2);
    expect(work.taken()).toEqual(['a2', 'a3']);
    await work.pass(1_000);
    await until(() => work.running.length === 3);
    expect(work.taken()).toEqual(['a2', 'a3', 'a1']);
  });
});
