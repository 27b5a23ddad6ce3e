/**
 * Pages made to break parsers: one body per path, generated for each request, so that only the reader needs memory for
 * it.
 */

const MEGABYTE = 1024 * 1024;

/** Repeats a piece up to this many characters. */
function filled(piece: string, size = 2 * MEGABYTE): string {
  return piece.repeat(Math.floor(size / piece.length));
}

function numbered(count: number, piece: (each: number) => string): string {
  return Array.from({ length: count }, (_, each) => piece(each)).join('');
}

function random(seed: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at < size; at++) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const TOKENS =
  '<a href=/x> </a> <b> <i> <p> </p> <div> </div> <table> <tr> <td> </table> <svg> <math> <mi> <template> </template> <select> <option> <form> <frameset> <!-- --> <![CDATA[ ]]> <script> </script> <style> </style> <title> </title> <h1> </h1> <img src=a alt=""> <base href=//[> <meta charset=x> <link rel=canonical href=y> <body> </body> </html> <plaintext> &amp; &#0; &#xD800; &notit; \0 " \' = < > </ <a <!-'.split(
    ' ',
  );

/** Tags and partial tags in random order. */
function tagSoup(seed: number, size: number): string {
  const choices = random(seed, size);
  return Array.from(choices, (choice) => TOKENS[choice % TOKENS.length]).join('');
}

