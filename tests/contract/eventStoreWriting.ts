import { expect } from 'vitest';
import {
  EventTooLarge,
  InvalidAppend,
  MAX_EVENT_BYTES,
  RevisionConflict,
  START,
} from '../../src/eventStore/eventStore.ts';
import { FULL } from '../given/fullForm.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import type { Case } from './eventStore.ts';
import { eventsOf, idsOf, newEvent, newEvents, refusal, uuid, wholeLog } from './eventStoreHarness.ts';

const ROUNDS = FULL ? 1_000n : 100n;
const BEYOND_DOUBLES = 2n ** 53n + 1n;

const revisions: readonly Case[] = [
  [
    'ES01 no_stream creates the stream at revision 0',
    async ({ store }) => {
      const event = newEvent('Made', { name: 'first' });
      const result = await store.append('thing-1', [event], { expected: 'no_stream' });
      expect(result.revision).toBe(0n);
      expect(await eventsOf(store, 'thing-1')).toEqual([
        { ...event, stream: 'thing-1', revision: 0n, position: result.position },
      ]);
      expect(await store.head()).toBe(result.position);
    },
  ],
  [
    'ES02 no_stream on an existing stream fails and reports the actual revision',
    async ({ store }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      const error = await refusal(store.append('thing-1', newEvents(1), { expected: 'no_stream' }));
      expect(error).toBeInstanceOf(RevisionConflict);
      expect(error).toMatchObject({ code: 'REVISION_CONFLICT', actual: 2n });
    },
  ],
  [
    'ES03 the exact revision appends',
    async ({ store }) => {
      await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      expect((await store.append('thing-1', newEvents(2), { expected: 1n })).revision).toBe(3n);
      expect((await eventsOf(store, 'thing-1')).map((event) => event.revision)).toEqual([0n, 1n, 2n, 3n]);
    },
  ],
  [
    'ES04 an exact revision that is too low fails, and leaves nothing behind that would hinder the next append',
    async ({ store }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      const head = await store.head();
      expect(await refusal(store.append('thing-1', newEvents(2), { expected: 1n }))).toMatchObject({
        code: 'REVISION_CONFLICT',
        actual: 2n,
      });
      expect(await store.head()).toBe(head);
      expect((await store.append('thing-1', newEvents(1), { expected: 2n })).revision).toBe(3n);
      expect(await eventsOf(store, 'thing-1')).toHaveLength(4);
    },
  ],
  [
    'ES05 an exact revision that is too high fails',
    async ({ store }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      expect(await refusal(store.append('thing-1', newEvents(1), { expected: 1n }))).toMatchObject({
        code: 'REVISION_CONFLICT',
        actual: 0n,
      });
      expect(await refusal(store.append('thing-2', newEvents(1), { expected: 0n }))).toMatchObject({
        code: 'REVISION_CONFLICT',
        actual: null,
      });
      expect(await store.read('thing-2')).toEqual({ status: 'missing' });
    },
  ],
  [
    'ES07 any appends to a missing and to an existing stream',
    async ({ store }) => {
      expect((await store.append('thing-1', newEvents(1), { expected: 'any' })).revision).toBe(0n);
      expect((await store.append('thing-1', newEvents(1), { expected: 'any' })).revision).toBe(1n);
    },
  ],
  [
    'ES08 revisions and positions are exact beyond 2^53 and survive JSON',
    async ({ store }) => {
      const event = newEvent();
      const result = await store.append('thing-1', [event, newEvent()], { expected: BEYOND_DOUBLES });
      expect(result.revision).toBe(BEYOND_DOUBLES + 2n);
      const events = await eventsOf(store, 'thing-1');
      expect(events.map((one) => one.revision)).toEqual([BEYOND_DOUBLES + 1n, BEYOND_DOUBLES + 2n]);
      expect(new Set(events.map((one) => one.position)).size).toBe(2);
      expect(BigInt(JSON.parse(JSON.stringify(String(result.revision))) as string)).toBe(result.revision);
      expect(JSON.parse(JSON.stringify(result.position))).toBe(result.position);
      expect(await refusal(store.append('thing-1', newEvents(1), { expected: BEYOND_DOUBLES + 1n }))).toMatchObject({
        actual: BEYOND_DOUBLES + 2n,
      });
      expect(await store.append('thing-1', [event], { expected: BEYOND_DOUBLES })).toMatchObject({
        revision: BEYOND_DOUBLES + 1n,
      });
      expect(await store.read('thing-1', { from: BEYOND_DOUBLES + 2n })).toMatchObject({
        events: [{ revision: BEYOND_DOUBLES + 2n }],
      });
    },
    { lastRevision: { stream: 'thing-1', revision: BEYOND_DOUBLES } },
  ],
  [
    'ES09 an empty batch writes nothing and creates no stream, but its expected revision is checked',
    async ({ store }) => {
      expect(await store.append('thing-1', [], { expected: 'no_stream' })).toEqual({ revision: -1n, position: START });
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
      const result = await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      expect(await store.append('thing-1', [], { expected: 1n })).toEqual(result);
      expect(await refusal(store.append('thing-1', [], { expected: 0n }))).toBeInstanceOf(RevisionConflict);
      expect(await store.head()).toBe(result.position);
    },
  ],
  [
    `ES10 of two concurrent appends at the same revision exactly one wins, ${ROUNDS} rounds`,
    async ({ store }) => {
      await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
      for (let round = 0n; round < ROUNDS; round++) {
        const results = await Promise.allSettled([
          store.append('thing-1', newEvents(1), { expected: round }),
          store.append('thing-1', newEvents(1), { expected: round }),
        ]);
        expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      }
      expect(await eventsOf(store, 'thing-1')).toHaveLength(Number(ROUNDS) + 1);
    },
  ],
];

