import { expect } from 'vitest';
import { comparePositions, type EventStore, START } from '../../src/eventStore/eventStore.ts';
import { FULL } from '../given/fullForm.ts';
import type { Case } from './eventStore.ts';
import {
  caughtUp,
  collect,
  eventsIn,
  eventsOf,
  idsOf,
  newEvent,
  newEvents,
  positionsOf,
  refusal,
  wholeLog,
} from './eventStoreHarness.ts';

/** More events than some pages hold; 10,001 in the full form. */
const [STREAMS, EACH] = [FULL ? 73 : 15, 137];

async function revisionsRead(
  store: EventStore,
  options: Parameters<EventStore['read']>[1],
): Promise<readonly number[]> {
  const read = await store.read('thing-1', options);
  expect(read.status).toBe('found');
  return read.status === 'found' ? read.events.map((event) => Number(event.revision)) : [];
}

export const readingCases: readonly Case[] = [
  [
    'ES23 a stream is read forward, backward, from the middle, with a limit',
    async ({ store }) => {
      await store.append('thing-1', newEvents(6), { expected: 'no_stream' });
      expect(await revisionsRead(store, {})).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await revisionsRead(store, { from: 4n })).toEqual([4, 5]);
      expect(await revisionsRead(store, { from: 2n, limit: 2 })).toEqual([2, 3]);
      expect(await revisionsRead(store, { direction: 'backward' })).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await revisionsRead(store, { direction: 'backward', limit: 1 })).toEqual([5]);
      expect(await revisionsRead(store, { direction: 'backward', from: 3n, limit: 2 })).toEqual([3, 2]);
      expect(await revisionsRead(store, { from: 6n })).toEqual([]);
      expect(await revisionsRead(store, { limit: 0 })).toEqual([]);
      expect(await store.read('thing-1', { limit: 1 })).toMatchObject({ revision: 5n });
    },
  ],
  [
    'ES24 a missing stream is a result of its own, not an empty list',
    async ({ store }) => {
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
      await store.append('thing-10', newEvents(1), { expected: 'no_stream' });
      expect(await store.read('thing-1')).toEqual({ status: 'missing' });
    },
  ],
  [
    `ES25 paging over ${STREAMS * EACH} events neither skips nor repeats`,
    async ({ store }) => {
      const appends = Array.from({ length: STREAMS }, async (_, index) => {
        const events = newEvents(EACH);
        const { position } = await store.append(`thing-${index}`, events, { expected: 'no_stream' });
        return { events, position };
      });
      const written = (await Promise.all(appends))
        .sort((a, b) => comparePositions(a.position, b.position))
        .flatMap(({ events }) => idsOf(events));
      expect(written).toHaveLength(STREAMS * EACH);
      for (const limit of [999, STREAMS * EACH]) expect(idsOf(await wholeLog(store, limit))).toEqual(written);
      const backward: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.readAll({
          direction: 'backward',
          limit: 777,
          ...(after === undefined ? {} : { after }),
        });
        backward.push(...idsOf(page.events));
        after = page.next;
        if (page.end) break;
      }
      expect(backward).toEqual(written.toReversed());
    },
  ],
  [
    'ES26 positions of the log strictly increase and compare as plain strings',
    async ({ store }) => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.append(`thing-${index % 7}`, newEvents(3), { expected: 'any' })),
      );
      const positions = positionsOf(await wholeLog(store, 11));
      expect(positions).toHaveLength(150);
      expect(positions[0]! > START).toBe(true);
      expect([...positions].sort()).toEqual(positions);
      expect([...positions].sort(comparePositions)).toEqual(positions);
      expect(new Set(positions).size).toBe(150);
      for (const position of positions) expect(position).toMatch(/^\d{20}$/);
      expect(await refusal(store.readAll({ after: '12' }))).toMatchObject({ code: 'INVALID_POSITION' });
    },
  ],
  [
    'ES27 the order of one stream in the log is that of its revisions',
    async ({ store }) => {
      for (let round = 0; round < 20; round++) {
        await Promise.all(
          ['a-1', 'b-1', 'c-1'].map((stream) => store.append(stream, newEvents((round % 3) + 1), { expected: 'any' })),
        );
      }
      const log = await wholeLog(store);
      for (const stream of ['a-1', 'b-1', 'c-1']) {
        expect(log.filter((event) => event.stream === stream)).toEqual(await eventsOf(store, stream));
      }
    },
  ],
  [
    'ES28 a reader sees a prefix of the log while others write',
    async ({ store }) => {
      const seen: string[][] = [];
      const writing = (async () => {
        for (let round = 0; round < 60; round++) {
          await Promise.all([
            store.append('a-1', newEvents(2), { expected: 'any' }),
            store.append('b-1', newEvents(1), { expected: 'any' }),
          ]);
        }
      })();
      for (let round = 0; round < 20; round++) {
        seen.push([...idsOf(await wholeLog(store, 17))]);
        await new Promise(setImmediate);
      }
      await writing;
      const log = idsOf(await wholeLog(store));
      for (const ids of seen) expect(ids).toEqual(log.slice(0, ids.length));
      expect(seen.at(-1)!.length).toBeGreaterThan(0);
    },
  ],
  [
    'ES29 the log is filtered by types and by stream prefixes, together when both are given',
    async ({ store }) => {
      for (const stream of ['job-1', 'job-2', 'jobs-1', 'plan-1', 'j%b-1', 'job_1']) {
        await store.append(stream, [newEvent('Made'), newEvent('Changed'), newEvent('made')], {
          expected: 'no_stream',
        });
      }
      const matches = async (filter: NonNullable<Parameters<EventStore['readAll']>[0]>['filter']) =>
        (await store.readAll({ ...(filter === undefined ? {} : { filter }) })).events.map(
          (event) => `${event.stream}:${event.type}`,
        );
      expect(await matches({ types: ['Made'] })).toEqual([
        'job-1:Made',
        'job-2:Made',
        'jobs-1:Made',
        'plan-1:Made',
        'j%b-1:Made',
        'job_1:Made',
      ]);
      expect(await matches({ streamPrefixes: ['job-'], types: ['Changed', 'made'] })).toEqual([
        'job-1:Changed',
        'job-1:made',
        'job-2:Changed',
        'job-2:made',
      ]);
      expect(await matches({ streamPrefixes: ['plan-', 'j%'], types: ['Made'] })).toEqual([
        'plan-1:Made',
        'j%b-1:Made',
      ]);
      expect(await matches({ types: [] })).toEqual([]);
      expect(await matches({ streamPrefixes: [] })).toEqual([]);
      expect(await matches({})).toHaveLength(18);
      const backward = await store.readAll({
        direction: 'backward',
        filter: { types: ['Made'], streamPrefixes: ['job'] },
        limit: 2,
      });
      expect(backward.events.map((event) => event.stream)).toEqual(['job_1', 'jobs-1']);
    },
  ],
  [
    'ES29 a filter by types lets through those types only, however similar the names of others are',
    async ({ store }) => {
      // Beginning alike, differing in case, and with characters that have a meaning in patterns.
      const types = [
        'Made',
        'MadeUp',
        'Made.Up',
        'MadeXUp',
        'made',
        'Made up',
        'Made|Up',
        'Ma',
        'Émade',
        'E\u0301made',
      ];
      await store.append(
        'thing-1',
        types.map((type) => newEvent(type)),
        { expected: 'no_stream' },
      );
      for (const type of types) {
        const { events } = await store.readAll({ filter: { types: [type] } });
        expect(events.map((event) => event.type)).toEqual([type]);
      }
      const wanted = ['Made', 'Made.Up'];
      const forward = await store.readAll({ filter: { types: wanted }, limit: 1 });
      expect(forward.events.map((event) => event.type)).toEqual(['Made']);
      expect(
        (await store.readAll({ filter: { types: wanted }, limit: 1, after: forward.next })).events.map(
          (event) => event.type,
        ),
      ).toEqual(['Made.Up']);
      expect(
        (await store.readAll({ filter: { types: wanted }, direction: 'backward' })).events.map((event) => event.type),
      ).toEqual(['Made.Up', 'Made']);
      const messages = await collect(store, { filter: { types: wanted } }, caughtUp);
      expect(eventsIn(messages).map((event) => event.type)).toEqual(wanted);
    },
  ],
  [
    'ES29 a filter that matches rarely is read to the end of a long log',
    async ({ store }) => {
      await store.append('rare-1', [newEvent('Rare')], { expected: 'no_stream' });
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          store.append(`thing-${index}`, newEvents(500), { expected: 'no_stream' }),
        ),
      );
      const last = await store.append('rare-2', [newEvent('Rare')], { expected: 'no_stream' });
      const filter = { types: ['Rare'] };
      const first = await store.readAll({ filter, limit: 1 });
      expect(first.events.map((event) => event.stream)).toEqual(['rare-1']);
      const second = await store.readAll({ filter, limit: 1, after: first.next });
      expect(second).toMatchObject({ next: last.position, end: true });
      expect(second.events.map((event) => event.stream)).toEqual(['rare-2']);
      const none = await store.readAll({ filter: { types: ['Never'] } });
      expect(none).toEqual({ events: [], next: last.position, end: true });
      expect(
        (await store.readAll({ filter, direction: 'backward', after: last.position })).events.map(
          (event) => event.stream,
        ),
      ).toEqual(['rare-1']);
    },
  ],
  [
    'ES30 the log holds what was written and no events of the store itself',
    async ({ store, erase }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      await store.append('thing-2', newEvents(3), { expected: 'no_stream' });
      await store.truncate('thing-1', 1n);
      await store.delete('thing-2');
      await store.delete('thing-3');
      await erase();
      expect((await wholeLog(store)).map((event) => event.stream)).toEqual(['thing-1', 'thing-1']);
    },
  ],
  [
    'ES31 gaps of deleted events do not stop a reader, and their positions are not given again',
    async ({ store, erase }) => {
      for (const stream of ['a-1', 'b-1', 'c-1']) await store.append(stream, newEvents(300), { expected: 'no_stream' });
      const head = await store.head();
      await store.delete('a-1');
      await store.delete('c-1');
      await erase();
      expect((await wholeLog(store, 100)).every((event) => event.stream === 'b-1')).toBe(true);
      expect(await wholeLog(store, 100)).toHaveLength(300);
      expect(await store.readAll({ after: START, limit: 1 })).toMatchObject({ events: [{ stream: 'b-1' }] });
      expect(await store.readAll({ direction: 'backward', limit: 1 })).toMatchObject({ events: [{ stream: 'b-1' }] });
      // A deletion may be an event of the store itself; the head never goes back.
      expect((await store.head()) >= head).toBe(true);
      expect((await store.append('d-1', newEvents(1), { expected: 'no_stream' })).position > head).toBe(true);
    },
  ],
];
