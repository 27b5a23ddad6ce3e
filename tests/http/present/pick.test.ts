/** Only what the contract names leaves the server. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { picked } from '../../../src/http/present/pick.ts';

const Page = z.object({
  url: z.string(),
  links: z.array(z.object({ to: z.string() })).nullable(),
  note: z.string().optional(),
});

/** As documents are: with more than the contract knows, which types do not notice. */
const loosely = <T>(value: unknown): T => value as T;

describe('a picked value', () => {
  it('has the contract’s fields in the contract’s order, at any depth, and no others', () => {
    const document = { secret: 's', links: [{ hash: 'h', to: '/a' }], url: 'https://example.com/' };
    expect(JSON.stringify(picked(Page, document))).toBe('{"url":"https://example.com/","links":[{"to":"/a"}]}');
  });

  it('keeps null, leaves out undefined, and does not change what it was made from', () => {
    const document = { url: 'https://example.com/', links: null, note: undefined };
    expect(picked(Page, loosely(Object.freeze(document)))).toStrictEqual({ url: 'https://example.com/', links: null });
  });

  it('has every entry of a record, and of an unknown value everything', () => {
    const Record = z.object({ byName: z.record(z.string(), z.object({ at: z.string() })), any: z.unknown() });
    const value = { byName: { a: { at: '1', secret: 's' } }, any: { deep: { as: 'given' } } };
    expect(picked(Record, value)).toStrictEqual({ byName: { a: { at: '1' } }, any: { deep: { as: 'given' } } });
  });

  it('follows the member of a union that it is', () => {
    const Answer = z.union([
      z.object({ done: z.literal(true), id: z.string() }),
      z.object({ done: z.literal(false), error: z.string() }),
    ]);
    expect(picked(Answer, loosely({ done: false, error: 'no', id: 'x' }))).toStrictEqual({ done: false, error: 'no' });
    expect(picked(Answer, loosely({ done: true, error: 'no', id: 'x' }))).toStrictEqual({ done: true, id: 'x' });
    expect(() => picked(Answer, loosely({ done: true }))).toThrow(TypeError);
  });

  it('cannot be an object where the contract has a plain value', () => {
    expect(() => picked(Page, loosely({ url: { href: 'https://example.com/' }, links: null }))).toThrow(TypeError);
    expect(() => picked(z.union([z.string(), z.null()]), loosely({ secret: 's' }))).toThrow(TypeError);
  });
});
