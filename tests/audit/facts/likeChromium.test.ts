/**
 * Variants of pages, made from a seed: declarations of the encoding in all places, decoys, compression with rubbish
 * behind, XHTML, script types, odd markup. What the engine reads of the same bytes is what Chromium shows.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { runs } from '../../given/fullForm.ts';
import { openBrowser, type TestBrowser } from '../../given/product/browser.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

type Variant = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };
type Read = {
  readonly charset: string;
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly robots: readonly string[];
  readonly canonicals: readonly string[];
};
type Pick = <T>(choices: readonly T[]) => T;

/** The same choices for the same seed (mulberry32). */
function picking(seed: number): Pick {
  let state = seed;
  return (choices) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return choices[((mixed ^ (mixed >>> 14)) >>> 0) % choices.length] as (typeof choices)[number];
  };
}

const WORDS: Readonly<Record<string, string>> = {
  'utf-8': 'Größe café чай 茶',
  'windows-1252': 'Größe café “tea”',
  'windows-1251': 'зелёный чай',
  'koi8-r': 'зелёный чай',
  'utf-16le': 'Größe чай 茶',
};

function encoded(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  const decoder = new TextDecoder(charset);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from([...text].map((character) => bytes.get(character) ?? 0x3f));
}

const RUBBISH = ['', '', '\n<!-- cached by a plug-in -->', '\0\0\0\0', 'x'];
const DECOY = 'text/html; charset=iso-8859-7';

function compressed(bytes: Buffer, pick: Pick): { readonly coding: string; readonly body: Buffer } {
  const coding = pick(['', 'gzip', 'gzip', 'deflate', 'br']);
  const rubbish = Buffer.from(coding === '' ? '' : pick(RUBBISH));
  const coded =
    coding === 'gzip'
      ? zlib.gzipSync(bytes)
      : coding === 'deflate'
        ? zlib.deflateSync(bytes)
        : coding === 'br'
          ? zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })
          : bytes;
  return { coding, body: Buffer.concat([coded, rubbish]) };
}

function htmlVariant(pick: Pick): Variant {
  const charset = pick(Object.keys(WORDS));
  const place = charset === 'utf-16le' ? 'bom' : pick(['header', 'meta', 'equiv', 'xml', 'late']);
  const words = WORDS[charset] ?? '';
  const decoys = [
    `<meta name="description" content="Why ${DECOY} is gone">`,
    `<!-- <meta charset="iso-8859-7"> -->`,
    `<meta content="${DECOY}">`,
    `<meta property="og:type" content="charset=iso-8859-7">`,
    `<script>var a = '<meta charset="iso-8859-7">';</script>`,
    `<link rel="x" title='<meta charset="iso-8859-7">'>`,
    '<meta charset="klingon">',
    `<!--><base target="_self">`,
  ];
  const declarations: Readonly<Record<string, readonly string[]>> = {
    meta: [`<meta charset="${charset}">`, `<META CHARSET=${charset}>`, `<meta data-x charset = '${charset}'>`],
    equiv: [
      `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`,
      `<meta content='text/html;charset="${charset}"' http-equiv=content-type>`,
    ],
    late: [`<style>${'a{}'.repeat(600)}</style><meta charset="${charset}">`],
  };
  const robots = pick([
    '',
    '<meta name="robots" content="noindex">',
    '<META NAME=Robots CONTENT="NOFOLLOW, noindex">',
    '<!-- <meta name="robots" content="noindex"> -->',
    '<noscript><meta name="robots" content="noindex"></noscript>',
  ]);
  const canonical = pick([
    '',
    '<link rel="canonical" href="/canonical">',
    '<link REL="nofollow CANONICAL" href=other?a=1&amp;b=2>',
    '<!-- <link rel="canonical" href="/no"> -->',
  ]);
  const script = pick([
    '<script type="application/ld+json; charset=UTF-8">{"a":"</a><a href=x>"}</script>',
    '<script type="text/javascript; charset=utf-8">document.title = "no"</script>',
    '<script type=module>1</script>',
    '<script></script>',
  ]);
  const odd = pick([
    '<p>One<p>Two <b>bold <i>both</b> italic</i>',
    '<a href="/a">A<a href=/b>B</a>',
    '<table><tr><td>cell<a href="/in-table">in</a></table>',
    '<div/><a href="/behind-slash"/>link</a>',
    '<p>&eacute;&notit; &amp;amp; &#8364; &#x80; a < b</p>',
    '<textarea><a href="/no"></textarea><a href=" /spaces ">S</a>',
    '<P ALIGN=left>Upper <A HREF="?q=1#part">case</A>',
    '<!-- a --!><a href="/after-bang">x</a>',
    '<svg><title>Icon</title><a href="/svg">s</a></svg><a href="//other.example/x">o</a>',
    '<![CDATA[ not here ]]><a href="/cdata">c</a>',
  ]);
  const head = [
    pick(decoys),
    pick(declarations[place] ?? ['']),
    `<title>Tea ${words}${pick(['', ' &amp; more', ' <b>'])}</title>`,
    robots,
    canonical,
    script,
  ].join('\n');
  const start = place === 'xml' ? `<?xml version="1.0" encoding="${charset}"?>` : '';
  const text = `${start}<!doctype html><html><head>${head}</head><body><main><h1>${words}</h1>${odd}<p>The end.</main></body></html>`;
  const { coding, body } = compressed(encoded(text, charset), pick);
  const type = pick(['text/html', 'Text/HTML ']) + (place === 'header' ? `; charset=${pick(['', '"'])}${charset}` : '');
  return { headers: { 'content-type': type, ...(coding === '' ? {} : { 'content-encoding': coding }) }, body };
}

