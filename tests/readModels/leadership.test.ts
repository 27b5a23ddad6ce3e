/** One process leads, the others stand by: on leases in memory and in MongoDB, with a manual clock. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileLeading } from '../../src/readModels/leadership.ts';
import type { Leases } from '../../src/readModels/leases.ts';
import { createMongoLeases } from '../../src/readModels/mongo/coordination/mongoLeases.ts';
import { runs } from '../given/fullForm.ts';
import { manualClock } from '../given/manualClock.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { type Contender, contest, POLL_MS, RENEW_MS, TTL_MS } from '../given/stores/contenders.ts';
import { memoryLeases } from '../given/stores/leases.ts';
import { type MongoServer, startMongoServer } from '../servers/mongoServer.ts';

/** The longest time without a leader after one vanished. */
const TAKEOVER_MS = TTL_MS + POLL_MS;

type Contest = ReturnType<typeof contest>;

const leaders = (contenders: readonly Contender[]): Contender[] =>
  contenders.filter(({ leadership }) => leadership.state() === 'leading');

async function whoLeads(
  { settle }: Contest,
  contenders: readonly Contender[],
): Promise<{ leader: Contender; standby: Contender }> {
  await settle();
  const [leader] = leaders(contenders);
  const standby = contenders.find((contender) => contender !== leader);
  if (!leader || !standby) throw new Error('Nobody leads.');
  return { leader, standby };
}

