/** Live holders keep their claims, dead ones lose them: on time that moves only when a test moves it. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createDeferred } from '../../src/projector/projectionPace.ts';
import type { Claim, Claims } from '../../src/readModels/claims.ts';
import type { Leases } from '../../src/readModels/leases.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { watchHolders, withHeartbeat } from '../../src/work/heartbeats.ts';
import { contest, RENEW_MS, TTL_MS } from '../given/stores/contenders.ts';
import { memoryLeases } from '../given/stores/leases.ts';

/** How long a heartbeat must have stopped until its holder counts as dead; longer than the lease itself. */
const GONE_MS = 9_000;
const LOOK_MS = 1_000;

const opened: SqliteReadModels[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((readModels) => readModels.close()));
});

function newStage() {
  const leases = memoryLeases();
  const time = contest(leases);
  const readModels = openSqliteReadModels({ file: ':memory:' });
  opened.push(readModels);
  const { claims } = readModels;

  function enter(
    id: string,
    { rate = 1, through = (own) => own }: { readonly rate?: number; readonly through?: (own: Leases) => Leases } = {},
  ) {
    const participant = time.join(rate);
    const stopping = new AbortController();
    const received: string[] = [];
    let holder: string | null = null;
    let isHeld = (): boolean => false;
    const own = through(participant.leases);
    const shared = { leases: own, signal: stopping.signal, now: participant.now, sleep: participant.sleep };
    const beating = withHeartbeat(
      { ...shared, id, ttlMs: TTL_MS, renewMs: RENEW_MS, pollMs: 500 },
      async (name, signal, held) => {
        holder = name;
        isHeld = held;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        holder = null;
      },
    );
    const watched = watchHolders({
      ...shared,
      claims: {
        holders: () => participant.ask(() => claims.holders()),
        vacate: (name) => participant.ask(() => claims.vacate(name)),
      },
      own: () => holder,
      onVacated: () => received.push('free'),
      log: { info: () => undefined, warn: (_, message) => received.push(message), error: () => undefined },
      ttlMs: GONE_MS,
      pollMs: LOOK_MS,
    });
    return {
      ...participant,
      received,
      holder: () => holder,
      held: () => isHeld(),
      async stop() {
        stopping.abort();
        await Promise.all([beating.done, watched]);
      },
    };
  }
  return { time, leases, claims, enter };
}

async function take(claims: Claims, holder: string | null, itemId = 'a'): Promise<Claim> {
  if (holder === null) throw new Error('It holds no lease.');
  const [seen = null] = await claims.read('audits', [itemId]);
  const claim = await claims.take({
    item: { kind: 'audits', itemId, opening: '1', lane: 'ada' },
    seen,
    holder,
    laneLimit: 9,
  });
  if (typeof claim === 'string') throw new Error(claim);
  return claim;
}

const one = async (claims: Claims): Promise<Claim> =>
  (await claims.read('audits', ['a']))[0] ?? Promise.reject(new Error('There is no claim.'));

describe('a holder', () => {
  for (const [holderRate, watcherRate] of [
    [1, 1],
    [0.9, 1.1],
    [1.1, 0.9],
  ] as const) {
    it(`that is alive is never taken for dead, its clock at ${holderRate} and the other's at ${watcherRate}`, async () => {
      const { time, claims, enter } = newStage();
      const [ada, bob] = [enter('ada', { rate: holderRate }), enter('bob', { rate: watcherRate })];
      await time.settle();
      const claim = await take(claims, ada.holder());
      await time.pass(10 * 60_000, () => void expect(ada.held()).toBe(true));
      expect(await one(claims)).toEqual(claim);
      expect(bob.received).toEqual([]);
      await Promise.all([ada.stop(), bob.stop()]);
    });
  }

  it('that was killed loses its claims once its heartbeat has stopped for long enough, and not before; its lease is removed too', async () => {
    const { time, leases, claims, enter } = newStage();
    const [ada, bob] = [enter('ada'), enter('bob')];
    await time.pass(5 * RENEW_MS + 700);
    await take(claims, ada.holder());
    ada.crash();
    const killedAt = time.elapsed();
    let freedAt = 0;
    await time.pass(GONE_MS + 3 * LOOK_MS, () => {
      if (bob.received.length > 0) freedAt ||= time.elapsed();
      return freedAt > 0;
    });
    expect(freedAt - killedAt).toBeGreaterThan(GONE_MS - RENEW_MS);
    expect(freedAt - killedAt).toBeLessThanOrEqual(GONE_MS + 2 * LOOK_MS);
    expect(await one(claims)).toMatchObject({ holder: null, vanished: true });
    expect(bob.received).toEqual([expect.stringContaining('Worker lost'), 'free']);
    await time.pass(LOOK_MS);
    expect((await leases.list('worker/')).map(({ name }) => name)).toEqual(['worker/bob']);
    await bob.stop();
  });

  it('that was killed without claims leaves no lease', async () => {
    const { time, leases, enter } = newStage();
    const [ada, bob] = [enter('ada'), enter('bob')];
    await time.settle();
    expect(await leases.list('worker/')).toHaveLength(2);
    ada.crash();
    await time.pass(GONE_MS + 2 * LOOK_MS);
    expect((await leases.list('worker/')).map(({ name }) => name)).toEqual(['worker/bob']);
    await bob.stop();
    expect(await leases.list('worker/')).toMatchObject([{ name: 'worker/bob', owner: null }]);
    const eve = enter('eve');
    await time.pass(LOOK_MS);
    expect((await leases.list('worker/')).map(({ name }) => name)).toEqual(['worker/eve']);
    await eve.stop();
  });

  it('that stops loses its remaining claims at the next check, and its lease is removed too', async () => {
    const { time, leases, claims, enter } = newStage();
    const [ada, bob] = [enter('ada'), enter('bob')];
    await time.settle();
    await take(claims, ada.holder());
    await time.pass(3 * LOOK_MS);
    await ada.stop();
    expect(await leases.read('worker/ada')).toMatchObject({ owner: null });
    await time.pass(LOOK_MS);
    expect(await one(claims)).toMatchObject({ holder: null, vanished: true });
    expect(bob.received).toEqual([expect.stringContaining('Worker lost'), 'free']);
    expect((await leases.list('worker/')).map(({ name }) => name)).toEqual(['worker/bob']);
    await bob.stop();
  });

  it('that lost its lease and has a new one releases its own claims from the first', async () => {
    const { time, leases, claims, enter } = newStage();
    const ada = enter('ada');
    await time.settle();
    await take(claims, ada.holder());
    leases.removeByHand('worker/ada');
    await time.pass(TTL_MS + RENEW_MS + 3 * LOOK_MS);
    expect(ada.holder()).toBe('ada/2');
    expect(await one(claims)).toMatchObject({ holder: null, vanished: true });
    await take(claims, ada.holder());
    await time.pass(2 * GONE_MS);
    expect(await one(claims)).toMatchObject({ holder: 'ada/2' });
    await ada.stop();
  });

  it('that is cut off from the store stops before anyone else may have its work', async () => {
    const { time, claims, enter } = newStage();
    let isCutOff = false;
    const away = () => Promise.reject(new Error('No route to the store.'));
    const through = (own: Leases): Leases => ({
      ...own,
      renew: (held) => (isCutOff ? away() : own.renew(held)),
      read: (name) => (isCutOff ? away() : own.read(name)),
    });
    const [ada, bob] = [enter('ada', { rate: 0.9, through }), enter('bob', { rate: 1.1 })];
    await time.pass(4_300);
    await take(claims, ada.holder());
    isCutOff = true;
    let isFree = false;
    await time.pass(2 * GONE_MS, () => {
      isFree ||= bob.received.length > 0;
      if (isFree) expect(ada.held()).toBe(false);
    });
    expect(isFree).toBe(true);
    await Promise.all([ada.stop(), bob.stop()]);
  });
});

