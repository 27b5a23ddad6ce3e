/** Whatever the source, the tree is the one that parse5 builds by itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { parseTree } from '../../../src/audit/facts/parse/htmlTree.ts';
import { runs } from '../../given/fullForm.ts';

const SITES = join(import.meta.dirname, '../../sites');
const PARTS = [
  ...'<p> </p> <pre> <pre>\n </pre> <textarea>\n </textarea> <title> </title> <table> <tr> <td> </td> </table> <caption> <b> </b> <i> <a> </a>'.split(
    ' ',
  ),
  ...'<script> </script> <style> </style> <svg> <title> </svg> <math> <mi> </mi> </math> <foreignObject> <template> </template>'.split(
    ' ',
  ),
  ...'<select> <option> </select> <frameset> <frame> </frameset> <head> </head> <body> </body> </html> <!--x--> <!--'.split(
    ' ',
  ),
  ...'--> <br> <ul> <li> <button> <noscript> </noscript> <plaintext> <xmp> </xmp> <iframe> </iframe> <listing> <col> <colgroup>'.split(
    ' ',
  ),
  '<!doctype html>',
  '<a href="x y&amp;z">',
  '<script><!-- <script>',
  '</script',
  '<!--<script>-->',
  '<![CDATA[ a b ]]>',
  '<',
  '</',
  '<!',
  '&',
  '&#',
  '&amp;',
  '&nbsp;',
  '&#x41;',
  '&notit;',
  '&lt',
  ' ',
  '  ',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\t',
  '\f',
  '\v',
  '\0',
  '\u00a0',
  '\ufeff',
  '\u3000',
  'word',
  'two words',
  ' a b ',
  'x\n y',
  'é',
  '漢字',
  '😀',
  '\ud83d',
  '\ude00',
  'a\0b',
  'a\rb',
  '-',
  '--',
  ']]>',
  '\u0001',
  '\uffff',
];

describe('the parsed tree', () => {
  it('of every page of the fixture sites equals that of parse5', () => {
    const files = readdirSync(SITES, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      name.endsWith('.html'),
    );
    expect(files.length).toBeGreaterThan(80);
    for (const { parentPath, name } of files) expectSame(readFileSync(join(parentPath, name), 'utf8'));
  });

  it('of a long text, beyond the window that parse5 keeps of its source, equals that of parse5', () => {
    const paragraph = `<p>${'Some words &amp; more of them, with 😀 and\r\nline ends. '.repeat(40)}</p> <td>${'a b '.repeat(300)}`;
    expectSame(
      `<!doctype html><title>t</title><body>${paragraph.repeat(80)}<script>${'const a = 1;\n'.repeat(9000)}</script> end`,
    );
    expectSame('x '.repeat(200_000));
  });

  it('of any mixture of tags, references, spaces and invalid characters equals that of parse5', () => {
    const source = fc.array(fc.constantFrom(...PARTS), { maxLength: 40, size: 'max' }).map((parts) => parts.join(''));
    fc.assert(fc.property(source, expectSame), { seed: 20261122, numRuns: runs(4000) });
  });
});

function expectSame(source: string): void {
  const theirs = parse(source);
  const ours = parseTree(source);
  expect(shapeOf(ours.document)).toEqual(shapeOf(theirs));
  expect(ours.mode).toBe(theirs.mode);
}

/** One line per node, so that nesting needs no stack. */
function shapeOf(root: DefaultTreeAdapterTypes.Document): string[] {
  const lines: string[] = [];
  const open: { readonly node: DefaultTreeAdapterTypes.Node; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const attributes = 'attrs' in node ? JSON.stringify([node.namespaceURI, ...node.attrs]) : '';
    const text = 'value' in node ? node.value : 'data' in node ? node.data : '';
    lines.push(`${depth} ${node.nodeName} ${attributes} ${JSON.stringify(text)}`);
    const children = [...('childNodes' in node ? node.childNodes : []), ...('content' in node ? [node.content] : [])];
    for (const child of children.reverse()) open.push({ node: child, depth: depth + 1 });
  }
  return lines;
}