const atomicity: readonly Case[] = [
  [
    'ES11 a batch of 500 is written whole',
    async ({ store }) => {
      const events = newEvents(500);
      expect((await store.append('thing-1', events, { expected: 'no_stream' })).revision).toBe(499n);
      expect(idsOf(await eventsOf(store, 'thing-1'))).toEqual(idsOf(events));
    },
  ],
  [
    'ES12 one bad event in a batch writes none of it, and none of the appends of the same moment is harmed',
    async ({ store }) => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const bad = [
        newEvent('Bad', circular),
        newEvent('Bad', { n: 1n }),
        newEvent('', {}),
        { ...newEvent(), id: 'no-uuid' },
        newEvent('Bad', () => 1),
      ];
      const outcomes = bad.map((event) =>
        refusal(store.append('thing-1', [newEvent(), event, newEvent()], { expected: 'any' })),
      );
      const good = store.append('thing-2', newEvents(2), { expected: 'no_stream' });
      for (const error of await Promise.all(outcomes)) expect(error).toBeInstanceOf(InvalidAppend);
      expect((await good).revision).toBe(1n);
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
      expect(await wholeLog(store)).toHaveLength(2);
    },
  ],
  [
    'ES13 an event over 1 MiB is refused with a typed error, one of exactly 1 MiB is not, and the store stays usable',
    async ({ store }) => {
      const frame = newEvent('Big', { text: '' });
      const room =
        MAX_EVENT_BYTES -
        Buffer.byteLength(JSON.stringify(frame.data)) -
        Buffer.byteLength(JSON.stringify(frame.metadata));
      const fits = newEvent('Big', { text: 'x'.repeat(room) });
      const over = newEvent('Big', { text: 'x'.repeat(room + 1) });
      // The limit is in bytes: fewer characters, but two bytes each.
      const wide = newEvent('Big', { text: 'é'.repeat(Math.floor(room / 2) + 1) });
      expect(await refusal(store.append('thing-1', [newEvent(), over], { expected: 'no_stream' }))).toBeInstanceOf(
        EventTooLarge,
      );
      expect(await refusal(store.append('thing-1', [wide], { expected: 'no_stream' }))).toMatchObject({
        code: 'EVENT_TOO_LARGE',
      });
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
      await store.append('thing-1', [fits], { expected: 'no_stream' });
      expect((await eventsOf(store, 'thing-1'))[0]?.data).toEqual(fits.data);
    },
  ],
  [
    'ES14 illegal names are refused: reserved, empty, too long, control characters, half a character',
    async ({ store }) => {
      for (const name of ['$thing', '', 'x'.repeat(501), 'x'.repeat(1_000), 'a\u0000b', 'a\nb', 'a\ud800']) {
        expect(await refusal(store.append(name, newEvents(1), { expected: 'any' }))).toBeInstanceOf(InvalidAppend);
        expect(await refusal(store.append('thing-1', [newEvent(name)], { expected: 'any' }))).toBeInstanceOf(
          InvalidAppend,
        );
        expect(await refusal(store.read(name))).toBeInstanceOf(InvalidAppend);
      }
      expect(await wholeLog(store)).toEqual([]);
      await store.append('x'.repeat(500), newEvents(1), { expected: 'no_stream' });
    },
  ],
  [
    'ES15 unicode, emoji, U+2028, __proto__ keys, -0, dates and 64-bit numbers come back byte for byte',
    async ({ store }) => {
      const text = `{"__proto__":{"polluted":true},"constructor":1,"emoji":"👩‍🔬é\u2028\u2029","half":"\\ud800","nul":"a\\u0000b","nested":{"":[[],{}]},
        "zero":${JSON.stringify(-0)},"tiny":5e-324,"large":1.7976931348623157e+308,"big":"9223372036854775807","at":"2026-01-01T00:00:00.000Z","off":null}`;
      const data = JSON.parse(text) as object;
      await store.append('thing-ü-👍', [newEvent('Gemessen·µ', data)], { expected: 'no_stream' });
      const [event] = await eventsOf(store, 'thing-ü-👍');
      expect(JSON.stringify(event?.data)).toBe(JSON.stringify(data));
      expect(Object.keys(event?.data ?? {})).toContain('__proto__');
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect(event).toMatchObject({ type: 'Gemessen·µ', stream: 'thing-ü-👍' });
      expect(idsOf((await store.readAll({ filter: { streamPrefixes: ['thing-ü-👍'] } })).events)).toEqual([event?.id]);
    },
  ],
  [
    'ES16 metadata keeps actor, time, correlation and causation',
    async ({ store }) => {
      const metadata = {
        ...metadataAt('2026-01-01T00:00:00.000Z', { kind: 'worker', id: 'audit' }),
        correlationId: uuid(),
        causationId: uuid(),
      };
      await store.append('thing-1', [{ ...newEvent(), metadata }], { expected: 'no_stream' });
      expect((await eventsOf(store, 'thing-1'))[0]?.metadata).toEqual(metadata);
    },
  ],
];

