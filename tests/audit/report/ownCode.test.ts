/** The catalog's examples with the words and addresses of the audited site. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { withOwnCode } from '../../../src/audit/report/ownCode.ts';
import { OWN_EXAMPLES } from '../../../src/audit/report/ownExamples.ts';
import { isExpectedFinding } from '../../given/audit/checkCases.ts';
import { type GivenSite, givenSite } from '../../given/audit/page.ts';
import { CASES } from '../checks/cases/all.ts';

const ORIGIN = 'https://tea.test';

function codeOf(checkId: string, site: GivenSite): string | null | undefined {
  const crawl = givenSite({ origin: ORIGIN, ...site });
  const checks = CHECKS.filter((check) => check.id === checkId);
  return withOwnCode(runChecks(crawl, checks).findings, checks, crawl)[0]?.code;
}

const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Green tea of Nara | Tea &amp; Co</title>${head}</head><body><main><h1>Green tea</h1>${body}</main></body></html>`;

describe('an example of the catalog', () => {
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

  test('links from a missing page to the closest existing one', () => {
    const pages = [
      { html: page('<a href="/pots/old/plate/">A plate</a><a href="/x">X of tea</a>') },
      { url: '/pots/', html: page('') },
      { url: '/pots/old/plate/', status: 404 },
    ];
    expect(codeOf('page-http-error', { pages })).toBe(`HTTP/1.1 301 Moved Permanently\nLocation: ${ORIGIN}/pots/`);
    expect(codeOf('page-http-error', { pages: [pages[0] as never, { url: '/x', status: 410 }] })).toContain(`Location: ${ORIGIN}/`);
    expect(codeOf('page-http-error', { pages: [pages[0] as never, { url: '/x', status: 503 }] })).toBeNull();
    expect(codeOf('page-http-error', { pages: [{ status: 404 }] })).toBeNull();
  });

  test('redirects to the target of the meta refresh', () => {
    expect(codeOf('meta-refresh-redirect', { pages: [page('', '<meta http-equiv="refresh" content="0; url=/new">')] })).toBe(`return 301 ${ORIGIN}/new;`);
    expect(codeOf('meta-refresh-redirect', { pages: [page('', '<meta http-equiv="refresh" content="30">')] })).toBeNull();
  });

  test('defers a script of the page', () => {
    const files = Array.from({ length: 8 }, (_, n) => `<script src="/js/part-${n}.js"></script>`).join('');
    expect(codeOf('render-blocking', { pages: [page('', files)] })).toBe('<script src="/js/part-0.js" defer></script>');
  });

  test('allows the exact path that is blocked', () => {
    const blocked = { pages: [page(''), { url: '/shop/tea', robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /shop/' };
    expect(codeOf('robots-blocks-page', blocked)).toBe('User-agent: *\nAllow: /shop/tea');
  });

  test('fixes known mistakes in language and country codes', () => {
    const alternate = (code: string) => ({ pages: [page('', `<link rel="alternate" hreflang="${code}" href="/x/">`)] });
    expect(codeOf('hreflang-invalid-region', alternate('en-UK'))).toBe('<link rel="alternate" hreflang="en-GB" href="/x/">');
    expect(codeOf('hreflang-invalid-code', alternate('jp'))).toBe('<link rel="alternate" hreflang="ja" href="/x/">');
    expect(codeOf('hreflang-invalid-code', alternate('qq'))).toBeNull();
  });

  test('declares the language of the text', () => {
    const words = 'Der Tee wird mit heißem Wasser aufgegossen und zieht drei Minuten lang, bevor er in die Schalen gegossen und getrunken wird. '.repeat(8);
    expect(codeOf('html-lang-missing', { pages: [`<!doctype html><title>Tee</title><main><p>${words}</main>`] })).toBe('<html lang="de">');
    expect(codeOf('html-lang-missing', { pages: ['<!doctype html><title>Tee</title><p>Tee'] })).toBeNull();
  });

  test('contains page text that cannot break out of it', () => {
    const evil = '"><script>alert(1)</script>';
    const site = { pages: [page(`<a href="javascript:void(0)">${evil.replace(/</g, '&lt;')}</a>`)] };
    expect(codeOf('uncrawlable-link', site)).toBe('<a href="/address-of-the-page">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</a>');
  });
});

describe('over all cases of all checks', () => {
  const codes = CHECKS.flatMap((check) =>
    (CASES[check.id]?.finds ?? []).flatMap((given) => {
      const site = isExpectedFinding(given) ? given.site : given;
      const crawl = givenSite({ origin: ORIGIN, ...(typeof site === 'string' ? { pages: [site] } : site) });
      return withOwnCode(runChecks(crawl, [check]).findings, [check], crawl).map((finding) => ({ check, finding, crawl }));
    }),
  );

  test('there is code', () => {
    expect(codes.filter(({ finding }) => finding.code !== null).length).toBeGreaterThan(200);
  });

  test('no code names another site', () => {
    const foreign = codes.filter(({ finding, crawl }) => finding.code?.includes('example.com') && !JSON.stringify(crawl).includes('example.com'));
    expect(foreign.map(({ finding }) => `${finding.checkId}: ${finding.code}`)).toEqual([]);
  });

  test('every writer is for a check with an example', () => {
    for (const id of Object.keys(OWN_EXAMPLES)) expect(CHECKS.find((check) => check.id === id)?.codeExample, id).toEqual(expect.any(String));
  });

  test('only catalog code that a check did not change is rewritten', () => {
    const crawl = givenSite({ origin: ORIGIN, pages: [page('')] });
    const checks = CHECKS.filter((check) => check.id === 'og-image-invalid');
    const finding = {
      id: '1',
      checkId: 'og-image-invalid',
      category: 'social',
      impact: 'low',
      hint: false,
      message: 'm',
      evidence: { url: ORIGIN, place: 'p', value: 'v' },
    } as const;
    const [own, given, none] = withOwnCode(
      [
        { ...finding, code: 'https://example.com/own' },
        { ...finding, code: checks[0]?.codeExample ?? null },
        { ...finding, code: null },
      ],
      checks,
      crawl,
    );
    expect([own?.code, given?.code, none?.code]).toEqual([
      'https://example.com/own',
      `<meta property="og:image" content="${ORIGIN}/share-1200x630.jpg">`,
      null,
    ]);
  });
});
