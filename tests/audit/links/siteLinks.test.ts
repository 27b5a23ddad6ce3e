import { describe, expect, it } from 'vitest';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { preparingLinks, type SiteLink, siteLinks } from '../../../src/audit/links/siteLinks.ts';
import { type GivenPage, givenSite, SITE } from '../../given/audit/page.ts';

const a = (href: string, text = 'Tea', rel = '') => `<a href="${href}"${rel === '' ? '' : ` rel="${rel}"`}>${text}</a>`;
const body = (html: string, lang = 'en') => `<!doctype html><html lang="${lang}"><title>T</title><body>${html}`;
const page = (url: string, html: string, more: Partial<GivenPage> = {}): GivenPage => ({
  url,
  html: body(html),
  ...more,
});
const site = (...pages: GivenPage[]): Crawl => givenSite({ pages });
const at = (crawl: Crawl, path: string) => crawl.pages.find(({ url }) => url === SITE + path)!;
const of = (crawl: Crawl, path: string) => siteLinks(crawl).pageLinks(at(crawl, path))!;
const rank = (crawl: Crawl, path: string) => of(crawl, path).pageRank;
const places = (links: Iterable<SiteLink>) =>
  [...links].map(({ to, position }) => `${to.replace(SITE, '')} ${position}`);

describe('a link', () => {
  it('has its page, target, anchor, position, and rel', () => {
    const crawl = site(
      page(
        '/',
        `<header>${a('/h', 'Logo')}<nav>${a('/n', 'Teas')}</nav></header>
        <main>${a('/m#part', 'Green', 'nofollow UGC')} ${a('https://other.example/x', 'Ad', 'sponsored')}
        <a href="/i"><img src="i.png" alt="A cup"></a> ${a('mailto:a@b.example', 'Mail')}</main>
        <footer>${a('/f?utm_source=x', 'Terms')}</footer>`,
      ),
    );
    const links = [...siteLinks(crawl).linksOf(crawl.pages[0]!)];
    expect(links.map(({ to, anchor, position, internal }) => [to, anchor, position, internal])).toEqual([
      [`${SITE}/h`, 'Logo', 'header', true],
      [`${SITE}/n`, 'Teas', 'navigation', true],
      [`${SITE}/m`, 'Green', 'content', true],
      ['https://other.example/x', 'Ad', 'content', false],
      [`${SITE}/i`, 'A cup', 'content', true],
      [`${SITE}/f`, 'Terms', 'footer', true],
    ]);
    const rel = links.map(({ nofollow, sponsored, ugc }) => [nofollow, sponsored, ugc].map(Number).join(''));
    expect(rel).toEqual(['000', '000', '101', '010', '000', '000']);
    expect(links[0]?.from).toBe(crawl.pages[0]);
    expect(siteLinks(crawl).links).toBe(6);
  });

  it('is found by its target, as linked and from every page', () => {
    const crawl = site(
      page('/', a('/b?x=1&y=2', 'One') + a('/c')),
      page('/a', a('/b?y=2&x=1&utm_medium=mail', 'Two') + a('/b?x=1&y=2', 'Three')),
      page('/c', ''),
    );
    const found = [...siteLinks(crawl).linksTo(`${SITE}/b?y=2&x=1`)];
    expect(found.map(({ from, anchor }) => [from.url, anchor])).toEqual([
      [`${SITE}/`, 'One'],
      [`${SITE}/a`, 'Two'],
      [`${SITE}/a`, 'Three'],
    ]);
    expect([...siteLinks(crawl).linksTo(`${SITE}/nowhere`)]).toEqual([]);
    expect([...siteLinks(crawl).linksOf(at(crawl, '/c'))]).toEqual([]);
    expect([...siteLinks(site(page('/', ''))).linksTo(SITE)]).toEqual([]);
  });
});

