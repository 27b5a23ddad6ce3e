import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CrawlEvent, MAX_PART_BYTES } from '../../../src/domain/report/events.ts';
import {
  type CrawlTexts,
  digestedParts,
  isComplete,
  isWritten,
  NO_CRAWL_TEXTS,
  type ReportCommand,
  reportDecider,
  splitText,
  withCrawlPart,
} from '../../../src/domain/report/report.ts';
import { specOf } from '../../given/decider.ts';
import { runs } from '../../given/fullForm.ts';

const SEED = 20260303;
const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

describe('splitting a text', () => {
  it('keeps a short text whole', () => expect(splitText('short')).toEqual(['short']));
  it('makes one empty part of an empty text', () => expect(splitText('')).toEqual(['']));
  it('fills parts up to the limit', () => {
    expect(splitText('abcdef', 2)).toEqual(['ab', 'cd', 'ef']);
    expect(splitText('a'.repeat(MAX_PART_BYTES))).toHaveLength(1);
    expect(splitText('a'.repeat(MAX_PART_BYTES + 1))).toHaveLength(2);
  });
  it('counts bytes, not characters', () => expect(splitText('äöü', 4)).toEqual(['äö', 'ü']));
  it('never cuts a surrogate pair', () => expect(splitText('a😀b', 4)).toEqual(['a', '😀', 'b']));
  it('counts what JSON escapes', () => expect(splitText('"\n\u0001x', 6)).toEqual(['"\n', '\u0001', 'x']));

  it(`makes parts within the limit that join to the same text, for any text (seed ${SEED})`, () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom('\ud800', '\udc00', '😀', '"', '\\', '\u2028', '\0', '\n'),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 6, max: 40 }), (units, maxBytes) => {
        const text = units.join('');
        const parts = splitText(text, maxBytes);
        expect(parts.join('')).toBe(text);
        for (const part of parts) expect(jsonBytes(part)).toBeLessThanOrEqual(maxBytes);
        for (const [index, part] of parts.entries()) {
          const next = parts[index + 1];
          if (next !== undefined) expect(/[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(next)).toBe(false);
        }
      }),
      { seed: SEED, numRuns: runs(2_000) },
    );
  });
});

describe('writing a report file', () => {
  const given = specOf(reportDecider);
  const at = '2026-03-01T10:00:00.000Z';
  const write = (text: string): ReportCommand => ({
    type: 'WriteReportFile',
    jobId: 'job-1',
    userId: 'user-1',
    name: 'pages.csv',
    parts: [...digestedParts(text)],
    at,
  });
  const written = (text: string, part = 0, parts = 1) =>
    ({
      type: 'ReportPartWritten',
      data: { jobId: 'job-1', userId: 'user-1', file: 'pages.csv', part, parts, text, writtenAt: at },
    }) as const;

  it('records it', () => given().when(write('url')).then(written('url')));
  it('records a large one in parts', () => {
    const text = `${'a'.repeat(MAX_PART_BYTES)}b`;
    given()
      .when(write(text))
      .then(written('a'.repeat(MAX_PART_BYTES), 0, 2), written('b', 1, 2));
  });
  it('does nothing for the same text', () => {
    given(written('url')).when(write('url')).thenNothing();
    given(written('u', 0, 2), written('rl', 1, 2))
      .when(write('url'))
      .thenNothing();
  });
  it('replaces another text', () => {
    given(written('u', 0, 2), written('rl', 1, 2))
      .when(write('new'))
      .then(written('new'));
    const state = [written('u', 0, 2), written('rl', 1, 2), written('new')].reduce(
      reportDecider.evolve,
      reportDecider.initialState(),
    );
    expect(isWritten(state, 'pages.csv', [...digestedParts('new')])).toBe(true);
    expect(isWritten(state, 'pages.csv', [...digestedParts('url')])).toBe(false);
    expect(isComplete(state, 'findings.json')).toBe(false);
  });
});

describe('working data', () => {
  const part = (name: string, text: string, index: number, parts: number): CrawlEvent => ({
    type: 'CrawlPartRecorded',
    data: { jobId: 'job-1', name, part: index, parts, text },
  });
  const textsOf = (...events: readonly CrawlEvent[]): CrawlTexts =>
    events.reduce((texts, event, at) => withCrawlPart(texts, BigInt(at), event), NO_CRAWL_TEXTS);

  it('is the last complete text of its name', () => {
    const [a, b, c] = [part('crawl', 'a', 0, 2), part('crawl', 'b', 1, 2), part('crawl', 'c', 0, 1)];
    expect(textsOf().complete).toBeNull();
    expect(textsOf(a).complete).toBeNull();
    expect(textsOf(a, b).complete).toEqual({ at: 0n, parts: 2 });
    expect(textsOf(a, b, c).complete).toEqual({ at: 2n, parts: 1 });
  });
  it('ignores an incomplete text', () => {
    const [old, begun] = [part('crawl', 'old', 0, 1), part('crawl', 'n', 0, 2)];
    expect(textsOf(old, begun).complete).toEqual({ at: 0n, parts: 1 });
    expect(textsOf(begun, begun, part('crawl', 'w', 1, 2)).complete).toEqual({ at: 1n, parts: 2 });
  });
});
