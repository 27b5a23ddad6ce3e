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

  test('redirects to the target of the meta refresh', () => {
    const moved = { url: '/old', html: page('', '<meta http-equiv="refresh" content="0; url=/new">') };
    expect(codeOf('meta-refresh-redirect', { pages: [page(''), moved, { url: '/new', html: page('') }] })).toBe(
      `HTTP/1.1 301 Moved Permanently\nLocation: ${ORIGIN}/new`,
    );
    const nginx = { ...moved, headers: { server: 'nginx/1.24.0' } };
    expect(codeOf('meta-refresh-redirect', { pages: [page(''), nginx, { url: '/new', html: page('') }] })).toBe(
      `location = /old {\n  return 301 ${ORIGIN}/new;\n}`,
    );
    expect(codeOf('meta-refresh-redirect', { pages: [page(''), moved] })).toBeNull();
    expect(
      codeOf('meta-refresh-redirect', { pages: [page('', '<meta http-equiv="refresh" content="30">')] }),
    ).toBeNull();
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
      'all of an old host',
      ['http://tea.test/about', 'https://tea.test/about', 'https://www.tea.test/about'],
      'RewriteEngine On\nRewriteCond %{HTTP_HOST} ^tea\\.test$ [NC]\nRewriteRule ^ https://www.tea.test%{REQUEST_URI} [R=301,L]',
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
