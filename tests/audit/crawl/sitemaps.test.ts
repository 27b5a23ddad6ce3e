import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { SitemapFile } from '../../../src/audit/crawl/site.ts';
import { XmlSitemapScanner } from '../../../src/audit/crawl/sitemaps/sitemapScanner.ts';
import { findSitemaps, SITEMAP_LIMITS, type SitemapLimits } from '../../../src/audit/crawl/sitemaps/sitemaps.ts';
import { weightOf } from '../../../src/audit/memory.ts';
import type { Fetcher, FetchResult } from '../../../src/model/fetching.ts';
import { crawlEnv } from './crawlEnv.ts';

const ORIGIN = 'https://site.example';
const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (...locs: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NS}>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`;
const index = (...locs: string[]): string =>
  `<sitemapindex ${NS}>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;

type Served =
  | string
  | Uint8Array
  | { readonly body: string | Uint8Array; readonly type?: string; readonly status?: number };

/** Answers from a table; anything else is not found. `asked` keeps the order. */
function serve(files: Readonly<Record<string, Served>>): { fetch: Fetcher; asked: string[] } {
  const asked: string[] = [];
  const fetch: Fetcher = async (url, options = {}) => {
    asked.push(url);
    const path = url.replace(ORIGIN, '');
    const served = files[path] ?? files['*'];
    const {
      body = '',
      type = 'application/xml',
      status = served === undefined ? 404 : 200,
    } = typeof served === 'object' && 'body' in served ? served : { body: served };
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    if (bytes.length > (options.maxBytes ?? Number.POSITIVE_INFINITY)) return failure(url);
    return {
      ok: true,
      requestedUrl: url,
      url,
      status,
      headers: { 'content-type': [type] },
      hops: [],
      body: bytes,
      truncated: false,
      transferBytes: bytes.length,
      ttfbMs: 1,
      totalMs: 1,
      httpVersion: '1.1',
    };
  };
  return { fetch, asked };
}

function failure(url: string): FetchResult {
  return {
    ok: false,
    requestedUrl: url,
    url,
    failure: 'too_large',
    message: 'The answer is larger than the limit.',
    hops: [],
  };
}

async function read(
  files: Readonly<Record<string, Served>>,
  named: readonly string[] = [`${ORIGIN}/s.xml`],
  limits: Partial<SitemapLimits> = {},
): Promise<readonly SitemapFile[]> {
  return findSitemaps({ origin: ORIGIN, named, mayFetch: () => true }, crawlEnv(serve(files).fetch), {
    ...SITEMAP_LIMITS,
    ...limits,
  });
}

async function readOne(body: Served, limits: Partial<SitemapLimits> = {}): Promise<SitemapFile> {
  const [file] = await read({ '/s.xml': body }, undefined, limits);
  if (!file) throw new Error('not read');
  return file;
}

