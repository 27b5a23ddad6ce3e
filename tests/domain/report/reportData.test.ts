import { describe, expect, it } from 'vitest';
import { reportOf, splitRows } from '../../../src/domain/report/reportData.ts';
import { FOUND_PAGES, found, foundAt, foundCheck, report } from '../../given/found.ts';

const URLS = ['https://www.example.com/a', 'https://www.example.com/b'] as const;

describe('the findings of a report', () => {
  it('are grouped by cause: worst first, hints last, the rows of each cause together', () => {
    const { overview, findings } = report();
    expect(
      overview.causes.map(({ check, impact, hint, from, findings: rows, pages, omitted }) => [
        check.id,
        impact,
        hint,
        from,
        rows,
        pages,
        omitted,
      ]),
    ).toEqual([
      ['title-missing', 'high', false, 0, 2, 2, 0],
      ['thin', 'medium', false, 2, 1, 1, 4],
      ['llms', 'low', true, 3, 1, 1, 0],
    ]);
    expect(findings.map(({ checkId }) => checkId)).toEqual(['title-missing', 'title-missing', 'thin', 'llms']);
    expect(overview.causes.map(({ wholeSite }) => wholeSite)).toEqual([false, false, true]);
  });

  it('are ordered within one impact by the points they cost', () => {
    const costs = { cheap: 0.8, dear: 1.2, middle: 1 } as const;
    const ids = Object.keys(costs) as (keyof typeof costs)[];
    const score = found().score;
    const deductions = ids.map(
      (checkId) => ({ checkId, category: 'technical', points: costs[checkId], failed: 1, looked: 2 }) as const,
    );
    const { overview } = report({
      score: score && { ...score, deductions },
      findings: ids.flatMap((id) => URLS.map((url) => foundAt(id, url))),
      checks: ids.map((id) => foundCheck(id)),
    });
    expect(overview.causes.map(({ points }) => points)).toEqual([1.2, 1, 0.8]);
  });

  it('explain every deduction in words, and link each page to its rows', () => {
    const { overview, pages } = report();
    expect(overview.score?.deductions.map(({ title }) => title)).toEqual(['Page has no title', 'Title of thin']);
    expect(pages.map(({ rows }) => rows)).toEqual([[0, 3], [1, 2], [], []]);
  });

  it('concern the whole site only where the site itself is counted, not its pages', () => {
    const score = found().score;
    const by = (checkId: string, failed: number, looked: number) =>
      ({ checkId, category: 'content', points: 1, failed, looked, base: looked }) as const;
    const ids = ['title-duplicate', 'no-http2', 'social-duplicate', 'csp-missing'] as const;
    const at = (id: string, ...urls: readonly string[]) =>
      urls.map((url) => foundAt(id, url, { hint: id.startsWith('social') || id.startsWith('csp') }));
    const about = found({
      score: score && { ...score, deductions: [by('title-duplicate', 2, 14), by('no-http2', 1, 1)] },
      findings: [
        ...at('title-duplicate', ...URLS),
        ...at('no-http2', URLS[0]),
        ...at('social-duplicate', ...URLS),
        ...at('csp-missing', URLS[0]),
      ],
      checks: ids.map((id) => foundCheck(id)),
    });
    const { overview } = reportOf(about, FOUND_PAGES, new Set(['no-http2', 'csp-missing']));
    expect(overview.score?.deductions.map(({ wholeSite }) => wholeSite)).toEqual([false, true]);
    const wholeSite = Object.fromEntries(overview.causes.map((cause) => [cause.check.id, cause.wholeSite]));
    expect(wholeSite).toEqual({
      'title-duplicate': false,
      'no-http2': true,
      'social-duplicate': false,
      'csp-missing': true,
    });
  });

  it('have no score when nothing was scored', () => {
    expect(reportOf(found({ score: null }), FOUND_PAGES, new Set()).overview.score).toBeNull();
  });
});

describe('rows in parts', () => {
  it('fill each part up to the limit; a larger row is a part of its own', () => {
    expect([...splitRows(['aa', 'bb', 'cc'], 10)]).toEqual([['aa', 'bb'], ['cc']]);
    expect([...splitRows(['a'.repeat(50), 'b', 'ü'.repeat(4), 'c'], 10)]).toEqual([
      ['a'.repeat(50)],
      ['b'],
      ['üüüü'],
      ['c'],
    ]);
    expect([...splitRows([], 10)]).toEqual([]);
  });
});
