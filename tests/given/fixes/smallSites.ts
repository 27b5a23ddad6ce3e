/** Small sites in memory, each page with one fault whose code no fixture site shows. */
import type { GivenSite, SiteAnswer } from './siteBytes.ts';

type GivenPage = {
  /** Named by other pages alone, in their content. */
  readonly unlisted?: true;
  /** What the page is about; default: the name of its address. */
  readonly name?: string;
  readonly charset?: string;
  readonly title?: string;
  /** Of the head, in place of the page's own; '' for none. */
  readonly description?: string;
  readonly canonical?: string;
  readonly viewport?: string;
  readonly social?: string;
  /** More of the head, and of the content. */
  readonly head?: string;
  readonly body?: string;
  /** The page's own text; default: made from its name. */
  readonly text?: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const SUBJECTS = ['kettle', 'teapot', 'whisk', 'bowl', 'strainer', 'canister', 'tray', 'scoop', 'kiln', 'jar'];

/** Sentences that no other page has. */
function textOf(name: string): string {
  const sentences = SUBJECTS.map(
    (subject, nth) =>
      `The ${subject} for ${name} is the number ${nth + 3} of our list, and people who ask about ${name} buy the ${subject} first.`,
  );
  return sentences.join(' ');
}

const nameOf = (path: string, { name }: GivenPage): string =>
  name ?? (path === '/' ? 'tea' : path.replace(/\W+/g, ' ').trim());

function pageHtml(origin: string, path: string, given: GivenPage, links: string): string {
  const name = nameOf(path, given);
  const title = given.title ?? `<title>All about ${name} and more | Tea House</title>`;
  const description =
    given.description ??
    `<meta name="description" content="What you should know of ${name} before you buy, told by people who have sold it since 1962 in one small shop.">`;
  const social =
    given.social ??
    ['title', 'url', 'image', 'type', 'description']
      .map((key) => {
        const value = {
          title: `About ${name}`,
          url: origin + path,
          image: `${origin}/i/${name.replace(/ /g, '-')}.png`,
          type: 'website',
        }[key];
        return `<meta property="og:${key}" content="${value ?? `What you should know of ${name} before you buy it.`}">`;
      })
      .join('');
  return `<!doctype html>
<html lang="${given.html ?? 'en'}"><head>${given.charset ?? '<meta charset="utf-8">'}${title}${description}
${given.viewport ?? '<meta name="viewport" content="width=device-width, initial-scale=1">'}
${given.canonical ?? `<link rel="canonical" href="${origin}${path}">`}
${social}<meta name="twitter:card" content="summary_large_image">${given.head ?? ''}
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage","name":"About ${name}"}</script></head>
<body><header><nav>${links}</nav></header><main><h1>All about ${name} and more</h1>
<p>${given.text ?? textOf(name)}</p>${given.body ?? ''}</main></body></html>`;
}

const answer = (body: string, type: string, headers: Readonly<Record<string, string>> = {}): SiteAnswer => {
  const bytes = new TextEncoder().encode(body);
  const lists = Object.entries({ 'content-type': type, 'content-encoding': 'gzip', server: 'nginx', ...headers }).map(
    ([name, value]) => [name, [value]],
  );
  return { status: 200, headers: Object.fromEntries(lists), body: bytes, transferBytes: bytes.length };
};

/** The beginning of a PNG file of 1,200 by 630 pixels. */
const PICTURE = Uint8Array.from([
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0x04, 0xb0, 0, 0, 0x02, 0x76],
]);

type Given = {
  readonly origin?: string;
  readonly pages: Readonly<Record<string, GivenPage>>;
  readonly redirects?: Readonly<Record<string, string>>;
  readonly robots?: string;
  /** A page where the file should be. */
  readonly llms?: string;
  /** Hosts that answer with the same. */
  readonly twin?: string;
};

function smallSite(name: string, { pages, redirects = {}, robots = '', llms, twin, ...rest }: Given): GivenSite {
  const origin = rest.origin ?? 'https://tea.test';
  const paths = Object.keys(pages);
  const links = paths
    .filter((path) => pages[path]?.unlisted !== true)
    .map((path) => `<a href="${path}">${path === '/' ? 'Tea House' : `On ${path.slice(1)}`}</a>`)
    .join(' ');
  const answers = new Map<string, SiteAnswer>();
  for (const [path, given] of Object.entries(pages))
    answers.set(origin + path, answer(pageHtml(origin, path, given, links), 'text/html; charset=utf-8', given.headers));
  for (const [path, location] of Object.entries(redirects))
    answers.set(origin + path, { ...answer('', 'text/html', { location }), status: 301 });
  answers.set(`${origin}/robots.txt`, answer(robots || 'User-agent: *\nDisallow:\n', 'text/plain'));
  if (llms !== undefined) answers.set(`${origin}/llms.txt`, answer(llms, 'text/html; charset=utf-8'));
  const image = { ...answer('', 'image/png'), body: PICTURE };
  const missing = { ...answer('<!doctype html><title>Not found</title>', 'text/html; charset=utf-8'), status: 404 };
  return {
    name,
    start: `${origin}/`,
    bytes: (url) =>
      answers.get(twin !== undefined && url.startsWith(twin) ? origin + url.slice(twin.length) : url) ??
      (/\.(?:png|jpg)$/.test(url) ? image : missing),
  };
}

const words = textOf('one text');
const alternate = (code: string, href: string): string => `<link rel="alternate" hreflang="${code}" href="${href}">`;
const social = (title: string, url: string, more = ''): string =>
  `<meta property="og:title" content="${title}"><meta property="og:type" content="website"><meta property="og:url" content="${url}"><meta property="og:image" content="https://tea.test/i.png">${more}`;
