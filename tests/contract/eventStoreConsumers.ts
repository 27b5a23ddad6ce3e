import { expect } from 'vitest';
import { type ConsumerOptions, type Delivery, type EventStore, LeaseLost } from '../../src/eventStore/eventStore.ts';
import type { Case } from './eventStore.ts';
import { type EventStoreHarness, eventsOf, newEvent, newEvents, refusal, seededRandom, turns } from './eventStoreHarness.ts';

/** A consumer whose deliveries a test takes one by one. */
function consumer(store: EventStore, idle: EventStoreHarness['idle'], options: Partial<ConsumerOptions> = {}) {
  const iterator = store.consume({ group: 'workers', filter: { types: ['ThingHappened'] }, backoff: () => 5_000, ...options })[Symbol.asyncIterator]();
  /** Stays until it is taken, so that what comes while nobody looks is not lost. */
  let waiting: Promise<Delivery | null> | null = null;
  const next = () => {
    waiting ??= iterator.next().then((result) => (result.done ? null : result.value));
    return waiting;
  };
  /** What came earlier may have gone to another since. */
  const isStillHeld = (delivery: Delivery) =>
    delivery.extend().then(
      () => true,
      (error: unknown) => !(error instanceof LeaseLost),
    );
  return {
    async take(): Promise<Delivery> {
      for (;;) {
        const delivery = await next();
        waiting = null;
        if (delivery === null) throw new Error('The consumer has ended.');
        if (await isStillHeld(delivery)) return delivery;
      }
    },
    /** Null when nothing comes without time passing. */
    async takeNow(): Promise<Delivery | null> {
      for (;;) {
        let taken: Delivery | null = null;
        const delivered = next().then((delivery) => {
          taken = delivery;
        });
        await Promise.race([delivered, idle()]);
        if (taken === null) return null;
        waiting = null;
        if (await isStillHeld(taken)) return taken;
      }
    },
    async end(): Promise<void> {
      await iterator.return?.();
      await (await waiting)?.defer(0).catch((error: unknown) => expect(error).toBeInstanceOf(LeaseLost));
    },
  };
}

const handing: readonly Case[] = [
  [
    'EC01 each event goes to one of the consumers, all are handled, acknowledged ones never come again',
    async ({ store, reopen, idle }) => {
      await store.append('thing-1', newEvents(40), { expected: 'no_stream' });
      await store.append('thing-1', newEvents(3, 'OtherHappened'), { expected: 'any' });
      const handled: string[] = [];
      const stop = new AbortController();
      const work = async (most: number) => {
        let count = 0;
        for await (const delivery of store.consume({ group: 'workers', filter: { types: ['ThingHappened'] }, signal: stop.signal })) {
          handled.push(delivery.event.position);
          expect(delivery.attempt).toBe(1);
          await turns(1);
          await delivery.ack();
          if (handled.length === 40) stop.abort();
          count += 1;
          if (count === most) break;
        }
        return count;
      };
      const counts = await Promise.all([work(30), work(30), work(30)]);
      expect(counts.every((count) => count > 0)).toBe(true);
      expect(handled.toSorted()).toEqual((await eventsOf(store, 'thing-1')).slice(0, 40).map((event) => event.position));
      for (const again of [async () => store, reopen]) {
        if (again === null) continue;
        const late = consumer(await again(), idle);
        expect(await late.takeNow()).toBeNull();
        await late.end();
      }
    },
  ],
  [
    'EC02 a waiting consumer is woken by an append; the filter holds for types and stream prefixes',
    async ({ store, idle }) => {
      const waiting = consumer(store, idle, { filter: { types: ['ThingHappened'], streamPrefixes: ['job-'] } });
      expect(await waiting.takeNow()).toBeNull();
      await store.append('thing-1', newEvents(1), { expected: 'any' });
      await store.append('job-1', newEvents(1, 'OtherHappened'), { expected: 'any' });
      expect(await waiting.takeNow()).toBeNull();
      const { position } = await store.append('job-1', newEvents(1), { expected: 'any' });
      expect((await waiting.take()).event).toMatchObject({ position, stream: 'job-1', revision: 1n });
      await waiting.end();
    },
  ],
  [
    'EC03 groups are independent of each other, and a new group starts at the beginning',
    async ({ store, idle }) => {
      await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      for (const group of ['a', 'b']) {
        const one = consumer(store, idle, { group });
        for (const revision of [0n, 1n]) {
          const delivery = await one.take();
          expect(delivery.event.revision).toBe(revision);
          await delivery.ack();
        }
        await one.end();
      }
    },
  ],
  [
    "EC04 several deliveries may be in one consumer's hands, and are settled in any order",
    async ({ store, idle }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      const one = consumer(store, idle);
      const held = [await one.take(), await one.take(), await one.take()];
      expect(new Set(held.map((delivery) => delivery.event.revision)).size).toBe(3);
      expect(await one.takeNow()).toBeNull();
      for (const delivery of held.toReversed()) await delivery.ack();
      expect(await one.takeNow()).toBeNull();
      await one.end();
    },
  ],
  [
    'EC05 a log much longer than a feed is worked through to its end',
    async ({ store, idle }) => {
      for (let round = 0; round < 3; round++) {
        for (let chunk = 0; chunk < 14; chunk++) await store.append('thing-1', newEvents(500, 'OtherHappened'), { expected: 'any' });
        await store.append('thing-1', newEvents(250), { expected: 'any' });
      }
      let handled = 0;
      for await (const delivery of store.consume({ group: 'workers', filter: { types: ['ThingHappened'] } })) {
        await delivery.ack();
        handled += 1;
        if (handled === 750) break;
      }
      const late = consumer(store, idle);
      expect(await late.takeNow()).toBeNull();
      await late.end();
    },
  ],
];

