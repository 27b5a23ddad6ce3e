/**
 * Lighthouse's verdicts on small pages, audit by audit, from its documented rules, to compare with our combined checks.
 */
import type { GivenSite } from '../../given/audit/page.ts';

export type Verdict = 'pass' | 'fail' | 'n/a';

/** A page's head and body, or a whole site. */
export type LighthouseCase = readonly [verdict: Verdict, given: GivenSite | string];

const doc = (head: string, body = '<main><h1>Tea</h1><p>Tea is made of leaves.</p></main>'): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea</title>${head}</head><body>${body}</body></html>`;
const inBody = (body: string): string => doc('', body);
const answered = (headers: Readonly<Record<string, string>>, html = doc('')): GivenSite => ({
  pages: [{ html, headers }],
});
const robots = (text: string, url = '/'): GivenSite => ({ pages: [{ url, html: doc('') }], robots: text });
const below = (html: string): GivenSite => ({ pages: [{ url: '/teas/green', html }] });
const link = (attributes: string, text = 'Our green teas'): string => inBody(`<a ${attributes}>${text}</a>`);
const canonical = (href: string): string => `<link rel="canonical" href="${href}">`;
const alternate = (code: string, href = 'https://example.com/de'): string =>
  doc(`<link rel="alternate" hreflang="${code}" href="${href}">`);
const raw = (before: string, lang = ' lang="en"'): string =>
  `${before}<html${lang}><head><title>Tea</title></head><body>Tea</body></html>`;
const img = (attributes: string): string => inBody(`<img src="/a.png" ${attributes}>`);
const viewport = (content: string): string => doc(`<meta name="viewport" content="${content}">`);
const csp = (policy: string): GivenSite => answered({ 'content-security-policy': policy });
const SAFE = "script-src 'self'; object-src 'none'; base-uri 'none'";
/** The page that the file links to was fetched. */
const shop = [doc(''), { url: '/teas', html: doc('') }];
const LLMS = '# Tea shop\n\n> All about tea, and the pots for it.\n\n- [Teas](https://example.com/teas)\n';

export const LIGHTHOUSE_CASES: Readonly<Record<string, readonly LighthouseCase[]>> = {
  'http-status-code': [
    ['pass', doc('')],
    ['fail', { pages: [{ status: 404 }] }],
    ['fail', { pages: [{ status: 503 }] }],
    ['n/a', { pages: [{ failure: 'dns' }] }],
  ],
  'is-crawlable': [
    ['pass', doc('')],
    ['fail', doc('<meta name="robots" content="NOINDEX, follow">')],
    ['fail', doc('<meta name="ROBOTS" content="none">')],
    ['fail', doc('<meta name="robots" content="unavailable_after: 25 Jun 2020 15:00:00 PST">')],
    ['pass', doc('<meta name="robots" content="unavailable_after: 25 Jun 2090 15:00:00 PST">')],
    ['fail', answered({ 'x-robots-tag': 'noindex' })],
    ['fail', answered({ 'x-robots-tag': 'unavailable_after: 25 Jun 2020 15:00:00 PST' })],
    ['fail', robots('User-agent: *\nDisallow: /')],
    ['fail', robots('User-agent: *\nDisallow: /teas', '/teas/green')],
    ['pass', robots('User-agent: *\nDisallow: /teas\nAllow: /teas/green', '/teas/green')],
  ],
  canonical: [
    ['n/a', doc('')],
    ['n/a', doc(canonical(''))],
    ['n/a', inBody(`${canonical('https://example.com/')}<p>Tea</p>`)],
    ['pass', doc(canonical('https://example.com/'))],
    ['pass', doc(canonical('https://example.com/').repeat(2))],
    ['pass', answered({ link: '<https://example.com/>; rel="canonical"' })],
    ['fail', doc(canonical('/'))],
    ['fail', doc(canonical('https:// example .com'))],
    ['fail', doc(canonical('mailto:tea@example.com'))],
    ['fail', doc(canonical('https://example.com/') + canonical('https://example.com/a'))],
    ['fail', doc(canonical('https://example.com/#a') + canonical('https://example.com/#b'))],
    ['fail', answered({ link: '<https://example.com/b>; rel=canonical' }, doc(canonical('https://example.com/')))],
    ['fail', below(doc(canonical('https://example.com/')))],
    ['pass', below(doc(canonical('https://other.example/')))],
    ['pass', { pages: [{ url: '/?page=2', html: doc(canonical('https://example.com/')) }] }],
    [
      'fail',
      below(
        doc(
          `${canonical('https://example.com/de')}<link rel="alternate" hreflang="de" href="https://example.com/de"><link rel="alternate" hreflang="en" href="https://example.com/teas/green">`,
        ),
      ),
    ],
    [
      'pass',
      below(
        doc(`${canonical('https://example.com/de')}<link rel="alternate" hreflang="de" href="https://example.com/de">`),
      ),
    ],
  ],
  'robots-txt': [
    ['pass', robots('User-agent: *\nDisallow: /cart/ # no one needs it\n\nSitemap: https://example.com/sitemap.xml')],
    ['pass', robots('\uFEFFUser-agent: *\r\nDisallow:')],
    [
      'pass',
      robots(
        'user-agent: a\nDisallow: *.pdf$\nCrawl-delay: 1\nHost: example.com\nContent-Signal: ai-train=no\nLicense: https://x.example/',
      ),
    ],
    ['fail', robots('User-agent: *\nDisallow')],
    ['fail', robots('User-agent: *\nDissallow: /a')],
    ['fail', robots('Disallow: /a')],
    ['fail', robots('User-agent:\nDisallow: /a')],
    ['fail', robots('User-agent: *\nDisallow: a')],
    ['fail', robots('User-agent: *\nDisallow: /a$b')],
    ['fail', robots('User-agent: *\nSitemap: /sitemap.xml')],
    ['fail', robots('User-agent: *\nSitemap: mailto:a@example.com')],
    ['pass', robots('User-agent: *\nSitemap: ftp://example.com/sitemap.xml')],
    ['fail', { pages: [doc('')], robots: '<!doctype html><title>Tea</title>' }],
    ['n/a', robots('')],
    ['n/a', { pages: [doc('')], robots: { status: 404 } }],
    ['fail', { pages: [doc('')], robots: { status: 500 } }],
    ['fail', { pages: [doc('')], robots: { status: 429 } }],
    ['fail', { pages: [doc('')], robots: { failure: 'timeout' } }],
  ],
  hreflang: [
    ['pass', alternate('de')],
    ['pass', alternate('de-AT')],
    ['pass', alternate('x-default')],
    ['pass', alternate('X-Default')],
    ['pass', alternate('yue')],
    ['fail', alternate(' de')],
    ['fail', alternate('xx')],
    ['fail', alternate('xyz')],
    ['fail', alternate('eng')],
    ['fail', alternate('english')],
    ['fail', alternate('de', '/de')],
    ['fail', alternate('de', '//example.com/de')],
    ['fail', answered({ link: '<https://example.com/x>; rel="alternate"; hreflang="xx"' })],
    ['n/a', inBody('<link rel="alternate" hreflang="xx" href="/x"><p>Tea</p>')],
    ['n/a', doc('')],
  ],
  'html-has-lang': [
    ['pass', doc('')],
    ['fail', raw('<!doctype html>', '')],
    ['fail', raw('<!doctype html>', ' lang=""')],
    ['fail', raw('<!doctype html>', ' lang="  "')],
    ['fail', raw('<!doctype html>', ' xml:lang="en"')],
    ['pass', raw('<!doctype html>', ' lang="nonsense"')],
  ],
  'html-lang-valid': [
    ['pass', doc('')],
    ['pass', raw('<!doctype html>', ' lang="EN-gb"')],
    ['pass', raw('<!doctype html>', ' lang="gsw"')],
    ['fail', raw('<!doctype html>', ' lang="en_GB"')],
    ['fail', raw('<!doctype html>', ' lang="xx"')],
    ['fail', raw('<!doctype html>', ' lang="xyz"')],
    ['fail', raw('<!doctype html>', ' lang="eng"')],
    ['n/a', raw('<!doctype html>', '')],
  ],
  'is-on-https': [
    ['pass', doc('<script src="https://cdn.example/a.js"></script>')],
    ['fail', { origin: 'http://example.com', pages: [doc('')] }],
    ['fail', doc('<script src="http://cdn.example/a.js"></script>')],
    ['fail', inBody('<img src="http://cdn.example/a.png" alt="">')],
    ['fail', doc('<link rel="stylesheet" href="http://cdn.example/a.css">')],
    ['pass', inBody('<a href="http://other.example/">Other</a>')],
    ['pass', doc('<link rel="canonical" href="http://example.com/">')],
  ],
  'redirects-http': [
    ['pass', doc('')],
    ['fail', { pages: [doc('')], httpTwin: { status: 200 } }],
    ['n/a', { origin: 'http://localhost', pages: [doc('')] }],
    ['n/a', { origin: 'http://example.com', pages: [doc('')] }],
  ],
  'has-hsts': [
    ['fail', doc('')],
    ['fail', answered({ 'strict-transport-security': 'includeSubDomains' })],
    ['fail', answered({ 'strict-transport-security': 'max-age=31535999; includeSubDomains; preload' })],
    ['fail', answered({ 'strict-transport-security': 'max-age=63072000; includeSubDomains; forever' })],
    ['pass', answered({ 'strict-transport-security': 'max-age=31536000' })],
    ['pass', answered({ 'strict-transport-security': 'Max-Age = 63072000; includeSubDomains; preload' })],
  ],
  'csp-xss': [
    ['fail', doc('')],
    ['pass', csp(SAFE)],
    ['pass', answered({}, doc(`<meta http-equiv="Content-Security-Policy" content="${SAFE}">`))],
    ['pass', csp(`${SAFE}, script-src 'unsafe-inline'`)],
    ['fail', csp("object-src 'none'; base-uri 'none'")],
    ['fail', csp("script-src 'self'; base-uri 'none'")],
    ['fail', csp("script-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'")],
    ['pass', csp("script-src 'nonce-abc' 'unsafe-inline'; object-src 'none'; base-uri 'none'")],
    ['pass', csp("default-src 'none'; base-uri 'none'")],
  ],
  'clickjacking-mitigation': [
    ['fail', doc('')],
    ['pass', answered({ 'x-frame-options': 'deny' })],
    ['pass', answered({ 'x-frame-options': ' SAMEORIGIN ' })],
    ['fail', answered({ 'x-frame-options': 'ALLOW-FROM https://a.example' })],
    ['pass', csp("frame-ancestors 'none'")],
    ['pass', csp("default-src 'self';frame-ancestors 'self' https://a.example")],
    ['fail', csp("default-src 'self'")],
  ],
  'viewport-insight': [
    ['fail', doc('')],
    ['pass', viewport('width=device-width, initial-scale=1')],
    ['pass', viewport('initial-scale=1')],
    ['pass', viewport('width = device-width')],
    ['fail', viewport('user-scalable=yes')],
  ],
  'meta-viewport': [
    ['n/a', doc('')],
    ['pass', viewport('width=device-width, initial-scale=1')],
    ['pass', viewport('width=device-width; maximum-scale=2')],
    ['pass', viewport('width=device-width, user-scalable=yes')],
    ['pass', viewport('width=device-width, user-scalable=1, maximum-scale=-1')],
    ['fail', viewport('width=device-width, user-scalable=no')],
    ['fail', viewport('width=device-width, user-scalable=0')],
    ['fail', viewport('width=device-width, user-scalable=0.5')],
    ['fail', viewport('width=device-width, maximum-scale=1.9')],
    ['fail', viewport('width=device-width, maximum-scale=yes')],
    ['pass', viewport('width=device-width maximum-scale=1')],
    ['fail', doc('<meta name="viewport" content="width=1"><meta name="viewport" content="maximum-scale=1">')],
  ],
  charset: [
    ['pass', answered({ 'content-type': 'text/html; charset=UTF-8' }, raw('<!doctype html>'))],
    ['pass', answered({ 'content-type': 'text/html' }, doc(''))],
    ['pass', answered({ 'content-type': 'text/html' }, `\uFEFF${raw('<!doctype html>')}`)],
    [
      'pass',
      answered(
        { 'content-type': 'text/html' },
        raw('<!doctype html><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'),
      ),
    ],
    ['fail', answered({ 'content-type': 'text/html' }, raw('<!doctype html>'))],
    [
      'fail',
      answered(
        { 'content-type': 'text/html' },
        `<!doctype html><html lang="en"><head>${' '.repeat(990)}<meta charset="utf-8"></head></html>`,
      ),
    ],
    ['fail', answered({ 'content-type': 'text/html' }, raw('<!doctype html><meta charset="">'))],
  ],
  doctype: [
    ['pass', doc('')],
    ['pass', raw('<!DOCTYPE HTML>')],
    ['pass', raw('<!doctype html SYSTEM "about:legacy-compat">')],
    ['fail', raw('')],
    ['fail', raw('<!doctype html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">')],
    [
      'fail',
      raw(
        '<!doctype html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
      ),
    ],
    ['fail', raw('<!doctype foo>')],
  ],
  'crawlable-anchors': [
    ['pass', link('href="/a"')],
    ['pass', link('href="javascript:go()"')],
    ['pass', link('href="mailto:javascript:void(0)"')],
    ['pass', link('id="part"', '')],
    ['pass', link('name="part"', '')],
    ['pass', link('role="button"')],
    ['pass', link('href=""')],
    ['pass', link('aria-current="page"')],
    ['fail', link('')],
    ['fail', link('onclick="go()"')],
    ['fail', link('rel="nofollow" aria-current="page"')],
    ['fail', link('href="javascript:void(0)"')],
    ['fail', link('href="javascript: void 0"')],
    ['fail', link('href="file:///a"')],
    ['fail', link('href="https:///"')],
  ],
  'link-text': [
    ['pass', link('href="/a"')],
    ['fail', link('href="/a"', ' Click HERE ')],
    ['fail', link('href="/a"', 'learn more')],
    ['pass', link('href="/a"', 'hier')],
    ['fail', link('href="/a" lang="de"', 'hier')],
    ['fail', link('href="/a"', 'hier').replace(' lang="en"', '')],
    ['pass', link('href="/a" rel="nofollow"', 'here')],
    ['pass', link('href="#part"', 'here')],
    ['pass', link('href="mailto:a@example.com"', 'here')],
    ['pass', link('href="/a"', 'https://example.com/a')],
  ],
  'link-name': [
    ['pass', link('href="/a"')],
    ['pass', link('href="/a" aria-label="Teas"', '')],
    ['pass', link('href="/a" title="Teas"', '')],
    ['pass', link('href="/a"', '<img src="/t.png" alt="Teas">')],
    ['pass', link('href="/a"', '<svg><title>Teas</title></svg>')],
    ['pass', inBody('<p id="t">Teas</p><a href="/a" aria-labelledby="t"></a>')],
    ['pass', inBody('<div aria-hidden="true"><a href="/a"></a></div><a href="/b">Teas</a>')],
    ['pass', inBody('<div hidden><a href="/a"></a></div><a href="/b">Teas</a>')],
    ['fail', link('href="/a"', '')],
    ['fail', link('href="/a"', '<img src="/t.png" alt="">')],
    ['fail', link('href="/a"', '<i class="icon"></i>')],
    ['n/a', inBody('<p>Tea</p>')],
  ],
  'document-title': [
    ['pass', doc('')],
    ['fail', '<!doctype html><html><head></head><body>Tea</body></html>'],
    ['fail', '<!doctype html><html><head><title>  </title></head><body>Tea</body></html>'],
    ['fail', '<!doctype html><html><head><title></title><title>Tea</title></head><body>Tea</body></html>'],
    ['fail', '<!doctype html><html><head></head><body><svg><title>Tea</title></svg></body></html>'],
    ['pass', '<!doctype html><html><head></head><body><p>Tea</p><title>Tea</title></body></html>'],
  ],
  'meta-description': [
    ['fail', doc('')],
    ['pass', doc('<meta name="Description" content="All about tea">')],
    ['fail', doc('<meta name="description" content="  ">')],
    ['fail', doc('<meta name="description" content="&nbsp;">')],
    ['fail', doc('<meta name="description">')],
    ['fail', inBody('<p>Tea</p><meta name="description" content="All about tea">')],
  ],
  'heading-order': [
    ['pass', inBody('<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>')],
    ['pass', inBody('<h3>a</h3><h4>b</h4><h1>c</h1><h2>d</h2>')],
    ['pass', inBody('<h1>a</h1><div role="heading" aria-level="2">b</div><h3>c</h3>')],
    ['pass', inBody('<h1>a</h1><h4 hidden>b</h4><h2>c</h2>')],
    ['pass', inBody('<h1>a</h1><h4 aria-hidden="true">b</h4><h2>c</h2>')],
    ['pass', inBody('<h1>a</h1><h4 role="presentation">b</h4><h2>c</h2>')],
    ['fail', inBody('<h1>a</h1><h3>b</h3>')],
    ['fail', inBody('<h1>a</h1><h2 aria-level="4">b</h2>')],
  ],
  'empty-heading': [
    ['pass', inBody('<h1>Tea</h1>')],
    ['pass', inBody('<h1><img src="/t.png" alt="Tea"></h1>')],
    ['pass', inBody('<h1 aria-label="Tea"></h1>')],
    ['pass', inBody('<h1 title="Tea"></h1>')],
    ['pass', inBody('<p id="t">Tea</p><h1 aria-labelledby="t"></h1>')],
    ['pass', inBody('<h1>Tea</h1><h2 aria-hidden="true"></h2>')],
    ['fail', inBody('<h1></h1>')],
    ['fail', inBody('<h1>Tea</h1><h2><img src="/t.png" alt=""></h2>')],
    ['fail', inBody('<div role="heading"></div>')],
    ['n/a', inBody('<p>Tea</p>')],
  ],
  'image-alt': [
    ['pass', img('alt="Tea"')],
    ['pass', img('alt=""')],
    ['pass', img('aria-label="Tea"')],
    ['pass', img('title="Tea"')],
    ['pass', img('role="none"')],
    ['pass', inBody('<p id="t">Tea</p><img src="/a.png" aria-labelledby="t">')],
    ['pass', img('aria-hidden="true"')],
    ['fail', img('')],
    ['fail', img('alt=" "')],
    ['fail', img('aria-labelledby="nowhere"')],
    ['n/a', inBody('<p>Tea</p>')],
  ],
  'unsized-images': [
    ['pass', img('width="10" height="20"')],
    ['pass', img('width="0" height="20"')],
    ['pass', img('width="100%" height="20px"')],
    ['pass', img('style="width: 10px; height: auto; aspect-ratio: 1"')],
    ['pass', img('width="10" style="height: 5px"')],
    ['pass', img('style="position: absolute"')],
    ['pass', inBody('<img src="data:image/svg+xml,%3Csvg/%3E">')],
    ['fail', img('')],
    ['fail', img('width="10"')],
    ['fail', img('width="-1" height="10"')],
    ['fail', img('width="+1" height="10"')],
    ['fail', img('width="auto" height="10"')],
    ['fail', img('style="width: 100px; height: auto"')],
    ['n/a', inBody('<p>Tea</p>')],
  ],
  'llms-txt': [
    ['pass', { pages: shop, llmsTxt: LLMS }],
    ['pass', { pages: shop, llmsTxt: `\uFEFF\n\n${LLMS}` }],
    ['pass', { pages: shop, llmsTxt: LLMS.replace('# ', '#  ') }],
    ['fail', { pages: shop, llmsTxt: LLMS.replace('# Tea', '## Tea') }],
    ['fail', { pages: shop, llmsTxt: LLMS.replace(/\[Teas\].*/, 'Teas and teas and teas') }],
    ['fail', { pages: shop, llmsTxt: '# Tea\n[a](b)' }],
    ['fail', { pages: shop, llmsTxt: '<!doctype html><html><head><title>Tea shop</title></head><body></body></html>' }],
    ['fail', { pages: shop, llmsTxt: { status: 500 } }],
    ['fail', { pages: shop, llmsTxt: { failure: 'timeout' } }],
    ['n/a', { pages: shop, llmsTxt: { status: 404 } }],
  ],
  'landmark-one-main': [
    ['pass', doc('')],
    ['pass', inBody('<div role="main">Tea</div>')],
    ['pass', inBody('<main>Tea</main><main>Pots</main>')],
    ['fail', inBody('<div>Tea</div>')],
  ],
};

/** Lighthouse passes where any crawler may list a page; here it counts whether Google and Bing may. */
export const STRICTER: typeof LIGHTHOUSE_CASES = {
  'is-crawlable': [
    ['pass', doc('<meta name="robots" content="noindex"><meta name="googlebot" content="index">')],
    ['pass', doc('<meta name="googlebot" content="noindex">')],
    ['pass', inBody('<meta name="robots" content="noindex"><p>Tea</p>')],
    ['pass', answered({ 'x-robots-tag': 'bingbot: noindex' })],
    ['pass', robots('User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /')],
    ['pass', robots('User-agent: Googlebot\nDisallow: /')],
  ],
};
