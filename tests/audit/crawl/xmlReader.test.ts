import { expect, test } from 'vitest';
import { XmlReader } from '../../../src/audit/crawl/sitemaps/xmlReader.ts';

function eventsOf(pieces: Iterable<string>): readonly string[] {
  const events: string[] = [];
  let text = '';
  const reader = new XmlReader({
    onOpen: (_name, tag) => events.push(`open ${tag.length} ${tag.slice(0, 20)}`),
    onClose: (name) => events.push(`close ${name}`),
    onText: (part) => {
      text += part;
    },
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return [...events, `text ${text}`, `fatal ${reader.fatal}`, `rest ${reader.rest}`];
}

const DOCUMENT = `<?xml version="1.0"?><!-- <a> --><a b="${'>'.repeat(1000)}">one<![CDATA[<two>]]><c/>three</a>`;

test.each([1, 2, 7, 100])('reads the same in pieces of %i', (size) => {
  const pieces = DOCUMENT.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(eventsOf(pieces)).toEqual(eventsOf([DOCUMENT]));
  expect(eventsOf(pieces)).toContain('text one<two>three');
});

test('keeps a tag without end, and names it', () => {
  expect(eventsOf('<a><b c="')).toEqual(['open 1 a', 'text ', 'fatal null', 'rest <b c="']);
});

test('a long tag that comes one character at a time is not read again with each', () => {
  // Read again, it would take 20 billion steps.
  const tag = `<a b="${'x'.repeat(200_000)}">`;
  expect(eventsOf(tag)[0]).toMatch(/^open 200006 a b="x+$/);
});