describe('a watcher', () => {
  it('is notified of free work by the process that finds its holder dead', async () => {
    const { time, claims, enter } = newStage();
    const [ada, bob, eve] = [enter('ada'), enter('bob'), enter('eve', { rate: 0.97 })];
    await time.settle();
    await take(claims, ada.holder());
    ada.crash();
    await time.pass(2 * GONE_MS);
    expect(bob.received.filter((what) => what === 'free')).toHaveLength(1);
    expect(eve.received.filter((what) => what === 'free')).toHaveLength(1);
    expect([...bob.received, ...eve.received].filter((what) => what.includes('Worker lost'))).toHaveLength(1);
    await Promise.all([bob.stop(), eve.stop()]);
  });

  it('that was stopped between an answer and the next step takes nobody for dead', async () => {
    const { time, claims, enter } = newStage();
    const stop = createDeferred();
    let isStopped = false;
    const through = (own: Leases): Leases => ({
      ...own,
      list: async (prefix) => {
        const records = await own.list(prefix);
        if (isStopped) await stop.promise;
        return records;
      },
    });
    const [ada, bob] = [enter('ada'), enter('bob', { through })];
    await time.pass(4_300);
    const claim = await take(claims, ada.holder());
    isStopped = true;
    await time.pass(60_000);
    isStopped = false;
    stop.resolve();
    await time.pass(2 * GONE_MS);
    expect(await one(claims)).toEqual(claim);
    expect(bob.received).toEqual([]);
    await Promise.all([ada.stop(), bob.stop()]);
  });

  it('reports once that the store is unavailable, and continues when it is back', async () => {
    const { time, leases, claims, enter } = newStage();
    const [ada, bob] = [enter('ada'), enter('bob')];
    await time.settle();
    await take(claims, ada.holder());
    ada.crash();
    leases.fail(true);
    await time.pass(5 * LOOK_MS);
    expect(bob.received).toEqual(['The store of the claims does not answer']);
    leases.fail(false);
    await time.pass(GONE_MS + 3 * LOOK_MS);
    expect(await one(claims)).toMatchObject({ holder: null, vanished: true });
    await bob.stop();
  });
});

it('a holder that is paused and resumes does not hold what another could have taken', async () => {
  const pauses = fc.array(
    fc.record({
      who: fc.nat(2),
      forMs: fc.integer({ min: 100, max: 25_000 }),
      untilNextMs: fc.integer({ min: 0, max: 12_000 }),
    }),
    {
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(pauses, async (steps) => {
      const { time, claims, enter } = newStage();
      const processes = [enter('ada', { rate: 0.97 }), enter('bob'), enter('eve', { rate: 1.03 })];
      await time.settle();
      for (const { who, forMs, untilNextMs } of steps) {
        const process = processes[who];
        const holder = process?.holder();
        if (!process || !holder) continue;
        await take(claims, holder, `${who}`).catch(() => undefined);
        process.pause();
        await time.pass(forMs);
        process.resume();
        const [claim] = await claims.read('audits', [`${who}`]);
        if (process.held() && process.holder() === holder) expect(claim?.holder).toBe(holder);
        await time.pass(untilNextMs);
        const [later] = await claims.read('audits', [`${who}`]);
        if (later?.holder) await claims.letGo(later, {});
      }
      await Promise.all(processes.map((process) => process.stop()));
    }),
    { numRuns: 25 },
  );
});
