/** `node dist/src/sampleCli.js <file>`: the sample report: the engine audits the built-in demo site on loopback, the built-in analyst words it. Part of the build. */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { audit } from './audit/audit.ts';
import { CHECKS } from './audit/checks/index.ts';
import { createParserPool } from './audit/facts/parserPool.ts';
import { reportMarkdown } from './audit/report/reportMarkdown.ts';
import { startDemoSite } from './demoSite/demoSite.ts';
import type { SampleView } from './http/contract/sample.ts';
import { byImpact, presentAction } from './http/present/action.ts';
import { createRulesAnalyst } from './integrations/analyst/rules.ts';
import { createFetcher } from './integrations/fetcher/httpFetcher.ts';
import { onFreePort } from './listen.ts';
import { boards } from './projections/boards.ts';
import { userAgent } from './version.ts';
import { analystInputOf } from './workers/evaluation.ts';

/** The demo site's usual place, so that builds are alike. */
const DEMO_PORT = 3001;
const BOUNDS = { maxPages: 50, maxMs: 60_000, maxBytes: 50 * 1024 * 1024, concurrency: 4 };
const JOB_ID = 'sample';

export async function makeSample(generatedAt: string): Promise<SampleView> {
  const site = await onFreePort(DEMO_PORT, (port) => startDemoSite({ port, host: '127.0.0.1', slowMs: 50 }));
  const url = `${site.url}/`;
  const { host } = new URL(url);
  const fetcher = createFetcher({ allowHosts: [host], userAgent: userAgent() });
  const pool = createParserPool({ threads: 1 });
  try {
    const env = {
      fetch: fetcher,
      parse: pool.parse,
      now: Date.now,
      sleep: (ms: number) => wait(ms),
      userAgent: userAgent(),
      signal: new AbortController().signal,
    };
    const result = await audit(url, BOUNDS, env);
    const about = { url, host, generatedAt, checks: CHECKS, ...result };
    const analyst = createRulesAnalyst();
    const facts = analystInputOf(about, result.crawl, about);
    const [analysis, { value: items, by }] = [await analyst.analyse(facts), await analyst.recommend(facts)];
    const summary = await analyst.summarise(facts, items);
    const plan = { type: 'PlanGenerated', data: { jobId: JOB_ID, userId: JOB_ID, by, count: items.length, items, generatedAt } };
    const board = boards.evolve(null, plan as unknown as Parameters<typeof boards.evolve>[1], JOB_ID);
    return {
      site: url,
      generated_at: generatedAt,
      score: result.score.value,
      pages: result.score.pages,
      findings: result.findings.length,
      analyst: by,
      summary: summary.value.trim(),
      report: reportMarkdown({ ...about, analysis: { text: analysis.value, by: analysis.by } }),
      actions: byImpact(board?.items ?? []).map((item) => presentAction(JOB_ID, item)),
    };
  } finally {
    await Promise.all([pool.close(), fetcher.close(), site.close()]);
  }
}

const [file] = process.argv.slice(2);
if (file !== undefined && process.argv[1]?.includes('sampleCli')) writeFileSync(file, JSON.stringify(await makeSample(new Date().toISOString())));
