import { beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { namingRoots } from '../../src/audit/rootCauses.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import type { Finding, RootCause } from '../../src/model/findings.ts';
import { type GivenSite, givenSite, SITE } from '../given/audit/page.ts';
import { startTestSite, type TestPage } from '../servers/testSite.ts';
import { crawlEnv } from './crawl/crawlEnv.ts';

let nth = 0;
function finding(checkId: string, path: string, place = 'head', value = 'missing'): Finding {
  nth += 1;
  const evidence = { url: new URL(path, SITE).href, place, value };
  return {
    id: `f${nth}`,
    checkId,
    category: 'technical',
    impact: 'low',
    hint: false,
    message: 'M',
    evidence,
    code: null,
  };
}

/** With the number of its pauses. */
function rootsOf(findings: readonly Finding[], crawl: Crawl): { roots: (RootCause | undefined)[]; pauses: number } {
  const work = namingRoots(findings, crawl);
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done) return { roots: step.value.map(({ root }) => root), pauses };
  }
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const blank = '<!doctype html><title>T</title><body><main><p>x</p></main>';
const shop =
  '<!doctype html><title>T</title><body><main><form class="cart"><h1>x</h1><ul><li>1</li></ul></form></main>';
const link = '<!doctype html><title>T</title><body><main><p>x</p></main><footer><a href="/old">Old</a></footer>';
const posts = (count: number, html = blank) => many(count, (n) => ({ url: `/blog/post-${n}`, html }));
const products = (count: number) => many(count, (n) => ({ url: `/shop/board-${n}`, html: shop }));
const site = (given: GivenSite = {}): Crawl =>
  givenSite({ ...given, pages: [{ html: blank }, ...posts(4), ...products(8), ...(given.pages ?? [])] });
const named = (findings: readonly Finding[], crawl = site()) =>
  rootsOf(findings, crawl).roots.map((root) => `${root?.kind} ${root?.name}`);
const onPosts = (count: number, checkId: string, place?: string, value?: string) =>
  many(count, (n) => finding(checkId, `/blog/post-${n}`, place, value));