const leasing: readonly Case[] = [
  [
    'EC06 a lease that ends gives the event to another; the first one can no longer settle it',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      const first = consumer(store, idle, { leaseMs: 30_000 });
      const second = consumer(store, idle, { leaseMs: 30_000 });
      const lost = await first.take();
      expect(await second.takeNow()).toBeNull();
      advance(29_999);
      expect(await second.takeNow()).toBeNull();
      advance(1);
      const won = await second.take();
      expect(won.event.id).toBe(lost.event.id);
      expect(won.attempt).toBe(2);
      for (const settle of [() => lost.ack(), () => lost.retry('x'), () => lost.defer(1), () => lost.park('x'), () => lost.extend()]) {
        expect(await refusal(settle())).toBeInstanceOf(LeaseLost);
      }
      await won.ack();
      expect(await refusal(won.ack())).toBeInstanceOf(LeaseLost);
      await Promise.all([first.end(), second.end()]);
    },
  ],
  [
    'EC07 extending renews the lease; a lease that ended but went to nobody can still be settled',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      const first = consumer(store, idle, { leaseMs: 30_000 });
      const held = await first.take();
      const second = consumer(store, idle, { leaseMs: 30_000 });
      for (let round = 0; round < 5; round++) {
        advance(20_000);
        await held.extend();
        expect(await second.takeNow()).toBeNull();
      }
      await second.end();
      advance(100_000);
      await held.ack();
      expect(await first.takeNow()).toBeNull();
      await first.end();
    },
  ],
  [
    'EC08 leases of a process that is gone are given back at once when the data is opened anew',
    async ({ store, reopen, idle }) => {
      if (reopen === null) throw new Error('The adapter must name this as an exception.');
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      const before = consumer(store, idle, { leaseMs: 3_600_000 });
      const held = [await before.take(), await before.take()];
      await held[0]!.ack();
      const again = await reopen();
      const after = consumer(again, idle);
      const taken = [await after.take(), await after.take()];
      expect(taken.map((delivery) => [delivery.event.revision, delivery.attempt])).toEqual([
        [1n, 2],
        [2n, 1],
      ]);
      expect(await after.takeNow()).toBeNull();
      await after.end();
    },
  ],
  [
    'EC09 a consumer that ends while an event is on its way to it gives that back untried',
    async ({ store, idle }) => {
      const stop = new AbortController();
      const leaving = consumer(store, idle, { signal: stop.signal });
      expect(await leaving.takeNow()).toBeNull();
      const pending = leaving.takeNow();
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      stop.abort();
      const taken = await pending;
      const staying = consumer(store, idle);
      if (taken === null) expect((await staying.take()).attempt).toBe(1);
      else await taken.ack();
      await staying.end();
    },
  ],
];

