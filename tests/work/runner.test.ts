/** Claiming, sharing, failing, vanishing, releasing: how the runner works through the list. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import type { Timer } from '../../src/eventStore/notifier.ts';
import { ReadModelError, type ReadModels } from '../../src/readModels/readModels.ts';
import { getItem } from '../../src/work/items.ts';
import { rest, toyWork, until } from '../given/work/toyWork.ts';

let work: ReturnType<typeof toyWork>;
const open = async (...options: Parameters<typeof toyWork>): Promise<void> => {
  work = toyWork(...options);
  await work.ready;
};
afterEach(() => work.stop());

const claimOf = async (id: string) => (await work.claims.read('toy', [id]))[0];
const listed = async (id: string): Promise<boolean> => (await getItem(work.readModels, 'toy', id)) !== null;

describe('pending work', () => {
  it('is claimed as soon as an event opens it, and leaves the list when an event closes it', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    expect(work.running[0]?.item).toMatchObject({
      itemId: 'a',
      lane: 'ann',
      opener: { stream: 'toy-a', revision: '0', type: 'ToyOwed' },
    });
    await work.running[0]?.finish();
    await until(async () => !(await listed('a')));
    expect(work.taken()).toEqual([]);
  });

  it('from before the runner began is claimed, however much each user has', async () => {
    await open({ parallel: 100, parallelOfLane: 3 });
    for (let at = 0; at < 10; at += 1) await work.enqueue(`a${at}`, 'ann');
    await work.enqueue('b', 'ben');
    await rest();
    work.start();
    await until(() => work.running.length === 4);
    await rest();
    expect(work.taken().sort()).toEqual(['a0', 'a1', 'a2', 'b']);
  });

  it('is announced together, not one by one, when the first list is complete', async () => {
    work = toyWork();
    const watched = vi.spyOn(work.readModels, 'watch');
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    expect(watched.mock.calls[0]?.[0].after).toEqual(expect.any(String));
  });

  it('is claimed a second after the last change if its own change never comes, as when the projector was killed before it', async () => {
    const losing: ReadModels['watch'] = async function* (watched) {
      for await (const change of work.readModels.watch(watched)) if (!change.id.endsWith('/lost')) yield change;
    };
    await open({ worked: (readModels) => Object.assign(Object.create(readModels) as ReadModels, { watch: losing }) });
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    await work.enqueue('lost', 'ben');
    await until(() => listed('lost'));
    await rest();
    expect(work.taken()).toEqual(['a']);
    await work.pass(2_000);
    expect(work.taken()).toEqual(['a', 'lost']);
  });

  it('is claimed, too, if it was listed later than that, or before any change came', async () => {
    const losing: ReadModels['watch'] = async function* (watched) {
      for await (const change of work.readModels.watch(watched)) if (!change.id.includes('/lost')) yield change;
    };
    await open({ worked: (readModels) => Object.assign(Object.create(readModels) as ReadModels, { watch: losing }) });
    await rest();
    work.start();
    await rest();
    for (const [id, afterMs] of [
      ['lost 1', 2_000],
      ['lost 2', 2_000],
      ['lost 3', 4_000],
      ['lost 4', 8_000],
    ] as const) {
      await work.enqueue(id, id);
      await until(() => listed(id));
      await work.pass(afterMs);
      expect(work.taken()).toContain(id);
    }
  });

  it('is not read again with each change: only what is new', async () => {
    await open();
    const later = new Date(work.clock.now() + 3_600_000).toISOString();
    for (let user = 0; user < 500; user += 1) await work.enqueue(`later ${user}`, `user ${user}`, { dueAt: later });
    await rest();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    await work.pass(3_000);
    let documents = 0;
    const { find } = work.readModels;
    vi.spyOn(work.readModels, 'find').mockImplementation(async (...query) => {
      const page = await find(...query);
      documents += page.documents.length;
      return page as never;
    });
    await work.enqueue('b', 'ben');
    await until(() => work.running.length === 2);
    await work.pass(5_000);
    expect(documents).toBeLessThan(10);
  });

  it('is not claimed before it is due', async () => {
    await open();
    work.start();
    await work.enqueue('later', 'ann', { dueAt: new Date(work.clock.now() + 5_000).toISOString() });
    await work.pass(4_000);
    expect(work.taken()).toEqual([]);
    await work.pass(2_000);
    expect(work.taken()).toEqual(['later']);
  });

  it('stays with its holder while the list is behind its outcome', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    // An outcome far ahead of the list: as if the projector had stopped.
    work.running[0]?.end({ outcome: 'settled', position: '9'.repeat(20) });
    await work.pass(10_000);
    expect(work.taken()).toEqual([]);
    expect(await claimOf('a')).toMatchObject({ holder: null, settledAt: '9'.repeat(20) });
  });

  it('that is done is checked less and less often while the list is far behind', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.running[0]?.end({ outcome: 'settled', position: '9'.repeat(20) });
    await work.pass(60_000);
    const read = vi.spyOn(work.claims, 'read');
    for (let minute = 0; minute < 2; minute += 1) await work.pass(60_000);
    expect(read.mock.calls.length).toBeGreaterThan(0);
    expect(read.mock.calls.length).toBeLessThan(10);
  });

  it('that is settled while no event closes it is checked once a second, not all the time', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    for (let second = 0; second < 3; second += 1) {
      work.running[0]?.end({ outcome: 'settled', position: '0'.repeat(20) });
      await rest();
      expect(work.taken()).toEqual([]);
      await work.pass(1_000);
      expect(work.taken()).toEqual(['a']);
    }
  });

  it('is removed with its claim once the list has passed its outcome', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    await work.running[0]?.finish();
    await until(async () => !(await listed('a')));
    await work.pass(12_000);
    expect(await claimOf('a')).toBeUndefined();
  });
});

describe('fair sharing', () => {
  it('serves the user with the fewest running first, then the longest waiting', async () => {
    await open({ parallel: 3, parallelOfLane: 2 });
    for (const id of ['a1', 'a2', 'a3', 'a4']) {
      await work.enqueue(id, 'ann');
      work.clock.advance(10);
    }
    await work.enqueue('b1', 'ben');
    work.clock.advance(10);
    await work.enqueue('c1', 'cleo');
    await rest();
    work.start();
    await until(() => work.running.length === 3);
    expect(work.taken()).toEqual(['a1', 'b1', 'c1']);
    await work.running[0]?.finish();
    await until(() => work.running.length === 3);
    // Nobody else waits: now she is next again.
    expect(work.taken()).toEqual(['b1', 'c1', 'a2']);
  });

  it('reads what other processes hold once a second, however many items come in', async () => {
    await open({ parallel: 2, parallelOfLane: 1 });
    await work.enqueue('a', 'ann');
    for (let nth = 1; nth <= 6; nth += 1) for (const lane of ['ben', 'cleo']) await work.enqueue(`${lane}${nth}`, lane);
    await rest();
    const { take } = work.claims;
    const requested: string[] = [];
    const waiting: (() => void)[] = [];
    // At first another process holds something of hers, which then ends.
    vi.spyOn(work.claims, 'running').mockResolvedValueOnce(new Map([['ann', 1]]));
    vi.spyOn(work.claims, 'take').mockImplementation(async (request) => {
      requested.push(request.item.itemId);
      if (request.item.lane !== 'ann') await new Promise<void>((resolve) => waiting.push(resolve));
      return take(request);
    });
    work.start();
    // One of the others is always being claimed.
    for (let nth = 1; nth <= 5 && !requested.includes('a'); nth += 1) {
      await until(() => waiting.length > 0);
      for (const running of [...work.running]) await running.finish();
      waiting.shift()?.();
      await rest();
      work.clock.advance(400);
    }
    for (const release of waiting) release();
    expect(requested).toContain('a');
  });

  it('tries again a second after a claim failed', async () => {
    await open({ parallel: 2 });
    await work.enqueue('a', 'ann');
    await work.enqueue('b', 'ben');
    await rest();
    vi.spyOn(work.claims, 'take').mockRejectedValueOnce(new ReadModelError('READ_MODELS_UNAVAILABLE', 'gone'));
    work.start();
    await rest();
    expect(work.taken()).toEqual([]);
    await work.pass(2_000);
    expect(work.taken().sort()).toEqual(['a', 'b']);
  });

  it('keeps a place for users with nothing running, without counting as stalled for it', async () => {
    await open({ parallel: 4, parallelOfLane: 2, keptForIdle: 1 });
    for (const lane of ['ann', 'ben', 'cleo']) for (const nth of [1, 2, 3]) await work.enqueue(`${lane}${nth}`, lane);
    await rest();
    const runner = work.start();
    await until(() => work.running.length === 3);
    await work.pass(5_000);
    expect(
      work
        .taken()
        .map((id) => id.slice(0, -1))
        .sort(),
    ).toEqual(['ann', 'ben', 'cleo']);
    expect(runner.state()).toMatchObject([{ running: 3, places: 4, freeSince: null }]);
    await work.enqueue('dora1', 'dora');
    await until(() => work.taken().includes('dora1'));
    // The kept place is taken: later users wait for one, as do second items of the others.
    await work.enqueue('emil1', 'emil');
    await rest();
    expect(work.running).toHaveLength(4);
    await work.running.find(({ item }) => item.lane === 'dora')?.finish();
    await until(() => work.taken().includes('emil1'));
  });

  it('gives all places but the kept one to a single user', async () => {
    await open({ parallel: 3, parallelOfLane: 2, keptForIdle: 1 });
    work.start();
    for (const id of ['a1', 'a2', 'a3']) await work.enqueue(id, 'ann');
    await until(() => work.running.length === 2);
  });

  it('serves the longest waiting, whatever was done of another user’s before', async () => {
    await open({ parallel: 1, parallelOfLane: 1 });
    for (const [id, lane] of [
      ['a1', 'ann'],
      ['b1', 'ben'],
      ['a2', 'ann'],
      ['a3', 'ann'],
      ['b2', 'ben'],
    ] as const) {
      await work.enqueue(id, lane);
      work.clock.advance(10);
    }
    await rest();
    work.start();
    const order: string[] = [];
    while (order.length < 5) {
      await until(() => work.running.length === 1);
      order.push(...work.taken());
      await work.running[0]?.finish();
    }
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'b2']);
  });

  it('checks a user at their limit at most once a second, however much of theirs is due', async () => {
    await open({ parallel: 4, parallelOfLane: 1 });
    const waits: number[] = [];
    const { timer } = work.clock;
    const spied: Timer = (ms, notify) => {
      waits.push(ms);
      return timer(ms, notify);
    };
    work.start('one', undefined, spied);
    await work.enqueue('a1', 'ann');
    await work.enqueue('a2', 'ann');
    await until(() => work.running.length === 1);
    await rest();
    waits.length = 0;
    await work.pass(5_000);
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.min(...waits)).toBe(1_000);
  });

  it('counts running items only while a place is free and something is due', async () => {
    await open({ parallel: 1, parallelOfLane: 1 });
    const asked = vi.spyOn(work.claims, 'running');
    const runner = work.start();
    await rest();
    await work.enqueue('later', 'ann', { dueAt: new Date(work.clock.now() + 60_000).toISOString() });
    for (let wakes = 0; wakes < 5; wakes += 1) {
      runner.notifyAll();
      await rest();
    }
    expect(asked).not.toHaveBeenCalled();
    await work.enqueue('a', 'ben');
    await until(() => work.running.length === 1);
    expect(asked).toHaveBeenCalledTimes(1);
    for (const id of ['b', 'c', 'd']) await work.enqueue(id, 'cleo');
    await work.pass(5_000);
    expect(asked).toHaveBeenCalledTimes(1);
    await work.running[0]?.finish();
    await until(() => work.taken()[0] === 'b');
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('prefers the higher rank, until another user has waited for half a minute', async () => {
    await open({ parallel: 1, parallelOfLane: 1 });
    await work.enqueue('plain', 'ann');
    work.clock.advance(1_000);
    await work.enqueue('urgent', 'ben', { rank: 1 });
    await rest();
    work.start();
    await until(() => work.running.length === 1);
    expect(work.taken()).toEqual(['urgent']);
    work.clock.advance(31_000);
    await work.enqueue('urgent too', 'cleo', { rank: 1 });
    await rest();
    await work.running[0]?.finish();
    await until(() => work.taken()[0] !== 'urgent');
    await until(() => work.running.length === 1);
    expect(work.taken()).toEqual(['plain']);
  });

  it('keeps a user’s limit over all processes', async () => {
    await open({ parallel: 4, parallelOfLane: 2 });
    work.start('one');
    work.start('two');
    for (let at = 0; at < 6; at += 1) await work.enqueue(`a${at}`, 'ann');
    await until(() => work.running.length === 2);
    await work.pass(3_000);
    expect(work.running.length).toBe(2);
    await work.running[0]?.finish();
    await until(() => work.taken().includes('a2'));
    expect(work.running.length).toBe(2);
  });
});

describe('a failed item', () => {
  it('is retried later, and given up by an event after enough attempts', async () => {
    await open({ tries: 3 });
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.running[0]?.fail(Object.assign(new Error('secret@example.com'), { code: 'ENOPE' }));
    await rest();
    expect(work.taken()).toEqual([]);
    expect(await claimOf('a')).toMatchObject({ attempts: 1, failure: 'Error ENOPE', holder: null });
    await work.pass(1_000);
    expect(work.running[0]?.holding.attempts).toBe(1);
    work.running[0]?.fail();
    await rest();
    await work.pass(2_000);
    work.running[0]?.fail();
    await until(async () => !(await listed('a')));
    const read = await work.store.read('toy-a');
    expect(read.status === 'found' && read.events.map(({ type }) => type)).toEqual(['ToyOwed', 'ToyGivenUp']);
  });

  it('is retried until an unavailable store is back, without counting', async () => {
    await open({ tries: 3 });
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    const errors = [new StoreUnavailable('away'), new ReadModelError('READ_MODELS_UNAVAILABLE', 'away')];
    for (let at = 0; at < 6; at += 1) {
      work.running[0]?.fail(errors[at % 2]);
      await rest();
      await work.pass(1_000);
      expect(work.running[0]?.holding.attempts).toBe(0);
    }
    expect(await listed('a')).toBe(true);
  });

  it('does not count if its stream is not ready yet', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.running[0]?.end({ outcome: 'later', notBefore: new Date(work.clock.now() + 60_000).toISOString() });
    await work.pass(59_000);
    expect(work.taken()).toEqual([]);
    await work.pass(2_000);
    expect(work.running[0]?.holding.attempts).toBe(0);
  });

  it('starts over when it is opened again', async () => {
    await open();
    work.start();
    await work.enqueue('a', 'ann');
    await until(() => work.running.length === 1);
    work.running[0]?.fail();
    await rest();
    const before = (await getItem(work.readModels, 'toy', 'a'))?.data.opening;
    await work.write('WorkRetryAsked', { id: 'x', kind: 'toy', itemId: 'a' } as never);
    await until(() => work.running.length === 1);
    expect(work.running[0]?.holding.attempts).toBe(0);
    expect(work.running[0]?.item.opening).not.toBe(before);
  });

  it('is skipped when it is no longer pending', async () => {
    await open({ expiresAfterMs: 60_000 });
    await work.enqueue('a', 'ann');
    work.clock.advance(61_000);
    await rest();
    work.start();
    await until(async () => !(await listed('a')));
    const read = await work.store.read('toy-a');
    expect(read.status === 'found' && read.events.map(({ type }) => type)).toEqual(['ToyOwed', 'ToyGivenUp']);
  });
});
