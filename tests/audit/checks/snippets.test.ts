/** Code that checks write from the words and addresses of the audited site. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { isExpectedFinding } from '../../given/audit/checkCases.ts';
import { type GivenSite, givenSite } from '../../given/audit/page.ts';
import { CASES } from './cases/all.ts';

const ORIGIN = 'https://tea.test';

function codeOf(checkId: string, site: GivenSite): string | null | undefined {
  const crawl = givenSite({ origin: ORIGIN, ...site });
  const checks = CHECKS.filter((check) => check.id === checkId);
  return runChecks(crawl, checks).findings[0]?.code;
}

const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Green tea of Nara | Tea &amp; Co</title>${head}</head><body><main><h1>Green tea</h1>${body}</main></body></html>`;

describe('the code of a finding', () => {
  test('names the target of the link with its own words', () => {
    const site = {
      pages: [
        { html: page('<a href="/pots/">click here</a>') },
        { url: '/pots/', html: '<!doctype html><title>Pots</title><h1>Pots & "bowls"</h1><a href="/">Home of tea</a>' },
      ],
    };
    expect(codeOf('link-text-generic', site)).toBe('<a href="/pots/">Pots &amp; &quot;bowls&quot;</a>');
    expect(codeOf('link-text-generic', { pages: [page('<a href="https://other.test/">click here</a>')] })).toBeNull();
  });

  test('allows the exact path that is blocked', () => {
    const blocked = {
      pages: [page(''), { url: '/shop/tea', robotsBlocked: true }],
      robots: 'User-agent: *\nDisallow: /shop/',
    };
    expect(codeOf('robots-blocks-page', blocked)).toBe('User-agent: *\nAllow: /shop/tea');
  });

  test.each([
    [
      'an Allow that is shorter than the rule',
      '/shop?add=5',
      '*',
      'Disallow: /*shop*add=5*',
      '# robots.txt, line 2: remove\n# Disallow: /*shop*add=5*',
    ],
    ['an Allow that is long enough', '/shop?add=5', '*', 'Disallow: /*add=*', 'User-agent: *\nAllow: /shop?add=5'],
    ['a group of its own', '/shop', 'Googlebot', 'Disallow: /s', 'User-agent: googlebot\nAllow: /shop'],
  ])('lifts a block with what is sure to lift it: %s', (_, url, agent, rule, code) => {
    const robots = `User-agent: ${agent}\n${rule}\n\nUser-agent: other\nDisallow: /x\n`;
    expect(codeOf('robots-blocks-page', { pages: [{ url, html: page('') }], robots })).toBe(code);
  });

  test('allows the folder of a blocked file, or else the file, or names the rule', () => {
    const blocked = (rule: string) =>
      codeOf('robots-blocks-resources', {
        pages: [page('', '<script src="/js/app.js"></script>')],
        robots: `User-agent: *\n${rule}`,
      });
    expect(blocked('Disallow: /j')).toBe('User-agent: *\nAllow: /js/');
    expect(blocked('Disallow: /*.js$')).toBe('User-agent: *\nAllow: /js/app.js');
    expect(blocked('Disallow: /js/app.js')).toBe('# robots.txt, line 2: remove\n# Disallow: /js/app.js');
  });

  test.each([
    [
      'the start page alone, not all that begins like it',
      [`${ORIGIN}/`, `${ORIGIN}/start`, `${ORIGIN}/en/`],
      `RedirectMatch 301 ^/$ ${ORIGIN}/en/`,
    ],
    [
      'a path with special characters',
      [`${ORIGIN}/a.b`, `${ORIGIN}/c`, `${ORIGIN}/d`],
      `RedirectMatch 301 ^/a\\.b$ ${ORIGIN}/d`,
    ],
    [
      'a page told apart by its query',
      [`${ORIGIN}/i.php?p=1`, `${ORIGIN}/i.php?p=2`, `${ORIGIN}/i.php?p=3`],
      `RewriteEngine On\nRewriteCond %{QUERY_STRING} ^p=1$\nRewriteRule ^/?i\\.php$ ${ORIGIN}/i.php?p=3 [R=301,L]`,
    ],
    [
      'all of the old scheme',
      ['http://tea.test/about', 'http://www.tea.test/about', 'https://tea.test/about'],
      'RewriteEngine On\nRewriteCond %{HTTP_HOST} ^tea\\.test$ [NC]\nRewriteCond %{HTTPS} off\nRewriteRule ^ https://tea.test%{REQUEST_URI} [R=301,L]',
    ],
    [
      'one address of a host whose server is not known',
      ['http://tea.test/about', 'https://tea.test/about', 'https://www.tea.test/about'],
      'HTTP/1.1 301 Moved Permanently\nLocation: https://www.tea.test/about',
    ],
    ['nothing, as the end is the beginning', [`${ORIGIN}/a`, `${ORIGIN}/b`, `${ORIGIN}/a`], null],
    ['nothing, as the rule would need quotes', [`${ORIGIN}/a%20b`, `${ORIGIN}/b`, `${ORIGIN}/c`], null],
  ])('sends on %s', (_, [from = '', over = '', to = ''], code) => {
    const hops = [from, over].map((url, at) => ({ url, status: 301, location: [over, to][at] ?? '' }));
    expect(
      codeOf('redirect-chain', {
        pages: [{ url: from, finalUrl: to, hops, html: page(''), headers: { server: 'Apache/2.4' } }],
      }),
    ).toBe(code);
  });

  test.each(['canonical-missing', 'canonical-to-root'])(
    'keeps the query that names the page, without tracking: %s',
    (checkId) => {
      const head = checkId === 'canonical-missing' ? '' : '<link rel="canonical" href="/">';
      const own = (url: string) => codeOf(checkId, { pages: [page(''), { url, html: page('', head) }].slice(1) });
      expect(own('/item?id=1&utm_source=x')).toBe(`<link rel="canonical" href="${ORIGIN}/item?id=1">`);
      expect(own('/item?gclid=x')).toBe(`<link rel="canonical" href="${ORIGIN}/item">`);
    },
  );

  test('fixes known mistakes in language and country codes', () => {
    const alternate = (code: string) => ({ pages: [page('', `<link rel="alternate" hreflang="${code}" href="/x/">`)] });
    expect(codeOf('hreflang-invalid-region', alternate('en-UK'))).toBe(
      '<link rel="alternate" hreflang="en-GB" href="/x/">',
    );
    expect(codeOf('hreflang-invalid-code', alternate('jp'))).toBe('<link rel="alternate" hreflang="ja" href="/x/">');
    expect(codeOf('hreflang-invalid-code', alternate('qq'))).toBeNull();
  });

  const words = Array.from({ length: 60 }, (_, number) => `leaf${number}`).join(' ');

  test('names no link after a page that is called as little, and replaces nothing but text', () => {
    const linked = (link: string, heading = 'Pots') => ({
      pages: [
        { html: page(link) },
        { url: '/pots/', html: `<!doctype html><title>${heading}</title><h1>${heading}</h1>` },
      ],
    });
    const generic = (link: string, heading?: string) => codeOf('link-text-generic', linked(link, heading));
    expect(generic('<a href="/pots/">here</a>')).toBe('<a href="/pots/">Pots</a>');
    expect(generic('<a href="/pots/">here</a>', 'Read more')).toBeNull();
    expect(generic('<a href="/pots/">here <img src="/i.png"></a>')).toBeNull();
    expect(generic('<a href="/pots/">here</a> <a href="/pots/"><b>here</b></a>')).toBeNull();
    const empty = (link: string, heading?: string) => codeOf('link-empty', linked(link, heading));
    expect(empty('<a href="/pots/"></a>')).toBe('<a href="/pots/" aria-label="Pots">');
    expect(empty('<a href="/pots/"><svg></svg></a>')).toBe('<a href="/pots/" aria-label="Pots">');
    expect(empty('<a href="/pots/"> <img src="/i.png" alt=""></a>')).toBe('<img alt="Pots">');
    expect(empty('<a href="/pots/"><img src="/i.png"><img src="/j.png"></a>')).toBeNull();
    expect(empty('<a href="/pots/"></a>', 'Here')).toBeNull();
    const home = { url: '/pots/', html: page('<a href="/">here</a>') };
    expect(codeOf('link-text-generic', { pages: [page(''), home] })).toBeNull();
    expect(empty('<a href="/pots/"></a> <nav><a href="/pots/">All pots</a></nav>')).toBeNull();
  });

  test('keeps the words of the main heading in a title that it shortens', () => {
    const titled = (heading: string) => ({
      pages: [
        `<!doctype html><title>Loose leaf teas of Nara and Uji | Pots and bowls made by hand in Kyoto</title><h1>${heading}</h1><p>${words}`,
      ],
    });
    expect(codeOf('title-too-long', titled('Teas of Nara'))).toBe('<title>Loose leaf teas of Nara and Uji</title>');
    expect(codeOf('title-too-long', titled('Bowls made by hand'))).toBeNull();
    const keywords = 'Locksmith Ashby, Cheap Locksmith Ashby, Locksmith 24h Open Now Near Me';
    expect(codeOf('title-too-long', { pages: [`<!doctype html><title>${keywords}</title><h1>Ashby</h1>`] })).toBeNull();
  });

  test('lengthens a title by the heading that says the same and more, and the name of the site', () => {
    const site = (title: string, heading: string, name = 'Tea of Nara') => ({
      pages: [
        {
          html: `<!doctype html><title>${title}</title><meta property="og:site_name" content="${name}"><h1>${heading}</h1>`,
        },
      ],
    });
    const code = (title: string, heading: string, name?: string) =>
      codeOf('title-too-short', site(title, heading, name));
    expect(code('Pots - Tea of Nara', 'Pots made by hand')).toBe('<title>Pots made by hand - Tea of Nara</title>');
    expect(code('Pots', 'Pots & bowls')).toBe('<title>Pots &amp; bowls – Tea of Nara</title>');
    expect(code('Pots', 'Bowls made by hand')).toBeNull();
    expect(code('Pot', 'Pottery made by hand')).toBeNull();
    expect(code('Pots', 'Pots', 'Tea')).toBeNull();
    expect(code('Pots', `Pots ${words}`)).toBeNull();
  });

  test('names every line of robots.txt that has to go', () => {
    const blocked = (...rules: string[]) =>
      codeOf('robots-blocks-page', {
        pages: [page(''), { url: '/a', html: page('') }].slice(1),
        robots: `User-agent: *\n${rules.join('\n')}\n`,
      });
    expect(blocked('Disallow: /*$', 'Disallow: /a', 'Disallow: /b')).toBe(
      '# robots.txt, line 2: remove\n# Disallow: /*$\n\n# robots.txt, line 3: remove\n# Disallow: /a',
    );
    expect(
      blocked(...['*', '**', '***', '****', '*****', '******', '*******'].map((stars) => `Disallow: /${stars}$`)),
    ).toBeNull();
    expect(blocked(...Array.from({ length: 300 }, (_, nth) => `Disallow: /${nth}`), 'Disallow: /*$')).toBeNull();
  });

  test('declares an encoding only where it is UTF-8 already, and nothing is declared later', () => {
    const encoded = (head: string, end = '') =>
      codeOf('charset-missing', {
        pages: [
          {
            html: `<!doctype html><title>Tea</title>${head}<h1>Thé${end}</h1>`,
            headers: { 'content-type': 'text/html' },
          },
        ],
      });
    expect(encoded('')).toBe('<meta charset="utf-8">');
    expect(encoded(`<!-- ${'x'.repeat(1100)} --><meta charset="utf-8">`)).toBeNull();
  });

  test('changes no meta tag of which there are several', () => {
    const description = (text: string) => `<meta name="description" content="${text}">`;
    const long = description(`${'Loose leaf teas of Nara, picked by hand and dried in the sun. '.repeat(2)}${words}.`);
    expect(codeOf('description-length', { pages: [page('', long)] })).toContain('Loose leaf teas');
    expect(codeOf('description-length', { pages: [page('', long + description('Other'))] })).toBeNull();
    const robots = '<meta name="robots" content="noarchive">';
    const shown = (head: string) => codeOf('max-image-preview', { pages: [page('<img src="/a.jpg" alt="A">', head)] });
    expect(shown(robots)).toBe('<meta name="robots" content="noarchive, max-image-preview:large">');
    expect(shown(robots + robots)).toBeNull();
    const hreflang = '<link rel="alternate" hreflang="jp" href="/x/">';
    expect(codeOf('hreflang-invalid-code', { pages: [page('', hreflang.repeat(2))] })).toBeNull();
  });

  test('stops no header of which there are several', () => {
    const finished = page('', '<link rel="canonical" href="/tea"><meta name="viewport" content="width=device-width">');
    const hidden = (...lines: string[]) =>
      codeOf('noindex-header', {
        pages: [page(''), { url: '/tea', html: finished, headers: { 'x-robots-tag': lines } }],
      });
    expect(hidden('noindex')).toBe('X-Robots-Tag: noindex');
    expect(hidden('noindex', 'noarchive')).toBeNull();
    expect(hidden('noindex', 'googlebot: noindex')).toBeNull();
    expect(hidden('noindex, noarchive')).toBeNull();
  });

  test('names no address by http while the site has to move to https', () => {
    const missing = (origin: string) => codeOf('canonical-missing', { origin, pages: [page('')] });
    expect(missing('https://tea.test')).toBe('<link rel="canonical" href="https://tea.test/">');
    expect(missing('http://tea.test')).toBeNull();
    expect(missing('http://localhost')).toBe('<link rel="canonical" href="http://localhost/">');
  });

  test('sets an address and keeps what stands behind it', () => {
    const pages = [page('<a href="http://tea.test/pots#glazes">Pots</a>'), { url: '/pots', html: page('') }];
    expect(codeOf('http-internal-links', { pages })).toBe('<a href="https://tea.test/pots#glazes">');
    const nofollow = (rel: string) => [
      page(`<a href="/pots" rel="nofollow">Pots</a> <a href="/pots" rel="${rel}">All pots</a>`),
      { url: '/pots', html: page('') },
    ];
    expect(codeOf('internal-nofollow', { pages: nofollow('nofollow') })).toBe('rel="nofollow"');
    expect(codeOf('internal-nofollow', { pages: nofollow('nofollow noopener') })).toBeNull();
  });

  test('works on no part of a frameset, and at no place that is cut', () => {
    const framed = (frames: string) => ({
      pages: [
        { html: `<!doctype html><title>Tea</title><frameset cols="9,9">${frames}</frameset>` },
        { url: '/menu', html: '<!doctype html><title>Menu</title><h1>Menu</h1>' },
      ],
    });
    const code = (frames: string) => {
      const crawl = givenSite({ origin: ORIGIN, ...framed(frames) });
      return runChecks(crawl, CHECKS).findings.filter(
        (finding) => finding.checkId === 'viewport-missing' && finding.evidence.url.endsWith('/menu'),
      )[0]?.code;
    };
    expect(code('<frame src="/other">')).toContain('viewport');
    expect(code('<frame src="/menu">')).toBeNull();
    const long = `/${'a'.repeat(130)}`;
    const moved = (path: string) =>
      codeOf('link-to-redirect', {
        pages: [
          page(`<a href="${path}">Pots</a>`),
          {
            url: path,
            finalUrl: `${ORIGIN}/pots/`,
            hops: [{ url: ORIGIN + path, status: 301, location: '/pots/' }],
            html: page(''),
          },
        ],
      });
    expect(moved('/old')).toBe('<a href="/pots/">');
    expect(moved(long)).toBeNull();
  });

  test('takes no redirect for lasting that may end elsewhere another time', () => {
    const hops = (status: number, location: string) => [
      { url: `${ORIGIN}/old`, status: 301, location: '/next' },
      { url: `${ORIGIN}/next`, status, location },
    ];
    const chain = (status: number, end = '/new', answer = 200) =>
      codeOf('redirect-chain', {
        pages: [{ url: '/old', finalUrl: ORIGIN + end, hops: hops(status, end), html: page(''), status: answer }],
      });
    expect(chain(301)).toContain(`${ORIGIN}/new`);
    expect(chain(302)).toBeNull();
    expect(chain(302, '/next/')).toContain(`${ORIGIN}/next/`);
    expect(chain(301, '/new', 404)).toBeNull();
    const link = (status: number) =>
      codeOf('link-to-redirect', {
        pages: [
          page('<a href="/old">Pots</a>'),
          {
            url: '/old',
            finalUrl: `${ORIGIN}/new`,
            hops: [{ url: `${ORIGIN}/old`, status, location: '/new' }],
            html: page(''),
          },
        ],
      });
    expect(link(301)).toBe('<a href="/new">');
    expect(link(302)).toBeNull();
  });

  test('keeps what somebody wrote into llms.txt', () => {
    const file = (text: string) => codeOf('llms-txt-invalid', { pages: [page('')], llmsTxt: text });
    expect(file('<!doctype html><title>Tea</title>')).toContain('# tea.test');
    expect(file('Our teas')).toBeNull();
  });

  test('lets no image wait that stands at the top, too', () => {
    const images = (from: number) =>
      Array.from({ length: 12 }, (_, nth) => `<img src="/${nth < from ? nth : nth + 50}.jpg" alt="A">`).join('');
    const lazy = (last: string) => codeOf('image-not-lazy', { pages: [page(images(3) + last)] });
    expect(lazy('')).toBe('<img loading="lazy">');
    expect(lazy('<img src="/0.jpg" alt="A">')).toBeNull();
  });

  test('declares the language of the text', () => {
    const words =
      'Der Tee wird mit heißem Wasser aufgegossen und zieht drei Minuten lang, bevor er in die Schalen gegossen und getrunken wird. '.repeat(
        8,
      );
    expect(codeOf('html-lang-missing', { pages: [`<!doctype html><title>Tee</title><main><p>${words}</main>`] })).toBe(
      '<html lang="de">',
    );
    expect(codeOf('html-lang-missing', { pages: ['<!doctype html><title>Tee</title><p>Tee'] })).toBeNull();
  });
});

describe('over all cases of all checks', () => {
  const codes = CHECKS.flatMap((check) =>
    (CASES[check.id]?.finds ?? []).flatMap((given) => {
      const site = isExpectedFinding(given) ? given.site : given;
      const crawl = givenSite({ origin: ORIGIN, ...(typeof site === 'string' ? { pages: [site] } : site) });
      return runChecks(crawl, [check]).findings.map((finding) => ({
        check,
        finding,
        crawl,
      }));
    }),
  );

  test('there is code', () => {
    expect(codes.filter(({ finding }) => finding.code !== null).length).toBeGreaterThan(70);
  });

  test('no code names another site', () => {
    const foreign = codes.filter(
      ({ finding, crawl }) => finding.code?.includes('example.com') && !JSON.stringify(crawl).includes('example.com'),
    );
    expect(foreign.map(({ finding }) => `${finding.checkId}: ${finding.code}`)).toEqual([]);
  });
});
