import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { areaOf, hrefOf, languageOf, nameOf } from '../../../src/audit/facts/reading.ts';
import { FULL } from '../../given/fullForm.ts';

const URL_ = 'https://example.com/teas/green';

function facts(html: string, url = URL_) {
  return parsePage({ url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' });
}

describe('the head', () => {
  test('has title, metas and links, and marks those outside the head', () => {
    const page = facts(`<!doctype html><html lang="en"><head><title> Green
      tea </title><META NAME="Description" content="Fresh"><meta property="og:title" content="Tea">
      <link rel="canonical" href="/teas/green"><link rel="alternate" hreflang="de" href="/de"></head>
      <body><svg><title>Icon</title></svg><link rel="canonical" href="/other"></body></html>`);
    expect(page.titles).toEqual([{ text: 'Green tea', inHead: true }]);
    expect(page.metas).toEqual([{ name: 'description', content: 'Fresh' }]);
    expect(page.properties).toEqual([{ name: 'og:title', content: 'Tea' }]);
    expect(page.canonicals.map(({ url, inHead }) => [url, inHead])).toEqual([
      ['https://example.com/teas/green', true],
      ['https://example.com/other', false],
    ]);
    expect(page.alternates).toEqual([{ hreflang: 'de', href: '/de', url: 'https://example.com/de' }]);
    expect(page.lang).toBe('en');
  });

  test('resolves addresses against the first base with an href', () => {
    const page = facts(
      '<base target="_blank"><base href="/shop/"><base href="/no/"><a href="a">A</a><img src="b.png">',
    );
    expect(page.baseHref).toBe('/shop/');
    expect(page.links[0]?.url).toBe('https://example.com/shop/a');
    expect(page.images[0]?.url).toBe('https://example.com/shop/b.png');
  });

  test.each([
    ['<head><div>x</div><title>T</title></head><body></body>', 'div'],
    ['<head>words<link rel="canonical" href="/"></head>', '#text'],
    ['<head><title>T</title></head><body><div></div></body>', null],
    ['<title>T</title><div></div>', null],
    ['<head><title>T</title></head><body><link rel="canonical" href="/"></body>', null],
  ])('ended early in %s', (html, by) => {
    expect(facts(html).headBrokenBy).toBe(by);
  });

  test.each([
    ['<!doctype html>', 'html', false, false],
    ['<p>', null, true, false],
    [
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
      'html -//W3C//DTD XHTML 1.0 Transitional//EN http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd',
      false,
      true,
    ],
  ])('doctype %s', (html, doctype, quirks, limitedQuirks) => {
    expect(facts(html)).toMatchObject({ doctype, quirks, limitedQuirks });
  });
});

describe('links', () => {
  test('have absolute addresses without fragment, or none if they are no web pages', () => {
    const page = facts(
      '<a href=" ../pots#clay ">Pots</a><a href="mailto:a@b.c">Mail</a><a href="http://[bad">Bad</a><a href="//www.example.com/x">X</a>',
    );
    expect(page.links.map(({ url, internal }) => [url, internal])).toEqual([
      ['https://example.com/pots', true],
      [null, false],
      [null, false],
      ['https://www.example.com/x', true],
    ]);
  });

  test('have the name that a screen reader says', () => {
    const page =
      facts(`<h2 id="n">By id</h2><a href="/1"><img src="a" alt="By alt"></a><a href="/2" aria-label="By label">x</a><a href="/3" aria-labelledby="n">x</a>
      <a href="/4" title="By title"></a><a href="/5"><svg><title>By icon</title></svg></a><a href="/6"><span aria-label="By part"></span></a><a href="/7"></a>`);
    expect(page.links.map(nameOf)).toEqual(['By alt', 'By label', 'By id', 'By title', 'By icon', 'By part', '']);
  });

  test('are named by what stands in them, if it is seen there', () => {
    const page = facts(
      `<h2 id="n">By id</h2><a href="/1"><img src="a" title="By title of an image"></a><a href="/2"><i title="By title of a sign"></i></a>
      <a href="/3"><img src="a" aria-labelledby="n"></a><a href="/4"><svg aria-labelledby="n"></svg></a><a href="/5" title="Own"><i title="Inner"></i></a>
      <a href="/6">Seen<span hidden> and not</span></a><a href="/7"><b style="display:none">Not seen</b></a><div hidden><a href="/8">In a closed menu</a></div>`,
    );
    expect(page.links.map(nameOf)).toEqual([
      'By title of an image',
      'By title of a sign',
      'By id',
      'By id',
      'Inner',
      'Seen',
      '',
      'In a closed menu',
    ]);
    expect(page.links.map(({ text }) => text)).toEqual(['', '', '', '', '', 'Seen', '', 'In a closed menu']);
  });

  test('in drawings and formulas are links', () => {
    const page = facts(
      `<svg><a href="/map"><text>Map</text></a><a xlink:href="/old"><title>Old way</title></a><a>none</a></svg>
      <math><mrow href="/proof"><mi>x</mi></mrow></math><a href="/after">After</a>`,
    );
    expect(page.links.map(({ url, text }) => [url, text])).toEqual([
      ['https://example.com/map', 'Map'],
      ['https://example.com/old', 'Old way'],
      ['https://example.com/proof', 'x'],
      ['https://example.com/after', 'After'],
    ]);
    expect(page.uncrawlableAnchors).toEqual([]);
  });

  test('have the language of their text', () => {
    const page = facts(
      '<html lang="en"><a href="/1"><span lang="de">Hier</span></a><div lang="de"><a href="/2"> <b lang="en">here</b></a></div>',
    );
    expect(page.links.map((link) => languageOf(link, page))).toEqual(['de', 'en']);
  });

  test('are in the area of the nearest landmark; a header inside an article is content', () => {
    const page = facts(
      '<header><a href="/1">1</a><nav><a href="/2">2</a></nav></header><article><header><a href="/3">3</a></header></article><aside><a href="/4">4</a></aside><div role="contentinfo"><a href="/5">5</a></div>',
    );
    expect(page.links.map(areaOf)).toEqual(['header', 'nav', 'main', 'aside', 'footer']);
  });

  test('have the language of the nearest lang', () => {
    const page = facts(
      '<html lang=" EN"><a href="/1">1</a><p lang="DE-at"><a href="/2">2</a></p><p lang=""><a href="/3">3</a></p><a href="/4">4</a>',
    );
    expect(page.links.map((link) => languageOf(link, page))).toEqual(['en', 'de-at', '', 'en']);
  });

  test('omit values equal to others', () => {
    const page = facts(
      '<html lang="en"><a href="https://example.com/a" rel="Next">A</a><a href="/b" rel="Next" aria-label="B">A</a><nav lang="de"><a href="#">C</a></nav>',
    );
    expect(page.links).toEqual([
      { url: 'https://example.com/a', text: 'A', rel: ['next'], internal: true },
      { href: '/b', url: 'https://example.com/b', text: 'A', rel: ['next'], internal: true, name: 'B' },
      {
        href: '#',
        url: URL_,
        text: 'C',
        rel: [],
        internal: true,
        area: 'nav',
        lang: 'de',
        selector: 'nav > a:nth-of-type(1)',
      },
    ]);
    expect(page.links.map(hrefOf)).toEqual(['https://example.com/a', '/b', '#']);
    expect(page.links[0]?.rel).toBe(page.links[1]?.rel);
  });
});

describe('images', () => {
  test('have sizes from attributes or the style attribute', () => {
    const sized = (attributes: string) => facts(`<img src="a.png" ${attributes}>`).images[0]?.sized;
    expect(
      [
        'width="1" height="2"',
        'width="0" height="0"',
        'style="width:1px;aspect-ratio:2"',
        'width=9 style="height: 3em"',
      ].map(sized),
    ).toEqual([true, true, true, true]);
    expect(
      [
        '',
        'width="10"',
        'width="-1" height="5"',
        'width="+1" height="5"',
        'style="width:auto;height:auto"',
        'style="aspect-ratio:2"',
      ].map(sized),
    ).toEqual([false, false, false, false, false, false]);
  });

  test('are hidden by a size of at most one pixel, not by one that is none', () => {
    const hidden = (attributes: string) => facts(`<img src="a.png" ${attributes}>`).images[0]?.hidden;
    expect(['width="1" height="1"', 'width="0" height="0"', 'hidden'].map(hidden)).toEqual([true, true, true]);
    expect(['width="-5" height="-5"', 'width="auto" height="auto"', 'width="1"', ''].map(hidden)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('in a picture with a modern source are modern, and data images have no address', () => {
    const page = facts(
      '<picture><source type="image/webp" srcset="a.webp"><img src="a.jpg"></picture><img src="b.jpg" srcset="b.avif 2x"><img src="c.jpg"><img src="data:image/png;base64,AAAA">',
    );
    expect(page.images.map((image) => image.modern)).toEqual([true, true, false, false]);
    expect(page.images[3]?.url).toBeNull();
  });
});

describe('text', () => {
  test('is the main content without scripts, hidden parts and boilerplate', () => {
    const page =
      facts(`<nav>Menu</nav><main><h1>Green</h1><p>Fresh <b>le</b>aves.</p><script>var x</script><style>p{}</style><p hidden>Secret</p>
      <p style="display: none">Secret</p><template><p>Secret</p></template><noscript>Enable scripts</noscript></main><footer>Imprint</footer>`);
    expect(page.text).toBe('Green Fresh leaves.');
    expect(page.passageWords).toEqual([2]);
    expect(page.lead).toBe('');
    expect(page.wordCount).toBe(3);
    expect(page.bodyWordCount).toBe(5);
    expect(page.noscript).toBe('Enable scripts');
  });

  test('without main is everything outside of navigation, header, footer and asides', () => {
    expect(facts('<header>Top</header><div>One<p>two</p>three</div><aside>Ads</aside>').text).toBe('One two three');
  });

  test('drops the middle when long, unless its questions are needed', () => {
    const text = `${'start '.repeat(250)}${'middle '.repeat(500)}lorem ipsum dolor sit ${'end '.repeat(250)}`.trim();
    const page = facts(`<main><p>Short.</p><p>${text}</p></main>`);
    expect(page.text.slice(0, 1500)).toBe(`Short. ${text}`.slice(0, 1500));
    expect(page.text.slice(-800)).toBe(text.slice(-800));
    expect(page.text.length).toBe(2303);
    expect(page.filler).toEqual({
      found: 'lorem ipsum dolor',
      around: `${`lorem ipsum dolor sit ${'end '.repeat(30)}`.slice(0, 119)}…`,
    });
    expect(page.lead).toBe(text.slice(0, 200));
    expect(page.passageWords).toEqual([1, 200]);
    expect(facts(`<p>${text}</p><script type="application/ld+json">{"@type":"FAQPage"}</script>`).text).toBe(text);
  });

  test('hashes alike when equal, ignoring white space', () => {
    const [a, b, c] = ['<p>One two</p>', '<div> One\n two </div>', '<p>One three</p>'].map(
      (html) => facts(html).textHash,
    );
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(facts('').textHash).toBe('');
  });
});

describe('structured data', () => {
  const ld = (text: string) => facts(`<script type="application/ld+json">${text}</script>`).structuredData[0];

  test('has JSON-LD nodes with their types, nested ones too', () => {
    expect(
      ld(
        '{"@context":"https://schema.org","@type":"Product","offers":{"@type":"https://schema.org/Offer"}}',
      )?.types.toSorted(),
    ).toEqual(['Offer', 'Product']);
    expect(ld('[{"@type":"A"},{"@type":"B"}]')?.value).toHaveLength(2);
  });

  test('has the error of invalid JSON-LD', () => {
    expect(ld('{"a":1,}')).toMatchObject({ value: null, error: expect.stringContaining('JSON') });
    expect(ld('')).toMatchObject({ value: null, error: 'The block is empty' });
  });

  test('limits deep and wide values, and leaves prototypes untouched', () => {
    expect(ld(`${'['.repeat(5000)}1${']'.repeat(5000)}`)?.error).toBeNull();
    expect(JSON.stringify(ld(`[${'{"a":"b"},'.repeat(20_000)}1]`)?.value).length).toBeLessThan(200_000);
    ld('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('is read up to a limit per page, however many blocks it is in', () => {
    const block = `<script type="application/ld+json">{"@type":"Thing","list":[${Array(3_000).fill(1).join()}]}</script>`;
    const read = facts(block.repeat(50)).structuredData.filter(({ value }) => value !== null);
    expect(read).toHaveLength(7);
  });

  test('has microdata like JSON-LD', () => {
    const page =
      facts(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Pot</h1><a itemprop="url" href="/pot">x</a>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="49"><time itemprop="validFrom" datetime="2026-01-01">now</time></div>
      <span itemprop="tag">a</span><span itemprop="tag">b</span></div>`);
    expect(page.structuredData[0]?.value).toEqual([
      {
        '@type': 'Product',
        '@context': 'https://schema.org',
        name: 'Pot',
        url: 'https://example.com/pot',
        offers: { '@type': 'Offer', price: '49', validFrom: '2026-01-01' },
        tag: ['a', 'b'],
      },
    ]);
  });
});

describe('selectors', () => {
  test.each([
    [
      '<head><title>T</title><script src="a"></script></head>',
      (f: ReturnType<typeof facts>) => f.resources[0]?.selector,
      'head > script:nth-of-type(1)',
    ],
    [
      '<main><p><img src="a"></p><p><img src="b"><img src="data:image/png;base64,AAAA"></p></main>',
      (f: ReturnType<typeof facts>) => f.images[2]?.selector,
      'main > p:nth-of-type(2) > img:nth-of-type(2)',
    ],
    [
      '<div><div id="box"><span><a href="#">x</a></span></div></div>',
      (f: ReturnType<typeof facts>) => f.links[0]?.selector,
      '#box > span:nth-of-type(1) > a:nth-of-type(1)',
    ],
    ['<h1 id="top">T</h1>', (f: ReturnType<typeof facts>) => f.headings[0]?.selector, '#top'],
  ])('of %s', (html, pick, selector) => {
    expect(pick(facts(html))).toBe(selector);
  });
});

/** A million in a whole audit on each push (`hostileAudits`), and here in the full form. */
const LINKS = FULL ? 1_000_000 : 200_000;

describe('hostile pages have bounded facts', () => {
  test('items within items, each under many names, are a tree that is read once', () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`).join(' ');
    const nested = (depth: number): string =>
      depth === 0 ? '' : `<div itemscope itemprop="${names}"><b itemprop="a b c">x</b>${nested(depth - 1)}</div>`;
    const [data] = facts(`<div itemscope itemtype="https://schema.org/Product">${nested(20)}</div>`).structuredData;
    expect(JSON.stringify(data).length).toBeLessThan(5_000);
    const [simple] = facts(
      '<div itemscope><div itemprop="author creator" itemscope><b itemprop="name alias">Anna</b></div></div>',
    ).structuredData;
    expect(simple?.value).toMatchObject([{ author: { name: 'Anna', alias: 'Anna' } }]);
  });

  const size = (html: string): number => JSON.stringify(facts(html)).length;

  test.each([
    ['100,000 levels', '<div>'.repeat(100_000)],
    ['headings in headings', '<h1><div>x '.repeat(20_000)],
    [`${LINKS} links`, '<a href="/x">y</a>'.repeat(LINKS)],
    ['one long line', 'word '.repeat(1_000_000)],
    ['20,000 attributes', `<p ${Array.from({ length: 20_000 }, (_, i) => `a${i}=1`).join(' ')}>`],
    ['items in items', '<div itemscope itemtype=x><span itemprop=a>'.repeat(20_000)],
    ['labels', '<img aria-labelledby="a b c">'.repeat(30_000)],
    ['formatting', '<b>'.repeat(20_000) + '<p>'.repeat(500)],
    ['a meta refresh of spaces', `<meta http-equiv=refresh content="0;${' '.repeat(200_000)}x">`],
    ['unclosed tags', '<'.repeat(200_000)],
    ['comments', '<!--'.repeat(100_000)],
  ])('%s', (_, html) => {
    expect(size(html)).toBeLessThan(1_200_000);
  });

  test('counts are exact beyond the listed items', () => {
    const page = facts('<a href="/x">y</a>'.repeat(30_000) + '<img src=a>'.repeat(3000));
    expect(page.totals).toMatchObject({ links: 30_000, images: 3000 });
    expect(page.links.length).toBeLessThan(30_000);
  });

  test('NUL bytes and invalid UTF-8 do not fail', () => {
    const body = new Uint8Array([0x3c, 0x70, 0x3e, 0x61, 0, 0xff, 0xfe, 0x62, 0x3c, 0x2f, 0x70, 0x3e]);
    expect(parsePage({ url: URL_, body, contentType: 'text/html; charset=utf-8' }).counts.paragraphs).toBe(1);
  });
});