describe('the root cause of a finding', () => {
  it('is nothing where nothing was found', () => {
    expect(named([])).toEqual([]);
  });

  it('is the page, if few of a template have it', () => {
    expect(named([finding('viewport-missing', '/blog/post-1')])).toEqual(['page /blog/post-1']);
    expect(named(onPosts(2, 'x'))).toEqual(['page /blog/post-0', 'page /blog/post-1']);
    expect(named([finding('x', '/shop/board-1?a=b')])).toEqual(['page /shop/board-1?a=b']);
    expect(named([finding('x', 'https://cdn.example/a.js')])).toEqual(['page https://cdn.example/a.js']);
  });

  it('is the template, if three of its pages or most of them have it in the same place', () => {
    expect(named(onPosts(3, 'x'))).toEqual(many(3, () => 'template /blog/*'));
    const three = many(3, (n) => finding('x', `/shop/board-${n}`));
    expect(named(three)).toEqual(many(3, () => 'template /shop/*'));
    const two = givenSite({ pages: [{ html: blank }, ...posts(2), ...products(8)] });
    expect(named(onPosts(2, 'x'), two)).toEqual(many(2, () => 'template /blog/*'));
    expect(named(onPosts(3, 'x').map((each, n) => ({ ...each, checkId: `x${n}` })))[0]).toBe('page /blog/post-0');
  });

  it('is the same wherever the place is counted from, and where its link leads', () => {
    const places = [
      'body > div:nth-of-type(1) > h3',
      'body > div:nth-of-type(12) > h3',
      'body > div > h3 (after rendering)',
    ];
    expect(named(places.map((place, n) => finding('heading-order', `/blog/post-${n}`, place)))).toEqual(
      many(3, () => 'template /blog/*'),
    );
    const other = ['body > div > h3', 'main > h3', 'article > h3'];
    expect(named(other.map((place, n) => finding('heading-order', `/blog/post-${n}`, place)))[0]).toBe(
      'page /blog/post-0',
    );
    const next = (n: number, text: string) =>
      finding('link-text-generic', `/blog/post-${n}`, `a[href="/blog/post-${n + 1}?q=\\"]"]`, text);
    expect(named(many(3, (n) => next(n, 'Read more')))).toEqual(many(3, () => 'template /blog/*'));
    expect(named(many(3, (n) => next(n, `Here ${n}`)))[0]).toBe('page /blog/post-0');
  });

  it('is the layout of all templates, if most pages and most templates have it', () => {
    const all = ['/', ...posts(4).map(({ url }) => url), ...products(8).map(({ url }) => url)];
    expect(new Set(named(all.map((path) => finding('viewport-missing', path))))).toEqual(new Set(['template *']));
    // Most pages, but one template of three, and a stray page.
    const one = [...products(8).map(({ url }) => finding('x', url)), finding('x', '/blog/post-1')];
    expect(new Set(named(one))).toEqual(new Set(['template /shop/*', 'page /blog/post-1']));
  });

  it('is the page for what no template writes: its text, its address, its answer', () => {
    expect(named(onPosts(4, 'thin-content', 'main'))[0]).toBe('page /blog/post-0');
    expect(named(onPosts(4, 'url-underscores', 'url'))[0]).toBe('page /blog/post-0');
    const gone = site({ pages: many(4, (n) => ({ url: `/news/n-${n}`, status: 404 })) });
    expect(
      named(
        many(4, (n) => finding('page-http-error', `/news/n-${n}`, 'status', '404')),
        gone,
      )[0],
    ).toBe('page /news/n-0');
    expect(
      named(
        many(4, (n) => finding('other', `/news/n-${n}`, 'head', '404')),
        gone,
      )[0],
    ).toBe('page /news/n-0');
  });

  it('is a link or an image by its address, with the position that pages share', () => {
    const crawl = givenSite({ pages: [{ html: link }, ...posts(5, link)] });
    const broken = onPosts(5, 'broken-internal-link', 'footer a[href="/old"]', '/old#top');
    expect(rootsOf(broken, crawl).roots).toEqual(many(5, () => ({ kind: 'link', name: '/old', position: 'footer' })));
    expect(rootsOf(broken.slice(0, 2), crawl).roots[1]).toEqual({ kind: 'link', name: '/old' });
    const nowhere = onPosts(5, 'broken-internal-link', 'a[href="/other"]', '/other');
    expect(rootsOf(nowhere, crawl).roots[0]).toEqual({ kind: 'link', name: '/other' });
    expect(named(onPosts(2, 'broken-external-link', 'a', 'https://away.example/x'))[0]).toBe(
      'link https://away.example/x',
    );
    expect(named(onPosts(1, 'image-broken', 'img', '../logo.png'))).toEqual(['image /logo.png']);
    // A value that was cut names no address.
    expect(named(onPosts(1, 'image-broken', 'img', '/a-long-address…'))).toEqual(['page /blog/post-0']);
  });

  it('is a header', () => {
    expect(named(onPosts(2, 'noindex-header', 'header X-Robots-Tag', 'noindex'))).toEqual(
      many(2, () => 'header x-robots-tag'),
    );
    // Not the element of that name.
    expect(named(onPosts(2, 'x', 'header a[href="/"]', '/'))).not.toContain('header a[href="/"]');
  });

  it('is a file: robots.txt, llms.txt, or the sitemap, wherever it shows', () => {
    const crawl = site({ sitemaps: [{ url: `${SITE}/maps/index.xml`, locs: ['/'] }] });
    const files = [
      finding('robots-syntax', '/robots.txt', 'line 3'),
      finding('robots-blocks-page', '/blog/post-1', 'robots.txt line 3'),
      finding('llms-txt-missing', '/llms.txt', 'status'),
      finding('sitemap-invalid', '/maps/index.xml', 'body'),
      finding('sitemap-bad-urls', '/gone', 'sitemap loc'),
      finding('sitemap-blocked', '/blog/post-1', 'robots.txt line 3'),
    ];
    const expected = ['robots.txt', 'robots.txt', 'llms.txt', 'maps/index.xml', 'maps/index.xml', 'robots.txt'];
    expect(named(files, crawl)).toEqual(expected.map((name) => `file ${name}`));
    expect(named([finding('sitemap-missing', '/', 'sitemap')])).toEqual(['file sitemap.xml']);
  });

  it('is one object for all its findings, with a name of at most 200 characters', () => {
    const { roots } = rootsOf(onPosts(4, 'x'), site());
    expect(new Set(roots).size).toBe(1);
    const long = [finding('x', `/${'a'.repeat(400)}`), finding('y', '/', `header x-${'a'.repeat(400)}`)];
    const names = rootsOf(long, site()).roots.map((root) => root?.name ?? '');
    expect(names.map(({ length }) => length)).toEqual([200, 200]);
  });

  it('takes work in proportion to findings, pages and links, however often an address is written', () => {
    const pausesFor = (pages: number): number => {
      const spellings = many(20, (n) => `/old?utm_source=${n}`);
      const html = `<title>T</title><body>${spellings.map((to) => `<a href="${to}">x</a>`).join('')}`;
      const crawl = givenSite({ pages: [{ html: blank }, ...posts(pages, html)] });
      const findings = spellings.flatMap((to) => onPosts(pages, 'broken-internal-link', 'a', to));
      return rootsOf([...findings, ...onPosts(pages, 'x')], crawl).pauses;
    };
    const [few, more] = [pausesFor(10), pausesFor(200)];
    expect(more / few).toBeGreaterThan(10);
    expect(more / few).toBeLessThan(25);
  });

  it('is found for 5,000 pages with hostile places and addresses', () => {
    const crawl = givenSite({ pages: [{ html: blank }] });
    const [start] = crawl.pages;
    const pages = many(5000, (n) => ({ ...start!, url: `${SITE}/${'a'.repeat(1900)}/${n}`, from: 'link' as const }));
    const places = ['[href="'.repeat(2000), ':nth-of-type('.repeat(2000), `a[href="${'\\"'.repeat(3000)}`];
    const findings = pages.map(({ url }, n) => finding('x', url, places[n % 3]));
    const { roots, pauses } = rootsOf(findings, { ...crawl, pages: [start!, ...pages] });
    expect(new Set(roots.map((root) => root?.name))).toEqual(new Set(['/*/*']));
    expect(pauses).toBeGreaterThan(5000);
    expect(pauses).toBeLessThan(50_000);
  });
});

