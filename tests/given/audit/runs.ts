import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import { type AnalysisGiven, givenAnalysis } from '../analysis.ts';
import type { TestApp } from '../product/http.ts';
import type { GivenSite } from './page.ts';
import { inputOf } from './reportInput.ts';

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
  const input = inputOf(site, settings, host);
  return { text: findingsJson(input), score: input.score?.value ?? 0 };
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
