import { beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { actionItemsMarkdown } from '../../../src/audit/report/actionItemsMarkdown.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import { reportMarkdown } from '../../../src/audit/report/reportMarkdown.ts';
import { UNTOUCHED } from '../../../src/domain/plan/progress.ts';
import { byImpact, tasksOf } from '../../../src/http/present/action.ts';
import { shownContent } from '../../../src/http/present/previewFiles.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { type BoardDocument, boards } from '../../../src/projections/boards.ts';
import { jobFiles } from '../../../src/projections/jobFiles.ts';
import { storedReports } from '../../../src/start/reports/storedReports.ts';
import { analystInput, subject } from '../../../src/workers/evaluation.ts';
import { givenSite } from '../../given/audit/page.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const job = {
  jobId: 'job',
  userId: 'user',
  url: 'https://example.com/',
  host: 'example.com',
  bounds: { maxPages: 50, maxMs: 1 },
  access: 'preview',
} as const;

/** Real files of a site with many faults, as the workers write them. */
let files: Readonly<Record<'seo-audit-report.md' | 'findings.json' | 'action-items.md', string>>;
let board: BoardDocument;
beforeAll(async () => {
  const crawl = givenSite({
    pages: [
      {
        html: '<html><body><h3>x</h3><img src="/a.png"><a href="/gone">here</a><a href="/second">click here</a></body></html>',
      },
      {
        url: '/second',
        html: '<html lang="en"><head><title>x</title><title>y</title><meta name="robots" content="noindex"></head><body><p>few words</p></body></html>',
      },
      { url: '/gone', status: 404 },
    ],
    sitemaps: [{ locs: ['/gone', '/second'] }],
  });
  const analyst = createRulesAnalyst();
  const input = await analystInput(job, crawl, { now: () => 0 });
  const about = await subject(job, crawl, NOW, { now: () => 0 });
  const [analysis, recommended] = [await analyst.analyse(input), await analyst.recommend(input)];
  const items = recommended.value.map((item) => ({ ...item, ...UNTOUCHED }));
  board = { jobId: 'job', userId: 'user', by: 'x', generatedAt: NOW, items };
  files = {
    'seo-audit-report.md': reportMarkdown({ ...about, analysis: { text: analysis.value, by: analysis.by } }),
    'findings.json': findingsJson(about),
    'action-items.md': actionItemsMarkdown(items),
  };
  expect(items.length).toBeGreaterThan(12);
});

type Name = keyof typeof files | 'executive-summary.md' | 'pages.csv';
const POSITION = '1'.padStart(20, '0');

/** The preview of a file, with this board and these findings. */
async function previewOf(
  name: Name,
  content: string,
  given: { readonly board: BoardDocument | null; readonly findings: string | null },
): Promise<string> {
  const readModels = memoryReadModels();
  for (const model of [boards, jobFiles]) {
    await readModels.prepare(model, 'v1');
    await readModels.serve(model.name, 'v1');
  }
  const write = (model: string, id: string, data: object | null) => ({
    model,
    build: 'v1',
    checkpoint: POSITION,
    writes: [{ id, position: POSITION, data }],
  });
  const file = {
    jobId: 'job',
    userId: 'user',
    name: 'findings.json',
    content: given.findings ?? '',
    parts: 1,
    received: 1,
  };
  await readModels.commit([
    write('boards', 'job', given.board),
    write('jobFiles', 'job/findings.json', given.findings === null ? null : file),
  ]);
  const text = await shownContent({ readModels, reports: storedReports }, 'preview', { jobId: 'job', content }, name);
  await readModels.close();
  return text;
}

const preview = (name: keyof typeof files, given: BoardDocument | null = board) =>
  previewOf(name, files[name], { board: given, findings: files['findings.json'] });
const shownItems = () => byImpact(board.items).slice(0, 8);
const hiddenItems = () => byImpact(board.items).slice(8);
/** The fix of a check, as the report has it. */
const cureOf = (checkId: string): string => CHECKS.find((check) => check.id === checkId)?.steps[0] ?? 'no such check';
const findingsPart = (report: string): string => report.slice(report.indexOf('\n## Findings\n'));

