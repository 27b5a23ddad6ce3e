import { describe, expect, test } from 'vitest';
import { decodePage } from '../../../src/audit/facts/parse/charset.ts';
import { declaredCharset } from '../../../src/audit/facts/parse/declaredCharset.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

test.each([
  ['a BOM wins over the header', utf8('\uFEFFTé'), 'text/html; charset=iso-8859-1', 'utf-8', 'Té'],
  ['UTF-16 by its BOM', utf16('Té'), null, 'utf-16le', 'Té'],
  [
    'the header wins over the meta',
    latin1('<meta charset="utf-8">T\u00e9'),
    'text/html; charset="windows-1252"',
    'windows-1252',
    '<meta charset="utf-8">Té',
  ],
  [
    'meta charset',
    latin1('<meta charset=windows-1252>T\u00e9'),
    'text/html',
    'windows-1252',
    '<meta charset=windows-1252>Té',
  ],
  [
    'meta http-equiv',
    latin1('<META http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">\u00e9'),
    null,
    'windows-1252',
    '<META http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">é',
  ],
  [
    'a meta in a comment does not count',
    utf8('<!-- <meta charset="windows-1252"> -->é'),
    null,
    'utf-8',
    '<!-- <meta charset="windows-1252"> -->é',
  ],
  [
    'a meta that claims UTF-16 cannot be right',
    utf8('<meta charset="utf-16">é'),
    null,
    'utf-8',
    '<meta charset="utf-16">é',
  ],
  ['nothing declared: valid UTF-8', utf8('é'), null, 'utf-8', 'é'],
  ['nothing declared: anything else', latin1('T\u00e9'), null, 'windows-1252', 'Té'],
  ['nothing declared: what only Windows has', latin1('T\u00e9 \u0093\u0080\u0094'), null, 'windows-1252', 'Té “€”'],
  ['an unknown label is passed over', utf8('é'), 'text/html; charset=klingon', 'utf-8', 'é'],
])('%s', (_, body, contentType, used, text) => {
  const page = decodePage(body, contentType);
  expect(page.charset.used).toBe(used);
  expect(page.text).toBe(text);
});

const ELSEWHERE = '<meta charset="windows-1251">';
const REAL = '<meta charset="utf-8">';
const xml = (encoding: string): string =>
  `<?xml version="1.0"${encoding}?><html xmlns="http://www.w3.org/1999/xhtml"/>`;