const failing: readonly Case[] = [
  [
    'EC10 retry comes again after the backoff, counted; other events go on meanwhile',
    async ({ store, advance, idle }) => {
      const delays = [1_000, 7_000];
      await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      const one = consumer(store, idle, { backoff: (attempt) => delays[attempt - 1]! });
      for (const [index, delay] of delays.entries()) {
        const poison = await one.take();
        expect(poison).toMatchObject({ event: { revision: 0n }, attempt: index + 1 });
        await poison.retry('no answer');
        if (index === 0) {
          const other = await one.take();
          expect(other.event.revision).toBe(1n);
          await other.ack();
        }
        expect(await one.takeNow()).toBeNull();
        advance(delay - 1);
        expect(await one.takeNow()).toBeNull();
        advance(1);
      }
      const third = await one.take();
      expect(third.attempt).toBe(3);
      await third.ack();
      advance(10_000_000);
      expect(await one.takeNow()).toBeNull();
      await one.end();
    },
  ],
  [
    'EC11 after the last attempt the event is parked with its reason; replayed, it starts anew',
    async ({ store, advance, reopen, idle }) => {
      await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      const one = consumer(store, idle, { maxAttempts: 3 });
      await (await one.take()).park('not for us');
      for (let attempt = 1; attempt <= 3; attempt++) {
        const delivery = await one.take();
        expect(delivery.attempt).toBe(attempt);
        await delivery.retry(`failure ${attempt}`);
        advance(5_000);
      }
      expect(await one.takeNow()).toBeNull();
      await one.end();
      const again = reopen === null ? store : await reopen();
      const parked = await again.listParked('workers');
      expect(parked.map((entry) => [entry.event.revision, entry.reason, entry.attempts])).toEqual([
        [0n, 'not for us', 1],
        [1n, 'failure 3', 3],
      ]);
      expect(parked[0]!.parkedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(await again.listParked('workers', 1)).toHaveLength(1);
      expect(await again.listParked('others')).toEqual([]);
      const other = consumer(again, idle);
      expect(await other.takeNow()).toBeNull();
      expect(await again.replayParked('workers')).toBe(2);
      expect(await again.replayParked('workers')).toBe(0);
      for (const revision of [0n, 1n]) {
        const delivery = await other.take();
        expect(delivery).toMatchObject({ event: { revision }, attempt: 1 });
        await delivery.ack();
      }
      expect(await again.listParked('workers')).toEqual([]);
      await other.end();
    },
  ],
  [
    'EC12 an event whose consumers all vanish is parked too, so that it cannot kill one after the other for ever',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      const one = consumer(store, idle, { maxAttempts: 3, leaseMs: 1_000 });
      for (let attempt = 1; attempt <= 3; attempt++) {
        expect((await one.take()).attempt).toBe(attempt);
        advance(1_000);
      }
      expect(await one.takeNow()).toBeNull();
      expect(await store.listParked('workers')).toMatchObject([{ attempts: 3, event: { revision: 0n } }]);
      await one.end();
    },
  ],
  [
    'EC13 deferring gives it back without counting an attempt',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      const one = consumer(store, idle, { maxAttempts: 1 });
      for (let round = 0; round < 4; round++) {
        const delivery = await one.take();
        expect(delivery.attempt).toBe(1);
        await delivery.defer(2_000);
        advance(1_999);
        expect(await one.takeNow()).toBeNull();
        advance(1);
      }
      await (await one.take()).ack();
      await one.end();
    },
  ],
  [
    'EC16 what one consumer gives back, another one that waits takes up when it is due',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      const first = consumer(store, idle, { leaseMs: 30_000 });
      const held = await first.take();
      const waiting = consumer(store, idle, { leaseMs: 30_000 });
      expect(await waiting.takeNow()).toBeNull();
      await held.defer(1_000);
      advance(999);
      expect(await waiting.takeNow()).toBeNull();
      advance(1);
      const taken = await waiting.takeNow();
      expect(taken?.attempt).toBe(1);
      await taken?.park('enough');
      expect(await waiting.takeNow()).toBeNull();
      expect(await store.replayParked('workers')).toBe(1);
      expect(await waiting.takeNow()).not.toBeNull();
      await Promise.all([first.end(), waiting.end()]);
    },
  ],
  [
    'EC14 events of a deleted stream are not handed out; one already in hand can be settled',
    async ({ store, advance, idle }) => {
      await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      await store.append('thing-2', newEvents(2), { expected: 'no_stream' });
      const one = consumer(store, idle);
      const held = await one.take();
      const parked = await one.take();
      await parked.park('about the content');
      await store.delete('thing-1', { mode: 'hard' });
      expect(await store.listParked('workers')).toEqual([]);
      await held.ack();
      for (const revision of [0n, 1n]) {
        const delivery = await one.take();
        expect(delivery.event).toMatchObject({ stream: 'thing-2', revision });
        if (revision === 1n) await store.delete('thing-2', { mode: 'hard' });
        await delivery.retry('again');
      }
      expect(await store.replayParked('workers')).toBe(0);
      // What was given back without its event stands in nobody's way.
      advance(10_000);
      await store.append('thing-3', newEvents(1), { expected: 'no_stream' });
      expect((await one.take()).event.stream).toBe('thing-3');
      await one.end();
    },
  ],
  [
    'EC15 random work, failures, ended leases and restarts: every event is acknowledged once or parked, never in two hands',
    async (harness) => {
      const { advance, idle, reopen } = harness;
      let { store } = harness;
      for (const seed of [11, 12, 13]) {
        const random = seededRandom(seed);
        const group = `g${seed}`;
        const acked = new Map<string, number>();
        const inHand = new Map<string, { delivery: Delivery; until: number }>();
        let time = 0;
        let expected = 0;
        const options = { group, leaseMs: 1_000, maxAttempts: 4, filter: { streamPrefixes: [`seed${seed}-`] }, backoff: (attempt: number) => attempt * 300 };
        let consumers = [consumer(store, idle, options), consumer(store, idle, options)];
        for (let step = 0; step < 400; step++) {
          const dice = random();
          if (dice < 0.15) {
            await store.append(`seed${seed}-${Math.floor(random() * 3)}`, [newEvent()], { expected: 'any' });
            expected += 1;
          } else if (dice < 0.5) {
            const delivery = await consumers[Math.floor(random() * 2)]!.takeNow();
            if (delivery === null) continue;
            const { position } = delivery.event;
            expect(acked.get(position), 'an acknowledged event came again').toBeUndefined();
            expect(inHand.get(position)?.until ?? 0, 'an event was in two hands').toBeLessThanOrEqual(time);
            inHand.set(position, { delivery, until: time + 1_000 });
          } else if (dice < 0.8) {
            const [position, held] = [...inHand][Math.floor(random() * inHand.size)] ?? [];
            if (position === undefined || held === undefined) continue;
            inHand.delete(position);
            const how = random();
            const settled =
              how < 0.5 ? held.delivery.ack() : how < 0.8 ? held.delivery.retry('x') : how < 0.9 ? held.delivery.defer(200) : held.delivery.park('x');
            await settled.then(
              () => how < 0.5 && acked.set(position, 1),
              (error: unknown) => expect(error).toBeInstanceOf(LeaseLost),
            );
          } else if (dice < 0.97) {
            const ms = Math.floor(random() * 600);
            advance(ms);
            time += ms;
          } else if (reopen !== null) {
            store = await reopen();
            consumers = [consumer(store, idle, options), consumer(store, idle, options)];
            inHand.clear();
          }
        }
        // Whatever is left is given back and worked off.
        for (const { delivery } of inHand.values()) await delivery.defer(0).catch((error: unknown) => expect(error).toBeInstanceOf(LeaseLost));
        for (let idle = 0; idle < 3; ) {
          const delivery = await consumers[0]!.takeNow();
          if (delivery === null) {
            idle += 1;
            advance(5_000);
            continue;
          }
          idle = 0;
          expect(acked.has(delivery.event.position)).toBe(false);
          await delivery.ack();
          acked.set(delivery.event.position, 1);
        }
        const parked = await store.listParked(group, 1_000);
        expect(acked.size + parked.length).toBe(expected);
        for (const entry of parked) expect(acked.has(entry.event.position)).toBe(false);
        await Promise.all(consumers.map((one) => one.end()));
      }
    },
  ],
];

export const consumerCases: readonly Case[] = [...handing, ...leasing, ...failing];
