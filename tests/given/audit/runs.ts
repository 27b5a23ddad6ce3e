/** Finished audits of a site with the engine's real findings on small pages. */
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { judge } from '../../../src/audit/judgment.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import { type AnalysisGiven, givenAnalysis } from '../analysis.ts';
import type { TestApp } from '../product/http.ts';
import { type GivenSite, givenSite } from './page.ts';

export type GivenRun = {
  readonly jobId: string;
  readonly score: number;
  readonly findings: readonly { readonly id: string; readonly checkId: string }[];
};

export function findingsOf(
  site: GivenSite | string,
  host = 'example.com',
  settings?: CrawlSettings,
): { readonly text: string; readonly score: number } {
  const whole = givenSite(site);
  const crawl = settings ? { ...whole, coverage: { ...whole.coverage, settings } } : whole;
  const { findings, outcomes } = runChecks(crawl);
  const judged = judge(crawl, findings, outcomes);
  const about = { url: `https://${host}/`, host, generatedAt: '2026-03-01T12:00:00.000Z', checks: CHECKS };
  return { text: findingsJson({ ...about, crawl, ...judged }), score: judged.score?.value ?? 0 };
}

/** Each audit is a minute after the one before. */
export async function givenRun(
  app: TestApp,
  userId: string,
  site: GivenSite | string,
  given: Omit<AnalysisGiven, 'findings' | 'score'> = {},
): Promise<GivenRun> {
  app.advance(60_000);
  const { text, score } = findingsOf(site, given.host, given.settings);
  const { jobId } = await givenAnalysis(app, userId, { ...given, score, findings: text });
  return { jobId, score, findings: JSON.parse(text).findings };
}