describe('only real declarations count', () => {
  test.each([
    ['the text of a description', `<meta name="description" content="Why charset=windows-1251 is gone">${REAL}`],
    ['content without http-equiv', `<meta content="text/html; charset=windows-1251">${REAL}`],
    ['another http-equiv', `<meta http-equiv="refresh" content="5; url=/?charset=windows-1251">${REAL}`],
    ['a property', `<meta property="og:charset" content="charset=windows-1251">${REAL}`],
    ['a value in another attribute', `<meta name="charset=windows-1251" content="x">${REAL}`],
    ['an attribute with a similar name', `<meta data-charset="windows-1251">${REAL}`],
    ['an element with a similar name', `<metadata charset="windows-1251">${REAL}`],
    ['an end tag', `</meta charset="windows-1251">${REAL}`],
    ['a comment', `<!-- ${ELSEWHERE} -->${REAL}`],
    ['a comment with > in it', `<!-- > ${ELSEWHERE} -->${REAL}`],
    ['a script', `<script>const a = '${ELSEWHERE}';</script>${REAL}`],
    ['a style', `<style>/* ${ELSEWHERE} */</style>${REAL}`],
    ['a title', `<title>${ELSEWHERE}</title>${REAL}`],
    ['a quoted attribute', `<link title='${ELSEWHERE}'>${REAL}`],
    [
      'a doctype and other markup',
      `<!doctype html><?php ${REAL.replace('utf-8', 'windows-1251').replace('>', '')} ?>${REAL}`,
    ],
    ['an unknown label', `<meta charset="klingon">${REAL}`],
    ['the second of two attributes', '<meta charset="utf-8" charset="windows-1251">'],
    ['content beside charset', '<meta content="charset=windows-1251" http-equiv="content-type" charset="utf-8">'],
    ['a later one', `${REAL}${ELSEWHERE}`],
    ['one behind the head and the first 1,024 bytes', `<body>${' '.repeat(1100)}${ELSEWHERE}`],
    ['one in an attribute that never ends', `<p title="${ELSEWHERE.replaceAll('"', "'")}`],
    ['one in a comment that never ends', `<!-- ${ELSEWHERE}`],
    ['one in an element that never ends', `<title>${ELSEWHERE}`],
  ])('not %s', (_, html) => {
    expect(decodePage(utf8(`${html}é`), 'text/html').charset.used).toBe('utf-8');
  });

  test.each([
    ['an empty comment', `<!-->${ELSEWHERE}-->`],
    ['a comment closed with a bang', `<!-- x --!>${ELSEWHERE}`],
    ['slashes for spaces', '<meta/charset="windows-1251"/>'],
    ['spaces around the value', '<meta\tcharset = " WINDOWS-1251 ">'],
    ['single quotes', "<meta charset='windows-1251'>"],
    ['no quotes', '<META CHARSET=windows-1251>'],
    ['another label of the encoding', '<meta charset="cp1251">'],
    ['content before http-equiv', '<meta content="text/html; charset=windows-1251" http-equiv="CONTENT-TYPE">'],
    ['quotes in content', `<meta http-equiv="content-type" content="text/html; charset='windows-1251'">`],
    ['a first charset without value', '<meta http-equiv="content-type" content="charset charset = windows-1251; x">'],
    ['behind a long style in the head', `<head><style>${'a{}'.repeat(10_000)}</style>${ELSEWHERE}`],
    ['in the body, among the first bytes', `<body><p>${ELSEWHERE}`],
    ['in a noscript', `<noscript>${ELSEWHERE}</noscript>`],
    ['an XML declaration carried over', '<?xml version="1.0" encoding="windows-1251"?><!doctype html>'],
  ])('%s', (_, html) => {
    expect(decodePage(utf8(html), 'text/html').charset.used).toBe('windows-1251');
  });

  test('meta before the XML declaration, and bytes without meaning as Western text', () => {
    expect(decodePage(utf8(`<?xml version="1.0" encoding="koi8-r"?>${ELSEWHERE}`), null).charset.used).toBe(
      'windows-1251',
    );
    expect(decodePage(utf8('<meta charset="x-user-defined">é'), null).charset.used).toBe('windows-1252');
  });

  test.each([
    ['text/html; charset=koi8-r; charset=utf-8', 'koi8-r'],
    ['TEXT/HTML;CHARSET="KOI8-R"', 'koi8-r'],
    ['text/html, text/html; charset=koi8-r', 'koi8-r'],
    ['text/html; xcharset=koi8-r', 'windows-1251'],
    ['text/html; profile="charset"', 'windows-1251'],
    ['text/html charset=koi8-r', 'windows-1251'],
    ['text/html; charset=', 'windows-1251'],
  ])('the header %s', (header, used) => {
    expect(decodePage(utf8(ELSEWHERE), header).charset.used).toBe(used);
  });
});

describe('XML', () => {
  test.each([
    ['is UTF-8 unless it says otherwise', latin1(xml('')), 'application/xhtml+xml', 'utf-8'],
    ['has its declaration', latin1(xml(' encoding="koi8-r"')), 'application/xhtml+xml', 'koi8-r'],
    [
      'has its declaration below the header',
      latin1(xml(' encoding="koi8-r"')),
      'text/xml; charset=latin1',
      'windows-1252',
    ],
    ['has no meta', latin1(xml('').replace('?>', `?>${ELSEWHERE}`)), 'application/xml', 'utf-8'],
    ['may be UTF-16 without a mark', new Uint8Array(Buffer.from(xml(''), 'utf16le')), 'text/xml', 'utf-16le'],
    ['may be UTF-16, big end first', new Uint8Array(Buffer.from(xml(''), 'utf16le').swap16()), 'text/xml', 'utf-16be'],
  ])('%s', (_, body, type, used) => {
    expect(decodePage(body, type).charset.used).toBe(used);
  });
});

test.each([
  ['tags', '<a '.repeat(400_000)],
  ['comments', '<!-- x'.repeat(200_000)],
  ['quotes', '<a b="\' c=\'"'.repeat(100_000)],
  ['spaces', `<a${' '.repeat(1_000_000)}`],
  ['titles', '<title>'.repeat(150_000)],
])('the search ends within a bounded beginning: %s', (_, text) => {
  const body = utf8(text);
  let touched = 0;
  const watched = new Proxy(body, {
    get: (target, name) => {
      if (name === 'subarray')
        return (from: number, to: number) => {
          const part = target.subarray(from, to);
          touched += part.length;
          return part;
        };
      return Reflect.get(target, name) as unknown;
    },
  });
  expect(declaredCharset(watched, () => true)).toBeNull();
  expect(touched).toBeLessThan(70_000);
});

test('the position of a charset declaration is reported', () => {
  expect(decodePage(utf8(`${' '.repeat(2000)}<meta charset=utf-8>`), null).charset).toMatchObject({
    meta: 'utf-8',
    metaOffset: 2020,
  });
  expect(decodePage(utf8('<p>'), null).charset).toMatchObject({
    meta: null,
    metaOffset: null,
    header: null,
    bom: false,
  });
});
