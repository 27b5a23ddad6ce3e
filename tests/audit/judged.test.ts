/** Which sites can be judged by what was read of them, and what is said of the others. */
import { describe, expect, it } from 'vitest';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { standing, standingOf } from '../../src/audit/judged.ts';
import { findingsDocument } from '../../src/audit/report/findingsJson.ts';
import { reportHtml } from '../../src/audit/report/reportHtml.ts';
import { reportMarkdown } from '../../src/audit/report/reportMarkdown.ts';
import { sarif } from '../../src/audit/report/sarif.ts';
import { terminalReport } from '../../src/audit/report/terminalReport.ts';
import { NOT_JUDGED_TEXTS, type NotJudgedReason, SHUT_TEXT } from '../../src/model/scores.ts';
import { type GivenPage, type GivenSite, givenSite } from '../given/audit/page.ts';
import { inputOfCrawl } from '../given/audit/reportInput.ts';

const PAGE =
  '<!doctype html><html lang="en"><head><title>A shop for tea and cups</title></head><body><main><h1>Tea</h1><p>Tea and cups of all kinds, from many places.</p></main></body></html>';
const SHELL =
  '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>';

const pages = (number: number, page: GivenPage, path = '/p'): readonly GivenPage[] =>
  Array.from({ length: number }, (_, nth) => ({ ...page, url: `${path}${nth}` }));
const of = (given: GivenSite) => standingOf(givenSite(given));
const not = (reason: NotJudgedReason) => ({ kind: 'not_judged', reason });
/** As the crawl of a site that asks for proof of being human. */
function challenged(crawl: Crawl, ...urls: readonly string[]): Crawl {
  const asks = (url: string) => urls.includes(new URL(url).pathname);
  return {
    ...crawl,
    pages: crawl.pages.map((page) =>
      asks(page.url) ? { ...page, facts: null, outcome: { ...page.outcome, challenged: true } } : page,
    ),
  };
}

describe('a site that turns the crawler away', () => {
  it.each([401, 403, 429])('at its start page, with HTTP %i, is not scored', (status) => {
    expect(of({ pages: [{ status }] })).toEqual(not('refused'));
    // Whatever else was read: the start page was not.
    expect(of({ pages: [{ status }, ...pages(20, { html: PAGE })] })).toEqual(not('refused'));
  });

  it.each([200, 202, 403, 503])('with a challenge, answered with HTTP %i, is not scored', (status) => {
    expect(standingOf(challenged(givenSite({ pages: [{ status, html: PAGE }] }), '/'))).toEqual(not('challenged'));
  });

  it('with its robots.txt is not scored', () => {
    const unread = (status: number): Crawl => {
      const crawl = givenSite({ pages: [{ robotsBlocked: true }], robots: { status } });
      const { robots } = crawl.discovery;
      return { ...crawl, discovery: { ...crawl.discovery, robots: { ...robots, verdict: 'disallow_all' } } };
    };
    expect(standingOf(unread(429))).toEqual(not('refused'));
    expect(standingOf(unread(503))).toEqual({ kind: 'unread' });
  });

  it('at some pages is judged by the others, as long as these are half', () => {
    const mixed = (read: number, refused: number) =>
      of({ pages: [PAGE, ...pages(read - 1, { html: PAGE }), ...pages(refused, { status: 403 }, '/r')] });
    expect(mixed(5, 5)).toEqual({ kind: 'judged' });
    expect(mixed(5, 6)).toEqual(not('refused'));
    expect(mixed(1, 0)).toEqual({ kind: 'judged' });
    expect(mixed(1, 1)).toEqual({ kind: 'judged' });
    expect(mixed(1, 300)).toEqual(not('refused'));
  });

  it('names what most pages answered', () => {
    const crawl = givenSite({ pages: [PAGE, ...pages(4, { html: PAGE }), ...pages(3, { status: 403 }, '/r')] });
    expect(standingOf(challenged(crawl, '/p0', '/p1', '/p2', '/p3'))).toEqual(not('challenged'));
  });

  it('only where nobody looks for content is judged', () => {
    const closed = ['/account/', '/cart/', '/login', '/wp-admin/', '/search?q=a', '/tag/a', '/amp'];
    expect(of({ pages: [PAGE, ...closed.map((url) => ({ url, status: 403 }))] })).toEqual({ kind: 'judged' });
  });
});

