import { beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { actionItemsMarkdown } from '../../../src/audit/report/actionItemsMarkdown.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import { reportMarkdown } from '../../../src/audit/report/reportMarkdown.ts';
import { UNTOUCHED } from '../../../src/domain/plan/progress.ts';
import { byImpact } from '../../../src/http/present/action.ts';
import { type FileName, previewOf } from '../../../src/http/present/filePreview.ts';
import { markedLines, splitSections } from '../../../src/http/present/markdownSections.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import type { BoardDocument } from '../../../src/projections/boards.ts';
import { analystInput, subject } from '../../../src/workers/evaluation.ts';
import { givenSite } from '../../given/audit/page.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const job = { jobId: 'job', userId: 'user', url: 'https://example.com/', host: 'example.com', bounds: { maxPages: 50, maxMs: 1 }, access: 'preview' } as const;

/** The real files of a site with many faults, as the workers write them. */
let files: Readonly<Record<'seo-audit-report.md' | 'findings.json' | 'action-items.md', string>>;
let board: BoardDocument;
beforeAll(async () => {
  const crawl = givenSite({
    pages: [
      { html: '<html><body><h3>x</h3><img src="/a.png"><a href="/gone">here</a><a href="/second">click here</a></body></html>' },
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

const preview = (name: keyof typeof files, given: BoardDocument | null = board) =>
  previewOf(name, files[name], { board: given, findings: files['findings.json'] });
const shownItems = () => byImpact(board.items).slice(0, 8);
const hiddenItems = () => byImpact(board.items).slice(8);
/** What to do about a check's fault, as the report has it. */
const cureOf = (checkId: string): string => CHECKS.find((check) => check.id === checkId)?.fix ?? 'no such check';
const findingsPart = (report: string): string => report.slice(report.indexOf('\n## Findings\n'));

describe('action-items.md in a preview', () => {
  it('has the eight items as they stand in the file, and says how many there are', () => {
    const text = preview('action-items.md');
    for (const item of shownItems()) expect(text).toContain(item.title.split(' (')[0]);
    for (const item of hiddenItems()) expect(text).not.toContain(`${item.title}\n`);
    expect(text.match(/^## \d+\. /gm)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `## ${nth}. `));
    expect(text).toContain(`This preview shows 8 of ${board.items.length} action items.`);
    const whole = splitSections(files['action-items.md'], (line) => line.startsWith('## '));
    const kept = splitSections(text, (line) => line.startsWith('## '));
    for (const section of kept.sections.slice(0, -1))
      expect(whole.sections.map(({ body }) => body.join('\n').trim())).toContain(section.body.join('\n').trim());
  });

  it('has none when there is no board, or when it is of another plan', () => {
    expect(preview('action-items.md', null)).not.toMatch(/^## /m);
    expect(preview('action-items.md', { ...board, items: board.items.slice(1) })).not.toMatch(/^## \d/m);
  });

  it('is whole when there are no more than eight', () => {
    const few = { ...board, items: board.items.slice(0, 3) };
    const text = previewOf('action-items.md', actionItemsMarkdown(few.items), { board: few, findings: null });
    expect(text).toBe(actionItemsMarkdown(few.items));
  });
});

describe('findings.json in a preview', () => {
  it('has what the eight items fix, with its checks, and the true total', () => {
    const whole = JSON.parse(files['findings.json']);
    const text = JSON.parse(preview('findings.json'));
    const ids = new Set(shownItems().flatMap((item) => item.findingIds));
    expect(text.findings).toEqual(whole.findings.filter((finding: { id: string }) => ids.has(finding.id)));
    expect(text.findings.length).toBeGreaterThan(0);
    expect(text.preview).toEqual({ findings_shown: text.findings.length, findings_total: whole.findings.length });
    expect(text.findings.length).toBeLessThan(whole.findings.length);
    const checkIds = new Set(text.findings.map((finding: { checkId: string }) => finding.checkId));
    expect(text.checks.map((check: { id: string }) => check.id).sort()).toEqual([...checkIds].sort());
    expect(text.score).toEqual(whole.score);
  });

  it('has nothing of what cannot be read', () => {
    for (const content of ['no json', '[]', 'null', '{"findings": 3, "checks": "x"}', '{"findings": [null, 1, "x"]}']) {
      expect(JSON.parse(previewOf('findings.json', content, { board, findings: null })).findings).toEqual([]);
    }
    expect(JSON.parse(preview('findings.json', null)).findings).toEqual([]);
  });
});

describe('seo-audit-report.md in a preview', () => {
  it('tells every fault, and the cure of the eight alone', () => {
    const [whole, text] = [files['seo-audit-report.md'], preview('seo-audit-report.md')];
    const headings = (report: string) => splitSections(report, (line) => /^#{1,4} /.test(line)).sections.map(({ heading }) => heading);
    expect(headings(text)).toEqual(headings(whole));
    const stored: { id: string; checkId: string }[] = JSON.parse(files['findings.json']).findings;
    const ids = new Set(shownItems().flatMap((item) => item.findingIds));
    const shown = new Set(stored.filter(({ id }) => ids.has(id)).map(({ checkId }) => checkId));
    for (const item of shownItems()) expect(findingsPart(text), item.checkId).toContain(cureOf(item.checkId));
    const hidden = [...new Set(stored.map(({ checkId }) => checkId))].filter((checkId) => !shown.has(checkId));
    expect(hidden.length).toBeGreaterThan(4);
    for (const checkId of hidden) expect(findingsPart(text), checkId).not.toContain(cureOf(checkId));
    expect(text.match(/part of the full report/g)).toHaveLength(hidden.length);
  });

  it('has no cure at all without a board or findings', () => {
    for (const text of [preview('seo-audit-report.md', null), previewOf('seo-audit-report.md', files['seo-audit-report.md'], { board, findings: null })]) {
      for (const item of board.items) expect(findingsPart(text)).not.toContain(cureOf(item.checkId));
      expect(findingsPart(text)).not.toContain('```');
    }
  });

  it('is whole when the eight are all', () => {
    const few = {
      ...board,
      items: board.items
        .slice(0, 8)
        .map((item) => ({ ...item, findingIds: JSON.parse(files['findings.json']).findings.map((finding: { id: string }) => finding.id) })),
    };
    expect(preview('seo-audit-report.md', few)).toBe(files['seo-audit-report.md']);
  });
});

it('the summary and the pages are shown whole', () => {
  for (const name of ['executive-summary.md', 'pages.csv'] satisfies FileName[]) expect(previewOf(name, 'text', { board: null, findings: null })).toBe('text');
});

describe('headings', () => {
  it('in code are none', () => {
    const text = ['# a', '```md', '# b', '````', '```', '# c', '~~~', '# d', '```', '``` x ``` y', '# e', '````', '# f', '```', '# g'].join('\n');
    expect(splitSections(text, (line) => line.startsWith('# ')).sections.map(({ heading }) => heading)).toEqual(['# a', '# e']);
    expect(markedLines(['```', 'x'])).toEqual([
      { line: '```', inCode: true },
      { line: 'x', inCode: true },
    ]);
  });
});
