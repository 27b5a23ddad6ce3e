/** A small `findings.json` and `pages.csv`, as the engine writes them. */
import type { RunsResponse } from '../../../src/http/contract/runs.ts';
import type { Check, Finding, FindingsFile } from '../../../web/features/jobs/page/findingsFile.ts';

export function check(id: string, over: Partial<Check> = {}): Check {
  return {
    id,
    title: `Title of ${id}`,
    category: 'technical',
    difficulty: 'easy',
    minutes: 20,
    timeToResult: '1-2 weeks',
    businessValue: 'More visits.',
    why: `Why \`${id}\` matters.`,
    fix: `How ${id} is mended.`,
    codeExample: null,
    source: 'https://developers.google.com/search',
    ...over,
  };
}

export function finding(checkId: string, url: string, over: Partial<Finding> = {}): Finding {
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

const A = 'https://www.example.com/a';
const B = 'https://www.example.com/b';

/** Three causes: `title-missing` (high, two pages), `thin` (medium, content), `llms` (a hint). */
export function findingsFile(over: Partial<FindingsFile> = {}): string {
  const file: FindingsFile = {
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
    coverage: { text: '2 HTML pages were audited.' },
    findings: [
      finding('title-missing', A, { code: '<title>Blue mugs</title>' }),
      finding('title-missing', B),
      finding('thin', B, { category: 'content', impact: 'medium', evidence: { url: B, place: 'main', value: '13 words' } }),
      finding('llms', A, { impact: 'low', hint: true }),
    ],
    outcomes: [{ checkId: 'thin', omitted: 4 }],
    checks: [check('llms'), check('thin', { category: 'content' }), check('title-missing', { title: 'Page has no title' })],
    ...over,
  };
  return JSON.stringify(file);
}

export const PAGES_CSV = [
  'url,status,problem,final_url,redirects,indexable,title,words,findings,high_impact',
  `${A},200,,${A},0,yes,"Mugs, ""blue"" ones",120,2,1`,
  `${B},200,,${B},0,no,'=Sum of mugs,13,3,1`,
  'https://www.example.com/gone,404,,,0,,,,1,0',
  'https://www.example.com/dead,,timeout,,0,,,,0,0',
  '',
].join('\r\n');

export function file(name: string, content: string, jobId = 'job-1') {
  return { success: true, data: { jobId, name, content } };
}

type Run = RunsResponse['data']['runs'][number];

export function run(jobId: string, over: Partial<Run> = {}): Run {
  return { jobId, at: '2026-11-20T10:01:00.000Z', status: 'completed', score: 82, pages: 36, findings: 41, comparable: true, because: null, ...over };
}

export function runsResponse(runs: readonly Run[]): RunsResponse {
  return { success: true, data: { host: 'www.example.com', runs: [...runs], truncated: false } };
}