describe('a robots.txt', () => {
  const blocked = { robotsBlocked: true };
  it('that shuts out this crawler, but not Google or all others, leaves the site not scored', () => {
    for (const robots of [
      'User-agent: SeoWorkbench\nDisallow: /\n\nUser-agent: *\nAllow: /',
      'User-agent: SeoWorkbench\nDisallow: /',
      'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /',
      'User-agent: SeoWorkbench\nUser-agent: Googlebot\nDisallow: /',
    ])
      expect(of({ pages: [blocked], robots }), robots).toEqual(not('robots'));
  });

  it('that shuts out this crawler from most pages does, too', () => {
    const robots = 'User-agent: SeoWorkbench\nDisallow: /p';
    expect(of({ pages: [PAGE, ...pages(3, blocked)], robots })).toEqual(not('robots'));
    expect(of({ pages: [PAGE, ...pages(1, blocked)], robots })).toEqual({ kind: 'judged' });
  });

  it('that shuts out everybody is what the site is judged by', () => {
    for (const robots of [
      'User-agent: *\nDisallow: /',
      'User-agent: *\nDisallow: /*',
      'User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /',
      'User-agent: *\nDisallow: /\nAllow: /robots.txt',
    ])
      expect(of({ pages: [blocked], robots }), robots).toEqual({ kind: 'shut' });
  });

  it('that forbids the submitted address alone, or opens something, leaves it unread', () => {
    expect(of({ pages: [{ ...blocked, url: '/private/' }] })).toEqual({ kind: 'unread' });
    expect(of({ pages: [blocked], robots: 'User-agent: *\nDisallow: /\nAllow: /shop/' })).toEqual({ kind: 'unread' });
  });

  it('that lets everybody but Google in, or closes pages to all, leaves the site judged', () => {
    expect(of({ pages: [PAGE], robots: 'User-agent: Googlebot\nDisallow: /' })).toEqual({ kind: 'judged' });
    expect(of({ pages: [PAGE, ...pages(9, blocked)], robots: 'User-agent: *\nDisallow: /p' })).toEqual({
      kind: 'judged',
    });
  });
});

describe('a site that scripts fill', () => {
  it('is not scored if its start page and most others are empty without a browser', () => {
    expect(of({ pages: [SHELL] })).toEqual(not('needs_browser'));
    expect(of({ pages: [SHELL, ...pages(2, { html: SHELL }), ...pages(2, { html: PAGE }, '/q')] })).toEqual(
      not('needs_browser'),
    );
  });

  it('is judged if it can mostly be read, or its start page can', () => {
    expect(of({ pages: [SHELL, ...pages(2, { html: PAGE })] })).toEqual({ kind: 'judged' });
    expect(of({ pages: [PAGE, ...pages(9, { html: SHELL })] })).toEqual({ kind: 'judged' });
  });
});

describe('a site that does not answer with a page', () => {
  it.each<[string, GivenPage]>([
    ['no answer', { failure: 'dns' }],
    ['a timeout', { failure: 'timeout' }],
    ['HTTP 404', { status: 404 }],
    ['HTTP 500', { status: 500 }],
    ['HTTP 503 without a challenge', { status: 503 }],
  ])('%s is unread', (_, page) => {
    expect(of({ pages: [page] })).toEqual({ kind: 'unread' });
  });

  it('at its start, but elsewhere, is judged by that', () => {
    expect(of({ pages: [{ status: 404 }, ...pages(3, { html: PAGE })] })).toEqual({ kind: 'judged' });
    expect(of({ pages: [{ status: 500 }, ...pages(3, { html: PAGE })] })).toEqual({ kind: 'judged' });
  });
});