const shared = social('Tea House', 'https://tea.test/', '<meta property="og:description" content="Tea">');

export const SMALL_SITES: readonly GivenSite[] = [
  smallSite('pages', {
    robots: 'User-agent: *\nDisallow: /assets/\n',
    pages: {
      '/': {},
      '/title-twice': { title: '<title>Titles that come twice | Tea House</title><title>Another title</title>' },
      '/title-empty': { title: '<title></title>' },
      '/title-generic': { title: '<title>Untitled</title>' },
      '/title-long': {
        title: '<title>Kettles of cast iron from Japan | Delivered within three days by our own riders</title>',
      },
      '/description-long': {
        description: `<meta name="description" content="${'Green teas come from Uji and from Nara, where they are dried by hand. '.repeat(3)}">`,
      },
      '/hero': { body: '<img src="/i/hero.jpg" alt="A teapot" width="900" height="600" loading="lazy">', text: 'Tea.' },
      '/http-link': { body: '<p><a href="http://tea.test/title-twice">Titles that come twice</a></p>' },
      '/nofollow-link': { body: '<p><a href="/title-twice" rel="nofollow">Titles that come twice</a></p>' },
      '/zoom': { viewport: '<meta name="viewport" content="width=device-width, user-scalable=no">' },
      '/styled': { head: '<link rel="stylesheet" href="/assets/site.css">' },
      '/language-name': { html: 'english' },
      '/language-other': { html: 'de' },
      '/hidden-header': { headers: { 'x-robots-tag': 'noindex' } },
      '/hidden-meta': { head: '<meta name="robots" data-by="plugin" content="noindex, max-snippet:80">' },
      '/empty-links': {
        body: '<a href="/sold?a=1"></a> <a href="/bought"><img src="/i/b.png" alt="" width="9" height="9"></a>',
      },
      '/sold?a=1': { unlisted: true },
      '/bought': { unlisted: true },
      '/charset': { charset: '', headers: { 'content-type': 'text/html' } },
    },
  }),
  smallSite('canonicals', {
    pages: {
      '/': {},
      '/chain-one': { canonical: '<link rel="canonical" href="https://tea.test/chain-two">', text: words },
      '/chain-two': { canonical: '<link rel="canonical" href="https://tea.test/chain-three">', text: words },
      '/chain-three': { text: words },
      '/conflict': {
        canonical:
          '<link rel="canonical" href="https://tea.test/conflict"><link rel="canonical" href="https://tea.test/">',
      },
      '/relative': { canonical: '<link rel="canonical" href="/relative">' },
      '/other-content': { canonical: '<link rel="canonical" href="https://tea.test/relative">' },
      '/to-error': { canonical: '<link rel="canonical" href="https://tea.test/gone">' },
      '/to-redirect': { canonical: '<link rel="canonical" href="https://tea.test/to-redirect-old">' },
      '/to-root': { canonical: '<link rel="canonical" href="https://tea.test/">' },
      '/missing': { canonical: '' },
      '/same': { name: 'sameness', title: '<title>The first of two pages | Tea House</title>' },
      '/same-again': { name: 'sameness', canonical: '' },
      '/social-address': {
        social: social('Social', 'https://tea.test/other', '<meta property="og:description" content="On the address">'),
      },
      '/social-text': { social: social('Social text', 'https://tea.test/social-text') },
      '/social-none': {
        social: '',
        body: '<img src="/i/own.jpg" alt="A teapot" width="900" height="630">',
      },
      '/shared-one': { social: shared.replace('.test/"', '.test/shared-one"') },
      '/shared-two': { social: shared.replace('.test/"', '.test/shared-two"') },
      '/shared-three': { social: shared.replace('.test/"', '.test/shared-three"') },
    },
    redirects: { '/to-redirect-old': '/to-redirect' },
  }),
  smallSite('languages', {
    pages: {
      '/': {},
      '/en-region': { head: alternate('en-UK', 'https://tea.test/en-region') },
      '/ja-code': { head: alternate('jp', 'https://tea.test/ja-code') },
      '/relative-version': { head: alternate('en', '/relative-version') },
      '/no-self': {
        head: alternate('de', 'https://tea.test/no-self-de') + alternate('x-default', 'https://tea.test/no-self-de'),
      },
      '/no-self-de': {
        head:
          alternate('en', 'https://tea.test/no-self') +
          alternate('de', 'https://tea.test/no-self-de') +
          alternate('x-default', 'https://tea.test/no-self-de'),
      },
      '/no-return': {
        head: alternate('en', 'https://tea.test/no-return') + alternate('fr', 'https://tea.test/no-return-fr'),
      },
      '/no-return-fr': {
        html: 'fr',
        head:
          alternate('fr', 'https://tea.test/no-return-fr') + alternate('x-default', 'https://tea.test/no-return-fr'),
      },
      '/version': {
        canonical: '<link rel="canonical" href="https://tea.test/version-de">',
        head:
          alternate('en', 'https://tea.test/version') +
          alternate('de', 'https://tea.test/version-de') +
          alternate('x-default', 'https://tea.test/version'),
      },
      '/version-de': {
        html: 'de',
        head:
          alternate('en', 'https://tea.test/version') +
          alternate('de', 'https://tea.test/version-de') +
          alternate('x-default', 'https://tea.test/version'),
      },
    },
  }),
  smallSite('bots', {
    robots:
      'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nUser-agent: SeoAuditTest\nDisallow:\n',
    pages: { '/': {}, '/kettles': {} },
  }),
  smallSite('two hosts', {
    twin: 'https://www.tea.test',
    llms: '<!doctype html><title>Tea House</title><h1>All about tea</h1>',
    pages: { '/': { canonical: '' }, '/kettles': {} },
  }),
];
