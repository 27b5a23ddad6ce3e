/** Audits of sites that shut out every crawler, turn ours away, or cannot be read: completed, and given back. */
import { afterEach, describe, expect, it } from 'vitest';
import { settleAnalysis } from '../../src/commands/billing/settleAnalysis.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { unlockJob } from '../../src/commands/job/unlockJob.ts';
import { readReportFile } from '../../src/commands/job/writeReportFile.ts';
import { readPlan } from '../../src/commands/plan/generatePlan.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { eventsOf } from '../../src/domain/stored/eventOf.ts';
import { NOT_JUDGED_TEXTS, type NotJudgedReason, SHUT_TEXT } from '../../src/model/scores.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import { auditDeps } from '../given/audit/auditDeps.ts';
import { type Product, userOf, withAdmin } from '../given/commands.ts';
import { pendingJob } from '../given/work/pendingJob.ts';
import { htmlPage, startTestSite, type TestPage, type TestSite } from '../servers/testSite.ts';

let site: TestSite;
afterEach(() => site.close());

const robots = (text: string): TestPage => ({ headers: { 'content-type': 'text/plain' }, body: text });
const SHELL =
  '<!doctype html><html lang="en"><title>App</title><div id="root"></div><script src="/app.js"></script></html>';
const CHALLENGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={};</script></body></html>';

async function audited(made: Product, userId: string, path = '/') {
  const sites = [{ url: `${site.origin}${path}`, host: site.host }];
  const { jobIds } = await submitJobs(made.context(), {
    userId,
    sites,
    bounds: { maxPages: 20, maxMs: 60_000 },
    freeAnalyses: 100,
  });
  const jobId = jobIds[0] ?? '';
  await runAuditJob(auditDeps(made, site.host), pendingJob(jobId), () => true, new AbortController().signal);
  const settled = await settleAnalysis(made.context(), { jobId });
  const log = await made.log();
  const own = log.filter((event) => event.stream === jobStream(jobId));
  return {
    jobId,
    settled: settled.settled,
    ended: own.at(-1),
    report: eventsOf(own, 'JobReportReady').at(-1)?.data,
    released: eventsOf(log, 'AnalysisReleased').find(({ data }) => data.jobId === jobId)?.data,
    text: await readReportFile(made.store, jobId, 'seo-audit-report.md'),
    summary: await readReportFile(made.store, jobId, 'executive-summary.md'),
    tasks: (await readPlan(made.store, jobId))?.items ?? [],
  };
}

async function auditedBySomebody(pages: Record<string, TestPage>, path?: string) {
  site = await startTestSite(pages);
  const made = await withAdmin();
  return audited(made, await userOf(made), path);
}

describe('a site that shuts out every crawler', () => {
  it('is completed with one task and a score near 0, and given back', async () => {
    const done = await auditedBySomebody({
      '/robots.txt': robots('User-agent: *\nDisallow: /\n'),
      '/': htmlPage('A page', '/a'),
    });
    expect(done.ended?.type).toBe('JobCompleted');
    expect(done.report).toMatchObject({
      score: 0,
      formula: 2,
      shut: true,
      pagesAudited: 0,
      findings: 1,
      highImpact: 1,
    });
    expect(done.report).not.toHaveProperty('notJudged');
    expect(done.tasks.map(({ title, checkId, impact }) => [title, checkId, impact])).toEqual([
      [expect.any(String), 'robots-blocks-all', 'high'],
    ]);
    expect(done.tasks[0]?.problem).toContain('line 2');
    expect([done.settled, done.released]).toMatchObject(['released', { reason: 'shut_site', from: 'free_allowance' }]);
    for (const text of [done.text, done.summary]) {
      expect(text).toContain('0 of 100');
      expect(text).toContain(SHUT_TEXT);
      expect(text).not.toMatch(/AI search/);
    }
    // Nothing but robots.txt was asked for.
    expect(site.requests.filter((request) => request !== 'GET /robots.txt')).toEqual([]);
  });

  it('counts from the fourth audit of a user in a day on, and for each user by itself', async () => {
    site = await startTestSite({ '/robots.txt': robots('User-agent: *\nDisallow: /\n') });
    const made = await withAdmin();
    const [ann, bob] = [await userOf(made, 'ann@example.com'), await userOf(made, 'bob@example.com')];
    const settled = async (userId: string) => (await audited(made, userId)).settled;
    for (let nth = 0; nth < 3; nth += 1) expect(await settled(ann)).toBe('released');
    expect(await settled(ann)).toBe('consumed');
    expect(await settled(bob)).toBe('released');
    made.pass(24 * 60);
    expect(await settled(ann)).toBe('released');
  });

  it('cannot be unlocked, as there is nothing more to it', async () => {
    site = await startTestSite({ '/robots.txt': robots('User-agent: *\nDisallow: /\n') });
    const made = await withAdmin();
    const userId = await userOf(made);
    const { jobId } = await audited(made, userId);
    await expect(unlockJob(made.context(), { jobId, isAdmin: false } as never)).rejects.toMatchObject({
      code: 'ANALYSIS_WITHOUT_RESULT',
    });
  });
});

