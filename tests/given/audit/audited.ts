/** A site on loopback that the engine has really audited, to be rechecked after changes. */
import { audit } from '../../../src/audit/audit.ts';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import type { FollowUp } from '../../../src/commands/plan/followUp.ts';
import type { ActionItem } from '../../../src/domain/plan/events.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { crawlEnv } from '../../audit/crawl/crawlEnv.ts';
import { startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { followUpWith } from '../followUp.ts';

export type AuditedSite = {
  readonly site: TestSite;
  /** The text of `findings.json`. */
  readonly findings: string;
  readonly items: readonly ActionItem[];
  readonly followUp: FollowUp;
  readonly close: () => Promise<void>;
};

export async function auditedSite(pages: Record<string, TestPage>): Promise<AuditedSite> {
  const site = await startTestSite(pages);
  // A stopped clock: the speed of this machine is not a property of the site.
  const openFetcher = () => createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0', now: () => 0 });
  const fetcher = openFetcher();
  const url = `${site.origin}/`;
  const result = await audit(url, { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 }, crawlEnv(fetcher));
  await fetcher.close();
  const findings = findingsJson({
    url,
    host: site.host,
    generatedAt: '2026-03-01T12:00:00.000Z',
    checks: CHECKS,
    ...result,
  });
  const followUp = followUpWith({ openFetcher });
  const { items } = await followUp.recommend(findings);
  return { site, findings, items, followUp, close: site.close };
}