function describeLeadership(
  on: string,
  open: () => { leases: Leases; removeByHand(): Promise<void> },
  rounds: number,
): void {
  describe(`leadership on ${on}`, () => {
    it(`goes to exactly one of two that start at once, with a new token, ${rounds} times`, async () => {
      for (let round = 0; round < rounds; round++) {
        const stage = contest(open().leases);
        const both = [stage.enter('ada'), stage.enter('bob')];
        await stage.pass(
          round % 10 === 0 ? 3 * POLL_MS : POLL_MS,
          () => void expect(stage.holders().length).toBeLessThanOrEqual(1),
        );
        expect(stage.holders()).toHaveLength(1);
        expect(leaders(both)).toEqual(stage.holders());
        expect(both.flatMap(({ tokens }) => tokens)).toEqual([1]);
        await Promise.all(both.map((contender) => contender.stop()));
        expect(both.map(({ leadership }) => leadership.state())).toEqual(['stopped', 'stopped']);
      }
    });

    it('passes to the standby within the time to live and one poll when the leader vanishes, and not earlier', async () => {
      const stage = contest(open().leases);
      const { leader, standby } = await whoLeads(stage, [stage.enter('ada'), stage.enter('bob')]);
      await stage.pass(5 * RENEW_MS + 700);
      expect(leader.held()).toBe(true);
      const vanishedAt = stage.elapsed();
      leader.crash();
      await stage.pass(TAKEOVER_MS, () => standby.held());
      expect(standby.held()).toBe(true);
      expect(standby.leadership.state()).toBe('leading');
      expect(stage.elapsed() - vanishedAt).toBeGreaterThan(TTL_MS - RENEW_MS - POLL_MS);
      expect(standby.tokens).toEqual([2]);
      await standby.stop();
    });

    it('is lost by a paused leader the moment it resumes, and that process stands by again', async () => {
      const { leases } = open();
      const stage = contest(leases);
      const { leader, standby } = await whoLeads(stage, [stage.enter('ada'), stage.enter('bob')]);
      leader.pause();
      await stage.pass(TAKEOVER_MS, () => standby.held());
      expect(standby.held()).toBe(true);
      leader.resume();
      expect(leader.held()).toBe(false);
      await stage.pass(3 * RENEW_MS, () => void expect(stage.holders()).toEqual([standby]));
      expect(leader.leadership.state()).toBe('standby');
      expect(leader.leadership.token()).toBeNull();
      await standby.stop();
      await stage.pass(POLL_MS);
      expect(leader.held()).toBe(true);
      expect([leader.tokens, standby.tokens]).toEqual([[1, 3], [2]]);
      await leader.stop();
    });

    it('is left to others for longer and longer by a process that keeps losing it', async () => {
      const { leases } = open();
      const stage = contest(leases);
      const only = stage.enter('ada');
      await stage.settle();
      const waits: number[] = [];
      for (let round = 0; round < 6; round++) {
        // Somebody else takes it, as if this process had been starved, and is gone at once.
        const seen = await leases.read('projector');
        const taken = await leases.acquire({ name: 'projector', owner: 'bob', seen, tokenAbove: seen?.token ?? 0 });
        if (!taken) throw new Error('It was not taken.');
        await leases.release(taken);
        await stage.pass(RENEW_MS, () => !only.held());
        const lostAt = stage.elapsed();
        await stage.pass(3 * TTL_MS, () => only.held());
        expect(only.held()).toBe(true);
        waits.push(stage.elapsed() - lostAt);
      }
      const inOrder = waits.every((wait, index) => index === 0 || wait >= (waits[index - 1] ?? 0) - POLL_MS);
      expect(inOrder, waits.join()).toBe(true);
      expect(waits.at(-1)).toBeGreaterThan(TTL_MS);
      expect(Math.max(...waits)).toBeLessThanOrEqual(2 * TTL_MS + 2 * POLL_MS);
      await only.stop();
    });

    it('passes to the standby at its next poll when the leader stops, after its work has ended', async () => {
      const stage = contest(open().leases);
      const { leader, standby } = await whoLeads(stage, [stage.enter('ada'), stage.enter('bob')]);
      await stage.pass(RENEW_MS);
      let endWork = (): void => undefined;
      leader.onEnd = () =>
        new Promise((resolve) => {
          endWork = resolve;
        });
      const stopped = leader.stop();
      // Longer than the time to live: the lease is renewed while the work ends, so that it may write until then.
      await stage.pass(2 * TTL_MS, () => void expect(stage.holders()).toEqual([leader]));
      endWork();
      await stopped;
      expect(leader.held()).toBe(false);
      expect(leader.leadership.state()).toBe('stopped');
      await stage.pass(POLL_MS);
      expect(stage.holders()).toEqual([standby]);
      await standby.stop();
    });

    it('goes to one process with a greater token after the lease was deleted by hand, never to two', async () => {
      const { leases, removeByHand } = open();
      const stage = contest(leases);
      const both = [stage.enter('ada'), stage.enter('bob')];
      // Halfway between two renewals: for a while the leader does not know.
      await stage.pass(3 * RENEW_MS + RENEW_MS / 2);
      const { leader } = await whoLeads(stage, both);
      const top = Math.max(...leader.tokens);
      await removeByHand();
      await stage.pass(RENEW_MS, () => void expect(stage.holders().length).toBeLessThanOrEqual(1));
      expect(leader.held()).toBe(false);
      await stage.pass(TAKEOVER_MS, () => void expect(stage.holders().length).toBeLessThanOrEqual(1));
      expect(stage.holders()).toHaveLength(1);
      expect(Math.max(...both.flatMap(({ tokens }) => tokens))).toBe(top + 1);
      await Promise.all(both.map((contender) => contender.stop()));
    });

    it('goes to another process when the work ends by itself or fails', async () => {
      const stage = contest(open().leases);
      const both = [stage.enter('ada'), stage.enter('bob')];
      const first = await whoLeads(stage, both);
      first.leader.finish(new Error('a store was closed'));
      await stage.settle();
      expect(first.leader.held()).toBe(false);
      await stage.pass(POLL_MS);
      expect(stage.holders()).toEqual([first.standby]);
      first.standby.finish();
      await stage.pass(RENEW_MS + POLL_MS);
      expect(stage.holders()).toEqual([first.leader]);
      expect([first.leader.tokens, first.standby.tokens]).toEqual([[1, 3], [2]]);
      await Promise.all(both.map((contender) => contender.stop()));
    });

    it('never reuses a token in a hundred handovers', async () => {
      const stage = contest(open().leases);
      let other = stage.enter('0');
      await stage.settle();
      for (let n = 1; n <= 100; n++) {
        const next = stage.enter(String(n));
        if (n % 10 === 0) other.crash();
        else await other.stop();
        await stage.pass(TAKEOVER_MS, () => next.held());
        expect(next.tokens).toEqual([n + 1]);
        other = next;
      }
      await other.stop();
    });
  });
}

