/** What reports are written from: the engine's real findings on small pages, of a fixed day. */
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { type Judgment, judge } from '../../../src/audit/judgment.ts';
import type { ReportInput } from '../../../src/audit/report/reportMarkdown.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import { type GivenSite, givenSite } from './page.ts';

/** `settings`: what the user set for the crawl. */
export function inputOf(given: GivenSite | string, settings?: CrawlSettings, host?: string): ReportInput & Judgment {
  const whole = givenSite(given);
  return inputOfCrawl(settings ? { ...whole, coverage: { ...whole.coverage, settings } } : whole, host);
}

export function inputOfCrawl(crawl: Crawl, host = 'example.com'): ReportInput & Judgment {
  const { findings, outcomes } = runChecks(crawl);
  const about = { url: `https://${host}/`, host, generatedAt: '2026-03-01T12:00:00.000Z', checks: CHECKS };
  return { ...about, crawl, ...judge(crawl, findings, outcomes) };
}
