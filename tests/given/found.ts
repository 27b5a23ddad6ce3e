/** Short notation for the findings of an audit: for rows, their read model and their routes. */
import { type Found, type Report, reportOf } from '../../src/domain/report/reportData.ts';
import type { ReportPage } from '../../src/domain/report/reportRows.ts';
import type { Finding } from '../../src/model/findings.ts';

type Check = Found['checks'][number];

export function foundCheck(id: string, over: Partial<Check> = {}): Check {
  return {
    id,
    title: `Title of ${id}`,
    category: 'technical',
    difficulty: 'easy',
    minutes: 20,
    timeToResult: '1-2 weeks',
    risk: `What \`${id}\` costs.`,
    gain: 'More visits.',
    steps: [`How ${id} is fixed.`],
    example: null,
    source: 'https://developers.google.com/search',
    ...over,
  };
}

export function foundAt(checkId: string, url: string, over: Partial<Finding> = {}): Finding {
  return {
    id: `${checkId} ${url}`,
    checkId,
    category: 'technical',
    impact: 'high',
    hint: false,
    message: `${checkId} was seen`,
    evidence: { url, place: 'head > title', value: '(missing)' },
    code: null,
    ...over,
  };
}

export function foundPage(url: string, over: Partial<Omit<ReportPage, 'rows'>> = {}): Omit<ReportPage, 'rows'> {
  return {
    url,
    status: 200,
    problem: '',
    finalUrl: url,
    redirects: 0,
    clicksFromStart: 1,
    foundBy: 'link',
    contentType: 'text/html',
    indexable: true,
    canonical: '',
    title: '',
    titleLength: null,
    description: '',
    h1: '',
    words: null,
    links: null,
    images: null,
    bytes: 1000,
    firstByteMs: 20,
    findings: 0,
    highImpact: 0,
    ...over,
  };
}

const A = 'https://www.example.com/a';
const B = 'https://www.example.com/b';

/** Three causes: `title-missing` (high, two pages), `thin` (medium, content), `llms` (a hint, of the whole site). */
export function found(over: Partial<Found> = {}): Found {
  return {
    host: 'www.example.com',
    score: {
      value: 82,
      deductions: [
        { checkId: 'title-missing', category: 'technical', points: 8, weight: 8, failed: 2, looked: 2, base: 2 },
        { checkId: 'thin', category: 'content', points: 10.3, weight: 3, failed: 1, looked: 2, base: 4 },
      ],
      categories: [
        { category: 'technical', lost: 8, cap: 45 },
        { category: 'content', lost: 10.3, cap: 30 },
      ],
      limits: [],
      pages: 8,
    },
    coverage: { text: '2 HTML pages audited.' },
    findings: [
      foundAt('title-missing', A, { code: '<title>Blue mugs</title>' }),
      foundAt('title-missing', B),
      foundAt('thin', B, {
        category: 'content',
        impact: 'medium',
        evidence: { url: B, place: 'main', value: '13 words' },
      }),
      foundAt('llms', A, { impact: 'low', hint: true }),
    ],
    outcomes: [
      { checkId: 'title-missing', omitted: 0 },
      { checkId: 'thin', omitted: 4 },
      { checkId: 'llms', omitted: 0 },
    ],
    checks: [
      foundCheck('llms'),
      foundCheck('thin', { category: 'content' }),
      foundCheck('title-missing', { title: 'Page has no title' }),
    ],
    ...over,
  };
}

/** Two pages with findings, one of them closed to search engines, one that is gone, one that never answered. */
export const FOUND_PAGES: readonly Omit<ReportPage, 'rows'>[] = [
  foundPage(A, { title: 'Mugs, "blue" ones', words: 120, findings: 2, highImpact: 1 }),
  foundPage(B, { title: '=Sum of mugs', words: 13, indexable: false, findings: 3, highImpact: 1 }),
  foundPage('https://www.example.com/gone', { status: 404, indexable: null, findings: 1 }),
  foundPage('https://www.example.com/dead', { status: null, problem: 'timeout', indexable: null }),
];

/** `llms` checks the site as a whole. */
export const report = (over: Partial<Found> = {}, pages = FOUND_PAGES): Report =>
  reportOf(found(over), pages, new Set(['llms']));