function xmlVariant(pick: Pick): Variant {
  const charset = pick(Object.keys(WORDS));
  const place = charset === 'utf-16le' ? 'bom' : charset === 'utf-8' ? 'none' : pick(['header', 'xml']);
  const words = WORDS[charset] ?? '';
  const head = [
    pick([
      '<script src="data:text/javascript,1"/>',
      '<style/>',
      '<meta charset="iso-8859-7"/>',
      '<!-- <title>No</title> -->',
    ]),
    `<title>Tea ${words}<![CDATA[ <&> ]]></title>`,
    pick(['', '<meta name="robots" content="noindex"/>', '<META name="robots" content="noindex"/>']),
    pick(['', '<link rel="canonical" href="/canonical?a=1&amp;b=2"/>', '<link REL="canonical" href="/no"/>']),
  ].join('\n');
  const odd = pick([
    '<p/><a href="/one">One</a><iframe/><a href="/two">Two</a>',
    '<p><![CDATA[<a href="/no">]]> text</p>',
    '<A href="/upper">no link</A><a HREF="/upper">none</a><a href="/lower">link</a>',
    '<x xmlns="urn:x"><a href="/foreign">no link</a></x>',
    '<h:a xmlns:h="http://www.w3.org/1999/xhtml" href="/prefixed">link</h:a>',
    '<p>&#233;&lt;b&gt;</p><?php echo 1 ?>',
    '<p>before</p><a href="/before">b</a><br><p>after</p>',
    '<p>before</p><a href=/unquoted>x</a>',
    '<p>before</p><p title="a<b">x</p>',
    '<p>before</p><!-- a -- b --><p>after</p>',
  ]);
  const start = place === 'xml' ? `<?xml version="1.0" encoding="${charset}"?>` : pick(['', '<?xml version="1.0"?>']);
  const doctype = pick(['', '<!DOCTYPE html>', '<!DOCTYPE html [<!ENTITY a "]>">]>']);
  const text = `${start}${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body><main><h1>${words}</h1>${odd}</main></body></html>`;
  const { coding, body } = compressed(encoded(text, charset), pick);
  const type = pick(['application/xhtml+xml', 'text/xml', 'application/xml']);
  return {
    headers: {
      'content-type': place === 'header' ? `${type}; charset=${charset}` : type,
      ...(coding === '' ? {} : { 'content-encoding': coding }),
    },
    body,
  };
}

