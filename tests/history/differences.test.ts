import { describe, expect, it } from 'vitest';
import { brief, differences } from '../../src/history/differences.ts';

const NONE: ReadonlySet<string> = new Set();
const changes = (before: unknown, after: unknown, secret = NONE) => differences(before, after, secret).changes;

describe('the differences between two states', () => {
  it('are listed field by field', () => {
    expect(changes({ a: 1, b: { c: true, d: 'x' } }, { a: 2, b: { c: true, d: 'y' } })).toEqual([
      { path: ['a'], before: 1, after: 2 },
      { path: ['b', 'd'], before: 'x', after: 'y' },
    ]);
    expect(changes({ a: {} }, { a: {} })).toEqual([]);
  });

  it('leave out what was and is empty', () => {
    expect(changes({ a: null, b: '' }, { a: undefined, b: null, c: null, d: 0 })).toEqual([{ path: ['d'], after: 0 }]);
    expect(changes({ note: 'x' }, { note: '' })).toEqual([{ path: ['note'], before: 'x', after: '' }]);
  });

  it('of long texts begin shortly before the first one', () => {
    const text = 'word '.repeat(100);
    const [change] = changes({ text: `${text}old end` }, { text: `${text}new end` });
    expect(change).toMatchObject({
      before: expect.stringMatching(/^…(?:word ){12,13}old end$/),
      after: expect.stringMatching(/^…(?:word ){12,13}new end$/),
    });
    expect(changes({ text: 'a short one' }, { text: 'a short text' })).toEqual([
      { path: ['text'], before: 'a short one', after: 'a short text' },
    ]);
  });

  it('of a small thing added or removed are its fields', () => {
    expect(changes({ limits: null }, { limits: { pages: 5 } })).toEqual([{ path: ['limits', 'pages'], after: 5 }]);
    expect(changes({ limits: { pages: 5 } }, {})).toEqual([{ path: ['limits', 'pages'], before: 5 }]);
  });

  it('of a large one are its appearance or removal', () => {
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field${index}`, index]));
    expect(changes({ items: [] }, { items: [{ id: 'a', ...large }] })).toEqual([
      { path: ['items', 'a'], after: { id: 'a', ...large } },
    ]);
  });

  it('match list items by their ids, in any order', () => {
    const before = [
      { id: 'a', done: false },
      { id: 'b', done: false },
    ];
    expect(changes(before, [{ id: 'b', done: true }])).toEqual([
      { path: ['a', 'id'], before: 'a' },
      { path: ['a', 'done'], before: false },
      { path: ['b', 'done'], before: false, after: true },
    ]);
    // The same sequence twice: matched by what differs.
    expect(
      changes(
        [],
        [
          { sequenceId: 's', enrolmentId: 'x' },
          { sequenceId: 's', enrolmentId: 'y' },
        ],
      ).map(({ path }) => path[0]),
    ).toEqual(['x', 'x', 'y', 'y']);
  });

  it('of plain values in a list are the added and removed ones', () => {
    expect(changes({ known: ['a', 'b'] }, { known: ['b', 'c'] })).toEqual([
      { path: ['known'], before: 'a' },
      { path: ['known'], after: 'c' },
    ]);
  });

  it('are cut when long, and say how much is omitted', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index]));
    const { changes: listed, omitted } = differences({}, many, NONE);
    expect([listed.length, omitted]).toEqual([30, 70]);
    expect(changes({ text: '' }, { text: 'x'.repeat(1_000) })[0]?.after).toBe(`${'x'.repeat(300)}…`);
    expect(brief([1, 2, 3, 4, 5, 6, 7], NONE)).toEqual([1, 2, 3, 4, 5, '… 2 more']);
  });
});
