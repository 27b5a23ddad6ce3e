/** The loop of the followers on a real log: order, marks, failures, store outages. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStore, type RecordedEvent, START, StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { ReadModelError } from '../../src/readModels/readModels.ts';
import { type Follower, NotYet } from '../../src/work/follower.ts';
import {
  type FollowersOptions,
  followerMark,
  type RunningFollowers,
  runFollowers,
} from '../../src/work/runFollowers.ts';
import { type ManualClock, manualClock } from '../given/manualClock.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { givenMarks, sleepOn } from '../given/work/following.ts';

const HOUR = 60 * 60 * 1_000;
const MARK = followerMark('tested');

let clock: ManualClock;
let store: ReturnType<typeof rawEventStore>;
let running: { readonly stop: () => Promise<void> }[];
beforeEach(() => {
  clock = manualClock();
  store = rawEventStore();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  await store.close();
});

const iso = (): string => new Date(clock.now()).toISOString();

async function happen(...types: readonly string[]): Promise<void> {
  const events = types.map((type) => ({ id: randomUUID(), type, data: { at: iso() }, metadata: metadataAt(iso()) }));
  await store.append('things', events, { expected: 'any' });
}

/** A follower that records what it did. */
function following(
  given: Partial<Follower> & { readonly act?: (event: RecordedEvent, nth: number) => Promise<void> } = {},
): Follower & { readonly did: string[] } {
  const did: string[] = [];
  let calls = 0;
  return {
    name: 'tested',
    types: ['Wanted'],
    begins: 'at_the_start',
    ...given,
    did,
    follow: async (event) => {
      calls += 1;
      await given.act?.(event, calls);
      did.push(String(event.revision));
    },
  };
}

type Started = RunningFollowers & {
  readonly stop: () => Promise<void>;
  readonly aside: [string, string][];
  readonly logged: string[];
};

function start(followers: readonly Follower[], given: Partial<FollowersOptions> = {}): Started {
  const stopping = new AbortController();
  const aside: [string, string][] = [];
  const logged: string[] = [];
  const log = (_details: object, text: string) => void logged.push(text);
  const run = runFollowers({
    followers,
    store,
    marks: givenMarks(),
    signal: stopping.signal,
    now: iso,
    setAside: async ({ name }, event) => void aside.push([name, String(event.revision)]),
    sleep: sleepOn(clock),
    log: { info: log, warn: log, error: log },
    ...given,
  });
  const stop = async () => {
    stopping.abort();
    await run.done;
  };
  running.push({ stop });
  return { ...run, stop, aside, logged };
}

/** Lets time pass in small steps for all waiters. */
async function pass(ms: number, step = 500): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    for (let nth = 0; nth < 3; nth += 1) await turn();
    clock.advance(Math.min(step, ms - passed));
  }
  for (let nth = 0; nth < 3; nth += 1) await turn();
}
const until = (act: () => void) => vi.waitFor(act, { timeout: 5_000, interval: 1 });