type Look = { readonly posts: number; readonly banner?: string; readonly isReversed?: boolean; readonly text?: string };

/** No two pages have one in common. */
const words = (text: string, n: number) => many(150, (at) => `${text}${n}x${at}`).join(' ');

function pagesOf({ posts: count, banner = '', isReversed = false, text = 'word' }: Look): Record<string, TestPage> {
  const nav = ['/', '/blog', '/shop', '/about'].map((href) => `<li><a href="${href}">To ${href}</a></li>`);
  const whole = (path: string, main: string, { head = '', n = 200 + path.charCodeAt(path.length - 1) } = {}) => ({
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': path.startsWith('/shop/') ? 'noindex' : 'all',
    },
    body: `<!doctype html><html lang="en"><head><title>${text} of ${path} for everyone</title>${head}</head><body>${banner}
      <header><nav><ul>${(isReversed ? nav.toReversed() : nav).join('')}</ul></nav></header>
      <main>${main}<p>${words(text, n)}</p></main>
      <footer><a href="/old">Archive</a> <img src="/logo.png" alt="Logo"></footer></body></html>`,
  });
  const canonical = (path: string) => `<link rel="canonical" href="${path}">`;
  const post = (n: number): [string, TestPage] => [
    `/blog/post-${n}`,
    whole(`/blog/post-${n}`, `<article><h1>Post ${n}</h1><h4>${text}</h4><p>${words(text, n + 100)}</p></article>`, {
      n,
    }),
  ];
  const product = (n: number): [string, TestPage] => [
    `/shop/board-${n}`,
    whole(`/shop/board-${n}`, `<section class="buy"><h1>Board ${n}</h1><form><button>Buy</button></form></section>`, {
      head: canonical(`/shop/board-${n}`),
      n: n + 400,
    }),
  ];
  const paths = many(count, (n) => [`/blog/post-${n}`, `/shop/board-${n}`] as const);
  const list = (at: 0 | 1) =>
    `<h1>All</h1><ul>${paths.map((path) => `<li><a href="${path[at]}">${path[at]}</a></li>`).join('')}</ul>`;
  return {
    '/': whole('/', '<h1>Start</h1>', { head: canonical('/') }),
    '/about': whole('/about', '<h3>No first heading</h3>', { head: canonical('/about') }),
    '/blog': whole('/blog', list(0), { head: canonical('/blog') }),
    '/shop': whole('/shop', list(1), { head: canonical('/shop') }),
    ...Object.fromEntries(many(count, post)),
    ...Object.fromEntries(many(count, product)),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisalow: /x\n' },
    '/sitemap.xml': {
      headers: { 'content-type': 'application/xml' },
      body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/gone</loc></url></urlset>',
    },
  };
}

