import { expect } from 'vitest';
import type { EventStore, SubscriptionMessage } from '../../src/eventStore/eventStore.ts';
import { FULL } from '../given/fullForm.ts';
import type { Case } from './eventStore.ts';
import {
  caughtUp,
  collect,
  eventsIn,
  idsOf,
  newEvent,
  newEvents,
  seededRandom,
  uuid,
  wholeLog,
  yields,
} from './eventStoreHarness.ts';

/** A subscription read message by message. */
function reader(store: EventStore, options: Parameters<EventStore['subscribe']>[0] = {}) {
  const iterator = store.subscribe(options)[Symbol.asyncIterator]();
  return {
    next: async () => (await iterator.next()).value as SubscriptionMessage,
    pending: () => iterator.next(),
    end: () => iterator.return?.(),
  };
}

const catchingUp: readonly Case[] = [
  [
    'ES32 a subscription starts at the start, at the end, or after a position',
    async ({ store }) => {
      const events = newEvents(5);
      await store.append('thing-1', events, { expected: 'no_stream' });
      expect(idsOf(eventsIn(await collect(store, {}, caughtUp)))).toEqual(idsOf(events));
      const log = await wholeLog(store);
      expect(idsOf(eventsIn(await collect(store, { after: log[2]!.position }, caughtUp)))).toEqual(
        idsOf(events.slice(3)),
      );
      const live = reader(store, { after: 'end' });
      expect(await live.next()).toEqual({ kind: 'caughtUp', position: log[4]!.position });
      const next = live.next();
      const late = newEvent();
      await store.append('thing-1', [late], { expected: 4n });
      expect(await next).toMatchObject({ kind: 'events', events: [{ id: late.id, revision: 5n }] });
      await live.end();
    },
  ],
  [
    'ES33 no gap between catch-up and live while 1,000 events are being written',
    async ({ store }) => {
      await store.append('thing-0', newEvents(100), { expected: 'no_stream' });
      const following = collect(store, { batchSize: 7 }, (messages) => eventsIn(messages).length >= 1_100);
      for (let round = 0; round < 100; round++) {
        await Promise.all(
          Array.from({ length: 5 }, (_, index) => store.append(`thing-${index}`, newEvents(2), { expected: 'any' })),
        );
      }
      expect(idsOf(eventsIn(await following))).toEqual(idsOf(await wholeLog(store)));
    },
  ],
  [
    'ES34 resuming is exclusive: the event at the position is not sent again',
    async ({ store }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      const log = await wholeLog(store);
      for (const [index, event] of log.entries()) {
        expect(idsOf(eventsIn(await collect(store, { after: event.position }, caughtUp)))).toEqual(
          idsOf(log.slice(index + 1)),
        );
      }
    },
  ],
  [
    'ES35 a slow consumer is not read ahead for: batches are bounded, and what is not asked for is not held',
    async ({ store }) => {
      await store.append('thing-1', newEvents(1_000), { expected: 'no_stream' });
      const slow = reader(store, { batchSize: 10 });
      const first = await slow.next();
      expect(first).toMatchObject({ kind: 'events' });
      expect(eventsIn([first])).toHaveLength(10);
      await store.delete('thing-1');
      const rest: SubscriptionMessage[] = [];
      while (!caughtUp(rest)) rest.push(await slow.next());
      expect(eventsIn(rest).length).toBeLessThanOrEqual(10);
      await slow.end();
    },
  ],
  [
    'ES36 a handler that throws has not advanced: the event comes again after its last position',
    async ({ store }) => {
      await store.append('thing-1', newEvents(5), { expected: 'no_stream' });
      let position: string | undefined;
      const handled: bigint[] = [];
      const follow = async (failAt: bigint) => {
        for await (const message of store.subscribe({
          batchSize: 1,
          ...(position === undefined ? {} : { after: position }),
        })) {
          if (message.kind === 'caughtUp') return;
          for (const event of eventsIn([message])) {
            if (event.revision === failAt) throw new Error('handler');
            handled.push(event.revision);
            position = event.position;
          }
        }
      };
      await expect(follow(2n)).rejects.toThrow('handler');
      await expect(follow(2n)).rejects.toThrow('handler');
      await follow(-1n);
      expect(handled).toEqual([0n, 1n, 2n, 3n, 4n]);
    },
  ],
  [
    'ES37 after the store was gone and is back, a subscription resumes without loss',
    async ({ store, reopen }) => {
      if (reopen === null) throw new Error('The adapter must name this as an exception.');
      await store.append('thing-1', newEvents(10), { expected: 'no_stream' });
      const before = eventsIn(await collect(store, { batchSize: 4 }, (messages) => eventsIn(messages).length >= 4));
      const again = await reopen();
      await again.append('thing-1', newEvents(5), { expected: 9n });
      const after = eventsIn(await collect(again, { after: before.at(-1)!.position }, caughtUp));
      expect(idsOf([...before, ...after])).toEqual(idsOf(await wholeLog(again)));
    },
  ],
];