describe('a follower', () => {
  it('processes its events in log order, and resumes where it was', async () => {
    const marks = givenMarks();
    await happen('Wanted', 'Other', 'Wanted');
    const first = following();
    const run = start([first], { marks });
    await until(() => expect(first.did).toEqual(['0', '2']));
    await happen('Other', 'Wanted');
    await until(() => expect(first.did).toEqual(['0', '2', '4']));
    await run.stop();
    await happen('Wanted');
    const second = following();
    start([second], { marks });
    await until(() => expect(second.did).toEqual(['5']));
  });

  it('begins a day back when it notifies others, and keeps that position however long nothing happens', async () => {
    await happen('Wanted', 'Other');
    clock.advance(HOUR);
    await happen('Wanted');
    clock.advance(23 * HOUR + 1);
    const marks = givenMarks();
    const first = following({ begins: 'a_day_back' });
    const run = start([first], { marks });
    await until(() => expect(first.did).toEqual(['2']));
    await run.stop();
    const other = givenMarks();
    const idle = start([following({ name: 'idle', types: ['Late'], begins: 'a_day_back' })], { marks: other });
    await until(() => expect(other.kept.size).toBe(1));
    await idle.stop();
    await happen('Late');
    clock.advance(48 * HOUR);
    const late = following({ name: 'idle', types: ['Late'], begins: 'a_day_back' });
    start([late], { marks: other });
    await until(() => expect(late.did).toEqual(['3']));
  });

  it('starts over on a log that was replaced by an older one', async () => {
    await happen('Wanted', 'Wanted');
    const marks = givenMarks({ [MARK]: '9'.repeat(20) });
    const one = following();
    const run = start([one], { marks });
    await until(() => expect(one.did).toEqual(['0', '1']));
    expect(run.logged).toContain(
      'a follower was ahead of the log, which was replaced by an older one; it starts from the beginning',
    );
  });

  it('writes nothing while nothing happens, and seldom while only hidden events arrive', async () => {
    const marks = givenMarks();
    const one = following();
    await happen('Wanted');
    const run = start([one], { marks });
    const head = await store.head();
    await until(() => expect(one.did).toHaveLength(1));
    await pass(1_000);
    expect(marks.kept.get(MARK)).toBe(head);
    const begun = marks.writes.length;
    await pass(5 * 60_000, 30_000);
    expect(marks.writes).toHaveLength(begun);
    for (let nth = 0; nth < 20; nth += 1) {
      await happen('Other');
      await pass(1_000, 1_000);
    }
    const hidden = marks.writes.length - begun;
    expect(hidden).toBeGreaterThan(0);
    expect(hidden).toBeLessThanOrEqual(3);
    await happen('Other');
    await pass(1);
    await run.stop();
    expect(marks.kept.get(MARK)).toBe(await store.head());
  });

  it('writes its mark at most once a second, however many events come one by one', async () => {
    const marks = givenMarks();
    const one = following();
    const run = start([one], { marks });
    await until(() => expect(marks.writes).toHaveLength(1));
    for (let nth = 1; nth <= 40; nth += 1) {
      await happen('Wanted');
      await until(() => expect(one.did).toHaveLength(nth));
      if (nth % 20 === 0) await pass(1_000);
    }
    expect(marks.writes).toHaveLength(3);
    expect(marks.kept.get(MARK)).toBe(await store.head());
    await run.stop();
  });

  it('retries a failing event three times with growing pauses, sets it aside, and continues', async () => {
    await happen('Wanted', 'Wanted');
    const tries: number[] = [];
    const one = following({
      act: async ({ revision }) => {
        if (revision !== 0n) return;
        tries.push(clock.now());
        throw new Error('It cannot be done.');
      },
    });
    const begun = clock.now();
    const run = start([one]);
    await until(() => expect(tries).toHaveLength(1));
    await pass(10_000);
    await until(() => expect(one.did).toEqual(['1']));
    expect(tries.map((at) => at - begun)).toEqual([0, 1_000, 6_000]);
    expect(run.aside).toEqual([['tested', '0']]);
  });

  it('continues without setting aside when a later attempt succeeds', async () => {
    await happen('Wanted');
    const one = following({
      act: async (_event, nth) => {
        if (nth < 3) throw new Error('Not now.');
      },
    });
    const run = start([one]);
    await until(() => expect(run.logged).toHaveLength(1));
    await pass(10_000);
    await until(() => expect(one.did).toEqual(['0']));
    expect(run.aside).toEqual([]);
  });

  it('does not continue before the event is set aside', async () => {
    await happen('Wanted', 'Wanted');
    const marks = givenMarks();
    let asked = 0;
    const one = following({
      act: async ({ revision }) => {
        if (revision === 0n) throw new Error('It cannot be done.');
      },
    });
    start([one], {
      marks,
      setAside: async () => {
        asked += 1;
        if (asked < 4) throw new StoreUnavailable('away');
      },
    });
    await until(() => expect(one.did).toEqual([]));
    await pass(8_000);
    expect(asked).toBeGreaterThan(0);
    expect([one.did, marks.kept.get(MARK)]).toEqual([[], START]);
    await pass(30_000);
    await until(() => expect(one.did).toEqual(['1']));
    expect(asked).toBe(4);
  });

  it('waits for read models as long as needed, without counting an attempt', async () => {
    await happen('Wanted');
    let there = false;
    const one = following({
      act: async () => {
        if (!there) throw new NotYet('The read models are behind.');
      },
    });
    const run = start([one]);
    await pass(10 * 60_000, 10_000);
    expect([one.did, run.aside, run.logged]).toEqual([[], [], []]);
    there = true;
    await pass(60_000, 10_000);
    await until(() => expect(one.did).toEqual(['0']));
  });

  it('is not delayed by another', async () => {
    await happen('Wanted');
    const stuck = following({ name: 'stuck', act: () => new Promise(() => undefined) });
    const one = following();
    start([stuck, one], {});
    await until(() => expect(one.did).toEqual(['0']));
    await happen('Wanted');
    await until(() => expect(one.did).toEqual(['0', '1']));
    expect(stuck.did).toEqual([]);
    // It never ends: the test does not wait for it.
    running.length = 0;
  });

  it('keeps its progress when it is stopped in the middle', async () => {
    await happen('Wanted', 'Wanted', 'Wanted');
    const marks = givenMarks();
    const stopping = new AbortController();
    const one = following({
      act: async ({ revision }) => {
        if (revision === 1n) stopping.abort();
        if (revision === 1n) throw new Error('Broken off.');
      },
    });
    const run = start([one], { marks, signal: stopping.signal });
    await run.done;
    expect([one.did, run.aside]).toEqual([['0'], []]);
    const second = following();
    start([second], { marks });
    await until(() => expect(second.did).toEqual(['1', '2']));
  });

  it('ends when the store is closed', async () => {
    const run = start([following()]);
    await until(() => expect(run.logged).toEqual([]));
    await store.close();
    await pass(5_000);
    await run.done;
  });
});