describe('a site that is not scored', () => {
  it.each<[string, NotJudgedReason, Record<string, TestPage>]>([
    ['answers 403', 'refused', { '*': { status: 403, body: 'Forbidden' } }],
    ['answers 401', 'refused', { '/': { status: 401, body: 'Log in' } }],
    ['answers 429', 'refused', { '/': { status: 429, body: 'Slow down' } }],
    ['challenges with 503', 'challenged', { '/': { status: 503, body: CHALLENGE } }],
    ['challenges with 403', 'challenged', { '/': { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: '' } }],
    ['challenges with 200', 'challenged', { '/': { body: CHALLENGE } }],
    [
      'names our crawler in robots.txt',
      'robots',
      { '/robots.txt': robots('User-agent: Test\nDisallow: /\n'), '/': htmlPage('A page') },
    ],
    ['is filled by scripts', 'needs_browser', { '/': SHELL, '/app.js': '' }],
  ])('because it %s, is completed without a number, and given back', async (_, reason, pages) => {
    const done = await auditedBySomebody(pages);
    expect(done.ended?.type).toBe('JobCompleted');
    expect(done.report).toMatchObject({ score: null, notJudged: reason });
    expect(done.report).not.toHaveProperty('shut');
    expect([done.settled, done.released]).toMatchObject(['released', { reason: 'not_judged' }]);
    for (const text of [done.text, done.summary]) {
      expect(text).toContain('Not scored');
      expect(text).toContain(NOT_JUDGED_TEXTS[reason]);
      expect(text).not.toMatch(/of 100/);
    }
    expect(done.tasks.map(({ checkId }) => checkId)).toEqual(reason === 'needs_browser' ? ['js-only-content'] : []);
  });

  it('is one where most pages turn the crawler away; where half do not, it is judged', async () => {
    const links = ['/a', '/b', '/c', '/d'];
    const with403 = (...closed: readonly string[]): Record<string, TestPage> => ({
      '/': htmlPage('The start page of a shop', ...links),
      ...Object.fromEntries(links.map((link) => [link, closed.includes(link) ? { status: 403 } : htmlPage(link)])),
    });
    const most = await auditedBySomebody(with403('/a', '/b', '/c'));
    expect(most.report).toMatchObject({ score: null, notJudged: 'refused' });
    await site.close();
    const half = await auditedBySomebody(with403('/a', '/b'));
    expect(half.report?.score).toBeGreaterThan(0);
    expect(half.settled).toBe('consumed');
    expect(half.text).toContain('2 addresses blocked our crawler');
  });
});

describe('a site that is judged or fails as ever', () => {
  it.each<[string, Record<string, TestPage>, string]>([
    ['answers 404', {}, 'JobFailed'],
    ['answers 500', { '/': { status: 500 } }, 'JobFailed'],
    [
      'forbids the address alone',
      { '/robots.txt': robots('User-agent: *\nDisallow: /$\n'), '/': htmlPage('A') },
      'JobFailed',
    ],
    [
      'shuts out Google alone',
      { '/robots.txt': robots('User-agent: Googlebot\nDisallow: /\n'), '/': htmlPage('A') },
      'JobCompleted',
    ],
    [
      'is noindex everywhere',
      {
        '/': '<!doctype html><html lang="en"><head><title>A page</title><meta name="robots" content="noindex"></head><body><h1>A</h1></body></html>',
      },
      'JobCompleted',
    ],
  ])('%s', async (_, pages, end) => {
    const done = await auditedBySomebody(pages);
    expect(done.ended?.type).toBe(end);
    expect(done.settled).toBe(end === 'JobFailed' ? 'released' : 'consumed');
    if (end === 'JobCompleted') expect(done.report).toMatchObject({ score: expect.any(Number), formula: 2 });
    else expect(done.released).toMatchObject({ reason: 'job_failed' });
  });
});