const living: readonly Case[] = [
  [
    'ES38 unsubscribing while a handler runs ends the subscription after it; while waiting, at once',
    async ({ store }) => {
      await store.append('thing-1', newEvents(4), { expected: 'no_stream' });
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const message of store.subscribe({ batchSize: 1, signal: stop.signal })) {
        seen.push(...idsOf(eventsIn([message])));
        stop.abort();
        await yields(2);
      }
      expect(seen).toHaveLength(1);

      const waiting = new AbortController();
      const idle = reader(store, { after: 'end', signal: waiting.signal });
      await idle.next();
      const pending = idle.pending();
      await yields();
      waiting.abort();
      expect(await pending).toEqual({ done: true, value: undefined });

      const left = reader(store, { after: 'end' });
      await left.next();
      const open = left.pending();
      await left.end();
      expect(await open).toEqual({ done: true, value: undefined });

      expect(await reader(store, { signal: AbortSignal.abort() }).pending()).toEqual({ done: true, value: undefined });
    },
  ],
  [
    'ES39 two subscribers are independent of each other',
    async ({ store }) => {
      await store.append('thing-1', newEvents(6), { expected: 'no_stream' });
      const slow = reader(store, { batchSize: 1 });
      await slow.next();
      expect(eventsIn(await collect(store, {}, caughtUp))).toHaveLength(6);
      expect(eventsIn([await slow.next()]).map((event) => event.revision)).toEqual([1n]);
      await slow.end();
    },
  ],
  [
    'ES40 the caught-up signal comes once per catch-up',
    async ({ store, idle }) => {
      await store.append('thing-1', newEvents(25), { expected: 'no_stream' });
      const live = reader(store, { batchSize: 10 });
      const kinds: string[] = [];
      for (let message = 0; message < 4; message++) kinds.push((await live.next()).kind);
      expect(kinds).toEqual(['events', 'events', 'events', 'caughtUp']);
      for (let round = 0; round < 5; round++) {
        const next = live.next();
        await store.append('thing-1', newEvents(1), { expected: 'any' });
        expect((await next).kind).toBe('events');
      }
      // Behind by more than a batch: another catch-up.
      await store.append('thing-1', newEvents(25), { expected: 'any' });
      await idle();
      kinds.length = 0;
      for (let message = 0; message < 4; message++) kinds.push((await live.next()).kind);
      expect(kinds).toEqual(['events', 'events', 'events', 'caughtUp']);
      await live.end();

      const empty = reader(store, { after: 'end' });
      expect((await empty.next()).kind).toBe('caughtUp');
      await empty.end();
    },
  ],
  [
    'a filtered subscription reports its progress through events that it hides, and hears nothing twice',
    async ({ store }) => {
      const filter = { types: ['Wanted'], streamPrefixes: ['thing-'] };
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          store.append(`thing-${index}`, newEvents(1_000), { expected: 'no_stream' }),
        ),
      );
      const wanted = await store.append('thing-1', [newEvent('Wanted')], { expected: 'any' });
      await store.append('other-1', [newEvent('Wanted')], { expected: 'any' });
      const messages = await collect(store, { filter }, caughtUp);
      expect(eventsIn(messages).map((event) => event.position)).toEqual([wanted.position]);
      expect(messages.some((message) => message.kind === 'checkpoint')).toBe(true);
      expect(messages.at(-1)).toEqual({ kind: 'caughtUp', position: await store.head() });

      const live = reader(store, { after: 'end', filter });
      await live.next();
      const hidden = live.next();
      const { position } = await store.append('other-1', newEvents(2), { expected: 'any' });
      let received = await hidden;
      expect(received.kind).toBe('checkpoint');
      // Each of the two may be told by itself.
      if (received.kind === 'checkpoint' && received.position < position) received = await live.next();
      expect(received).toEqual({ kind: 'checkpoint', position });
      await live.end();
    },
  ],
  [
    'writers with random pauses: every follower sees exactly the log, in its order',
    async ({ store }) => {
      for (let seed = 1; seed <= (FULL ? 12 : 4); seed++) {
        const random = seededRandom(seed);
        const pause = () => yields(Math.floor(random() * 4));
        const start = await store.head();
        const last = `last-${seed}`;
        const followers = [1, 7, 500].map((batchSize) =>
          collect(store, { after: start, batchSize }, (messages) =>
            eventsIn(messages).some((event) => event.stream === last),
          ),
        );
        const filtered = collect(store, { after: start, filter: { types: ['Even', 'Last'] } }, (messages) =>
          eventsIn(messages).some((event) => event.stream === last),
        );
        await Promise.all(
          Array.from({ length: 8 }, async (_, writer) => {
            for (let round = 0; round < 15; round++) {
              await pause();
              const events = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
                newEvent(random() < 0.5 ? 'Even' : 'Odd'),
              );
              await store
                .append(`race-${Math.floor(random() * 3)}`, events, { expected: 'any' })
                .then(() => (writer % 2 === 0 ? pause() : undefined));
            }
          }),
        );
        await store.append(last, [newEvent('Last')], { expected: 'no_stream' });
        const log = (await wholeLog(store, 333)).filter((event) => event.position > start);
        for (const follower of followers) expect(eventsIn(await follower)).toEqual(log);
        expect(eventsIn(await filtered)).toEqual(log.filter((event) => event.type !== 'Odd'));
        const perStream = new Set(log.map((event) => `${event.stream} ${event.revision}`));
        expect(perStream.size).toBe(log.length);
      }
    },
  ],
  [
    'a lost answer is asked for again: 30 % of the appends are sent twice, nothing is lost or doubled',
    async ({ store }) => {
      const random = seededRandom(7);
      const written: string[] = [];
      await Promise.all(
        Array.from({ length: 20 }, async (_, writer) => {
          for (let round = 0; round < 50; round++) {
            const event = { ...newEvent(), id: uuid() };
            const expected = round === 0 ? ('no_stream' as const) : BigInt(round - 1);
            const first = await store.append(`writer-${writer}`, [event], { expected });
            if (random() < 0.3) expect(await store.append(`writer-${writer}`, [event], { expected })).toEqual(first);
            written.push(event.id);
          }
        }),
      );
      expect(idsOf(await wholeLog(store)).toSorted()).toEqual(written.toSorted());
    },
  ],
];

export const subscriptionCases: readonly Case[] = [...catchingUp, ...living];
