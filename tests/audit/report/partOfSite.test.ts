/** What an audit of a part of a site says, and with what it is compared. */
import { describe, expect, it } from 'vitest';
import { RECHECK_NEEDS } from '../../../src/audit/checks/recheckNeeds.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { WHOLE_SITE_CLAIMS } from '../../../src/audit/checks/wholeSiteClaims.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { compareRuns } from '../../../src/audit/report/compare.ts';
import { comparisonText } from '../../../src/audit/report/comparisonText.ts';
import { type FindingsDocument, parseFindings } from '../../../src/audit/report/findingsFormat.ts';
import { findingsDocument, findingsJson } from '../../../src/audit/report/findingsJson.ts';
import { reportHtml } from '../../../src/audit/report/reportHtml.ts';
import { reportMarkdown } from '../../../src/audit/report/reportMarkdown.ts';
import { terminalReport } from '../../../src/audit/report/terminalReport.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import type { GivenPage, GivenSite } from '../../given/audit/page.ts';
import { inputOf } from '../../given/audit/reportInput.ts';

const page = (url: string, title: string, ...links: readonly string[]): GivenPage => ({
  url,
  html: `<html lang="en"><head><title>${title}</title></head><body><h1>${title}, ${url}</h1><p>This is what ${url} says, and nobody else: ${url.repeat(30)}.</p>${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}</body></html>`,
});
const HOME = page('/', 'Tea and cups', '/blog/a', '/shop/a');
const BLOG = [page('/blog/a', 'The same title', '/'), page('/blog/b', 'A title of its own', '/')];
const SHOP = [page('/shop/a', 'The same title', '/'), page('/shop/b', 'A title of the shop', '/')];

const runOf = (pages: readonly GivenPage[], settings?: CrawlSettings, more: GivenSite = {}): FindingsDocument =>
  parseFindings(findingsJson(inputOf({ ...more, pages }, settings)));

const places = (findings: readonly { readonly checkId: string; readonly evidence: { readonly url: string } }[]) =>
  findings.map(({ checkId, evidence }) => `${checkId} ${evidence.url.replace('https://example.com', '')}`);
const becauseOf = (
  findings: readonly {
    readonly checkId: string;
    readonly evidence: { readonly url: string };
    readonly because: string;
  }[],
  checkId: string,
  path: string,
) => findings.find((each) => each.checkId === checkId && each.evidence.url.endsWith(path))?.because;