const idempotency: readonly Case[] = [
  [
    'ES17 the same ids at the same old revision again: success, no new event, the same position',
    async ({ store }) => {
      const first = newEvents(2);
      const second = newEvents(2);
      const created = await store.append('thing-1', first, { expected: 'no_stream' });
      const extended = await store.append('thing-1', second, { expected: 1n });
      await store.append('thing-1', newEvents(1), { expected: 3n });
      expect(await store.append('thing-1', first, { expected: 'no_stream' })).toEqual(created);
      expect(await store.append('thing-1', second, { expected: 1n })).toEqual(extended);
      expect(await store.append('thing-1', second, { expected: 'any' })).toEqual(extended);
      // Sent twice at once, before either was answered.
      const third = newEvents(1);
      const [a, b] = await Promise.all([
        store.append('thing-1', third, { expected: 4n }),
        store.append('thing-1', third, { expected: 4n }),
      ]);
      expect(a).toEqual(b);
      expect(await eventsOf(store, 'thing-1')).toHaveLength(6);
    },
  ],
  [
    'ES18 the same id with another payload: the first is kept, the conflict is reported',
    async ({ store }) => {
      const event = newEvent('Made', { name: 'first' });
      await store.append('thing-1', [event], { expected: 'no_stream' });
      for (const other of [
        { ...event, data: { name: 'second' } },
        { ...event, type: 'Remade' },
      ]) {
        expect(await refusal(store.append('thing-1', [other], { expected: 'no_stream' }))).toMatchObject({
          code: 'REVISION_CONFLICT',
          actual: 0n,
        });
        expect(await refusal(store.append('thing-1', [other], { expected: 'any' }))).toBeInstanceOf(InvalidAppend);
      }
      // Equal content under another id is another event.
      expect(
        await refusal(store.append('thing-1', [{ ...event, id: uuid() }], { expected: 'no_stream' })),
      ).toBeInstanceOf(RevisionConflict);
      expect((await eventsOf(store, 'thing-1')).map((one) => one.data)).toEqual([{ name: 'first' }]);
    },
  ],
  [
    'ES19 a batch of which a part is already there is refused whole',
    async ({ store }) => {
      const [a, b, c, d] = [newEvent(), newEvent(), newEvent(), newEvent()];
      await store.append('thing-1', [a, b], { expected: 'no_stream' });
      expect(await refusal(store.append('thing-1', [a, b, c], { expected: 'no_stream' }))).toBeInstanceOf(
        RevisionConflict,
      );
      expect(await refusal(store.append('thing-1', [b, c], { expected: 'no_stream' }))).toBeInstanceOf(
        RevisionConflict,
      );
      expect(await refusal(store.append('thing-1', [b, c], { expected: 1n }))).toBeInstanceOf(InvalidAppend);
      expect(await refusal(store.append('thing-1', [c, d, a], { expected: 'any' }))).toBeInstanceOf(InvalidAppend);
      expect(await eventsOf(store, 'thing-1')).toHaveLength(2);
    },
  ],
  [
    'ES20 the same id in two streams is allowed',
    async ({ store }) => {
      const event = newEvent();
      await store.append('thing-1', [event], { expected: 'no_stream' });
      await store.append('thing-2', [event], { expected: 'no_stream' });
      expect(await wholeLog(store)).toHaveLength(2);
    },
  ],
  [
    'ES21 two equal ids in one batch are refused',
    async ({ store }) => {
      const event = newEvent();
      expect(
        await refusal(store.append('thing-1', [event, newEvent(), event], { expected: 'no_stream' })),
      ).toBeInstanceOf(InvalidAppend);
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
    },
  ],
  [
    'ES22 an id that is in the stream is refused at the new revision',
    async ({ store }) => {
      const event = newEvent();
      await store.append('thing-1', [event, newEvent()], { expected: 'no_stream' });
      const head = await store.head();
      expect(await refusal(store.append('thing-1', [event], { expected: 1n }))).toBeInstanceOf(InvalidAppend);
      expect(await refusal(store.append('thing-1', [newEvent(), event], { expected: 1n }))).toBeInstanceOf(
        InvalidAppend,
      );
      expect(await store.head()).toBe(head);
      expect((await store.append('thing-1', newEvents(1), { expected: 1n })).revision).toBe(2n);
    },
  ],
];