describe('the report', () => {
  function reported(crawl: Crawl) {
    const input = inputOfCrawl(crawl);
    const sarifText = sarif({ ...input, version: '1.0.0' });
    return {
      input,
      texts: [reportMarkdown(input), reportHtml(input), terminalReport(input.url, input)],
      document: findingsDocument(input),
      run: JSON.parse(sarifText).runs[0],
    };
  }

  it.each<[NotJudgedReason, Crawl]>([
    ['refused', givenSite({ pages: [{ status: 403 }] })],
    ['challenged', challenged(givenSite({ pages: [PAGE] }), '/')],
    ['robots', givenSite({ pages: [{ robotsBlocked: true }], robots: 'User-agent: SeoWorkbench\nDisallow: /' })],
    ['needs_browser', givenSite({ pages: [SHELL] })],
  ])('of a site that was not scored (%s) says so, with the reason, and never a number', (reason, crawl) => {
    const { input, texts, document, run } = reported(crawl);
    expect([input.score, input.notJudged, input.shut]).toEqual([null, reason, false]);
    for (const text of texts) {
      expect(text).toContain('Not scored');
      expect(text).toContain(NOT_JUDGED_TEXTS[reason]);
      expect(text).not.toMatch(/of 100|Nothing was found|\bthin\b/i);
    }
    expect([document.score, document.notJudged]).toEqual([null, reason]);
    expect(run.properties).toEqual({ score: null, notJudged: reason });
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toBe(
      `Not scored. ${NOT_JUDGED_TEXTS[reason]}`,
    );
  });

  it('of a site without a browser says what to do, and nothing of its content', () => {
    const { input } = reported(givenSite({ pages: [SHELL] }));
    expect(input.findings.map(({ checkId }) => checkId)).toEqual(['js-only-content']);
    expect(input.outcomes.filter(({ state }) => state === 'passed')).toEqual([]);
  });

  it('of a site that turned the crawler away has no finding', () => {
    expect(reported(givenSite({ pages: [{ status: 403 }] })).input.findings).toEqual([]);
  });

  it('of a site that is shut has one headline, which names the lines that do it', () => {
    const { input, texts, document, run } = reported(
      givenSite({ pages: [{ robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /' }),
    );
    expect([input.score?.value, input.notJudged, input.shut]).toEqual([0, null, true]);
    expect(input.findings).toMatchObject([
      {
        checkId: 'robots-blocks-all',
        impact: 'high',
        message: '"Disallow: /" (line 2, under "User-agent: *" in line 1) closes the whole site to search engines.',
        code: 'User-agent: *\nDisallow:',
      },
    ]);
    for (const text of texts) {
      expect(text).toContain('robots.txt blocks the whole site');
      expect(text).toContain('0 of 100');
      expect(text).toContain(SHUT_TEXT);
      expect(text).not.toMatch(/AI search crawlers|assistant/i);
    }
    expect([document.score?.value, document.notJudged, run.properties.score]).toEqual([0, undefined, 0]);
  });

  it('of a site that turned the crawler away here and there counts these pages', () => {
    const { input, texts } = reported(givenSite({ pages: [PAGE, { url: '/a', status: 403 }] }));
    expect(input.score).not.toBeNull();
    for (const text of texts) expect(text).toContain('1 address blocked our crawler, so its page was not checked.');
  });
});

describe('deciding whether a site can be judged', () => {
  /** The most addresses looked at between two pauses. */
  function mostAtOnce(crawl: Crawl): number {
    let [atOnce, most] = [0, 0];
    const { discovery } = crawl;
    const sitemaps = discovery.sitemaps.map((file) => ({
      ...file,
      urls: file.urls.map((entry) =>
        Object.defineProperty({ ...entry }, 'loc', {
          get: () => {
            atOnce += 1;
            return entry.loc;
          },
        }),
      ),
    }));
    const work = standing({ ...crawl, discovery: { ...discovery, sitemaps } });
    while (!work.next().done) {
      most = Math.max(most, atOnce);
      atOnce = 0;
    }
    return Math.max(most, atOnce);
  }

  it.each([0, 1, 1000])('pauses between %i addresses of sitemaps', (number) => {
    const locs = Array.from({ length: number }, (_, nth) => `/goods?id=${nth}&colour=red`);
    const crawl = givenSite({ pages: [{ html: PAGE }, ...pages(3, { html: PAGE })], sitemaps: [{ locs }] });
    expect(mostAtOnce(crawl)).toBe(Math.min(1, number));
  });
});