describe('a sitemap', () => {
  test('lists addresses with their dates', async () => {
    const body = `<?xml version="1.0"?>
      <!-- made by hand <url><loc>not this</loc></url> -->
      <urlset ${NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
        <url>
          <loc> ${ORIGIN}/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod>
          <image:image><image:loc>${ORIGIN}/i.png</image:loc></image:image>
        </url>
        <url><lastmod/><loc><![CDATA[${ORIGIN}/b?c&d]]></loc><priority>0.5</priority></url>
        <url><loc>${ORIGIN}/&#252;&#xFC;</loc></url>
      </urlset>`;
    expect(await readOne(body)).toMatchObject({
      kind: 'urlset',
      error: null,
      from: 'robots',
      urlCount: 3,
      bytes: new TextEncoder().encode(body).length,
      urls: [
        { loc: `${ORIGIN}/a?x=1&y=2`, lastmod: '2026-01-02' },
        { loc: `${ORIGIN}/b?c&d`, lastmod: '' },
        { loc: `${ORIGIN}/üü`, lastmod: null },
      ],
    });
  });

  test('may carry a prefix', async () => {
    const body = `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>${ORIGIN}/a</s:loc></s:url></s:urlset>`;
    expect(await readOne(body)).toMatchObject({ kind: 'urlset', error: null, urls: [{ loc: `${ORIGIN}/a` }] });
  });

  test('has language versions and images of its entries', async () => {
    const body = `<urlset ${NS} xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
      <url>
        <loc>${ORIGIN}/en</loc>
        <xhtml:link rel="alternate" hreflang="de" href="${ORIGIN}/de?a=1&amp;b=2"/>
        <xhtml:link href = '${ORIGIN}/en' hreflang = 'x-default' rel = 'alternate' ></xhtml:link>
        <xhtml:link rel="amphtml" href="${ORIGIN}/amp"/>
        <xhtml:link rel="alternate" hreflang="fr"/>
        <image:image><image:loc>${ORIGIN}/1.png</image:loc><image:title>one</image:title></image:image>
        <image:image><image:loc><![CDATA[${ORIGIN}/2.png?a&b]]></image:loc></image:image>
        <image:image/>
      </url>
      <url><loc>${ORIGIN}/plain</loc></url>
    </urlset>`;
    expect(await readOne(body)).toMatchObject({ kind: 'urlset', error: null, urlCount: 2 });
    expect((await readOne(body)).urls).toEqual([
      {
        loc: `${ORIGIN}/en`,
        lastmod: null,
        alternates: [
          { hreflang: 'de', href: `${ORIGIN}/de?a=1&b=2` },
          { hreflang: 'x-default', href: `${ORIGIN}/en` },
        ],
        images: [`${ORIGIN}/1.png`, `${ORIGIN}/2.png?a&b`],
      },
      { loc: `${ORIGIN}/plain`, lastmod: null },
    ]);
  });

  test('has what matters of news and videos', async () => {
    const complete =
      '<video:thumbnail_loc>t</video:thumbnail_loc><video:title>A &eacute; B</video:title><video:description><![CDATA[x]]></video:description><video:player_loc>p</video:player_loc>';
    const body = `<urlset ${NS} xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">${[
      '<news:news><news:publication><news:name>T</news:name></news:publication><news:publication_date>2020-01-05</news:publication_date><news:title>Tea</news:title></news:news>',
      '<news:news><news:publication_date/><news:title> </news:title></news:news>',
      `<video:video>${complete}</video:video>`,
      `<video:video>${complete}</video:video><video:video><video:title></video:title><video:content_loc>c</video:content_loc></video:video>`,
      '<video:video/>',
      '<title>Not of a video</title>',
    ]
      .map((inside, at) => `<url><loc>${ORIGIN}/${at}</loc>${inside}</url>`)
      .join('')}</urlset>`;
    expect(await readOne(body)).toMatchObject({ kind: 'urlset', error: null });
    expect((await readOne(body)).urls.map(({ loc: _, lastmod: __, ...more }) => more)).toEqual([
      { news: { date: '2020-01-05', titled: true } },
      { news: { date: null, titled: false } },
      {},
      { videoLacks: ['thumbnail_loc', 'title', 'description'] },
      { videoLacks: ['thumbnail_loc', 'title', 'description', 'content_loc or player_loc'] },
      {},
    ]);
  });

  test('keeps at most as many language versions as a page can have', async () => {
    const links = Array.from(
      { length: 300 },
      (_, each) => `<x:link rel="alternate" hreflang="l${each}" href="${ORIGIN}/${each}"/>`,
    ).join('');
    const file = await readOne(
      `<urlset ${NS} xmlns:x="http://www.w3.org/1999/xhtml">${`<url><loc>${ORIGIN}/</loc>${links}</url>`.repeat(300)}</urlset>`,
    );
    expect(file.urls).toHaveLength(300);
    expect(file.urls[0]?.alternates).toHaveLength(100);
    expect(file.urls.reduce((sum, url) => sum + (url.alternates?.length ?? 0), 0)).toBe(20_000);
  });

  test('may be an RSS feed', async () => {
    const body = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <title>News</title><link>${ORIGIN}/</link><atom:link href="${ORIGIN}/feed.xml" rel="self"/>
      <item><title>One</title><link>${ORIGIN}/1?a=1&amp;b=2</link><pubDate>Sun, 01 Mar 2026 10:00:00 +0100</pubDate></item>
      <item><title>Two</title><link><![CDATA[${ORIGIN}/2]]></link><pubDate>yesterday</pubDate></item>
      <item><title>No address</title></item>
    </channel></rss>`;
    expect(await readOne({ body, type: 'application/rss+xml' })).toMatchObject({
      kind: 'feed',
      error: null,
      urlCount: 2,
      urls: [
        { loc: `${ORIGIN}/1?a=1&b=2`, lastmod: '2026-03-01T09:00:00.000Z' },
        { loc: `${ORIGIN}/2`, lastmod: null },
      ],
    });
  });

  test('may be an Atom feed', async () => {
    const body = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${ORIGIN}/"/><updated>2026-01-01T00:00:00Z</updated>
      <entry><link rel="edit" href="${ORIGIN}/edit"/><link rel="alternate" href="${ORIGIN}/1"/><updated>2026-02-03T04:05:06+01:00</updated></entry>
      <entry><link href="${ORIGIN}/2"/><link href="${ORIGIN}/3"/></entry>
    </feed>`;
    expect(await readOne({ body, type: 'application/atom+xml' })).toMatchObject({
      kind: 'feed',
      error: null,
      urls: [
        { loc: `${ORIGIN}/1`, lastmod: '2026-02-03T03:05:06.000Z' },
        { loc: `${ORIGIN}/2`, lastmod: null },
      ],
    });
  });

  test('may be text', async () => {
    const file = await readOne({ body: `\uFEFF${ORIGIN}/a\r\n\r\n${ORIGIN}/b\n`, type: 'text/plain' });
    expect(file).toMatchObject({
      kind: 'text',
      error: null,
      urlCount: 2,
      urls: [{ loc: `${ORIGIN}/a` }, { loc: `${ORIGIN}/b` }],
    });
  });

  test('may be gzip', async () => {
    expect(await readOne({ body: gzipSync(urlset(`${ORIGIN}/a`)), type: 'application/gzip' })).toMatchObject({
      kind: 'urlset',
      error: null,
      urlCount: 1,
    });
  });

  test('may be gzip in several members, with rubbish behind', async () => {
    const whole = Buffer.from(urlset(`${ORIGIN}/a`));
    const members = [whole.subarray(0, 60), whole.subarray(60)].map((part) => gzipSync(part));
    const body = Buffer.concat([...members, Buffer.from('\n<!-- cached -->')]);
    for (const type of ['application/gzip', 'application/x-gzip', 'application/xml'])
      expect(await readOne({ body, type })).toMatchObject({ kind: 'urlset', error: null, urlCount: 1 });
  });

  test('may be UTF-16', async () => {
    expect(await readOne(Buffer.from(`\uFEFF${urlset(`${ORIGIN}/ä`)}`, 'utf16le'))).toMatchObject({
      kind: 'urlset',
      urls: [{ loc: `${ORIGIN}/ä` }],
    });
  });

  test('may be Latin-1 if declared', async () => {
    const body = Buffer.from(urlset(`${ORIGIN}/ä`).replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect(await readOne(body)).toMatchObject({ urls: [{ loc: `${ORIGIN}/ä` }] });
  });

  test.each([
    ['empty', '', 'It is empty.'],
    ['a web page', '<!doctype html><html><body>x</body></html>', 'It is a web page, not a sitemap.'],
    ['another root', '<opml version="2.0"></opml>', 'Its root element is <opml>, not <urlset> or <sitemapindex>.'],
    [
      'a root named like what every object has',
      '<constructor/>',
      'Its root element is <constructor>, not <urlset> or <sitemapindex>.',
    ],
    [
      'a feed without entries',
      '<rss version="2.0"><channel><title>t</title></channel></rss>',
      'It has no <link> entry.',
    ],
    [
      'a feed whose entries have no address',
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title></entry></feed>',
      'It has no <link> entry.',
    ],
    ['a tag without name', `<urlset ${NS}>< ></urlset>`, 'It is not well-formed: a tag has no name.'],
    ['a comment that never ends', `<urlset ${NS}><!-- `, 'It ends inside <urlset>.'],
    ['a short comment that is none', `<urlset ${NS}><!--></urlset>`, 'It ends inside <urlset>.'],
    [
      'an entity of the outside',
      `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset ${NS}><url><loc>&x;</loc></url></urlset>`,
      'It declares entities of its own.',
    ],
    [
      'an entity of nowhere',
      `<urlset ${NS}><url><loc>${ORIGIN}/&nbsp;</loc></url></urlset>`,
      'It is not well-formed: an & is not written as &amp;.',
    ],
    [
      'no namespace',
      `<urlset><url><loc>${ORIGIN}/a</loc></url></urlset>`,
      'Its root element lacks the sitemap namespace.',
    ],
    ['no entry', `<urlset ${NS}></urlset>`, 'It has no <loc> entry.'],
    ['cut short', urlset(`${ORIGIN}/a`).slice(0, -9), 'It ends inside <urlset>.'],
    ['cut in a tag', urlset(`${ORIGIN}/a`).slice(0, -3), 'It ends inside <urlset>.'],
    [
      'crossed tags',
      `<urlset ${NS}><url><loc>${ORIGIN}/a</url></loc></urlset>`,
      'It is not well-formed: <loc> is closed by </url>.',
    ],
    ['a bare ampersand', urlset(`${ORIGIN}/a?b&c`), 'It is not well-formed: an & is not written as &amp;.'],
    [
      'entities of its own',
      '<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
      'It declares entities of its own.',
    ],
    ['text before the root', `hello ${urlset(`${ORIGIN}/a`)}`, 'It is not XML.'],
    ['gzip that is none', new Uint8Array([0x1f, 0x8b, 1, 2, 3]), 'It is not valid gzip.'],
    ['an error', { body: 'x', status: 404 }, 'It answers with HTTP 404.'],
  ] as const)('%s is invalid', async (_what, body, error) => {
    expect(await readOne(body)).toMatchObject({ kind: 'invalid', error });
  });

  test.each(['caf&eacute;?a=1&b=2', '&nbsp;x', 'a&hellip;', 'x?a=1&copy;=2', '&semi;'])(
    'with an entity of HTML it is invalid, and that address is not known: %s',
    async (path) => {
      const file = await readOne(urlset(`${ORIGIN}/a`, `${ORIGIN}/${path}`, `${ORIGIN}/z?b&c`));
      expect(file).toMatchObject({
        kind: 'invalid',
        error: 'It is not well-formed: an & is not written as &amp;.',
      });
      expect(file.urls.map(({ loc }) => loc)).toEqual([`${ORIGIN}/a`, `${ORIGIN}/z?b&c`]);
    },
  );

  test('one whose only address has an entity of HTML says so', async () => {
    expect(await readOne(urlset(`${ORIGIN}/caf&eacute;`))).toMatchObject({
      error: 'It is not well-formed: an & is not written as &amp;.',
      urlCount: 0,
    });
  });

  test.each([
    ['urlset', 'url'],
    ['sitemapindex', 'sitemap'],
  ])('%s in %s: what is wrong is the nesting', async (root, entry) => {
    const inner = `<${root}><${entry}><loc>${ORIGIN}/a</loc></${entry}></${root}>`;
    for (const attribute of ['', ` ${NS}`])
      expect(await readOne(`<${root}${attribute}>${inner}</${root}>`)).toMatchObject({
        kind: 'invalid',
        error: 'Its root element is in another one of the same name, where entries do not count.',
      });
  });

  test('is read around a bare ampersand', async () => {
    const urls = [`${ORIGIN}/a`, `${ORIGIN}/b?c&d`, `${ORIGIN}/e`];
    expect(await readOne(urlset(...urls))).toMatchObject({ kind: 'invalid', urls: urls.map((loc) => ({ loc })) });
  });

  test('is invalid if it is text without addresses, with the line', async () => {
    expect(await readOne({ body: `${ORIGIN}/a\nhello\n`, type: 'text/plain' })).toMatchObject({
      kind: 'invalid',
      error: 'Line 2 is not an address.',
      urlCount: 1,
    });
  });

  test('keeps the first of very many long addresses, and counts all', async () => {
    const long = Array.from({ length: 2000 }, (_, index) => `${ORIGIN}/${index}${'x'.repeat(1000)}`);
    const keptBytes = 500_000;
    for (const body of [urlset(...long), { body: long.join('\n'), type: 'text/plain' }]) {
      const files = await read({ '/s.xml': body, '/t.xml': body }, [`${ORIGIN}/s.xml`, `${ORIGIN}/t.xml`], {
        keptBytes,
      });
      expect(weightOf(files.map(({ urls }) => urls))).toBeLessThan(keptBytes * 1.1);
      expect(files.map(({ urlCount }) => urlCount)).toEqual([2000, 2000]);
      expect(files[0]?.urls.length).toBeGreaterThan(300);
      expect(files[0]?.urls.map(({ loc }) => loc)).toEqual(long.slice(0, files[0]?.urls.length));
    }
  });

  test('that breaks a rule still gives its addresses', async () => {
    expect((await readOne(urlset(`${ORIGIN}/a?b&c`))).urls).toEqual([{ loc: `${ORIGIN}/a?b&c`, lastmod: null }]);
  });

  test('is read the same in chunks of any size', async () => {
    const body = `<?xml version="1.0"?><!-- c --><urlset ${NS}><url><loc>${ORIGIN}/a&amp;b</loc><lastmod>2026</lastmod></url><url><loc><![CDATA[${ORIGIN}/c]]></loc></url></urlset>`;
    const whole = new XmlSitemapScanner({ urls: 10, bytes: 1e9 });
    whole.push(body);
    const expected = whole.end();
    expect(expected).toMatchObject({ kind: 'urlset', urlCount: 2 });
    for (const size of [1, 2, 3, 7, 16]) {
      const scanner = new XmlSitemapScanner({ urls: 10, bytes: 1e9 });
      for (let at = 0; at < body.length; at += size) scanner.push(body.slice(at, at + size));
      expect(scanner.end()).toEqual(expected);
    }
  });
});

describe('limits of a sitemap', () => {
  test('counts addresses beyond the limit', async () => {
    const file = await readOne(urlset(...Array.from({ length: 60_000 }, (_, each) => `${ORIGIN}/${each}`)));
    expect(file.urlCount).toBe(60_000);
    expect(file.urls).toHaveLength(50_000);
  });

  test('shares the limit over all files', async () => {
    const files = await read(
      { '/1.xml': urlset(`${ORIGIN}/a`, `${ORIGIN}/b`), '/2.xml': urlset(`${ORIGIN}/c`, `${ORIGIN}/d`) },
      [`${ORIGIN}/1.xml`, `${ORIGIN}/2.xml`],
      { urls: 3 },
    );
    expect(files.map((file) => [file.urlCount, file.urls.length])).toEqual([
      [2, 2],
      [2, 1],
    ]);
  });

  test('large ones are asked for again, two at once in the whole process', async () => {
    const large = `${urlset('/a')}${' '.repeat(9 * 1024 * 1024)}`;
    const { fetch } = serve({ '*': large });
    const sizes: number[] = [];
    let [now, most] = [0, 0];
    const watched: Fetcher = async (url, options) => {
      sizes.push(options?.maxBytes ?? 0);
      const isLarge = options?.maxBytes === SITEMAP_LIMITS.bytes;
      if (isLarge) most = Math.max(most, ++now);
      const answer = await fetch(url, options);
      await new Promise(setImmediate);
      if (isLarge) now -= 1;
      return answer;
    };
    const search = (site: string) => ({
      origin: ORIGIN,
      named: [1, 2, 3].map((nth) => `${ORIGIN}/${site}-${nth}.xml`),
      mayFetch: () => true,
    });
    const found = await Promise.all(['one', 'two'].map((site) => findSitemaps(search(site), crawlEnv(watched))));
    expect(found.flat().map(({ kind, urlCount }) => [kind, urlCount])).toEqual(Array(6).fill(['urlset', 1]));
    expect(sizes.filter((size) => size === 8 * 1024 * 1024)).toHaveLength(6);
    expect(sizes).toHaveLength(12);
    expect(most).toBe(2);
  });

  test('is invalid over the limit in bytes', async () => {
    expect(await readOne(urlset(`${ORIGIN}/a`), { bytes: 50 })).toMatchObject({
      kind: 'invalid',
      error: 'It is larger than 50 MB.',
    });
  });

  test('H6: a gzip bomb is not decompressed to its end', async () => {
    const file = await readOne(gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')));
    expect(file).toMatchObject({ kind: 'invalid', error: 'It grows to over 200 times its size when decompressed.' });
    // Not by the memory of the process, which other tests use at the same time.
    expect(file.bytes / 1024 / 1024).toBeLessThan(12);
  });

  test.each([
    ['a tag', `<urlset ${NS}><url ${'x'.repeat(600_000)}`],
    ['a comment', `<urlset ${NS}><!-- ${'x'.repeat(600_000)}`],
    ['nesting', `<urlset ${NS}>${'<url>'.repeat(100_000)}`],
    ['a text', `<urlset ${NS}><url><loc>${'x'.repeat(600_000)}`],
  ])('H16: %s without end is invalid', async (_what, body) => {
    expect((await readOne(body)).kind).toBe('invalid');
  });
});

describe('finding sitemaps', () => {
  test('uses those of robots.txt, anywhere, and skips the default locations', async () => {
    const { fetch, asked } = serve({ 'https://cdn.example/s.xml': urlset(`${ORIGIN}/a`) });
    const files = await findSitemaps(
      { origin: ORIGIN, named: ['https://cdn.example/s.xml', '/relative.xml'], mayFetch: () => true },
      crawlEnv(fetch),
    );
    expect(asked.sort()).toEqual(['https://cdn.example/s.xml', `${ORIGIN}/relative.xml`]);
    expect(files.map(({ kind, outcome }) => [kind, outcome.status])).toEqual([
      ['urlset', 200],
      ['invalid', 404],
    ]);
  });

  test('else tries the default locations until one exists', async () => {
    const { fetch, asked } = serve({
      '/sitemap.xml': { body: '<!doctype html><html>not found</html>', type: 'text/html' },
      '/sitemap_index.xml': urlset(`${ORIGIN}/a`),
    });
    const files = await findSitemaps({ origin: ORIGIN, named: [], mayFetch: () => true }, crawlEnv(fetch));
    expect(asked).toEqual([`${ORIGIN}/sitemap.xml`, `${ORIGIN}/sitemap_index.xml`]);
    expect(files.map(({ url, from }) => [url, from])).toEqual([[`${ORIGIN}/sitemap_index.xml`, 'guess']]);
  });

  test('reports an invalid one at a default location', async () => {
    expect(await read({ '/sitemap.xml': '<opml/>' }, [])).toMatchObject([{ from: 'guess', kind: 'invalid' }]);
  });

  test('finds none where there is none', async () => {
    expect(await read({}, [])).toEqual([]);
  });

  test('does not fetch forbidden ones', async () => {
    const { fetch, asked } = serve({ '/s.xml': urlset(`${ORIGIN}/a`) });
    expect(
      await findSitemaps({ origin: ORIGIN, named: [`${ORIGIN}/s.xml`], mayFetch: () => false }, crawlEnv(fetch)),
    ).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('follows an index to its files, on the same site only', async () => {
    const files = await read({
      '/s.xml': index(`${ORIGIN}/1.xml`, 'https://elsewhere.test/2.xml', 'ftp://x'),
      '/1.xml': urlset(`${ORIGIN}/a`),
    });
    expect(files.map(({ url, from, kind }) => [url, from, kind])).toEqual([
      [`${ORIGIN}/s.xml`, 'robots', 'index'],
      [`${ORIGIN}/1.xml`, 'index', 'urlset'],
    ]);
  });

  test('follows an index elsewhere back to the site', async () => {
    const files = await read(
      { 'https://cdn.example.org/s.xml': index(`${ORIGIN}/1.xml`), '/1.xml': urlset(`${ORIGIN}/a`) },
      ['https://cdn.example.org/s.xml'],
    );
    expect(files.map(({ url, kind }) => [url, kind])).toEqual([
      ['https://cdn.example.org/s.xml', 'index'],
      [`${ORIGIN}/1.xml`, 'urlset'],
    ]);
  });

  test('H16: an index of itself is read once', async () => {
    expect(await read({ '/s.xml': index(`${ORIGIN}/s.xml`, `${ORIGIN}/s.xml`) })).toHaveLength(1);
  });

  test('H16: indexes of indexes end', async () => {
    const files = await read({
      '/s.xml': index(`${ORIGIN}/1.xml`),
      '/1.xml': index(`${ORIGIN}/2.xml`),
      '/2.xml': index(`${ORIGIN}/3.xml`),
      '/3.xml': urlset(`${ORIGIN}/a`),
    });
    expect(files.map(({ url }) => url)).toEqual([`${ORIGIN}/s.xml`, `${ORIGIN}/1.xml`, `${ORIGIN}/2.xml`]);
  });

  test('H16: an index of fifty thousand files ends', async () => {
    const files = await read({
      '/s.xml': index(...Array.from({ length: 50_000 }, (_, each) => `${ORIGIN}/${each}.xml`)),
      '*': urlset(`${ORIGIN}/a`),
    });
    expect(files).toHaveLength(SITEMAP_LIMITS.files);
    expect(files[0]?.urlCount).toBe(50_000);
  });

  test('H16: slow files do not delay the audit', async () => {
    const { fetch, asked } = serve({
      '/s.xml': index(...Array.from({ length: 20 }, (_, each) => `${ORIGIN}/${each}.xml`)),
      '*': urlset(`${ORIGIN}/a`),
    });
    const env = crawlEnv((url, options) => {
      env.advance(6000);
      return fetch(url, options);
    });
    await findSitemaps({ origin: ORIGIN, named: [`${ORIGIN}/s.xml`], mayFetch: () => true }, env);
    expect(asked.length).toBeLessThanOrEqual(6);
  });
});
