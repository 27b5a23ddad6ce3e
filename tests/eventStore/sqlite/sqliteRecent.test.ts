/** The types of the newest events, and subscriptions that read nothing because of them. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createNotifier } from '../../../src/eventStore/notifier.ts';
import { createRecentTypes } from '../../../src/eventStore/sqlite/sqliteRecent.ts';
import { subscribe } from '../../../src/eventStore/sqlite/sqliteSubscribe.ts';

describe('the types of the newest events', () => {
  it('never hide an event, whatever was appended and rolled back', () => {
    const appended = fc.array(fc.record({ types: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 40 }), fails: fc.boolean() }), { maxLength: 80 });
    fc.assert(
      fc.property(appended, fc.nat(), fc.nat(), (groups, from, to) => {
        const recent = createRecentTypes();
        const log: string[] = [];
        for (const { types, fails } of groups) {
          types.forEach((type, at) => void recent.note(BigInt(log.length + at + 1), type));
          if (fails) recent.forgetAll();
          else log.push(...types);
        }
        const last = log.length === 0 ? 0 : to % (log.length + 1);
        const after = last === 0 ? 0 : from % last;
        const holds = log.slice(after, last).includes('A');
        if (holds) expect(recent.mayHold(new Set(['A']), BigInt(after), BigInt(last))).toBe(true);
      }),
    );
  });

  it('are known of the last thousand, with few events or many', () => {
    for (const count of [1, 10, 100_000]) {
      const recent = createRecentTypes();
      for (let position = 1; position <= count; position += 1) recent.note(BigInt(position), 'A');
      const after = BigInt(Math.max(0, count - 1_000));
      expect(recent.mayHold(new Set(['A']), after, BigInt(count))).toBe(true);
      expect(recent.mayHold(new Set(['B']), after, BigInt(count))).toBe(false);
    }
  });

  it('let a subscription to other types move on without a query', async () => {
    const recent = createRecentTypes();
    recent.note(1n, 'A');
    const readLog = vi.fn(() => ({ rows: [], next: 1n, end: true }));
    const head = { assigned: 1n, committed: 1n };
    const ending = new AbortController();
    const source = { readLog, head, recent, changed: createNotifier(), isClosed: () => false };
    const messages = subscribe(source, { filter: { types: ['B'] }, signal: ending.signal })[Symbol.asyncIterator]();
    expect((await messages.next()).value).toMatchObject({ kind: 'checkpoint' });
    expect(readLog).not.toHaveBeenCalled();
    ending.abort();
  });
});
