import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PART_BYTES } from '../../src/domain/report/events.ts';
import { createJsonLinesReader, jsonLines } from '../../src/workers/jsonLines.ts';
import { packed, unpacked } from '../../src/workers/packedParts.ts';
import { runs } from '../given/fullForm.ts';

const SEED = 20261129;

function readBack(lines: Iterable<string>): unknown {
  const reader = createJsonLinesReader();
  for (const line of lines) reader.add(line);
  return reader.end();
}

async function all(texts: AsyncIterable<string>): Promise<readonly string[]> {
  const listed: string[] = [];
  for await (const text of texts) listed.push(text);
  return listed;
}

async function* of(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

/** Texts that do not compress. */
function noise(characters: number, seed: number): string {
  let state = seed;
  return Array.from({ length: characters }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return String.fromCharCode(32 + ((state >>> 24) % 90));
  }).join('');
}

describe('JSON in lines', () => {
  it(`is JSON, and read back the same, for any value (seed ${SEED})`, () => {
    const blown = fc
      .json({ maxDepth: 4 })
      .map((text) => JSON.parse(text) as unknown)
      .chain((value) =>
        fc.constantFrom(value, { 'a ":[{\n': [value, LONG, value, []], b: value }, [
          LONG,
          [LONG, { c: LONG, d: value }],
        ]),
      );
    fc.assert(
      fc.property(blown, (value) => {
        const lines = [...jsonLines(value)];
        expect(JSON.parse(lines.join(''))).toEqual(value);
        expect(readBack(lines)).toEqual(value);
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  it('has no long line, but for a text that is as long', () => {
    const value = {
      pages: Array.from({ length: 40 }, (_, index) => ({
        index,
        links: Array.from({ length: 300 }, () => ({ url: 'https://example.com/'.repeat(9), text: 'a' })),
      })),
    };
    const lines = [...jsonLines(value)];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(64 * 1024);
    expect(readBack(lines)).toEqual(value);
  });

  it('keeps a key that would be a prototype, and leaves out what JSON does', () => {
    const value = JSON.parse(`{"__proto__":["${LONG}"],"a":["${LONG}"]}`) as object;
    const back = readBack(jsonLines(value));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
    expect(readBack(jsonLines({ a: undefined, b: [LONG, undefined], c: 1 }))).toEqual({ b: [LONG, null], c: 1 });
  });
});

const LONG = 'long '.repeat(10_000);

describe('packed data', () => {
  it('comes in parts that fit into events, the same each time', async () => {
    const value = {
      pages: Array.from({ length: 60 }, (_, index) => ({ url: `/${index}`, text: noise(60_000, index) })),
    };
    const { count, texts } = await packed(value);
    const first = await all(texts());
    expect(first.length).toBe(count);
    expect(count).toBeGreaterThan(8);
    for (const text of first.slice(0, -1)) expect(text.length).toBe(MAX_PART_BYTES);
    expect(await all(texts())).toEqual(first);
    expect(await unpacked(of(...first))).toEqual(value);
  });

  it('of a small value is a single part', async () => {
    const { count, texts } = await packed({ cutShort: false });
    expect([count, (await all(texts())).length]).toEqual([1, 1]);
    expect(await unpacked(texts())).toEqual({ cutShort: false });
  });

  it('of a former version is read', async () => {
    const value = { pages: [{ url: '/ä', text: `a\n${LONG}` }], coverage: { stop: 'complete' } };
    const text = gzipSync(Buffer.from(JSON.stringify(value)), { level: 1 }).toString('base64');
    const cut = Math.floor(text.length / 8) * 4;
    expect(await unpacked(of(text.slice(0, cut), text.slice(cut)))).toEqual(value);
  });

  it('that is damaged is not read', async () => {
    await expect(unpacked(of('bm90IGd6aXA='))).rejects.toThrow();
  });
});
