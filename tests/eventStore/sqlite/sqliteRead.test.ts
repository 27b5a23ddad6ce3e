/** Reading the log: a filter by type costs only as much as there is of that type. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventStoreOn } from '../../../src/eventStore/sqlite/sqlite.ts';
import { type EventDatabase, openEventDatabase } from '../../../src/eventStore/sqlite/sqliteFile.ts';
import {
  createReadLog,
  type LogShape,
  logStatement,
  readAll,
  WHOLE_EVENTS,
} from '../../../src/eventStore/sqlite/sqliteRead.ts';
import { toEvent } from '../../../src/eventStore/sqlite/sqliteRows.ts';
import { idsOf, newEvent, newEvents } from '../../contract/eventStoreHarness.ts';

let db: EventDatabase;

beforeEach(() => {
  db = openEventDatabase(':memory:', 0);
});

afterEach(() => db.close());

function planOf(shape: LogShape): string {
  const names = ['after', 'last', 'limit'];
  const values = ['type', 'prefix'].flatMap((name) => Array.from({ length: 60 }, (_, index) => `${name}${index}`));
  const bound = Object.fromEntries(
    [...names, ...values].map((name) => [name, name.startsWith('type') || name.startsWith('prefix') ? 'x' : 1]),
  );
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${logStatement(shape)}`).all(bound) as readonly {
    readonly detail: string;
  }[];
  return rows.map(({ detail }) => detail).join('\n');
}

it.each([true, false])('a few types are read from their index and merged without sorting, forward: %s', (forward) => {
  for (const types of [1, 3, 8, 40]) {
    for (const prefixes of [null, 2]) {
      const plan = planOf({ forward, types, prefixes, merged: true });
      const searches = plan.split('\n').filter((line) => line.includes('USING INDEX events_of_type (type=? AND rowid'));
      expect(searches, plan).toHaveLength(types);
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  }
});

it('unfiltered reads, and filters that match most of the log, use the order of the table', () => {
  for (const types of [null, 40]) {
    const plan = planOf({ forward: true, types, prefixes: null, merged: false });
    expect(plan).toMatch(/INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/);
    expect(plan).not.toMatch(/events_of_type|TEMP B-TREE/);
  }
});

it('a type that is named twice comes once, and an unused type ends at once', async () => {
  const store = eventStoreOn(db, { file: ':memory:' });
  const wanted = [newEvent('Seldom'), newEvent('Other'), newEvent('Seldom')];
  for (const event of wanted) await store.append('thing-1', [...newEvents(3), event], { expected: 'any' });
  const read = (types: readonly string[], direction: 'forward' | 'backward' = 'forward') =>
    store.readAll({ filter: { types }, direction });
  expect(idsOf((await read(['Seldom', 'Seldom', 'Other'])).events)).toEqual(idsOf(wanted));
  expect(idsOf((await read(['Other', 'Seldom'], 'backward')).events)).toEqual(idsOf(wanted).reverse());
  expect(await read(['Never'])).toEqual({ events: [], next: await store.head(), end: true });
  expect((await read([])).events).toEqual([]);
});

/** Stretches in which the first twelve types are common, and others in which there is hardly one of them. */
const SOME = Array.from({ length: 12 }, (_, nth) => `Some${nth}`);
async function unevenLog() {
  const store = eventStoreOn(db, { file: ':memory:' });
  for (const [stretch, every] of [1, 900, 2, 300, 3].entries()) {
    const events = Array.from({ length: 900 }, (_, nth) => newEvent(nth % every === 0 ? `Some${nth % 12}` : 'Other'));
    await store.append(`thing-${stretch}`, events, { expected: 'no_stream' });
  }
  return store;
}

it.each(['forward', 'backward'] as const)(
  'many types are found where they are common and where they are rare, %s',
  async (direction) => {
    const store = await unevenLog();
    const all = (await store.readAll({ limit: 10_000, direction })).events;
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await store.readAll({
        limit: 700,
        direction,
        filter: { types: SOME },
        ...(after === undefined ? {} : { after }),
      });
      found.push(...idsOf(page.events));
      if (page.end) break;
      after = page.next;
    }
    expect(found).toEqual(idsOf(all.filter(({ type }) => type !== 'Other')));
  },
);

it('many types that are rare are found without the rest of the log', async () => {
  const store = eventStoreOn(db, { file: ':memory:' });
  for (let nth = 0; nth < 12; nth += 1) await store.append(`thing-${nth}`, newEvents(900), { expected: 'no_stream' });
  await store.append('thing-1', [newEvent('Some7')], { expected: 'any' });
  const { end, next } = await createdRead()({ after: 0n, direction: 'forward', limit: 1_000, filter: { types: SOME } });
  // A scan would have ended with its window.
  expect([end, next]).toEqual([true, 10_801n]);
});

const createdRead = () => createReadLog(db, { committed: 10_801n }, WHOLE_EVENTS);

it('a scan gives what reading gives, without ids and streams', async () => {
  const store = await unevenLog();
  for (const types of [['Other'], SOME]) {
    const { events, ...read } = await store.readAll({ limit: 500, filter: { types } });
    const expected = events.map(({ id, stream, revision, ...rest }) => rest);
    expect(await store.scan?.({ limit: 500, filter: { types } })).toEqual({ ...read, events: expected });
  }
});

it('parts have every event once, and each stream whole', async () => {
  const store = eventStoreOn(db, { file: ':memory:' });
  for (let nth = 0; nth < 40; nth += 1) await store.append(`thing-${nth % 20}`, newEvents(5), { expected: 'any' });
  const head = { committed: 200n };
  const parts = await Promise.all(
    [0, 1, 2].map((nth) =>
      readAll(
        { readLog: createReadLog(db, head, WHOLE_EVENTS, { nth, of: 3 }), head, assertOpen: () => undefined },
        toEvent,
        { limit: 1_000 },
      ),
    ),
  );
  const streams = parts.map(({ events }) => new Set(events.map(({ stream }) => stream)));
  expect(streams.every(({ size }) => size > 0)).toBe(true);
  expect(streams.reduce((sum, { size }) => sum + size, 0)).toBe(20);
  expect(parts.flatMap(({ events }) => idsOf(events)).sort()).toEqual(idsOf((await store.readAll()).events).sort());
});

it('a filter with more types than a statement should name finds the same, near the end of the log and far from it', async () => {
  const store = await unevenLog();
  const types = [...SOME, ...Array.from({ length: 50 }, (_, nth) => `Unused${nth}`)];
  const wanted = new Set(SOME);
  const all = (await store.readAll({ limit: 10_000 })).events;
  for (const fromEnd of [0, 1, 3, 100, 255, 256, 257, 600, 4_000]) {
    const first = all.at(-fromEnd - 1);
    const expected = all.slice(all.length - fromEnd).filter(({ type }) => wanted.has(type));
    for (const limit of [1, 7, 1_000]) {
      const found: string[] = [];
      for (let after = first?.position; ; ) {
        const page = await store.readAll({ limit, filter: { types }, ...(after === undefined ? {} : { after }) });
        expect(page.events.length).toBeLessThanOrEqual(limit);
        found.push(...idsOf(page.events));
        if (page.end) break;
        after = page.next;
      }
      expect(found).toEqual(idsOf(expected));
    }
  }
});
