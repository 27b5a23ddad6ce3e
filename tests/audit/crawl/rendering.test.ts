/** Crawls of script-rendered sites, in real Chromium and with failing browsers. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../../../src/audit/audit.ts';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { coverageLines } from '../../../src/audit/report/coverage.ts';
import { findingsDocument } from '../../../src/audit/report/findingsJson.ts';
import { verifyFindings } from '../../../src/audit/verify.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { createRenderer, type Renderer } from '../../../src/integrations/renderer/chromiumRenderer.ts';
import type { RenderPage } from '../../../src/model/rendering.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';
import { appPages, shell, startAppSite } from '../../servers/appSite.ts';
import type { TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const OPTIONS: CrawlOptions = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };

type Making = (fetcher: ReturnType<typeof createFetcher>) => RenderPage;

async function audited(
  render: Making | null,
  pages: Record<string, TestPage> = appPages(),
  options: Partial<CrawlOptions> = {},
) {
  const site = await startAppSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher, render ? { render: render(fetcher) } : {});
  const result = await audit(`${site.origin}/`, { ...OPTIONS, ...options }, env);
  const pathOf = (url: string): string => url.replace(site.origin, '');
  const found = (checkId: string) =>
    result.findings
      .filter((finding) => finding.checkId === checkId)
      .map(({ evidence }) => [pathOf(evidence.url), evidence.place]);
  return {
    site,
    env,
    result,
    found,
    pages: result.crawl.pages.map((page) => [pathOf(page.url), page.rendering?.done ?? null]),
    lines: coverageLines(result.crawl, (text) => text),
  };
}

const WORDS = 'Tea is picked by hand in spring, and dried in the shade of the old barn. '.repeat(8);
const filled = (body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>App</title></head><body><div id="root"><main>${body}</main></div><script></script></body></html>`;
const showing =
  (html: string): RenderPage =>
  async () => ({ ok: true, html, bytes: 100 });
const failing =
  (reason: string): RenderPage =>
  async () => ({ ok: false, reason, movedTo: null, bytes: 0 });

describe.runIf(available('Chromium', CHROMIUM))('with Chromium', () => {
  let renderer: Renderer;
  beforeAll(() => {
    renderer = createRenderer({ executablePath: CHROMIUM });
  });
  afterAll(() => renderer.close());

  test('follows links added by scripts, and judges pages as visitors see them', async () => {
    const { pages, found, result, lines } = await audited((fetcher) => renderer.through(fetcher));
    expect(pages).toEqual([
      ['/', true],
      ['/cups', true],
      ['/teas', true],
    ]);
    expect(result.crawl.pages.map(({ facts }) => [facts?.titles[0]?.text, facts?.headings.length])).toEqual([
      ['Teas and cups from the hills of Uji', 1],
      ['Cups for every tea, thrown in our yard', 1],
      ['All our teas, by the hand that picked them', 1],
    ]);
    // Empty delivered HTML is still a fault: not every crawler runs scripts.
    expect(found('js-only-content')).toEqual([
      ['/', '#root'],
      ['/cups', '#root'],
      ['/teas', '#root'],
    ]);
    expect(found('title-duplicate')).toEqual([]);
    expect(found('thin-content').map(([, place]) => place)).toEqual([
      'main (after rendering)',
      'main (after rendering)',
      'main (after rendering)',
    ]);
    expect(found('description-missing')).toEqual([
      ['/', 'head > meta[name=description] (after rendering)'],
      ['/cups', 'head > meta[name=description] (after rendering)'],
      ['/teas', 'head > meta[name=description] (after rendering)'],
    ]);
    expect(lines).toContain('3 pages that need scripts were rendered in a browser.');
  }, 60_000);

  test('verifies a single finding in the browser, too', async () => {
    const { site, env, result } = await audited((fetcher) => renderer.through(fetcher));
    const url = `${site.origin}/`;
    const document = findingsDocument({
      url,
      host: site.host,
      generatedAt: '2026-03-01T12:00:00.000Z',
      checks: CHECKS,
      ...result,
    });
    const finding = document.findings.find(
      ({ checkId, evidence }) => checkId === 'thin-content' && evidence.url === `${site.origin}/teas`,
    );
    expect(document.pages.map(({ rendered }) => rendered)).toEqual([true, true, true]);
    const only = [finding?.id ?? ''];
    expect((await verifyFindings({ document, only }, {}, env)).results).toMatchObject([{ state: 'still_there' }]);
    site.pages['/api/teas.json'] = {
      body: JSON.stringify({ title: 'All our teas', text: WORDS.repeat(4), links: [] }),
    };
    expect((await verifyFindings({ document, only }, {}, env)).results).toMatchObject([{ state: 'fixed' }]);
    const { render: _, ...without } = env;
    expect((await verifyFindings({ document, only }, {}, without)).results).toMatchObject([
      { state: 'not_checked', because: 'the content of the page now appears only when scripts run' },
    ]);
  }, 60_000);
});

test('reports without a browser that pages need scripts, and does not call them thin', async () => {
  const { pages, found, lines } = await audited(null);
  expect(pages).toEqual([['/', null]]);
  expect(found('js-only-content')).toEqual([['/', '#root']]);
  expect(found('thin-content')).toEqual([]);
  expect(lines.join()).not.toContain('browser');
});

test('renders only pages that scripts fill', async () => {
  const shown: string[] = [];
  const render: RenderPage = async (url) => {
    shown.push(new URL(url).pathname);
    return { ok: true, html: filled(WORDS), bytes: 100 };
  };
  const plain = filled(`${WORDS}<a href="/app">app</a>`);
  const { pages } = await audited(() => render, { '/': plain, '/app': shell('') });
  expect(shown).toEqual(['/app']);
  expect(pages).toEqual([
    ['/', null],
    ['/app', true],
  ]);
});

test.each<[string, RenderPage, string]>([
  ['fails', failing('The page crashed in the browser.'), 'The page crashed in the browser'],
  [
    'shows nothing either',
    showing('<!DOCTYPE html><div id="root"></div><script></script>'),
    'The page stayed empty in a browser, too',
  ],
])('a browser that %s is a reason, and the page is judged by its delivered HTML', async (_, render, why) => {
  const { pages, found, lines } = await audited(() => render);
  expect(pages).toEqual([['/', false]]);
  expect(found('js-only-content')).toEqual([['/', '#root']]);
  expect(found('thin-content')).toEqual([]);
  expect(lines).toContain(`1 page that needs scripts could not be rendered: ${why}.`);
});

test('fetches the target of a script redirect as a page, if it is of the site and not forbidden', async () => {
  const sendingTo =
    (target: string): RenderPage =>
    async (url) => ({ ok: false, reason: 'A script sends visitors on.', movedTo: new URL(target, url).href, bytes: 0 });
  const pages = (): Record<string, TestPage> => ({ ...appPages(), '/new': filled(WORDS), '/secret/x': filled(WORDS) });
  for (const [target, found] of [
    ['/new', ['/', '/new']],
    ['/secret/x', ['/', '/secret/x']],
    ['https://elsewhere.example/', ['/']],
  ] as const) {
    const site = await audited(() => sendingTo(target), pages());
    expect(site.pages.map(([path]) => path)).toEqual(found);
    expect(site.site.requests).not.toContain('GET /secret/x');
  }
});

test('obeys robots.txt for requests of a page, and does not render a site with a crawl delay', async () => {
  let asked: boolean[] = [];
  const render: RenderPage = async (url, { mayFetch }) => {
    asked = ['/api/x', '/secret/x', 'https://elsewhere.example/secret/x'].map((path) =>
      mayFetch(new URL(path, url).href),
    );
    return { ok: true, html: filled(WORDS), bytes: 100 };
  };
  await audited(() => render);
  expect(asked).toEqual([true, false, true]);
  const slow = await audited(() => render, {
    ...appPages(),
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 2\n', headers: { 'content-type': 'text/plain' } },
  });
  expect(slow.lines.join()).toContain('could not be rendered: robots.txt asks for pauses between requests');
});

test('renders a limited number of pages, within the time of the crawl', async () => {
  const links = Array.from({ length: 9 }, (_, each) => `<a href="/p${each}">page ${each}</a>`).join('');
  const pages: Record<string, TestPage> = { '/': filled(WORDS + links), '*': shell('') };
  // The first ones, although others answer earlier.
  const late = shell('') as { readonly body: string };
  pages['/p1'] = (_, response) => setTimeout(() => response.setHeader('content-type', 'text/html').end(late.body), 50);
  let shown = 0;
  const { result, lines } = await audited(
    () => async () => {
      shown++;
      return { ok: true, html: filled(WORDS), bytes: 100 };
    },
    pages,
    { maxRendered: 4 },
  );
  expect(shown).toBe(4);
  expect(result.crawl.pages.filter(({ rendering }) => rendering?.done).map(({ url }) => new URL(url).pathname)).toEqual(
    ['/p0', '/p1', '/p2', '/p3'],
  );
  expect(lines).toContain(
    '5 pages that need scripts could not be rendered: No more than 4 pages of a site are shown in a browser.',
  );
});

test('keeps what only the delivered HTML shows: a noindex that a script would remove, the charset, blocking resources', async () => {
  const head = '<meta name="robots" content="noindex"><script src="/a.js"></script>';
  const html = filled(WORDS).replace(
    '<title>',
    '<script src="/a.js"></script><script src="/b.js"></script><meta name="robots" content="index"><title>',
  );
  const { result } = await audited(() => showing(html), { '/': shell('', head) });
  const facts = result.crawl.pages[0]?.facts;
  expect(facts?.metas.filter(({ name }) => name === 'robots').map(({ content }) => content)).toEqual([
    'noindex',
    'index',
  ]);
  expect(
    facts?.resources
      .filter(({ kind }) => kind === 'script')
      .map(({ url, blocking }) => [new URL(url).pathname, blocking]),
  ).toEqual([
    ['/a.js', true],
    ['/b.js', false],
  ]);
  expect(facts?.rendered).toEqual({ emptyAppRoot: '#root', noscript: '', bodyWordCount: 0 });
});