describe('an unavailable store', () => {
  it('is awaited: the subscription is restarted, and no event is set aside for it', async () => {
    await happen('Wanted', 'Wanted');
    let away = 3;
    const broken: EventStore = Object.assign(Object.create(store) as EventStore, {
      subscribe: (options: Parameters<EventStore['subscribe']>[0]) => {
        if (away > 0) {
          away -= 1;
          throw new StoreUnavailable('away');
        }
        return store.subscribe(options);
      },
    });
    let refusals = 5;
    const one = following({
      act: async ({ revision }) => {
        if (revision === 1n && refusals > 0) {
          refusals -= 1;
          throw refusals > 1 ? new ReadModelError('READ_MODELS_UNAVAILABLE', 'away') : new StoreUnavailable('away');
        }
      },
    });
    const run = start([one], { store: broken });
    await pass(2 * 60_000, 1_000);
    await until(() => expect(one.did).toEqual(['0', '1']));
    expect([away, refusals, run.aside]).toEqual([0, 0, []]);
  });

  it('of marks costs repeated work, never lost work', async () => {
    await happen('Wanted');
    const marks = givenMarks();
    let away = true;
    const one = following();
    start([one], {
      marks: {
        ...marks,
        write: async (name, value) => {
          if (away && value !== START) throw new Error('The store of the marks is away.');
          await marks.write(name, value);
        },
      },
    });
    await until(() => expect(one.did).toEqual(['0']));
    away = false;
    await pass(5_000);
    await happen('Wanted');
    await until(() => expect(one.did.at(-1)).toBe('1'));
    await until(() => expect(marks.kept.get(MARK)).not.toBe(START));
    expect(new Set(one.did)).toEqual(new Set(['0', '1']));
  });
});

describe('followers that are killed again and again', () => {
  it('process each event at least once and in order', async () => {
    const marks = givenMarks();
    const seen: bigint[] = [];
    await happen(...Array.from({ length: 60 }, (_, nth) => (nth % 3 === 0 ? 'Other' : 'Wanted')));
    for (let life = 0; (seen.at(-1) ?? -1n) < 59n; life += 1) {
      expect(life).toBeLessThan(60);
      const killed = new AbortController();
      const one = following({
        act: async ({ revision }, nth) => {
          seen.push(revision);
          clock.advance(400);
          // The process crashes before it writes its mark.
          if (nth === 1 + (life % 5)) killed.abort();
        },
      });
      const dying = {
        ...marks,
        write: async (name: string, value: string) => (killed.signal.aborted ? undefined : marks.write(name, value)),
      };
      const run = start([one], { marks: dying, signal: killed.signal });
      await until(() => expect(killed.signal.aborted || seen.at(-1) === 59n).toBe(true));
      killed.abort();
      await run.done;
      clock.advance(2_000);
    }
    const first = seen.filter((revision, at) => seen.indexOf(revision) === at);
    expect(first).toEqual(Array.from({ length: 60 }, (_, nth) => BigInt(nth)).filter((nth) => nth % 3n !== 0n));
  });
});

describe('the lag of followers', () => {
  it('is the age of the oldest event still to be processed', async () => {
    await happen('Wanted', 'Other');
    let open = false;
    const held = following({
      act: async () => {
        if (!open) throw new NotYet('closed');
      },
    });
    const idle = following({ name: 'idle', types: ['Never'] });
    const run = start([held, idle]);
    await pass(60_000, 5_000);
    const [stuck, other] = await run.lag();
    expect(stuck).toMatchObject({ follower: 'tested', position: START, ageMs: 60_000 });
    expect(stuck?.behind).toBeGreaterThan(0);
    expect(other).toMatchObject({ follower: 'idle', ageMs: 0 });
    open = true;
    await pass(60_000, 5_000);
    await until(() => expect(held.did).toEqual(['0']));
    await vi.waitFor(async () =>
      expect((await run.lag()).map(({ behind, ageMs }) => [behind, ageMs])).toEqual([
        [0, 0],
        [0, 0],
      ]),
    );
  });
});