const page = (body: string, head = '<title>A page that means no good</title>'): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body><h1>A page</h1>${body}</body></html>`;
const ld = (json: string): string => page('', `<title>data</title><script type="application/ld+json">${json}</script>`);

export const HOSTILE_PAGES: Readonly<Record<string, () => string | Buffer>> = {
  '100,000 divs in each other': () => page(filled('<div>', 500_000)),
  '100,000 links in each other': () => page(numbered(100_000, (each) => `<a href="/${each}"><b>`)),
  'formatting that crosses': () => page(filled('<b><i><u><p></b></i></u>', 300_000)),
  'fonts of many kinds that cross': () => page(numbered(20_000, (each) => `<font size=${each}><p>`)),
  'tables in tables': () => page(filled('<table><tr><td>', 500_000)),
  'text where tables want none': () => page(`<table>${filled('x<b>', 500_000)}`),
  'lists in lists': () => page(filled('<ul><li>', 500_000)),
  'forms and buttons': () => page(filled('<form><button>', 500_000)),
  'foreign elements': () => page(filled('<svg><foreignObject><math><annotation-xml>', 500_000)),
  templates: () => page(filled('<template>', 500_000)),
  'selects and options': () => page(filled('<select><optgroup><option>', 500_000)),
  'ends without beginnings': () => page(filled('</p></b></div></br>', 500_000)),
  'one line of 50 MB': () => filled('word ', 50 * MEGABYTE),
  'one word of 50 MB': () => filled('a', 50 * MEGABYTE),
  'blanks of 50 MB': () => filled(' ', 50 * MEGABYTE),
  'line ends of 50 MB': () => filled('\n', 50 * MEGABYTE),
  'a million links': () => page(numbered(1_000_000, (each) => `<a href=/${each}>x</a>`)),
  'a million equal links': () => page('<a href="/same">same</a>'.repeat(200_000)),
  'links of a megabyte': () => page(numbered(4, (each) => `<a href="/${each}${filled('x', MEGABYTE)}">x</a>`)),
  'hosts of dots': () => page(numbered(20, () => `<a href="https://${filled('.', 100_000)}x/">x</a>`)),
  'NUL bytes': () =>
    Buffer.concat([
      Buffer.from('<!doctype html><title>nul</title><p>'),
      Buffer.alloc(40),
      Buffer.from('x'.repeat(2000)),
      Buffer.alloc(2 * MEGABYTE),
    ]),
  'NUL bytes alone': () => Buffer.alloc(2 * MEGABYTE),
  'one attribute of 4 MB': () => page(`<p title="${filled('x', 4 * MEGABYTE)}">`),
  '100,000 attributes': () => page(`<p ${numbered(100_000, (each) => `a${each}=1 `)}>`),
  'the same attribute again and again': () => page(`<p ${filled('class=x ', 800_000)}>`),
  'a class of 100,000 names': () =>
    page(`<p class="${numbered(100_000, (each) => `c${each} `)}"><a href="#" class="${filled('x ')}">y</a>`),
  'ids of every element': () =>
    page(numbered(50_000, (each) => `<a id=i${each} aria-labelledby="i${each + 1} i${each + 2}" href=#${each}></a>`)),
  'a label of everything': () =>
    page(`<div id=all>${numbered(20_000, () => '<a href=/y aria-labelledby=all></a>')}</div>`),
  'entities alone': () => page(filled('&amp;&#x41;&CounterClockwiseContourIntegral;')),
  'ampersands alone': () => page(filled('&')),
  'angle brackets alone': () => filled('<'),
  'a comment without end': () => page(filled('<!--')),
  'comments that end and begin': () => filled('--><!--'),
  'a script without end': () => page(`<script>${filled('var a = "</scrip'.concat(' '))}`),
  'a title without end': () => `<title>${filled('title ')}`,
  '50,000 titles': () => numbered(50_000, (each) => `<title>${each}</title>`),
  '50,000 headings': () => page(numbered(50_000, (each) => `<h${(each % 6) + 1}>${each}</h${(each % 6) + 1}>`)),
  '50,000 metas': () =>
    page(
      '',
      numbered(50_000, (each) => `<meta name=m${each} content=${each}>`),
    ),
  '50,000 language versions': () =>
    page(
      '',
      numbered(50_000, (each) => `<link rel=alternate hreflang=x${each} href=/${each}>`),
    ),
  '50,000 canonicals': () =>
    page(
      '',
      numbered(50_000, (each) => `<link rel=canonical href=/${each}>`),
    ),
  '50,000 images': () =>
    page(numbered(50_000, (each) => `<img src=/${each}.png srcset="/${each}.webp 1x, /${each}.jpg 2x">`)),
  'a srcset of 2 MB': () => page(`<img src=a srcset="${numbered(60_000, (each) => `/image-${each}.png ${each}w, `)}">`),
  'a picture as data': () => page(`<img src="data:image/png;base64,${filled('QUJD', 4 * MEGABYTE)}">`),
  'a base for every link': () => page(numbered(30_000, (each) => `<base href="/${each}/"><a href=x>x</a>`)),
  'brackets in JSON-LD': () => ld(filled('[', 1_000_000)),
  'nodes in nodes in JSON-LD': () => ld(`${filled('{"@type":"Thing","about":', 1_000_000)}1${'}'.repeat(40_000)}`),
  'a graph of 50,000 nodes': () =>
    ld(
      `{"@context":"https://schema.org","@graph":[${numbered(50_000, (each) => `{"@type":"Product","@id":"#${each}","isRelatedTo":{"@id":"#${each + 1}"}},`)}{}]}`,
    ),
  'names of what every object has': () =>
    ld('{"@type":["__proto__","constructor","toString"],"__proto__":{"@type":"Product"},"constructor":1}'),
  '10,000 blocks of JSON-LD': () =>
    page(numbered(10_000, (each) => `<script type="application/ld+json">{"@type":"Thing","name":${each}}</script>`)),
  'items in items': () => page(filled('<div itemscope itemprop=x itemtype="https://schema.org/Thing">', 1_000_000)),
  'items that refer to each other': () =>
    page(
      numbered(
        5000,
        (each) => `<div itemscope id=a${each} itemref="a${(each + 1) % 5000} a${(each + 2) % 5000}" itemprop=p></div>`,
      ),
    ),
  'words of one letter': () => page(`<main><p>${filled('a b c d ')}</p></main>`),
  'Chinese without end': () => page(`<main lang="zh"><p>${filled('天地玄黃宇宙洪荒')}</p></main>`),
  'Thai without end': () => page(`<main lang="th"><p>${filled('สวัสดีชาวโลก')}</p></main>`),
  'accents upon accents': () => page(`<main><p>a${filled('\u0301\u0323')}</p></main>`),
  'letters that grow when they are written otherwise': () =>
    page(`<main><p>${filled('\ufdfa\u0390\ufb03ßİ')}</p></main>`),
  'marks that turn the text': () => page(`<main><p>${filled('\u202e\u200f\u2066x\u2069')}</p></main>`),
  'halves of characters': () =>
    Buffer.concat([Buffer.from('<title>half</title><p>'), Buffer.from(filled('\u{1F600}'), 'utf8').subarray(1)]),
  'UTF-16 that ends in a half': () =>
    Buffer.concat([Buffer.from(`\ufeff${page(filled('wide '))}`, 'utf16le'), Buffer.from([0x3d])]),
  'addresses and numbers': () =>
    page(`<main><p>${filled('1 Main Street, +49 30 1234567, mo-fr 9:00-17:00, $12.99, a@b.example ')}</p></main>`),
  'dots and blanks by turns': () => page(`<main><p>${filled('. ')}${filled('a.a ')}${filled('\t |')}</p></main>`),
  ...Object.fromEntries([1, 2, 3, 4].map((seed) => [`random bytes, seed ${seed}`, () => random(seed, 300_000)])),
  ...Object.fromEntries(
    [5, 6, 7, 8].map((seed) => [
      `random bytes behind a beginning, seed ${seed}`,
      () => Buffer.concat([Buffer.from('<!doctype html><html><body>'), random(seed, 300_000)]),
    ]),
  ),
  ...Object.fromEntries(
    [11, 12, 13, 14, 15, 16].map((seed) => [`tags at random, seed ${seed}`, () => tagSoup(seed, 40_000)]),
  ),
};