const groups: readonly Case[] = [
  [
    'appends of the same moment are each checked on their own and all answered',
    async ({ store }) => {
      const results = await Promise.allSettled(
        Array.from({ length: 200 }, (_, index) =>
          store.append(`thing-${index % 100}`, newEvents(1), { expected: 'no_stream' }),
        ),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(100);
      const log = await wholeLog(store);
      expect(log).toHaveLength(100);
      expect(new Set(log.map((event) => event.stream)).size).toBe(100);
    },
  ],
  [
    'a later append of the same moment sees the earlier one',
    async ({ store }) => {
      const results = await Promise.all([
        store.append('thing-1', newEvents(1), { expected: 'no_stream' }),
        store.append('thing-1', newEvents(1), { expected: 0n }),
        store.append('thing-1', newEvents(1), { expected: 1n }),
      ]);
      expect(results.map((result) => result.revision)).toEqual([0n, 1n, 2n]);
    },
  ],
  [
    'appends that are not waited for stand in the log in the order in which they were asked for, whatever their streams',
    async ({ store }) => {
      const ids: string[] = [];
      const last = new Map<string, bigint>();
      for (let round = 0; round < 5; round++) {
        const appends = Array.from({ length: 200 }, (_, index) => {
          const stream = `thing-${(index * 7 + round) % 23}`;
          const events = newEvents(1 + (index % 3));
          ids.push(...idsOf(events));
          const expected = last.get(stream) ?? ('no_stream' as const);
          last.set(stream, (last.get(stream) ?? -1n) + BigInt(events.length));
          return store.append(stream, events, { expected });
        });
        await Promise.all(appends);
      }
      expect(idsOf(await wholeLog(store))).toEqual(ids);
    },
  ],
  [
    'what is written is what was handed over, whatever the caller does to it afterwards',
    async ({ store }) => {
      const data = { name: 'before' };
      const appended = store.append('thing-1', [newEvent('Made', data)], { expected: 'no_stream' });
      data.name = 'after';
      await appended;
      expect((await eventsOf(store, 'thing-1'))[0]?.data).toEqual({ name: 'before' });
    },
  ],
];

export const writingCases: readonly Case[] = [...revisions, ...atomicity, ...idempotency, ...groups];
