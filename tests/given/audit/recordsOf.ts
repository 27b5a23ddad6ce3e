import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { gatheringLinks, pageRecordJson } from '../../../src/audit/report/pageRecords.ts';
import { atOnce } from '../../../src/audit/timeSlices.ts';
import { packRecords } from '../../../src/commands/job/pageRecords.ts';
import type { GivenRecords } from '../pageRecords.ts';

/** What an audit keeps of the pages and links of a crawl. */
export async function recordsOf(crawl: Crawl): Promise<GivenRecords> {
  const { runs, all } = atOnce(gatheringLinks(crawl));
  return {
    pages: await packRecords(crawl.pages.map((page) => ({ json: pageRecordJson(page), rows: 1 }))),
    links: await packRecords(runs.map((run) => ({ json: JSON.stringify(run), rows: run.targets.length }))),
    allLinks: all,
  };
}
