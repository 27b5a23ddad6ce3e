import { expect, test } from 'vitest';
import { decodePage } from '../../../src/audit/facts/parse/charset.ts';

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
  ['an unknown label is passed over', utf8('é'), 'text/html; charset=klingon', 'utf-8', 'é'],
])('%s', (_, body, contentType, used, text) => {
  const page = decodePage(body, contentType);
  expect(page.charset.used).toBe(used);
  expect(page.text).toBe(text);
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
