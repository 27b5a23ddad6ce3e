/** Answers fit into what a language model takes: counted by a real tokenizer, on pages in several scripts. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { reportOf } from '../../../src/domain/report/reportData.ts';
import { clip, readPlace, TOKENS, tokensOf, withLists, withRows } from '../../../src/http/mcp/budget.ts';
import { INSTRUCTIONS } from '../../../src/http/mcp/instructions.ts';
import { actionItem, givenAnalysis } from '../../given/analysis.ts';
import { found, foundAt, foundCheck, foundPage } from '../../given/found.ts';
import { type Assistant, connect, keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const count = (text: string): number => encode(text).length;

/** As they stand on real pages; the last three are as costly as text can be. */
const SCRIPTS: Readonly<Record<string, string>> = {
  latin: 'Search engines show this page under an address that nobody would type. ',
  japanese: '日本語の検索結果で最適な記事を表示するためのタイトルと説明文が不足しています。',
  arabic: 'هذه الصفحة لا تحتوي على عنوان مناسب لمحركات البحث ',
  cyrillic: 'На этой странице нет заголовка, который подошёл бы. ',
  ids: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6 Zk9x_QvT7-4bYpL2wRjN8sHd',
  rareSigns: '驫麤鬱龘靐齉籲灪',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🤷🏽‍♀️',
};

describe('the estimate', () => {
  it.each(Object.entries(SCRIPTS))('is above what a text takes: %s', (_, text) => {
    for (const times of [1, 7, 40])
      expect(tokensOf(text.repeat(times))).toBeGreaterThanOrEqual(count(text.repeat(times)));
    expect(tokensOf(text)).toBeLessThan(6 * count(text));
  });

  it('cuts a text within it, and never a character in half', () => {
    for (const text of Object.values(SCRIPTS)) {
      const cut = clip(text.repeat(50), 100);
      expect(count(cut)).toBeLessThanOrEqual(101);
      expect(cut).toMatch(/…$/);
      expect(Buffer.from(cut).toString()).toBe(cut);
    }
    expect(clip('short')).toBe('short');
  });
});

describe('a list', () => {
  const row = (nth: number) => ({ nth, text: 'word '.repeat(40) });
  const list = { name: 'rows', detail: 'short', narrow: 'Filter.' } as const;

  it.each([0, 1, 3])('of %i rows is whole', (length) => {
    const rows = Array.from({ length }, (_, nth) => row(nth));
    const shown = withRows({ a: 1 }, { ...list, rows, place: readPlace(undefined), next: null });
    expect(shown).toEqual({ a: 1, rows, truncated: false });
  });

  it('of many rows goes on where it was cut, until each was shown once', () => {
    const pages = [
      Array.from({ length: 60 }, (_, nth) => row(nth)),
      Array.from({ length: 5 }, (_, nth) => row(60 + nth)),
    ];
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let calls = 0; calls < 20; calls += 1) {
      const place = readPlace(cursor);
      const isSecond = place.cursor === 'second';
      const rows = pages[isSecond ? 1 : 0] ?? [];
      const answer = withRows({}, { ...list, rows, place, next: isSecond ? null : 'second' }) as {
        rows: { nth: number }[];
        next_cursor?: string;
      };
      expect(tokensOf(JSON.stringify(answer))).toBeLessThanOrEqual(TOKENS.short);
      seen.push(...answer.rows.map(({ nth }) => nth));
      cursor = answer.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(Array.from({ length: 65 }, (_, nth) => nth));
  });

  it('among several keeps its first rows, and says what is left out', () => {
    const many = Array.from({ length: 200 }, (_, nth) => row(nth));
    const answer = withLists({}, { many, few: [row(0)], none: [] }, { detail: 'short', narrow: 'Ask for less.' });
    expect(answer).toMatchObject({ few: [row(0)], none: [], truncated: true, narrow: 'Ask for less.' });
    const { many: shown, left_out } = answer as { many: unknown[]; left_out: { many: number } };
    expect(shown.length + left_out.many).toBe(200);
  });

  it('does not go on from a place that is none', () => {
    for (const text of ['', 'x', '~', '-1~', '12']) expect(() => readPlace(text)).toThrow('cursor');
  });
});

