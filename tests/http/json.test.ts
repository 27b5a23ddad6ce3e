import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_LIMITS, jsonFault, signedFault } from '../../src/http/request/json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`k${nth}`, nth])));
const items = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, nth) => nth));

describe('JSON', () => {
  it('may reach its limits, and not exceed them', () => {
    expect(jsonFault(nested(JSON_LIMITS.depth))).toBeNull();
    expect(jsonFault(nested(JSON_LIMITS.depth + 1))).toBe('TOO_DEEP');
    expect(jsonFault('{"a":'.repeat(JSON_LIMITS.depth + 1))).toBe('TOO_DEEP');
    expect(jsonFault(keys(JSON_LIMITS.keys))).toBeNull();
    expect(jsonFault(keys(JSON_LIMITS.keys + 1))).toBe('TOO_MANY_KEYS');
    expect(jsonFault(items(JSON_LIMITS.items))).toBeNull();
    expect(jsonFault(items(JSON_LIMITS.items + 1))).toBe('TOO_MANY_ITEMS');
  });

  it('counts the keys of all objects and the items of all lists', () => {
    expect(
      jsonFault(
        `[${Array<string>(JSON_LIMITS.keys / 2)
          .fill('{"a":1}')
          .join(',')}]`,
      ),
    ).toBeNull();
    expect(
      jsonFault(
        `[${Array<string>(JSON_LIMITS.keys / 2 + 1)
          .fill('{"a":1,"a":2}')
          .join(',')}]`,
      ),
    ).toBe('TOO_MANY_KEYS');
    expect(jsonFault(`{"a":${items(600)},"b":${items(600)}}`)).toBe('TOO_MANY_ITEMS');
  });

  it('the complexity of JSON is measured outside its strings', () => {
    const signs = '[{:,'.repeat(10_000);
    expect(jsonFault(JSON.stringify({ a: `${signs}"\\" ${signs}\\` }))).toBeNull();
    expect(jsonFault(JSON.stringify(['\\', '\\\\', '"']) + nested(JSON_LIMITS.depth + 1))).toBe('TOO_DEEP');
  });

  it.each([
    String.raw`"\ud800"`,
    String.raw`"\udc00"`,
    String.raw`"\uD83D"`,
    String.raw`"\udc00\ud800"`,
    String.raw`"\ud83dA"`,
    String.raw`"\ud83d\n"`,
    String.raw`"\ud83d\ud83d\ude00"`,
    String.raw`{"\ud800":1}`,
    String.raw`{"a":[{"b":"x\udfff"}]}`,
    String.raw`"\\\ud800"`,
  ])('detects half of a surrogate pair in %s', (text) => {
    expect(jsonFault(text)).toBe('MALFORMED_UNICODE');
  });

  it.each([
    String.raw`"\ud83d\ude00"`,
    String.raw`"\\ud800"`,
    String.raw`"\uD83D\uDE00\uFFFF\u0000"`,
    '"😀"',
    String.raw`"\"\ud83d\ude00\""`,
  ])('finds no half of a surrogate pair in %s', (text) => {
    expect(jsonFault(text)).toBeNull();
  });

  it('of any value is well-formed exactly if all of its texts are', () => {
    const texts = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
          : [];
    const unit = fc.oneof(
      fc.constantFrom('\ud83d', '\ude00', '\\', '"', 'u', 'a'),
      fc.string({ minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit, maxLength: 6 }), fc.array(fc.string({ unit, maxLength: 6 }))),
        (value) => {
          const expected = texts(value).every((text) => !/\p{Surrogate}/u.test(text)) ? null : 'MALFORMED_UNICODE';
          expect(jsonFault(JSON.stringify(value))).toBe(expected);
        },
      ),
    );
  });

  it('that is signed has a limit of depth alone', () => {
    expect(signedFault(Buffer.from(keys(20_000)))).toBeNull();
    expect(signedFault(Buffer.from(items(20_000)))).toBeNull();
    expect(signedFault(Buffer.from(String.raw`{"\ud800":"\udc00"}`))).toBeNull();
    expect(signedFault(Buffer.from(`{"a":"\\ud800 ü","b":${nested(JSON_LIMITS.depth)}}`))).toBe('TOO_DEEP');
  });
});