describeLeadership(
  'leases in memory',
  () => {
    const leases = memoryLeases();
    return { leases, removeByHand: async () => leases.removeByHand('projector') };
  },
  100,
);

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('with a server', () => {
  let server: MongoServer;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });
  describeLeadership(
    'MongoDB',
    () => {
      const db = client.db(`t${randomUUID().replaceAll('-', '')}`);
      return {
        leases: createMongoLeases({ db }),
        removeByHand: async () => void (await db.collection('leases').deleteMany({})),
      };
    },
    100,
  );
});

describe('leadership while the store is unavailable', () => {
  it('is given up in time, and one process leads again when the store is back', async () => {
    const leases = memoryLeases();
    const stage = contest(leases);
    const both = [stage.enter('ada'), stage.enter('bob')];
    await stage.pass(2 * RENEW_MS);
    const { leader } = await whoLeads(stage, both);
    leases.fail(true);
    await stage.pass(TTL_MS - RENEW_MS - 1000);
    expect(leader.held()).toBe(true);
    await stage.pass(RENEW_MS + 1000);
    expect(stage.holders()).toEqual([]);
    expect(leaders(both)).toEqual([]);
    await stage.pass(5 * TTL_MS);
    leases.fail(false);
    await stage.pass(POLL_MS, () => void expect(stage.holders().length).toBeLessThanOrEqual(1));
    expect(stage.holders()).toHaveLength(1);
    expect(both.flatMap(({ tokens }) => tokens).sort()).toEqual([1, 2]);
    await Promise.all(both.map((contender) => contender.stop()));
  });

  it('outlasts an outage that is shorter than the time to live', async () => {
    const leases = memoryLeases();
    const stage = contest(leases);
    const { leader } = await whoLeads(stage, [stage.enter('ada'), stage.enter('bob')]);
    leases.fail(true);
    await stage.pass(RENEW_MS * 2 + 500);
    leases.fail(false);
    await stage.pass(3 * TTL_MS);
    expect(stage.holders()).toEqual([leader]);
    expect(leader.tokens).toEqual([1]);
  });

  it('is given up in time when the store does not answer at all, and stopping does not wait for it', async () => {
    let isHanging = false;
    const leases = memoryLeases(() => (isHanging ? new Promise(() => undefined) : Promise.resolve()));
    const stage = contest(leases, { whileAsking: false });
    const both = [stage.enter('ada'), stage.enter('bob')];
    const { leader, standby } = await whoLeads(stage, both);
    isHanging = true;
    await stage.pass(TTL_MS);
    expect(leader.held()).toBe(false);
    const stopped = Promise.all(both.map((contender) => contender.stop()));
    await stage.pass(RENEW_MS);
    await stopped;
    expect(standby.leadership.state()).toBe('stopped');
  });

  it('is not regained by a renewal whose answer comes too late', async () => {
    const held: (() => void)[] = [];
    let isSlow = false;
    const leases = memoryLeases();
    const slow: Leases = {
      ...leases,
      renew: async (record) => {
        const renewed = await leases.renew(record);
        if (isSlow) await new Promise<void>((resolve) => held.push(resolve));
        return renewed;
      },
    };
    const stage = contest(slow, { whileAsking: false });
    const { leader } = await whoLeads(stage, [stage.enter('ada'), stage.enter('bob')]);
    isSlow = true;
    leader.onEnd = () => new Promise(() => undefined);
    await stage.pass(TTL_MS);
    expect(leader.held()).toBe(false);
    for (const answer of held) answer();
    await stage.settle();
    expect(leader.held()).toBe(false);
  });

  it('lasts from when a renewal was sent, not from when its answer came', async () => {
    const wayClock = manualClock(0);
    let delayMs = 0;
    const leases = memoryLeases(() =>
      delayMs === 0 ? Promise.resolve() : new Promise((resolve) => void wayClock.timer(delayMs, resolve)),
    );
    const stage = contest(leases, { whileAsking: false });
    const ada = stage.enter('ada');
    await stage.settle();
    delayMs = 2_200;
    // Sent after 2 s, received after 4.2 s, answered after 6.4 s; the store is down by then, and no later renewal
    // reaches it.
    await stage.pass(5_000, () => void wayClock.advance(100));
    leases.fail(true);
    await stage.pass(3_500, () => void wayClock.advance(100));
    expect(ada.held()).toBe(true);
    await stage.pass(1_000, () => void wayClock.advance(100));
    expect(ada.held()).toBe(false);
  });

  it('is not regained by an answer that comes just after the lease expired, before any timer has fired', async () => {
    const leases = memoryLeases();
    let time = 0;
    let answer = (): void => undefined;
    const slow: Leases = {
      ...leases,
      renew: async (record) => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return leases.renew(record);
      },
    };
    let wake = (): void => undefined;
    const sleep = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const stopping = new AbortController();
    const asked: boolean[] = [];
    let ask = (): unknown => undefined;
    const options = { leases: slow, name: 'projector', owner: 'ada', signal: stopping.signal, now: () => time, sleep };
    const leadership = whileLeading(options, (signal, held) => {
      ask = () => asked.push(held());
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
    await nextTurn();
    time = 6_000;
    wake();
    await nextTurn();
    ask();
    time = 7_500;
    answer();
    await nextTurn();
    ask();
    expect(asked).toEqual([true, false]);
    stopping.abort();
    wake();
    await nextTurn();
    await leadership.done;
  });

  it('logs an outage once, and its end', async () => {
    const received: string[] = [];
    const leases = memoryLeases();
    const stage = contest(leases);
    const write = (details: object, message: string): void =>
      void received.push(`${message} ${JSON.stringify(details)}`);
    const ada = stage.enter('ada', { log: { info: write, warn: write, error: write } });
    await stage.pass(RENEW_MS);
    leases.fail(true);
    await stage.pass(3 * TTL_MS);
    leases.fail(false);
    await stage.pass(RENEW_MS);
    await ada.stop();
    expect(received.map((line) => line.replace(/ \{.*/, ''))).toEqual([
      'This process leads now',
      'The store of the leases does not answer',
      'This process leads no longer: the lease was lost',
      'The store of the leases answers again',
      'This process leads now',
    ]);
  });
});

describe('leadership in random scenarios', () => {
  const action = fc.oneof(
    { weight: 12, arbitrary: fc.constant({ kind: 'wait' as const, who: 0 }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const), who: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('resume' as const), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), who: fc.nat(2) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('away' as const, 'back' as const), who: fc.constant(0) }),
    },
  );
  const step = fc.record({ action, ms: fc.integer({ min: 1, max: 40 }).map((tenths) => tenths * 100) });

  it('is held by at most one process with growing tokens, whatever is paused, lost, slow or unavailable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 60 }),
        fc.array(
          fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.integer({ min: 0, max: 5000 })),
          { minLength: 20, maxLength: 200 },
        ),
        async (steps, delays) => {
          // How long each message takes, by the store's clock.
          const wayClock = manualClock(0);
          let sent = 0;
          const leases = memoryLeases(
            () => new Promise((resolve) => void wayClock.timer(delays[sent++ % delays.length] ?? 0, resolve)),
          );
          const stage = contest(leases, { whileAsking: false });
          let starts = 0;
          const enter = () => stage.enter(`p${starts++}`, { rate: [1, 1.03, 0.97][starts % 3] ?? 1 });
          const slots = [enter(), enter(), enter()];
          const everybody = [...slots];
          const terms: number[] = [];
          const check = (): undefined => {
            wayClock.advance(100);
            const holders = stage.holders();
            expect(holders.length).toBeLessThanOrEqual(1);
            const token = holders[0]?.leadership.token();
            if (token && terms.at(-1) !== token) terms.push(token);
          };
          const replace = (who: number): void => {
            slots[who] = enter();
            everybody.push(slots[who]!);
          };
          for (const { action, ms } of steps) {
            const contender = slots[action.who];
            if (action.kind === 'pause') contender?.pause();
            if (action.kind === 'resume') contender?.resume();
            if (action.kind === 'restart') void contender?.stop();
            if (action.kind === 'crash') contender?.crash();
            if (action.kind === 'restart' || action.kind === 'crash') replace(action.who);
            if (action.kind === 'away' || action.kind === 'back') leases.fail(action.kind === 'away');
            await stage.pass(ms, check);
          }
          expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
          // Once everything works again, a process leads.
          leases.fail(false);
          for (const contender of slots) contender.resume();
          await stage.pass(2 * (TAKEOVER_MS + 4 * 3000), () => {
            check();
            return stage.holders().length === 1;
          });
          expect(stage.holders()).toHaveLength(1);
        },
      ),
      { seed: 20_260_101, numRuns: runs(300) },
    );
  }, 60_000);
});