describe('checks of an audit that was set to a part', () => {
  const listed = [{ locs: ['https://example.com/', 'https://example.com/blog/b'] }];
  const stateOf = (settings: CrawlSettings | undefined, checkId: string) =>
    runOf([HOME, ...BLOG], settings, { sitemaps: listed }).outcomes.find((outcome) => outcome.checkId === checkId);

  it.each([{ folder: '/blog/' }, { include: ['/blog/*'] }, { exclude: ['/shop/*'] }, { sitemapOnly: true } as const])(
    'say nothing of the whole site, and why: %j',
    (settings) => {
      for (const checkId of ['orphan-page', 'analytics-missing', 'contact-missing', 'sitemap-incomplete'])
        expect(stateOf(settings, checkId), checkId).toMatchObject({
          state: 'not_checked',
          failed: 0,
          notChecked: 1,
          because: 'it is about the whole site, and this audit was set to a part of it',
        });
      expect(places(runOf([HOME, ...BLOG], settings, { sitemaps: listed }).findings)).not.toContain(
        'orphan-page /blog/b',
      );
    },
  );

  it.each([undefined, { maxPages: 40 }])('say it of the whole site, also with a limit of pages: %j', (settings) => {
    expect(stateOf(settings, 'orphan-page')).toMatchObject({ state: 'failed' });
    expect(stateOf(settings, 'analytics-missing')).not.toHaveProperty('because');
  });

  it('say nothing of the home page unless the audit started there', () => {
    const startedAt = (path: string, settings?: CrawlSettings): FindingsDocument => {
      const { crawl, ...about } = inputOf({ pages: [page(path, 'Tea and cups')] }, settings);
      const started: Crawl = { ...crawl, discovery: { ...crawl.discovery, startUrl: `https://example.com${path}` } };
      const { findings, outcomes } = runChecks(started);
      return findingsDocument({ ...about, crawl: started, findings, outcomes });
    };
    const stateIn = ({ outcomes }: FindingsDocument) =>
      outcomes.find(({ checkId }) => checkId === 'search-console-missing');
    const folder = { folder: '/blog/' };
    expect(stateIn(startedAt('/', folder))).toMatchObject({ looked: 1, notChecked: 0 });
    expect(stateIn(startedAt('/blog/'))).toMatchObject({ looked: 1, notChecked: 0 });
    const away = startedAt('/blog/', folder);
    expect(stateIn(away)).toMatchObject({
      state: 'not_checked',
      because: 'it is about the home page, and this audit of a part of the site started at another one',
    });
    const { new: fresh, notSeenBefore } = compareRuns(away, startedAt('/'));
    expect(places(fresh)).not.toContain('search-console-missing /');
    expect(places(notSeenBefore)).toContain('search-console-missing /');
  });

  it('never call pages different that were compared with a part only', () => {
    expect(stateOf({ folder: '/blog/' }, 'title-duplicate')).toMatchObject({ state: 'not_checked' });
    expect(stateOf(undefined, 'title-duplicate')).toMatchObject({ state: 'passed' });
  });

  it('are those that look at all pages, unless what they find holds of the pages that they saw', () => {
    const ofAllPages = Object.keys(RECHECK_NEEDS).filter((checkId) => {
      const { pages, wholeSite } = RECHECK_NEEDS[checkId] ?? {};
      return pages === 'all' || wholeSite === true;
    });
    // Two pages with one text, articles without a feed, files without caching and answers to unknown addresses.
    const holds = ['duplicate-content', 'feed-missing', 'missing-404', 'no-cache-headers'];
    expect([...WHOLE_SITE_CLAIMS, ...holds].sort()).toEqual(ofAllPages.sort());
  });
});

