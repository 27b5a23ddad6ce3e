import { describe, expect, it } from 'vitest';
import { pathPattern, templateOf } from '../../../src/audit/checks/lookups/templates.ts';
import { type GivenPage, givenSite, SITE, words } from '../../given/audit/page.ts';

describe('the path pattern of an address', () => {
  it.each([
    ['/', '/'],
    ['/index.html', '/'],
    ['/about', '/*'],
    ['/how-we-brew-our-tea', '/*'],
    ['/docs/', '/*'],
    ['/blog/first-post', '/blog/*'],
    ['/blog/2024/05/first-post/', '/blog/*'],
    ['/2024/05/17/first-post/', '/*'],
    ['/products/oak-board?color=brown', '/products/*'],
    ['/shop/boards/oak-board', '/shop/*/*'],
    ['/how-we-brew-our-tea/part-2', '/*/*'],
    ['/de/', '/{lang}'],
    ['/de/blog/erster', '/{lang}/blog/*'],
    ['/pt-BR/blog/x', '/{lang}/blog/*'],
    ['/shop/viewtopic.php?t=7&sid=x', '/shop/viewtopic.php?sid=&t='],
    ['/?p=17', '/?p='],
    ['/docs/index.html', '/*'],
    ['/2.1/install.html', '/*/*'],
    ['/a/b/c/d/e/f/g', '/a/*/*/*/*'],
  ])('%s is %s', (path, pattern) => {
    expect(pathPattern(SITE + path)).toBe(pattern);
  });
});

type Look = { readonly banner?: string; readonly nav?: readonly string[]; readonly text?: number };

const NAV = ['/', '/blog', '/products', '/about'];

function whole(main: string, { banner = '', nav = NAV }: Look): string {
  const links = nav.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<!doctype html><html lang="en"><title>T</title><body class="site">${banner}<header class="top"><nav><ul class="menu">${links}</ul></nav></header>${main}<footer><ul><li>F</li></ul></footer>`;
}

const post = (n: number, look: Look): GivenPage => ({
  url: `/blog/post-${n}`,
  html: whole(
    `<main class="wrap"><article class="post post-${n}"><h1>Post ${n}</h1><div class="meta">By</div>${Array.from({ length: 1 + (n % 4) }, (_, at) => `<h2>Part ${at}</h2><p>${words(look.text ?? 40, `p${n}`)}</p>`).join('')}${n % 3 === 0 ? '<ul><li>One</li></ul>' : ''}</article></main>`,
    look,
  ),
});
const product = (n: number, look: Look): GivenPage => ({
  url: `/products/board-${n}`,
  html: whole(
    `<main class="wrap"><section class="product"><div class="gallery"><figure><img src="x.png" alt=""></figure></div><div class="buy"><h1>Board ${n}</h1><form class="cart"><button>Buy</button></form></div></section><section class="related"><div class="card">${words(look.text ?? 20, `b${n}`)}</div></section></main>`,
    look,
  ),
});
const top = (url: string, look: Look): GivenPage => ({
  url,
  html: whole(
    `<main class="wrap"><div class="page-body"><h1>${url}</h1><p>${words(look.text ?? 30, url)}</p></div></main>`,
    look,
  ),
});

function site(count: number, look: Look = {}) {
  const many = <T>(make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
  return givenSite({
    pages: [
      top('/', look),
      top('/about', look),
      top('/contact', look),
      ...many((n) => post(n, look)),
      ...many((n) => product(n, look)),
    ],
  });
}
const names = (given: ReturnType<typeof site>) =>
  new Map(given.pages.map((page) => [page.url, templateOf(page, given).pattern]));

describe('the template of a page', () => {
  it('is that of the pages with the same pattern and structure, whatever they repeat', () => {
    const given = site(10);
    const of = (path: string) => templateOf(given.pages.find(({ url }) => url === SITE + path)!, given);
    expect(of('/blog/post-3')).toMatchObject({ pattern: '/blog/*', pages: 10 });
    expect(of('/products/board-1')).toMatchObject({ pattern: '/products/*', pages: 10 });
    expect(of('/about')).toMatchObject({ pattern: '/*', pages: 2 });
    expect(of('/')).toMatchObject({ pattern: '/', pages: 1 });
  });

  it('tells structures of one pattern apart', () => {
    const odd = { ...product(1, {}), url: '/blog/a-thing-to-buy' };
    const given = givenSite({ pages: [top('/', {}), post(1, {}), post(2, {}), odd] });
    expect(given.pages.slice(1).map((page) => templateOf(page, given).pages)).toEqual([2, 2, 1]);
  });

  it('keeps its name when pages are added, texts change, a banner appears, or the navigation is reordered', () => {
    const before = names(site(20));
    const changes = {
      pages: site(22),
      texts: site(20, { text: 90 }),
      banner: site(20, { banner: '<div class="banner"><form class="sale"><h2>Sale</h2></form></div>' }),
      navigation: site(20, { nav: [...NAV].reverse() }),
    };
    for (const [change, after] of Object.entries(changes)) {
      const now = names(after);
      for (const [url, pattern] of before) expect(now.get(url), `${change} ${url}`).toBe(pattern);
      const count = after.pages.length > 43 ? 22 : 20;
      const first = after.pages.find(({ url }) => url.includes('/blog/'))!;
      expect(templateOf(first, after).pages, change).toBe(count);
    }
  });

  it('exists for pages without HTML, and for facts of an earlier version', () => {
    const blocked = ['/private/a', '/private/b'].map((url) => ({ url, robotsBlocked: true }));
    const given = givenSite({ pages: [top('/', {}), post(1, {}), ...blocked] });
    expect(templateOf(given.pages[2]!, given)).toMatchObject({ pattern: '/private/*', pages: 2 });
    const older = {
      ...given,
      pages: given.pages.map((page) => {
        if (page.facts === null) return page;
        const { shape: _, ...facts } = page.facts;
        return { ...page, facts };
      }),
    };
    expect(templateOf(older.pages[1]!, older)).toMatchObject({ pattern: '/blog/*', pages: 1 });
  });

  it('takes bounded time however many structures there are', () => {
    const pages = Array.from({ length: 400 }, (_, n) => ({
      url: `/x/p-${n}`,
      html: `<title>T</title><body class="${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10) % 10]}"><main class="m${'uvwxyz'[n % 6]}"><section class="${'abcdefg'[n % 7]}"><h1>x</h1>`,
    }));
    const given = givenSite({ pages: [top('/', {}), ...pages] });
    const sum = given.pages.slice(1).reduce((total, page) => total + 1 / templateOf(page, given).pages, 0);
    expect(Math.round(sum)).toBeLessThanOrEqual(16);
  });
});

describe('the fingerprint of a structure', () => {
  it('is bounded, and there for any page', () => {
    const deep = givenSite(`<body>${'<div class="a">'.repeat(3000)}`).pages[0]!.facts!;
    expect(deep.shape).toMatch(/^[0-9a-f]{16}$/);
    expect(givenSite('').pages[0]!.facts!.shape).toMatch(/^[0-9a-f]{16}$/);
  });
});
