import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, QUERY_LIMITS, valuesByName } from '../../src/model/query.ts';

const UNLIMITED = { bytes: Number.POSITIVE_INFINITY, parameters: Number.POSITIVE_INFINITY };

describe('a query', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a&b=&=c',
      [
        ['a', ''],
        ['b', ''],
        ['', 'c'],
      ],
    ],
    ['&&a=1&&', [['a', '1']]],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a+b=c+d', [['a b', 'c d']]],
    [
      'a%20b=%C3%BC&x=%2B%26%3D',
      [
        ['a b', 'ü'],
        ['x', '+&='],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    [
      'a=50%&b=%zz&c=%4',
      [
        ['a', '50%'],
        ['b', '%zz'],
        ['c', '%4'],
      ],
    ],
  ])('%j is read as in a browser', (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it('of any text is read as URLSearchParams reads it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        expect(parseQuery(text, UNLIMITED)).toEqual([...new URLSearchParams(`?${text}`)]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('z', '%', '4', '1', '+', '&', '=', ';', '?', '/') }), (text) => {
        expect(parseQuery(text, UNLIMITED)).toEqual([...new URLSearchParams(`?${text}`)]);
      }),
    );
  });

  it.each(['a=%ff', '%80=a', 'a=%C3', 'a=%ED%A0%80', 'a=%C0%AF', 'a=%F5%80%80%80', 'a=%C3%zz'])(
    '%j is malformed',
    (text) => {
      expect(parseQuery(text)).toBe('MALFORMED_UNICODE');
    },
  );

  it('has limits, which may be reached', () => {
    const { bytes, parameters } = QUERY_LIMITS;
    expect(parseQuery(`a=${'x'.repeat(bytes - 2)}`)).toHaveLength(1);
    expect(parseQuery(`a=${'x'.repeat(bytes - 1)}`)).toBe('TOO_LONG');
    expect(parseQuery('a&'.repeat(parameters))).toHaveLength(parameters);
    expect(parseQuery('a&'.repeat(parameters + 1))).toBe('TOO_MANY');
  });
});

describe('values by name', () => {
  it('are lists for repeated names, and ordinary properties whatever the name', () => {
    const values = valuesByName([
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['__proto__', 'x'],
      ['a', '4'],
    ]);
    expect(Object.entries(values)).toEqual([
      ['a', ['1', '3', '4']],
      ['b', '2'],
      ['__proto__', 'x'],
    ]);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });
});
