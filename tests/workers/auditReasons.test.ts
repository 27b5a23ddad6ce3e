/** Why an audit failed or stopped: what the site asked for, or the time limit, and never the wrong one of the two. */

import { describe, expect, it } from 'vitest';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import { auditDeps } from '../given/audit/auditDeps.ts';
import { type VirtualAnswer, type VirtualSite, virtualSite } from '../given/audit/virtualSite.ts';
import { product, userOf } from '../given/commands.ts';
import { htmlPage } from '../servers/testSite.ts';

const HOST = 'slow.example';
const ROBOTS: VirtualAnswer = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow:\n' };
const NOT_FOUND: VirtualAnswer = { status: 404, body: 'Not here.' };
const page = (...links: readonly string[]): VirtualAnswer => ({ body: htmlPage('A page', ...links) });

async function audited(answer: (path: string, nth: number) => VirtualAnswer, seconds: number) {
  const made = product();
  const userId = await userOf(made);
  const sites = [{ url: `http://${HOST}/`, host: HOST }];
  const { jobIds } = await submitJobs(made.context(), {
    userId,
    sites,
    bounds: { maxPages: 10, maxMs: seconds * 1_000 },
  });
  const jobId = jobIds[0] ?? '';
  const site: VirtualSite = virtualSite(answer);
  const deps = { ...auditDeps(made, HOST), clock: site.now, sleep: site.sleep, openFetcher: () => site.fetch };
  await runAuditJob(
    deps,
    { jobId, cause: { eventId: 'e', correlationId: 'c', position: START } as never },
    () => true,
    new AbortController().signal,
  );
  const events = (await made.log()).filter((event) => event.stream === jobStream(jobId));
  const last = events.at(-1);
  return {
    type: last?.type,
    report: events.find(({ type }) => type === 'JobReportReady')?.data,
    ...(last?.data as { readonly code?: string; readonly reason?: string; readonly pagesAudited?: number }),
    site,
  };
}

/** A site of which only robots.txt and this page answer well. */
const only = (start: VirtualAnswer) => (path: string) =>
  path === '/robots.txt' ? ROBOTS : path === '/' ? start : NOT_FOUND;

describe('an audit of a site that asks to wait', () => {
  it.each<[string, VirtualAnswer, string]>([
    [
      '503 with nonsense',
      { status: 503, headers: { 'retry-after': 'soon <b>' } },
      'HTTP 503, so there is no page to audit. It asks crawlers to wait. ',
    ],
    [
      '503 with seconds',
      { status: 503, headers: { 'retry-after': '30' } },
      'HTTP 503, so there is no page to audit. It asks crawlers to wait 30 seconds. ',
    ],
    [
      '503 with a date',
      { status: 503, headers: { 'retry-after': 'Sun, 01 Mar 2026 13:00:00 GMT' } },
      'HTTP 503, so there is no page to audit. It asks crawlers to wait until 2026-03-01 13:00 UTC. ',
    ],
    ['503 without a time', { status: 503 }, 'HTTP 503, so there is no page to audit. Try again later.'],
  ])('%s says so, however short the time is', async (_, start, reason) => {
    for (const seconds of [10, 25, 40, 180]) {
      const ended = await audited(only(start), seconds);
      expect([seconds, ended.type, ended.code]).toEqual([seconds, 'JobFailed', 'SITE_HTTP_ERROR']);
      expect(ended.reason).toContain(reason);
    }
  });

  it('says so if that is all that robots.txt answers, too', async () => {
    const ended = await audited(() => ({ status: 503, headers: { 'retry-after': '5' } }), 40);
    expect(ended).toMatchObject({ type: 'JobFailed', code: 'ROBOTS_UNREACHABLE' });
    expect(ended.reason).toContain('(HTTP 503)');
    expect(ended.reason).toContain('It asks crawlers to wait 5 seconds.');
  });

  it.each<[string, (path: string) => VirtualAnswer]>([
    ['its start page', only({ status: 429, headers: { 'retry-after': '30' } })],
    ['everything, robots.txt as well', () => ({ status: 429 })],
  ])('with HTTP 429 for %s is completed without a score, however short the time is', async (_, answer) => {
    for (const seconds of [10, 40, 180]) {
      const ended = await audited(answer, seconds);
      expect([seconds, ended.type]).toEqual([seconds, 'JobCompleted']);
      expect(ended.report).toMatchObject({ score: null, notJudged: 'refused', findings: 0 });
    }
  });

  it('after some pages keeps those, and says why there are not more', async () => {
    const links = Array.from({ length: 9 }, (_, nth) => `/${nth}`);
    let pages = 0;
    const ended = await audited((path) => {
      if (path === '/robots.txt') return ROBOTS;
      if (path !== '/' && !links.includes(path)) return NOT_FOUND;
      pages += 1;
      return pages <= 3 + 1 ? page(...links) : { status: 429, headers: { 'retry-after': '30' } };
    }, 40);
    expect(ended.type).toBe('JobPartiallyCompleted');
    expect(ended.reason).toMatch(
      /^Stopped at the time limit, as the site asked to wait \(HTTP 429\); \d+ more pages were found but not audited\.$/,
    );
  });
});

describe('an audit of a slow site', () => {
  const slow = (takesMs: number) => (path: string) => ({ ...only(page('/a', '/b', '/c'))(path), takesMs });

  it('reads its start page before the time is used up by robots.txt, sitemaps and llms.txt', async () => {
    for (const seconds of [30, 40]) {
      const ended = await audited(slow(9_000), seconds);
      expect([seconds, ended.type]).toEqual([seconds, 'JobPartiallyCompleted']);
      expect(ended.reason).toContain('Stopped at the time limit');
    }
  });

  it('reports no sitemap as missing that it had no time to look for', async () => {
    const ended = await audited(slow(9_000), 40);
    expect(ended.site.requests.filter((request) => request.includes('sitemap'))).toEqual([]);
  });

  it('says that the time limit ended it, and what was read, if that came before the start page', async () => {
    const ended = await audited(slow(9_000), 14);
    expect(ended).toMatchObject({ type: 'JobFailed', code: 'TIME_LIMIT' });
    expect(ended.reason).toBe(
      'The time limit of the audit was reached before the home page could be read. Read until then: robots.txt. ' +
        'Try again when the site is less busy, or ask your administrator for a longer time limit.',
    );
  });

  it('names sitemaps and llms.txt among what was read', async () => {
    const xml =
      '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://slow.example/a</loc></url></urlset>';
    const ended = await audited((path, nth) => {
      if (path === '/robots.txt' || path === '/llms.txt') return ROBOTS;
      if (path === '/sitemap.xml') return { headers: { 'content-type': 'application/xml' }, body: xml };
      // Its head comes at once, and the page not before the end.
      return { ...page(), takesMs: nth === 1 ? 10 : 9_900 };
    }, 12);
    expect(ended).toMatchObject({ type: 'JobFailed', code: 'TIME_LIMIT' });
    expect(ended.reason).toContain('Read until then: robots.txt, a sitemap and llms.txt.');
  });

  it('still says that the server did not answer if it never does', async () => {
    const ended = await audited(only({ takesMs: 60_000 }), 180);
    expect(ended).toMatchObject({ type: 'JobFailed', code: 'SITE_TIMEOUT' });
  });
});
