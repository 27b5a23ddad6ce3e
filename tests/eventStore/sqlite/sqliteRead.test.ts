/** Reading the log: a filter by type costs only as much as there is of that type. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventStoreOn } from '../../../src/eventStore/sqlite/sqlite.ts';
import { type EventDatabase, openEventDatabase } from '../../../src/eventStore/sqlite/sqliteFile.ts';
import { type LogShape, logStatement } from '../../../src/eventStore/sqlite/sqliteRead.ts';
import { idsOf, newEvent, newEvents } from '../../contract/eventStoreHarness.ts';

let db: EventDatabase;

beforeEach(() => {
  db = openEventDatabase(':memory:', 0);
});

afterEach(() => db.close());

function planOf(shape: LogShape): string {
  const names = ['after', 'last', 'limit'];
  const values = ['type', 'prefix'].flatMap((name) => Array.from({ length: 60 }, (_, index) => `${name}${index}`));
  const bound = Object.fromEntries([...names, ...values].map((name) => [name, name.startsWith('type') || name.startsWith('prefix') ? 'x' : 1]));
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${logStatement(shape)}`).all(bound) as readonly { readonly detail: string }[];
  return rows.map(({ detail }) => detail).join('\n');
}

it.each([true, false])('a few types are read from their index and merged without sorting, forward: %s', (forward) => {
  for (const types of [1, 3, 8]) {
    for (const prefixes of [null, 2]) {
      const plan = planOf({ forward, types, prefixes });
      const searches = plan.split('\n').filter((line) => line.includes('USING INDEX events_of_type (type=? AND rowid'));
      expect(searches, plan).toHaveLength(types);
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  }
});

it('unfiltered reads, and filters that match most of the log, use the order of the table', () => {
  for (const types of [null, 40]) {
    const plan = planOf({ forward: true, types, prefixes: null });
    expect(plan).toMatch(/INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/);
    expect(plan).not.toMatch(/events_of_type|TEMP B-TREE/);
  }
});

it('a type that is named twice comes once, and an unused type ends at once', async () => {
  const store = eventStoreOn(db, { file: ':memory:' });
  const wanted = [newEvent('Seldom'), newEvent('Other'), newEvent('Seldom')];
  for (const event of wanted) await store.append('thing-1', [...newEvents(3), event], { expected: 'any' });
  const read = (types: readonly string[], direction: 'forward' | 'backward' = 'forward') => store.readAll({ filter: { types }, direction });
  expect(idsOf((await read(['Seldom', 'Seldom', 'Other'])).events)).toEqual(idsOf(wanted));
  expect(idsOf((await read(['Other', 'Seldom'], 'backward')).events)).toEqual(idsOf(wanted).reverse());
  expect(await read(['Never'])).toEqual({ events: [], next: await store.head(), end: true });
  expect((await read([])).events).toEqual([]);
});
