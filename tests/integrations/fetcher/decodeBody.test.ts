import { randomBytes } from 'node:crypto';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ACCEPT_ENCODING, decodeBody } from '../../../src/integrations/fetcher/decodeBody.ts';

const LIMITS = { maxBytes: 1_000_000, cut: false, partial: false };
const TEXT = Buffer.from('some words, '.repeat(2000));
const zstdCompress = (
  zlib as { zstdCompressSync?: (data: Uint8Array, options?: { params: Record<number, number> }) => Buffer }
).zstdCompressSync;

type Coder = (data: Uint8Array) => Buffer;
const coders: readonly (readonly [coding: string, encode: Coder])[] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  // At its best, it takes many times as long.
  ['br', (data) => zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ...(zstdCompress ? [['zstd', zstdCompress] as const] : []),
];

describe('content encodings', () => {
  test('zstd is accepted if it can be decoded', () => {
    expect(ACCEPT_ENCODING).toBe(zstdCompress ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br');
  });

  test.each(coders)('%s is decoded', async (coding, encode) => {
    expect(await decodeBody(encode(TEXT), coding, LIMITS)).toEqual({ ok: true, body: TEXT, truncated: false });
    expect(await decodeBody(encode(TEXT), ` ${coding.toUpperCase()} `, LIMITS)).toMatchObject({ ok: true });
  });

  test.each(coders)('%s: the decoded size is limited to the byte', async (coding, encode) => {
    const exact = { ...LIMITS, maxBytes: TEXT.length };
    expect(await decodeBody(encode(TEXT), coding, exact)).toMatchObject({ ok: true, truncated: false });
    const less = { ...LIMITS, maxBytes: TEXT.length - 1 };
    expect(await decodeBody(encode(TEXT), coding, less)).toMatchObject({ ok: false, failure: 'too_large' });
    expect(await decodeBody(encode(TEXT), coding, { ...less, cut: true })).toEqual({
      ok: true,
      body: TEXT.subarray(0, TEXT.length - 1),
      truncated: true,
    });
  });

  test.each(coders)('%s: a bomb is detected by its ratio, whatever the size limit', async (coding, encode) => {
    const bomb = encode(Buffer.alloc(30_000_000));
    expect(await decodeBody(bomb, coding, { maxBytes: 1e9, cut: true, partial: false })).toMatchObject({
      ok: false,
      failure: 'too_large',
    });
  });

  test.each(coders)('%s: bytes behind the end are ignored, as browsers do', async (coding, encode) => {
    for (const behind of ['\n<!-- cached -->', '\0'.repeat(50), 'x', '\x1f'])
      expect(await decodeBody(Buffer.concat([encode(TEXT), Buffer.from(behind)]), coding, LIMITS)).toEqual({
        ok: true,
        body: TEXT,
        truncated: false,
      });
  });

  test.each(coders)('%s: of a body that ends too early, what came is read if that will do', async (coding, encode) => {
    const noise = randomBytes(200_000);
    const wire = encode(noise);
    const half = wire.subarray(0, wire.length / 2);
    expect(await decodeBody(half, coding, LIMITS)).toMatchObject({ ok: false, failure: 'bad_encoding' });
    const result = await decodeBody(half, coding, { ...LIMITS, cut: true });
    expect(result).toMatchObject({ ok: true, truncated: true });
    const body = result.ok ? Buffer.from(result.body) : Buffer.alloc(0);
    expect(body.length).toBeGreaterThan(50_000);
    expect(body.equals(noise.subarray(0, body.length))).toBe(true);
    expect(await decodeBody(wire.subarray(0, 1), coding, { ...LIMITS, cut: true })).toMatchObject({
      ok: false,
      failure: 'bad_encoding',
    });
  });

  test('gzip: members, headers with every field, a wrong check sum and a lost one', async () => {
    const two = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two'), Buffer.from('rest')]);
    expect(await decodeBody(two, 'gzip', LIMITS)).toMatchObject({ ok: true, body: Buffer.from('one two') });
    const plain = zlib.gzipSync(TEXT);
    const fields = [Buffer.from([4, 0]), 'size', 'page.html\0', 'a comment\0', Buffer.from([1, 2])];
    const full = Buffer.concat([
      plain.subarray(0, 10),
      ...fields.map((field) => Buffer.from(field)),
      plain.subarray(10),
    ]);
    full[3] = 2 + 4 + 8 + 16;
    expect(await decodeBody(full, 'gzip', LIMITS)).toMatchObject({ ok: true, body: TEXT });
    const wrong = Buffer.from(plain);
    wrong.writeUInt32LE(1, wrong.length - 8);
    expect(await decodeBody(wrong, 'gzip', LIMITS)).toMatchObject({ ok: true, body: TEXT });
    expect(await decodeBody(plain.subarray(0, -8), 'gzip', LIMITS)).toMatchObject({ ok: true, body: TEXT });
  });

  test('gzip: of very many members, the first are read', async () => {
    const member = zlib.gzipSync('x');
    const many = Buffer.concat(Array.from({ length: 3000 }, () => member));
    expect(await decodeBody(many, 'gzip', LIMITS)).toMatchObject({ ok: true, body: Buffer.alloc(1000, 'x') });
  });

  test('bytes behind the end of each of several encodings', async () => {
    const junk = Buffer.from('junk');
    const wire = Buffer.concat([zlib.gzipSync(Buffer.concat([zlib.brotliCompressSync(TEXT), junk])), junk]);
    expect(await decodeBody(wire, 'br, gzip', LIMITS)).toMatchObject({ ok: true, body: TEXT, truncated: false });
  });

  test.each(coders)('%s: a partial body is decoded as far as it goes', async (coding, encode) => {
    const noise = randomBytes(900_000);
    const wire = encode(noise);
    const result = await decodeBody(wire.subarray(0, wire.length / 2), coding, { ...LIMITS, cut: true, partial: true });
    expect(result).toMatchObject({ ok: true, truncated: true });
    const body = result.ok ? Buffer.from(result.body) : Buffer.alloc(0);
    expect(body.length).toBeGreaterThan(200_000);
    expect(body.equals(noise.subarray(0, body.length))).toBe(true);
  });

  test.each([...new Set(coders.map(([coding]) => coding))].filter((coding) => coding !== 'deflate'))(
    '%s: other data is invalid',
    async (coding) => {
      expect(await decodeBody(Buffer.from('plain text, nothing else'), coding, LIMITS)).toMatchObject({
        ok: false,
        failure: 'bad_encoding',
      });
    },
  );

  test('several are decoded in order, four are too many', async () => {
    const twice = zlib.gzipSync(zlib.brotliCompressSync(TEXT));
    expect(await decodeBody(twice, 'br, gzip', LIMITS)).toMatchObject({ ok: true, body: TEXT });
    expect(await decodeBody(twice, 'gzip, br', LIMITS)).toMatchObject({ ok: false, failure: 'bad_encoding' });
    expect(await decodeBody(twice, 'br, gzip, gzip, gzip', LIMITS)).toMatchObject({
      ok: false,
      failure: 'bad_encoding',
    });
  });

  test.each(['', 'identity', 'utf-8', 'none'])('%j is not an encoding', async (word) => {
    expect(await decodeBody(TEXT, word, LIMITS)).toMatchObject({ ok: true, body: TEXT });
  });

  test.each(['compress', 'dcb', ...(zstdCompress ? [] : ['zstd'])])('%s is not supported', async (coding) => {
    expect(await decodeBody(TEXT, coding, LIMITS)).toMatchObject({ ok: false, failure: 'bad_encoding' });
  });

  test('an empty body is empty, whatever its encoding', async () => {
    expect(await decodeBody(new Uint8Array(), 'gzip', LIMITS)).toMatchObject({ ok: true, body: new Uint8Array() });
  });

  test.runIf(zstdCompress)('zstd: a window over 8 MB is refused, as its specification demands', async () => {
    const { ZSTD_c_windowLog = 101 } = zlib.constants as { ZSTD_c_windowLog?: number };
    const wire = zstdCompress?.(randomBytes(20_000_000), { params: { [ZSTD_c_windowLog]: 27 } }) ?? new Uint8Array();
    expect(await decodeBody(wire, 'zstd', { ...LIMITS, maxBytes: 1e9 })).toMatchObject({
      ok: false,
      failure: 'bad_encoding',
    });
  });
});

test('reads 5 MB at most of a body that is compressed more than once', async () => {
  const body = randomBytes(6 * 1024 * 1024);
  const limits = { maxBytes: 50 * 1024 * 1024, cut: false, partial: false };
  const once = zlib.gzipSync(body, { level: 0 });
  expect(await decodeBody(once, 'gzip', limits)).toMatchObject({ ok: true });
  const twice = zlib.gzipSync(once, { level: 0 });
  expect(await decodeBody(twice, 'gzip, gzip', limits)).toMatchObject({ ok: false, failure: 'too_large' });
  const cut = await decodeBody(twice, 'gzip, gzip', { ...limits, cut: true });
  expect(cut.ok && [cut.truncated, cut.body.length < body.length]).toEqual([true, true]);
});
