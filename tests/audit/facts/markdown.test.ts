import { expect, it } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { MARKDOWN_BYTES } from '../../../src/audit/facts/text/markdown.ts';
import { unpackText } from '../../../src/audit/facts/text/packedText.ts';

const markdownOf = (body: string): string | null => {
  const html = `<!DOCTYPE html><html lang="en"><head><title>Teas</title></head><body>${body}</body></html>`;
  const { markdown } = parsePage({
    url: 'https://example.com/teas/green',
    body: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
  });
  return markdown === undefined ? null : unpackText(markdown);
};

it('writes headings, emphasis, and links with their whole address', () => {
  expect(
    markdownOf('<h1>Green <b>tea</b></h1><p>From <em> Uji </em>and <a href="../black#top">its <i>cousin</i></a>.</p>'),
  ).toBe('# Green **tea**\n\nFrom *Uji* and [its *cousin*](https://example.com/black).');
});

it('writes lists in lists, with the numbers of ordered ones', () => {
  expect(markdownOf('<ul><li>Green<ol><li>Sencha<li>Matcha</ol><li><p>Black</p></ul>')).toBe(
    '- Green\n  1. Sencha\n  2. Matcha\n- Black',
  );
});

it('writes tables, quotes, and listings', () => {
  expect(markdownOf('<table><tr><th>Tea<th>Minutes<tr><td>Green<td><p>2</p><p>to 3</p></table>')).toBe(
    '| Tea | Minutes |\n| --- | --- |\n| Green | 2 to 3 |',
  );
  expect(markdownOf('<blockquote><p>First</p><p>Second</p></blockquote>')).toBe('> First\n\n> Second');
  expect(markdownOf('<p>Then <code>steep()</code>:</p><pre><code>\n  steep(\n    2);\n</code></pre>')).toBe(
    'Then `steep()`:\n\n```\n  steep(\n    2);\n```',
  );
});

it('writes a card that is all link on one line, with the alt text of its picture', () => {
  expect(markdownOf('<a href="/pot"><h2>Clay pot</h2><p>For two</p><img src="/pot.jpg" alt="A clay pot"></a>')).toBe(
    '[Clay pot For two ![A clay pot](https://example.com/pot.jpg)](https://example.com/pot)',
  );
});

it('leaves out menus, what is hidden, scripts, and everything beside the main landmark', () => {
  const around = '<nav>Menu</nav><p hidden>Secret</p><script>run()</script>';
  expect(markdownOf(`${around}<p>Content</p><footer>Imprint</footer>`)).toBe('Content');
  expect(markdownOf(`${around}<p>Beside</p><main><p>Content</p></main>`)).toBe('Content');
  expect(markdownOf(around)).toBeNull();
});

it('keeps 20 KB of UTF-8 at most, whatever the page holds', () => {
  const bytes = (text: string | null): number => Buffer.byteLength(text ?? '');
  for (const body of [
    '<p>Tea is a drink. </p>'.repeat(20_000),
    '茶'.repeat(100_000),
    '<td>'.repeat(100_000),
    '<tr><td>x'.repeat(50_000),
    '<li>'.repeat(100_000),
    '<ul><li>x'.repeat(300),
    '<b>'.repeat(50_000),
    `<pre>${'\n x'.repeat(50_000)}</pre>`,
    `<p>${'<a href="/t">t</a> '.repeat(50_000)}</p>`,
  ])
    expect(bytes(markdownOf(body)), body.slice(0, 30)).toBeLessThanOrEqual(MARKDOWN_BYTES + 10);
});