describe('the position of a link on pages without landmarks', () => {
  const plain = (n: number, lang = 'en') => ({
    url: n === 0 ? '/' : `/${lang}-${n}`,
    html: body(
      `<div>${a('/', 'Home')}${a('/teas', `Teas ${lang}`)}</div><div>${a(`/${lang}-x${n}`, `Own ${n}`)}</div><div>${a('/terms', `Terms ${lang}`)}</div>`,
      lang,
    ),
  });

  it('is told by what most pages repeat, before and after what is their own', () => {
    const crawl = site(...Array.from({ length: 5 }, (_, n) => plain(n)));
    expect(places(siteLinks(crawl).linksOf(crawl.pages[3]!))).toEqual([
      '/ navigation',
      '/teas navigation',
      '/en-x3 content',
      '/terms footer',
    ]);
    expect([...siteLinks(crawl).linksOf(crawl.pages[3]!)].map(({ template }) => template)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('is told within each language', () => {
    const crawl = site(
      ...['en', 'de', 'fr'].flatMap((lang, at) =>
        Array.from({ length: 5 }, (_, n) => plain(n + (at > 0 ? 1 : 0), lang)),
      ),
    );
    expect(places(siteLinks(crawl).linksTo(`${SITE}/terms`))).toEqual(Array(15).fill('/terms footer'));
  });

  it('is the content on a site with few pages', () => {
    const crawl = site(plain(0), plain(1), plain(2));
    expect(places(siteLinks(crawl).linksTo(`${SITE}/terms`))).toEqual(Array(3).fill('/terms content'));
  });

  it('is told beside a main landmark, whose own links are content even if they repeat', () => {
    const pages = Array.from({ length: 6 }, (_, n) =>
      page(
        n === 0 ? '/' : `/p${n}`,
        `<div>${a('/teas')}</div><main>${a('/', 'Home')}<aside>${a('/new', 'New')}</aside>${a(`/x${n}`, `${n}`)}</main><div>${a('/terms')}</div>`,
      ),
    );
    const crawl = site(...pages);
    expect(places(siteLinks(crawl).linksOf(crawl.pages[1]!))).toEqual([
      '/teas navigation',
      '/ content',
      '/new navigation',
      '/x1 content',
      '/terms footer',
    ]);
    // Facts of an earlier version do not say which links are in main.
    const older: Crawl = {
      ...crawl,
      pages: crawl.pages.map((each) => {
        const { mainLinks: _, ...facts } = each.facts!;
        return { ...each, facts };
      }),
    };
    expect(places(siteLinks(older).linksOf(older.pages[1]!))[0]).toBe('/teas content');
  });
});

describe('what links give a page', () => {
  it('counts pages and links in and out, without those to itself', () => {
    const crawl = site(
      page('/', a('/a') + a('/a', 'Again') + a('/') + a('/#top') + a('https://x.example/1') + a('https://x.example/1')),
      page('/a', a('/') + a('/b')),
    );
    expect(of(crawl, '/')).toMatchObject({
      inlinks: { pages: 1, links: 1 },
      outlinks: { pages: 1, links: 2 },
      external: { pages: 1, links: 2 },
      depth: 0,
      orphan: false,
    });
    expect(of(crawl, '/a')).toMatchObject({ inlinks: { pages: 1, links: 2 }, outlinks: { pages: 2, links: 2 } });
  });

  it('names orphans: pages that only the sitemap names, or that only link to themselves', () => {
    const crawl = site(
      page('/', a('/a')),
      page('/a', ''),
      page('/lost', a('/lost') + a('/a'), { from: 'sitemap', depth: null }),
    );
    expect(['/', '/a', '/lost'].map((path) => of(crawl, path).orphan)).toEqual([false, false, true]);
    expect(of(crawl, '/lost').depth).toBeNull();
  });

  it('follows redirects to the page they lead to', () => {
    const moved = (from: string, to: string): GivenPage => ({
      url: from,
      hops: [{ url: SITE + from, status: 301, location: to }],
      finalUrl: SITE + to,
    });
    const crawl = givenSite({
      pages: [
        page('/', a('/old') + a('/checked') + a('/away')),
        moved('/old', '/new'),
        page('/new', ''),
        moved('/away', '/gone'),
      ],
      linkChecks: [
        { url: '/checked', finalUrl: `${SITE}/new`, hops: [{ url: `${SITE}/checked`, status: 302, location: '/new' }] },
      ],
    });
    expect(of(crawl, '/new')).toMatchObject({ inlinks: { pages: 1, links: 2 }, orphan: false });
    expect(siteLinks(crawl).pageLinks(at(crawl, '/old'))).toBeNull();
    expect([...siteLinks(crawl).linksTo(`${SITE}/old`)]).toHaveLength(1);
    expect(rank(crawl, '/') + rank(crawl, '/new')).toBeCloseTo(1, 9);
  });
});

describe('PageRank', () => {
  it('is that of the hand-computed graphs', () => {
    const alone = site(page('/', ''));
    expect(rank(alone, '/')).toBeCloseTo(1, 9);
    const pair = site(page('/', a('/a')), page('/a', a('/')));
    expect([rank(pair, '/'), rank(pair, '/a')]).toEqual([0.5, 0.5]);
    // Both of two pages link to a third, which links to nobody: c = 0.05 + 0.85 c / 3 + 0.85 (a + b), a = b.
    const sink = site(page('/', a('/c')), page('/b', a('/c')), page('/c', ''));
    const c = (0.15 / 3 + 0.85) / (1 + 0.85 - 0.85 / 3);
    expect(rank(sink, '/c')).toBeCloseTo(c, 6);
    expect(rank(sink, '/')).toBeCloseTo((1 - c) / 2, 6);
  });

  it('counts several links to a page once, and those of a page to itself never', () => {
    const once = site(page('/', a('/a') + a('/b')), page('/a', a('/')), page('/b', a('/')));
    const often = site(
      page('/', a('/a') + a('/a') + a('/a') + a('/b') + a('/')),
      page('/a', a('/')),
      page('/b', a('/')),
    );
    expect(['/', '/a', '/b'].map((path) => rank(often, path))).toEqual(
      ['/', '/a', '/b'].map((path) => rank(once, path)),
    );
    // The start page has 0.05 + 0.85 (1 - r) = r.
    expect(rank(once, '/')).toBeCloseTo(0.9 / 1.85, 6);
    expect(rank(once, '/a')).toBeCloseTo(rank(once, '/b'), 12);
  });

  it('passes nothing through nofollow, of a link or of a page', () => {
    const open = site(page('/', a('/a') + a('/b')), page('/a', ''), page('/b', ''));
    const one = site(page('/', a('/a') + a('/b', 'B', 'nofollow')), page('/a', ''), page('/b', ''));
    expect(rank(one, '/a')).toBeGreaterThan(rank(open, '/a'));
    expect(rank(one, '/b')).toBeLessThan(rank(open, '/b'));
    const none = site(
      { url: '/', html: `<title>T</title><meta name="robots" content="noindex, nofollow">${a('/a')}${a('/b')}` },
      page('/a', ''),
      page('/b', ''),
    );
    for (const path of ['/', '/a', '/b']) expect(rank(none, path)).toBeCloseTo(1 / 3, 9);
    expect(of(one, '/b')).toMatchObject({ inlinks: { pages: 1, links: 1 }, orphan: false });
  });

  it('is the same for the same crawl', () => {
    const pages = Array.from({ length: 40 }, (_, n) =>
      page(n === 0 ? '/' : `/p${n}`, a(`/p${(n * 7) % 40}`) + a(`/p${(n * 3 + 1) % 40}`)),
    );
    const [first, second] = [site(...pages), site(...pages)];
    for (const { url } of first.pages)
      expect(rank(first, url.slice(SITE.length))).toBe(rank(second, url.slice(SITE.length)));
  });
});

describe('a shared link target', () => {
  it('names the links that most pages have in common', () => {
    const pages = Array.from({ length: 60 }, (_, n) =>
      page(
        n === 0 ? '/' : `/p${n}`,
        `<main>${n % 20 === 0 ? a('/dead', 'See here') : ''}</main><footer>${a('/dead', 'Terms')}</footer>`,
      ),
    );
    expect(siteLinks(site(...pages)).sharedTarget(`${SITE}/dead`)).toEqual({
      linked: { pages: 60, links: 63 },
      repeated: [{ position: 'footer', anchor: 'Terms', pages: 60 }],
    });
  });

  it('names each of them, the most repeated first, and none where pages differ', () => {
    const pages = Array.from({ length: 5 }, (_, n) =>
      page(
        n === 0 ? '/' : `/p${n}`,
        `<nav>${n > 0 ? a('/x', 'X') : ''}</nav><main>${a('/own', `Own ${n}`)}</main><footer>${a('/x', 'X')}</footer>`,
      ),
    );
    const links = siteLinks(site(...pages));
    expect(links.sharedTarget(`${SITE}/x`)?.repeated).toEqual([
      { position: 'footer', anchor: 'X', pages: 5 },
      { position: 'navigation', anchor: 'X', pages: 4 },
    ]);
    expect(links.sharedTarget(`${SITE}/own`)).toEqual({ linked: { pages: 5, links: 5 }, repeated: [] });
    expect(links.sharedTarget(`${SITE}/none`)).toBeNull();
    expect(siteLinks(site(page('/', a('/x')), page('/a', a('/x')))).sharedTarget(`${SITE}/x`)).toBeNull();
  });
});

describe('the memory of links', () => {
  /** Made without parsing, because only the links count. */
  function made(pages: number, each: number, target: (page: number, nth: number) => string): Crawl {
    const crawl = site(page('/', ''));
    const [first] = crawl.pages;
    return {
      ...crawl,
      pages: Array.from({ length: pages }, (_, number) => ({
        ...first!,
        url: `${SITE}/p${number}`,
        facts: {
          ...first!.facts!,
          links: Array.from({ length: each }, (_unused, nth) => ({
            url: target(number, nth),
            text: `Anchor ${nth % 50}`,
            rel: [],
            internal: true,
          })),
        },
      })),
    };
  }

  it.each([
    [10, 1, 10],
    [100_000, 1000, 100],
  ])('is at most 20 bytes for each of %i', (links, pages, each) => {
    const repeating = siteLinks(made(pages, each, (_, nth) => `${SITE}/p${nth}`));
    expect(repeating.links).toBe(links);
    expect(repeating.bytes / links).toBeLessThanOrEqual(20);
    const distinct = siteLinks(made(pages, each, (number, nth) => `${SITE}/t${number}-${nth}`));
    expect(distinct.bytes / links).toBeLessThanOrEqual(20);
  });

  it('grows as the links do, and so does the time', () => {
    const steps = (pages: number) => {
      let count = 0;
      for (
        const work = preparingLinks(made(pages, 100, (number, nth) => `${SITE}/t${(number * 7 + nth) % pages}`));
        !work.next().done;
      )
        count += 1;
      return count;
    };
    expect(steps(1000)).toBeLessThan(steps(100) * 12);
    expect(steps(100)).toBeGreaterThan(300);
  });
});