/** White space depends on the style of elements. */
const letters = (text: string): string => text.replace(/\s+/g, '');

async function asEngine(fetcher: ClosableFetcher, url: string): Promise<Read> {
  const answer = await fetcher(url, { cut: true });
  if (!answer.ok) throw new Error(answer.message);
  const facts = parsePage({ url, body: answer.body, contentType: answer.headers['content-type']?.[0] ?? null });
  return {
    charset: facts.charset.used,
    title: facts.titles[0]?.text ?? '',
    text: letters(facts.text),
    links: facts.links.map((link) => link.url ?? ''),
    robots: facts.metas.filter(({ name }) => name === 'robots').map(({ content }) => content),
    canonicals: facts.canonicals.filter(({ inHead }) => inHead).map((link) => link.url ?? ''),
  };
}

/** Runs in the browser: gives what `Read` says. */
const SHOWN = `(() => {
  for (const error of document.querySelectorAll('parsererror')) error.remove();
  const all = (name, root = document) =>
    [...root.querySelectorAll(name)].filter(
      (element) => element.namespaceURI === 'http://www.w3.org/1999/xhtml' && element.localName === name,
    );
  const resolved = (element) => new URL(element.getAttribute('href') ?? '', document.baseURI).href.split('#')[0];
  for (const name of ['script', 'style', 'textarea', 'iframe']) for (const silent of all(name, document.body)) silent.remove();
  for (const drawn of document.body.querySelectorAll('svg title, svg a')) drawn.textContent = '';
  return {
    charset: document.characterSet.toLowerCase(),
    title: document.title,
    text: document.body.textContent,
    links: [...document.querySelectorAll('a[href]')]
      .filter(({ namespaceURI }) => /xhtml|svg/.test(namespaceURI))
      .map(resolved),
    robots: all('meta', document.head)
      .filter((meta) => meta.getAttribute('name')?.toLowerCase() === 'robots')
      .map((meta) => meta.getAttribute('content')),
    canonicals: all('link', document.head)
      .filter((link) => (link.getAttribute('rel') ?? '').toLowerCase().split(' ').includes('canonical'))
      .map(resolved),
  };
})()`;

describe.runIf(available('Chromium', CHROMIUM))('what Chromium shows is what is read', () => {
  const variants = new Map<string, Variant>();
  let server: Server;
  let origin: string;
  let browser: TestBrowser;
  let fetcher: ClosableFetcher;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const variant = variants.get(request.url ?? '');
      if (variant) response.writeHead(200, variant.headers).end(variant.body);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    origin = `http://${host}`;
    fetcher = createFetcher({ allowHosts: [host], userAgent: 'TestBot/1.0' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await fetcher.close();
    server.closeAllConnections();
    server.close();
  });

  test.each([
    ['HTML', htmlVariant, 1],
    ['XML', xmlVariant, 5001],
  ] as const)('%s', async (kind, make, from) => {
    const page = await browser.newPage();
    const differences: unknown[] = [];
    const reads: Read[] = [];
    for (let seed = from; seed < from + runs(120); seed++) {
      const path = `/${kind}/${seed}`;
      const variant = make(picking(seed));
      variants.set(path, variant);
      await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
      const browserRead = await page.evaluate<Read>(SHOWN);
      const expected = { ...browserRead, text: letters(browserRead.text) };
      const actual = await asEngine(fetcher, origin + path);
      reads.push(expected);
      if (JSON.stringify(sorted(actual)) !== JSON.stringify(sorted(expected)))
        differences.push({ seed, headers: variant.headers, actual, expected });
    }
    expect(differences).toEqual([]);
    // Not for want of anything to compare.
    expect(new Set(reads.map(({ charset }) => charset)).size).toBeGreaterThan(3);
    for (const name of ['title', 'text', 'links', 'robots', 'canonicals'] as const)
      expect(reads.filter((read) => read[name].length > 0).length).toBeGreaterThan(reads.length / 6);
  });
});

/** The same order of names. */
function sorted({ charset, title, text, links, robots, canonicals }: Read): readonly unknown[] {
  return [charset, title, text, links, robots, canonicals];
}