describe('the reports of a part', () => {
  const settings = { folder: '/blog/', exclude: ['/blog/*`<b>'], maxPages: 40 } as const;
  const input = inputOf({ pages: [HOME, ...BLOG] }, settings);
  const whole = inputOf({ pages: [HOME, ...BLOG] });

  it('name it beside the score, in what was looked at, and at what was not checked', () => {
    const markdown = reportMarkdown(input);
    expect(markdown).toContain('**Part of the site:** `/blog/` only, without `` /blog/*`<b> ``, 40 pages.');
    expect(markdown).toMatch(/## Score of this part: \d+ of 100/);
    expect(markdown).toContain(
      '3 HTML pages of a part of example.com audited. No discovered page of this part was left out.',
    );
    expect(markdown).toContain('The rest of the site was not audited.');
    expect(markdown).toContain('it is about the whole site, and this audit was set to a part of it');
    const html = reportHtml(input);
    expect(html).toContain('<strong>Part of the site:</strong> /blog/ only, without /blog/*`&lt;b&gt;, 40 pages');
    expect(html).toContain(', a part of the site)');
    expect(terminalReport(input.url, input)).toContain('Part of the site: /blog/ only, without /blog/*`<b>, 40 pages');
    expect(findingsDocument(input).coverage.settings).toEqual(settings);
  });

  it('say nothing of a part in an audit without settings', () => {
    for (const text of [reportMarkdown(whole), reportHtml(whole), terminalReport(whole.url, whole)]) {
      expect(text).not.toContain('Part of the site');
      expect(text).not.toContain('Crawl settings');
    }
    expect(findingsDocument(whole).coverage).not.toHaveProperty('settings');
  });

  it('mention a limit of pages, which makes no part', () => {
    const limited = reportMarkdown(inputOf({ pages: [HOME] }, { maxPages: 40 }));
    expect(limited).toContain('- Crawl settings: 40 pages.');
    expect(limited).not.toContain('art of the site');
  });

  it('say that there was no sitemap to read from', () => {
    const alone = reportMarkdown(inputOf({ pages: [HOME], sitemaps: [] }, { sitemapOnly: true }));
    expect(alone).toContain('No sitemap could be read, so only the home page was audited.');
  });
});

describe('comparing audits that were set to different parts', () => {
  const folder = { folder: '/blog/' };
  const whole = runOf([HOME, ...BLOG, ...SHOP]);
  const part = runOf([HOME, ...BLOG], folder);
  const OTHER = 'this audit covers another part of the site';
  const OTHER_BEFORE = 'the earlier audit covered another part of the site';

  it('compares no scores, and says why', () => {
    const compared = compareRuns(whole, part);
    expect(compared).toMatchObject({ score: null, scoreNotComparable: 'the audits cover different parts of the site' });
    expect(comparisonText(compared)).toContain(
      'The scores cannot be compared: the audits cover different parts of the site.',
    );
    expect(compareRuns(part, runOf([HOME, ...BLOG], { ...folder, maxPages: 40 })).score).toMatchObject({ change: 0 });
  });

  it('calls nothing fixed that the later one could not read, nor what compares pages', () => {
    expect(places(whole.findings)).toEqual(
      expect.arrayContaining(['title-duplicate /blog/a', 'description-missing /shop/a', 'analytics-missing /']),
    );
    const { fixed, notComparable, remaining } = compareRuns(whole, part);
    expect(places(fixed)).toEqual([]);
    expect(becauseOf(notComparable, 'description-missing', '/shop/a')).toBe(OTHER);
    expect(becauseOf(notComparable, 'title-duplicate', '/blog/a')).toBe(OTHER);
    expect(becauseOf(notComparable, 'analytics-missing', '/')).toBe(OTHER);
    expect(places(remaining)).toContain('description-missing /blog/a');
  });

  it('calls nothing new that the earlier one could not read', () => {
    const { new: fresh, notSeenBefore } = compareRuns(part, whole);
    expect(places(fresh)).toEqual([]);
    expect(becauseOf(notSeenBefore, 'description-missing', '/shop/a')).toBe(OTHER_BEFORE);
    expect(becauseOf(notSeenBefore, 'title-duplicate', '/shop/a')).toBe(OTHER_BEFORE);
    expect(becauseOf(notSeenBefore, 'analytics-missing', '/')).toBe(OTHER_BEFORE);
  });

  it('compares what both could reach', () => {
    const mended = BLOG.map((each) => ({
      ...each,
      html: (each.html ?? '').replace(
        '</head>',
        '<meta name="description" content="How to make green tea in the right cup, step by step."></head>',
      ),
    }));
    expect(places(compareRuns(whole, runOf([HOME, ...mended], folder)).fixed)).toEqual([
      'description-missing /blog/a',
      'description-missing /blog/b',
    ]);
    expect(places(compareRuns(runOf([HOME, ...mended], folder), whole).new)).toEqual([
      'description-missing /blog/a',
      'description-missing /blog/b',
    ]);
  });

  it('takes for reached by a sitemap only what was read', () => {
    const listed = runOf([HOME], { sitemapOnly: true });
    expect(becauseOf(compareRuns(whole, listed).notComparable, 'description-missing', '/blog/a')).toBe(OTHER);
    expect(places(compareRuns(whole, listed).remaining)).toContain('description-missing /');
  });

  it('says nothing of links that a part did not follow', () => {
    const broken = { linkChecks: [{ url: 'https://example.com/shop/gone', status: 404 }] };
    const linking = page('/blog/c', 'A page with a link', '/shop/gone');
    const before = runOf([HOME, ...BLOG, linking], undefined, broken);
    expect(places(before.findings)).toContain('broken-internal-link /blog/c');
    const after = runOf([HOME, ...BLOG], folder);
    expect(places(compareRuns(before, after).fixed)).not.toContain('broken-internal-link /blog/c');
  });
});