let app: TestApp;
let user: TestUser;
let assistant: Assistant;
let audit_id: string;
beforeAll(async () => {
  const many = { points: 1e6, seconds: 60 };
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 }, rateLimits: { mcp: many, apiKey: many } });
  user = await app.signUp();
  assistant = await connect(app, await keyOf(user));
  const texts = ['latin', 'japanese', 'arabic', 'rareSigns'].map((name) => (SCRIPTS[name] ?? '').repeat(20));
  const urls = Array.from({ length: 300 }, (_, nth) => `https://example.com/${'path/'.repeat(nth % 5)}page-${nth}`);
  const checks = Array.from({ length: 40 }, (_, nth) => foundCheck(nth === 0 ? 'title-missing' : `check-${nth}`));
  const textOf = (nth: number): string => texts[nth % 4] ?? '';
  const report = reportOf(
    found({
      checks,
      findings: checks.flatMap(({ id }, check) =>
        urls.slice(0, check === 0 ? 300 : 20).map((url, nth) =>
          foundAt(id, url, {
            message: textOf(nth),
            evidence: { url, place: textOf(nth + 1), value: textOf(nth + 2) },
            code: textOf(nth),
          }),
        ),
      ),
    }),
    urls.map((url, nth) =>
      foundPage(url, { title: textOf(nth), description: textOf(nth), h1: textOf(nth), template: `/t-${nth % 60}/*` }),
    ),
    new Set(),
  );
  const items = checks.map(({ id }, nth) =>
    actionItem(id, { problem: textOf(nth), solution: textOf(nth + 1), codeExample: textOf(nth), pages: urls }),
  );
  await givenAnalysis(app, user.userId, { items, report });
  app.advance(60_000);
  ({ jobId: audit_id } = await givenAnalysis(app, user.userId, { items, report }));
}, 60_000);
afterAll(async () => {
  await assistant.close();
  await app.close();
});

describe('tokens', () => {
  it('of the whole list of tools are at most 4,000, and it is one page', async () => {
    const { tools, nextCursor } = await assistant.client.listTools();
    expect(tools).toHaveLength(13);
    expect(nextCursor).toBeUndefined();
    expect(count(JSON.stringify(tools))).toBeLessThanOrEqual(4_000);
  });

  it('of the instructions are few: 150 to 300 words', () => {
    const words = INSTRUCTIONS.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(150);
    expect(words).toBeLessThanOrEqual(300);
    expect(assistant.client.getInstructions()).toBe(INSTRUCTIONS);
  });

  const CALLS: readonly (readonly [tool: string, args: object])[] = [
    ['list_audits', {}],
    ['get_audit', {}],
    ['list_findings', {}],
    ['list_findings', { group_by: 'none' }],
    ['list_findings', { group_by: 'template' }],
    ['list_findings', { group_by: 'page' }],
    ['list_findings', { state: 'remaining' }],
    ['query_pages', {}],
    ['query_pages', { columns: ['title', 'description', 'h1', 'words'] }],
    ['get_page', { include: ['links', 'headings', 'data', 'images', 'text'] }],
    ['compare_audits', {}],
    ['explain_check', { check: 'title-missing' }],
    ['list_tasks', {}],
    ['get_fix', { task_id: 'title-missing' }],
  ];
  const FULL: ReadonlySet<string> = new Set(['list_findings', 'query_pages', 'get_page', 'compare_audits', 'get_fix']);
  const ofAnAudit = (tool: string): boolean => !['list_audits', 'explain_check'].includes(tool);

  it.each(CALLS)('of an answer are at most 2,000, and 10,000 where more is asked for: %s %o', async (tool, args) => {
    const about = ofAnAudit(tool) ? { audit_id, ...args } : args;
    const short = await assistant.call(tool, about);
    expect(count(JSON.stringify(short))).toBeLessThanOrEqual(2_000);
    if (short.truncated) expect(short.narrow).toMatch(/\w/);
    if (!FULL.has(tool)) return;
    const full = await assistant.call(tool, { ...about, detail: 'full' });
    expect(count(JSON.stringify(full))).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(full).length).toBeGreaterThanOrEqual(JSON.stringify(short).length);
  });

  it('of every explanation of a check are at most 2,000', async () => {
    for (const { id } of CHECKS)
      expect([id, count(JSON.stringify(await assistant.call('explain_check', { check: id }))) <= 2_000]).toEqual([
        id,
        true,
      ]);
  });

  it('decide where a list is cut; the cursor leads through all of it', async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const answer = await assistant.call('query_pages', { audit_id, columns: ['url'], cursor });
      for (const { url } of answer.pages) {
        expect(seen.has(url)).toBe(false);
        seen.add(url);
      }
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    expect(seen.size).toBe(300);
  });
});
