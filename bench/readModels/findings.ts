/**
 * An audit of 100,000 findings on 5,000 pages: until its rows can be read, and how long a page of them takes over HTTP.
 */
import { randomUUID } from 'node:crypto';
import { writeReportRows } from '../../src/commands/job/writeReportRows.ts';
import type { JobEvent } from '../../src/domain/job/events.ts';
import { type Found, reportOf } from '../../src/domain/report/reportData.ts';
import type { ReportPage } from '../../src/domain/report/reportRows.ts';
import { type Product, startProduct } from '../http/product.ts';
import { type Figure, milliseconds, percentile, type Row, timed } from '../measure.ts';

const FINDINGS = 100_000;
const PAGES = 5_000;
const CHECKS = 200;
const ASKED = 30;
/** Rows a page on the way to the middle. */
const STEP = 200;
const GOAL_MS = 100;

const urlOf = (page: number): string => `https://www.example.com/section-${page % 20}/page-${page}`;

function found(): Found {
  const checks = Array.from({ length: CHECKS }, (_, n) => ({
    ...({
      id: `check-${n}`,
      title: `Title of check ${n}`,
      category: 'technical',
      difficulty: 'easy',
      minutes: 20,
      timeToResult: '1-2 weeks',
    } as const),
    risk: 'It matters. '.repeat(12),
    gain: 'More visits. '.repeat(4),
    steps: Array(3).fill('Do this. '.repeat(4)),
    example: { before: null, after: '<meta>' },
    source: 'https://example.org/',
  }));
  const findings = Array.from({ length: FINDINGS }, (_, n) => ({
    ...({
      id: `finding-${n}`,
      checkId: `check-${n % CHECKS}`,
      category: 'technical',
      impact: n % 3 === 0 ? 'high' : 'medium',
      hint: false,
    } as const),
    message: `The picture number ${n} on this page has neither a width nor a height.`,
    evidence: {
      url: urlOf(n % PAGES),
      place: `main > section:nth-of-type(${n % 9}) > img:nth-of-type(${n % 30})`,
      value: `/images/some-picture-${n}.png`,
    },
    code: `<img src="/images/some-picture-${n}.png" width="640" height="480" alt="What it shows">`,
  }));
  const outcomes = checks.map(({ id }) => ({ checkId: id, omitted: 0 }));
  const score = { value: 40, deductions: [], categories: [], limits: [], pages: PAGES };
  return {
    host: 'www.example.com',
    score,
    coverage: { text: '5,000 HTML pages were audited.' },
    findings,
    outcomes,
    checks,
  };
}

function pages(): Omit<ReportPage, 'rows'>[] {
  return Array.from({ length: PAGES }, (_, n) => ({
    url: urlOf(n),
    status: 200,
    problem: '',
    finalUrl: urlOf(n),
    redirects: 0,
    clicksFromStart: n % 7,
    foundBy: 'link',
    contentType: 'text/html; charset=utf-8',
    indexable: true,
    canonical: urlOf(n),
    title: `Page ${n} of a large shop`,
    titleLength: 24,
    description: 'What there is to buy here. '.repeat(5),
    h1: `Page ${n}`,
    words: n,
    links: 80,
    images: 12,
    bytes: 60_000,
    firstByteMs: 80,
    findings: 20,
    highImpact: 7,
  }));
}

async function givenJob({ store }: Product, userId: string): Promise<string> {
  const jobId = randomUUID();
  const at = new Date().toISOString();
  const submitted: JobEvent = {
    type: 'JobSubmitted',
    data: {
      jobId,
      userId,
      url: 'https://www.example.com/',
      host: 'www.example.com',
      bounds: { maxPages: PAGES, maxMs: 1 },
      access: 'full',
      submittedAt: at,
    },
  };
  const metadata = {
    actor: { kind: 'system', id: 'bench' },
    at,
    correlationId: randomUUID(),
    causationId: randomUUID(),
  } as const;
  await store.append(`job-${jobId}`, [{ id: randomUUID(), ...submitted, metadata }], {
    expected: 'no_stream',
  });
  return jobId;
}

export const findings: Figure = {
  name: 'findings',
  async measure({ dir, say }) {
    const product = await startProduct(dir);
    const { userId, token } = await product.user();
    const jobId = await givenJob(product, userId);
    const report = reportOf(found(), pages(), new Set());
    const ask = async (path: string): Promise<{ cursor: string | null }> => {
      const response = await fetch(`${product.url}/api/v1/jobs/${jobId}/${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { cursor: string | null };
    };
    const written = await timed(async () => {
      await writeReportRows(product.context(null), { jobId, userId, report });
      await product.readModels.reached(['reports', 'jobs'], await product.store.head(), 60_000);
    });
    say(`written and projected in ${Math.round(written)} ms`);
    const rows: Row[] = [
      {
        what: '100,000 findings on 5,000 pages: written as rows and projected',
        ours: `${(written / 1000).toFixed(1)} s`,
        limit: '–',
        ratio: null,
        goal: '–',
        met: true,
      },
    ];
    let middle: string | null = null;
    for (let from = 0; from < FINDINGS / 2; from += STEP)
      middle = (await ask(`findings?limit=${STEP}${middle === null ? '' : `&cursor=${middle}`}`)).cursor;
    for (const [what, path] of [
      ['all causes with their counts', 'causes'],
      ['the first 100 findings', 'findings'],
      ['100 findings from the middle', `findings?cursor=${middle}`],
      ['the findings of one page', `findings?page=${encodeURIComponent(urlOf(4_000))}`],
      ['the first 100 pages, sorted', 'pages?sort=words&order=desc'],
    ] as const) {
      const took: number[] = [];
      for (let time = 0; time < ASKED; time += 1) took.push(await timed(() => ask(path)));
      const p95 = percentile(took, 95);
      rows.push({
        what: `of them: ${what}, p95`,
        ours: milliseconds(p95),
        limit: '–',
        ratio: null,
        goal: `< ${GOAL_MS} ms`,
        met: p95 < GOAL_MS,
      });
    }
    await product.close();
    return rows;
  },
};