describe('the identity of an issue', () => {
  const audits: Record<string, ReadonlySet<string>> = {};

  async function identities(look: Look): Promise<ReadonlySet<string>> {
    const served = await startTestSite({});
    const locs = (page: TestPage): TestPage =>
      typeof page === 'object' ? { ...page, body: String(page.body).replace('<loc>', `<loc>${served.origin}`) } : page;
    for (const [path, page] of Object.entries(pagesOf(look)))
      served.pages[path] = path.endsWith('.xml') ? locs(page) : page;
    const fetcher = createFetcher({ allowHosts: [served.host], userAgent: 'TestBot/1.0', now: () => 0 });
    const options = { maxPages: 100, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };
    const { findings } = await audit(`${served.origin}/`, options, crawlEnv(fetcher));
    await fetcher.close();
    await served.close();
    return new Set(findings.map(({ checkId, root }) => `${checkId} ${root?.kind} ${root?.name}`));
  }

  beforeAll(async () => {
    const banner = '<div class="banner"><form class="sale"><h2>Sale</h2><p>Today only</p></form></div>';
    const looks: Record<string, Look> = {
      before: { posts: 20 },
      'more pages': { posts: 22 },
      'other texts': { posts: 20, text: 'phrase' },
      'a banner': { posts: 20, banner },
      'another order of the navigation': { posts: 20, isReversed: true },
      'all of it': { posts: 22, text: 'phrase', banner, isReversed: true },
    };
    for (const [name, look] of Object.entries(looks)) audits[name] = await identities(look);
  }, 60_000);

  it('names roots of each kind', () => {
    for (const identity of [
      'viewport-missing template *',
      'canonical-missing template /blog/*',
      'heading-order template /blog/*',
      'h1-missing page /about',
      'broken-internal-link link /old',
      'image-broken image /logo.png',
      'noindex-header header x-robots-tag',
      'robots-syntax file robots.txt',
      'sitemap-bad-urls file sitemap.xml',
    ])
      expect([...audits.before!], identity).toContain(identity);
  });

  it.each(['more pages', 'other texts', 'a banner', 'another order of the navigation', 'all of it'])(
    'survives %s',
    (change) => {
      const after = audits[change]!;
      expect([...audits.before!].filter((identity) => !after.has(identity))).toEqual([]);
    },
  );
});
