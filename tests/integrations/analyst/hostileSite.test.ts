/**
 * A whole site of prompt injections, from the crawl to the product's files, with models that resist them and models
 * that obey.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { actionItemsMarkdown } from '../../../src/audit/report/actionItemsMarkdown.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import { reportMarkdown } from '../../../src/audit/report/reportMarkdown.ts';
import type { JobFacts } from '../../../src/domain/job/job.ts';
import type { Analyst, AnalystAction, AnalystInput, Written } from '../../../src/integrations/analyst/analyst.ts';
import { createOpenAiAnalyst } from '../../../src/integrations/analyst/openAi.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { wholeScore } from '../../../src/model/scores.ts';
import { analystInput, subject } from '../../../src/workers/evaluation.ts';
import { type ChatRequest, type LlmServer, type Reply, startLlmServer } from '../../servers/llmServer.ts';
import { startTestSite, type TestSite } from '../../servers/testSite.ts';
import { FORBIDDEN, HOSTILE_PAGES, hostileSite } from './hostilePages.ts';
import { dataOf, goodModel, partlyTakenOverModel, takenOverModel } from './models.ts';
import { rendered } from './rendered.ts';

let site: TestSite;
let server: LlmServer;
let crawl: Crawl;
let input: AnalystInput;
let job: JobFacts;
const rules = createRulesAnalyst();

beforeAll(async () => {
  [site, server] = await Promise.all([startTestSite(hostileSite()), startLlmServer({ apiKey: 'key' })]);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'Test/1' });
  const env = {
    fetch: fetcher,
    parse: async (page: Parameters<typeof parsePage>[0]) => parsePage(page),
    now: () => 0,
    sleep: async () => {},
    userAgent: 'Test/1',
  };
  crawl = await crawlSite(
    await discover(`${site.origin}/`, env),
    { maxPages: 60, maxMs: 60_000, maxBytes: 50_000_000, concurrency: 4 },
    env,
  );
  await fetcher.close();
  job = { url: `${site.origin}/`, host: site.host } as JobFacts;
  input = await analystInput(job, crawl, { now: () => 0 });
});
afterAll(() => Promise.all([site.close(), server.close()]));

type Files = {
  readonly analysis: Written<string>;
  readonly items: Written<readonly AnalystAction[]>;
  readonly summary: Written<string>;
  readonly report: string;
  readonly actionItems: string;
  readonly findings: string;
};

/** Everything that the product writes, written as its workers do. */
async function filesBy(analyst: Analyst): Promise<Files> {
  const analysis = await analyst.analyse(input);
  const items = await analyst.recommend(input);
  const summary = await analyst.summarise(input, items.value);
  const about = await subject(job, crawl, '2026-03-10T12:00:00.000Z', { now: () => 0 });
  return {
    analysis,
    items,
    summary,
    report: reportMarkdown({ ...about, analysis: { text: analysis.value, by: analysis.by } }),
    actionItems: actionItemsMarkdown(items.value),
    findings: findingsJson(about),
  };
}

function model(answer: (request: ChatRequest) => Reply): Analyst {
  server.otherwise(answer);
  return createOpenAiAnalyst({ baseUrl: server.url, apiKey: 'key', model: 'm', fallback: rules });
}

/**
 * The model's own words, without text from pages: that is in code spans, in quotation marks, and in our own sentences
 * about it.
 */
const scoreLine = (report: string): string => report.slice(0, report.indexOf('## Scope and limits'));

