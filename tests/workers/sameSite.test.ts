/** Audit jobs of an unchanged site that is larger than the limit: each finds what the one before did. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareRuns } from '../../src/audit/report/compare.ts';
import { type FindingsDocument, parseFindings } from '../../src/audit/report/findingsFormat.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { readReportFile } from '../../src/commands/job/writeReportFile.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import { auditDeps } from '../given/audit/auditDeps.ts';
import { userOf, withAdmin } from '../given/commands.ts';
import { pendingJob } from '../given/work/pendingJob.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const PAGES = 60;
const LIMIT = 15;

let state = 7;
/** By a seed; they fall on other pages in each audit. */
function someDelay(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state % 25;
}

function htmlOf(page: number): string {
  const links = [3, 7, 11, 19]
    .map((step) => `/${['shop', 'blog', 'help'][(page * step) % 3]}/${(page * 5 + step) % PAGES}`)
    .map((href) => `<a href="${href}">More about ${href}</a>`)
    .join(' ');
  return `<!doctype html><html lang="en"><title>Page ${page % 9}</title><main><h1>Page ${page}</h1>${links} <a href="/gone/${page % 6}">Gone</a><img src="/a.png">`;
}

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite({
    '*': async (request, response) => {
      await wait(someDelay());
      const path = request.url ?? '/';
      const page = path === '/' ? 0 : Number(/^\/(?:shop|blog|help)\/(\d+)$/.exec(path)?.[1] ?? -1);
      response.writeHead(page < 0 ? 404 : 200, { 'content-type': 'text/html' }).end(page < 0 ? '' : htmlOf(page));
    },
  });
});
afterAll(() => site.close());

test('five audits of a site find the same, "0 new, 0 fixed"', async () => {
  const made = await withAdmin();
  const runs: FindingsDocument[] = [];
  for (let run = 0; run < 5; run += 1) {
    const { jobIds } = await submitJobs(made.context(), {
      userId: await userOf(made, `user${run}@example.com`),
      sites: [{ url: `${site.origin}/`, host: site.host }],
      bounds: { maxPages: LIMIT, maxMs: 600_000 },
    });
    const jobId = jobIds[0] ?? '';
    const former = runs.at(-1)?.pages.map(({ url }) => url) ?? [];
    const deps = { ...auditDeps(made, site.host), formerPages: async () => former };
    await runAuditJob(deps, pendingJob(jobId), () => true, new AbortController().signal);
    runs.push(parseFindings((await readReportFile(made.store, jobId, 'findings.json')) ?? ''));
  }
  expect(runs[0]?.coverage.stop).toBe('page_budget');
  for (const [nth, run] of runs.entries()) {
    const before = runs[nth - 1];
    if (before === undefined) continue;
    expect(run.pages.map(({ url }) => url)).toEqual(before.pages.map(({ url }) => url));
    expect(run.score).toEqual(before.score);
    const compared = compareRuns(before, run);
    expect([compared.new, compared.fixed, compared.notSeenBefore, compared.notComparable]).toEqual([[], [], [], []]);
    expect(compared.notIdentical).toBeNull();
  }
});
