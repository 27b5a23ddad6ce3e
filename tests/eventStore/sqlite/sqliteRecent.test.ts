/** The newest events in memory, and subscriptions that read nothing because of them. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { EventFilter } from '../../../src/eventStore/eventStore.ts';
import { createNotifier } from '../../../src/eventStore/notifier.ts';
import { createRecentEvents } from '../../../src/eventStore/sqlite/sqliteRecent.ts';
import type { EventRow } from '../../../src/eventStore/sqlite/sqliteRows.ts';
import { subscribe } from '../../../src/eventStore/sqlite/sqliteSubscribe.ts';

const row = (position: number, type = 'A', stream = 'thing-1', data = '{}'): EventRow => [
  BigInt(position),
  stream,
  BigInt(position),
  type,
  `id-${position}`,
  '{"at":"2026-03-01T00:00:00.000Z"}',
  data,
];

const positions = (rows: readonly EventRow[] | null) => rows?.map(([position]) => Number(position)) ?? null;

describe('the newest events', () => {
  it('are those of the log or not known, whatever was appended, rolled back and removed', () => {
    const event = fc.record({ type: fc.constantFrom('A', 'B'), stream: fc.constantFrom('x-1', 'y-1') });
    const group = fc.record({
      events: fc.array(event, { maxLength: 40 }),
      end: fc.constantFrom('committed', 'committed', 'rolled back', 'removed'),
    });
    const filters: readonly (EventFilter | undefined)[] = [
      undefined,
      { types: ['A'] },
      { types: [] },
      { streamPrefixes: ['x-'] },
      { types: ['B'], streamPrefixes: ['x-'] },
    ];
    let known = 0;
    fc.assert(
      fc.property(
        fc.array(group, { maxLength: 80 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...filters),
        (groups, from, to, filter) => {
          const recent = createRecentEvents();
          let log: EventRow[] = [];
          let head = 0;
          for (const { events, end } of groups) {
            const rows = events.map(({ type, stream }, at) => row(head + at + 1, type, stream));
            for (const added of rows) recent.note(added);
            if (end === 'rolled back') recent.forgetAll();
            else {
              head += rows.length;
              log.push(...rows);
            }
            if (end !== 'removed') continue;
            log = log.filter(([, stream]) => stream !== 'x-1');
            recent.forgetAll();
          }
          const last = head === 0 ? 0 : to % (head + 1);
          const after = last === 0 ? 0 : from % last;
          const wanted = log.filter(([position, stream, , type]) => {
            if (position <= after || position > last) return false;
            if (filter?.types && !filter.types.includes(type)) return false;
            return !filter?.streamPrefixes || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
          });
          const found = recent.between(BigInt(after), BigInt(last), filter);
          if (found === null) return;
          known += 1;
          expect(found).toEqual(wanted);
        },
      ),
    );
    expect(known).toBeGreaterThan(0);
  });

  it('are the last thousand at least, with few events or many', () => {
    for (const count of [1, 10, 100_000]) {
      const recent = createRecentEvents();
      for (let position = 1; position <= count; position += 1) recent.note(row(position));
      const after = Math.max(0, count - 1_000);
      expect(recent.between(BigInt(after), BigInt(count), undefined)).toHaveLength(count - after);
      expect(recent.between(BigInt(after), BigInt(count), { types: ['B'] })).toEqual([]);
    }
  });

  it('are fewer if they are large', () => {
    const recent = createRecentEvents();
    const large = `{"text":"${'x'.repeat(400_000)}"}`;
    for (let position = 1; position <= 50; position += 1) recent.note(row(position, 'A', 'thing-1', large));
    expect(recent.between(0n, 50n, undefined)).toBeNull();
    expect(positions(recent.between(48n, 50n, undefined))).toEqual([49, 50]);
    recent.note(row(51, 'A', 'thing-1', `{"text":"${'x'.repeat(4_000_000)}"}`));
    expect(recent.between(50n, 51n, undefined)).toBeNull();
    recent.note(row(52));
    expect(positions(recent.between(51n, 52n, undefined))).toEqual([52]);
  });

  it('reach a subscription without a query', async () => {
    const recent = createRecentEvents();
    recent.note(row(1));
    recent.note(row(2, 'B'));
    recent.note(row(3));
    const readLog = vi.fn(() => ({ rows: [], next: 3n, end: true }));
    const head = { assigned: 3n, committed: 3n };
    const ending = new AbortController();
    const source = { readLog, head, recent, changed: createNotifier(), isClosed: () => false };
    const messages = subscribe(source, { filter: { types: ['B'] }, signal: ending.signal })[Symbol.asyncIterator]();
    expect((await messages.next()).value).toMatchObject({
      kind: 'events',
      events: [{ id: 'id-2', type: 'B', stream: 'thing-1', data: {} }],
    });
    expect((await messages.next()).value).toMatchObject({ kind: 'checkpoint' });
    expect((await messages.next()).value).toMatchObject({ kind: 'caughtUp' });
    expect(readLog).not.toHaveBeenCalled();
    ending.abort();
  });
});
