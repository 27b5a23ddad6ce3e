/**
 * `node dist/src/cli/sample.js <file>`: the sample report: the engine audits the built-in demo site, and the built-in
 * analyst writes the texts. Part of the build.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { audit } from '../audit/audit.ts';
import { CHECKS } from '../audit/checks/index.ts';
import { createParserPool } from '../audit/facts/parse/parserPool.ts';
import { reportMarkdown } from '../audit/report/reportMarkdown.ts';
import { startDemoSite } from '../demoSite/demoSite.ts';
import { currentMetadata } from '../domain/stored/metadata.ts';
import { START } from '../eventStore/eventStore.ts';
import type { SampleView } from '../http/contract/sample.ts';
import { byImpact, presentAction } from '../http/present/action.ts';
import { createRulesAnalyst } from '../integrations/analyst/rules.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import { NameNotResolved, type ResolveHost } from '../integrations/fetcher/resolveHost.ts';
import { boards } from '../projections/boards.ts';
import { userAgent } from '../start/version.ts';
import { analystInputOf } from '../workers/evaluation.ts';

/**
 * The demo shop's host name in the sample: one that cannot be registered (RFC 2606), so that its texts read like those
 * of any site.
 */
const DEMO_HOST = 'demo-shop.example';
const BOUNDS = { maxPages: 50, maxMs: 60_000, maxBytes: 50 * 1024 * 1024, concurrency: 4 };
const JOB_ID = 'sample';

/** Resolves only the demo shop, by the name that a visitor would type. */
function resolveTo(served: string): ResolveHost {
  const { hostname, port } = new URL(served);
  return async (name) => {
    if (name !== DEMO_HOST) throw new NameNotResolved('not_found');
    return [{ address: hostname, family: 4, port: Number(port) }];
  };
}

export async function makeSample(generatedAt: string): Promise<SampleView> {
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 50 });
  const host = DEMO_HOST;
  const url = `http://${host}/`;
  const fetcher = createFetcher({ allowHosts: [host], userAgent: userAgent(), resolve: resolveTo(site.url) });
  const pool = createParserPool({ processes: 1 });
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
    const plan = {
      type: 'PlanGenerated',
      data: { jobId: JOB_ID, userId: JOB_ID, by, count: items.length, items, generatedAt },
      id: JOB_ID,
      stream: JOB_ID,
      revision: 0n,
      position: START,
      metadata: currentMetadata({ at: generatedAt }, JOB_ID),
    } as const;
    if (result.score === null) throw new Error('The demo shop could not be judged.');
    const board = boards.evolve(null, plan, JOB_ID);
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
if (file !== undefined && /\bcli[\\/]sample\./.test(process.argv[1] ?? ''))
  writeFileSync(file, JSON.stringify(await makeSample(new Date().toISOString())));