const headings = (text: string): string[] => text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '').match(/^#{1,4} .*$/gm) ?? [];

describe('action-items.md in a preview', () => {
  it('has the eight items as in the file, and says how many there are', async () => {
    const text = await preview('action-items.md');
    for (const item of shownItems()) expect(text).toContain(item.title.split(' (')[0]);
    for (const item of hiddenItems()) expect(text).not.toContain(`${item.title}\n`);
    expect(text.match(/^## \d+\. /gm)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `## ${nth}. `));
    expect(text).toContain(`This preview shows 8 of ${tasksOf(board.items).length} action items.`);
    expect(text.startsWith(actionItemsMarkdown(shownItems()).trim())).toBe(true);
  });

  it('has none without a board', async () => {
    expect(await preview('action-items.md', null)).not.toMatch(/^## /m);
  });

  it('is whole when there are no more than eight', async () => {
    const few = { ...board, items: shownItems().slice(0, 3) };
    expect(await previewOf('action-items.md', actionItemsMarkdown(few.items), { board: few, findings: null })).toBe(
      actionItemsMarkdown(few.items),
    );
  });
});

describe('findings.json in a preview', () => {
  it('has the findings of the eight items, with their checks, and the true total', async () => {
    const whole = JSON.parse(files['findings.json']);
    const text = JSON.parse(await preview('findings.json'));
    const ids = new Set(shownItems().flatMap((item) => item.findingIds));
    expect(text.findings).toEqual(whole.findings.filter((finding: { id: string }) => ids.has(finding.id)));
    expect(text.findings.length).toBeGreaterThan(0);
    expect(text.preview).toEqual({ findings_shown: text.findings.length, findings_total: whole.findings.length });
    expect(text.findings.length).toBeLessThan(whole.findings.length);
    const checkIds = new Set(text.findings.map((finding: { checkId: string }) => finding.checkId));
    expect(text.checks.map((check: { id: string }) => check.id).sort()).toEqual([...checkIds].sort());
    expect(text.score).toEqual(whole.score);
    expect(text.issues.map((issue: { checkId: string }) => issue.checkId)).toEqual(
      whole.issues.map((issue: { checkId: string }) => issue.checkId).filter((id: string) => checkIds.has(id)),
    );
  });

  it('has nothing of an unreadable file', async () => {
    for (const content of ['no json', '[]', 'null', '{"findings": 3, "checks": "x"}', '{"findings": [null, 1, "x"]}']) {
      expect(JSON.parse(await previewOf('findings.json', content, { board, findings: null })).findings).toEqual([]);
    }
    expect(JSON.parse(await preview('findings.json', null)).findings).toEqual([]);
  });
});

describe('seo-audit-report.md in a preview', () => {
  const checkIdsOf = (items: BoardDocument['items']) => {
    const stored: { id: string; checkId: string }[] = JSON.parse(files['findings.json']).findings;
    const ids = new Set(items.flatMap((item) => item.findingIds));
    const shown = new Set(stored.filter(({ id }) => ids.has(id)).map(({ checkId }) => checkId));
    return {
      shown,
      hidden: [...new Set(stored.map(({ checkId }) => checkId))].filter((checkId) => !shown.has(checkId)),
    };
  };

  it('has every fault, but only the fixes of the eight, in every section', async () => {
    const [whole, text] = [files['seo-audit-report.md'], await preview('seo-audit-report.md')];
    expect(headings(text)).toEqual(headings(whole));
    const { hidden } = checkIdsOf(shownItems());
    for (const item of shownItems()) expect(findingsPart(text), item.checkId).toContain(cureOf(item.checkId));
    expect(hidden.length).toBeGreaterThan(4);
    for (const checkId of hidden) expect(text, checkId).not.toContain(cureOf(checkId));
    const { issues } = JSON.parse(files['findings.json']);
    const locked = issues.filter(({ checkId, settles }: { checkId: string; settles: string[] }) =>
      [checkId, ...settles].some((id) => hidden.includes(id)),
    );
    expect(findingsPart(text).match(/Part of the full report/g)).toHaveLength(locked.length);
  });

  it('has no fix without a board, and nothing without findings', async () => {
    const text = await preview('seo-audit-report.md', null);
    for (const item of board.items) expect(text).not.toContain(cureOf(item.checkId));
    expect(findingsPart(text)).not.toContain('```');
    const { 'seo-audit-report.md': whole } = files;
    expect(await previewOf('seo-audit-report.md', whole, { board, findings: null })).toBe(
      'This report cannot be shown in a preview.\n',
    );
  });

  it('is whole when the eight are all', async () => {
    const all = JSON.parse(files['findings.json']).findings.map((finding: { id: string }) => finding.id);
    const few = { ...board, items: shownItems().map((item) => ({ ...item, findingIds: all })) };
    expect(await preview('seo-audit-report.md', few)).toBe(files['seo-audit-report.md']);
  });
});

it('shows the summary and the pages in full', async () => {
  for (const name of ['executive-summary.md', 'pages.csv'] as const)
    expect(await previewOf(name, 'text', { board: null, findings: null })).toBe('text');
});