describe('twenty pages with prompt injections', () => {
  it('are all fetched and read', () => {
    expect(HOSTILE_PAGES).toHaveLength(20);
    const read = new Set(crawl.pages.filter((page) => page.facts !== null).map((page) => new URL(page.url).pathname));
    expect(HOSTILE_PAGES.filter(({ path }) => !read.has(path)).map(({ kind }) => kind)).toEqual([]);
    // They reach the findings: an injection that never reaches the model would prove nothing.
    expect(JSON.stringify(input.findings).match(/PWNED/g)?.length).toBeGreaterThan(15);
    expect(input.findings.length).toBeGreaterThan(100);
  });

  it('reach the model only as quoted data: short, printable, and inside the data block', async () => {
    const before = server.requests.length;
    await filesBy(model(goodModel));
    const asked = server.requests.slice(before).map(({ body }) => body);
    expect(asked).toHaveLength(3);
    for (const { messages } of asked) {
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(messages[0]?.content).not.toMatch(/PWNED|evil|tea/i);
      const user = messages[1]?.content ?? '';
      const [first = '', data = '', last, ...rest] = user.split('\n');
      expect(first).toMatch(/^DATA [0-9a-f]{32}$/);
      expect([last, rest]).toEqual([`${first} END`, []]);
      // The marker occurs nowhere in the data, and the data is one line of JSON.
      expect(data).not.toContain(first.slice('DATA '.length));
      expect(() => JSON.parse(data)).not.toThrow();
      expect(user.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
      expect(user).not.toMatch(/<\|im_start\|>|\[INST\]|<<SYS>>/);
      expect(messages.map(({ content }) => content).join('').length / 3).toBeLessThan(24_000);
      const texts: string[] = [];
      JSON.parse(data, (_, value) => {
        if (typeof value === 'string') texts.push(value);
        return value;
      });
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(400);
    }
  });

  describe.each([
    ['resists', goodModel, 'AI', false],
    ['is partly taken over', partlyTakenOverModel, 'AI', true],
    ['is taken over', takenOverModel, 'Built-in analyst', true],
  ] as const)('and a model that %s', (_, answer, by, drops) => {
    let own: Files;
    let files: Files;
    beforeAll(async () => {
      own = await filesBy(rules);
      files = await filesBy(model(answer));
    });

    it('is used only where it sticks to the findings', () => {
      expect([files.analysis.by, files.items.by, files.summary.by]).toEqual([by, by, by]);
      if (by === 'AI') {
        expect([files.analysis.fallback, files.items.fallback, files.summary.fallback]).toEqual([null, null, null]);
        for (const { dropped = 0 } of [files.analysis, files.items, files.summary]) expect(dropped > 0).toBe(drops);
      } else
        for (const { fallback } of [files.analysis, files.items, files.summary])
          expect(fallback).toBe('The language model’s answer could not be used.');
    });

    it('cannot change the facts of an item: each refers to findings of this audit, and no finding is lost', () => {
      const facts = (items: readonly AnalystAction[]) =>
        items.map(({ title, problem, solution, ...fact }) => fact).sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(facts(files.items.value)).toEqual(facts(own.items.value));
      const known = new Set(input.findings.map((finding) => finding.id));
      for (const item of files.items.value) {
        expect(item.findingIds.length).toBeGreaterThan(0);
        for (const id of item.findingIds) expect(known.has(id), `${item.id} ${id}`).toBe(true);
      }
      expect(files.items.value.flatMap((item) => item.findingIds).sort()).toEqual([...known].sort());
    });

    it('cannot change the score or a finding', () => {
      expect(scoreLine(files.report)).toBe(scoreLine(own.report));
      expect(files.findings).toBe(own.findings);
      expect(files.report.slice(files.report.indexOf('\n## Findings\n'))).toBe(
        own.report.slice(own.report.indexOf('\n## Findings\n')),
      );
      for (const text of [files.analysis.value, files.summary.value]) {
        expect(text).toContain(`**${wholeScore(input.score ?? 0)} of 100**`);
        expect(text.match(/\*\*\d+ of 100\*\*/g)).toHaveLength(1);
      }
    });

    it('cannot add links, images or HTML', () => {
      const texts = [
        files.report,
        files.summary.value,
        files.actionItems,
        ...files.items.value.flatMap((item) => [item.title, item.problem, item.solution]),
      ];
      const shown = new Map(texts.map((text) => [text, rendered(text)]));
      for (const result of shown.values()) {
        expect([result.links.filter((link) => !link.startsWith(site.origin)), result.images, result.rawHtml]).toEqual([
          [],
          0,
          false,
        ]);
        for (const element of ['script', 'iframe', 'img', 'object', 'embed', 'form'])
          expect(result.elements.has(element), element).toBe(false);
      }
      const ownHeadings = new Set([...rendered(own.report).headings, ...rendered(own.summary.value).headings]);
      expect(
        [files.report, files.summary.value]
          .flatMap((text) => shown.get(text)?.headings ?? [])
          .filter((heading) => !ownHeadings.has(heading)),
      ).toEqual([]);
    });

    it('cannot repeat text from a page as its own words', () => {
      // The built-in texts quote pages, too: only new text counts.
      const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());
      const known = new Set([own.report, own.summary.value, own.actionItems].flatMap(lines));
      const added = [files.report, files.summary.value, files.actionItems]
        .flatMap(lines)
        .filter((line) => !known.has(line));
      const quoted = (line: string): string => line.replace(/``.*?``|`[^`]*`|"[^"]*"|“[^”]*”/g, '');
      if (by === 'AI') expect(added.length).toBeGreaterThan(20);
      else expect(added).toEqual([]);
      for (const line of added)
        if (!/Found (?:on|for|in) /.test(line) && !line.startsWith('- `')) expect(quoted(line)).not.toMatch(FORBIDDEN);
      // A title names a page by its path, whatever the path contains.
      for (const item of files.items.value) expect(item.title.replace(/ \([^()]*\)$/, '')).not.toMatch(FORBIDDEN);
    });
  });

  it('cannot move high-impact items behind others, however the model orders them', async () => {
    const { value } = await model(goodModel).recommend(input);
    const own = (await rules.recommend(input)).value;
    expect(value.map((item) => item.impact)).toEqual(own.map((item) => item.impact));
    expect(value.map((item) => item.id)).not.toEqual(own.map((item) => item.id));
  });

  it('cannot make the request grow', async () => {
    const small = createOpenAiAnalyst({
      baseUrl: server.url,
      apiKey: 'key',
      model: 'm',
      fallback: rules,
      maxInputTokens: 3_000,
    });
    server.otherwise(goodModel);
    const { by, value } = await small.recommend(input);
    const request = server.requests.at(-1)!.body;
    expect(request.messages.map(({ content }) => content).join('').length / 3).toBeLessThan(3_000);
    const { causes = [] } = dataOf(request);
    expect(causes.length).toBeLessThan(value.length);
    expect(request.messages[1]?.content).toContain('are not shown: say nothing of them.');
    expect([by, value.length]).toEqual(['AI', (await rules.recommend(input)).value.length]);
  });
});
