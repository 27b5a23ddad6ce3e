/** The twenty kinds of hostile servers: each has tests that carry its number, and the list describes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const KINDS: Readonly<Record<string, string>> = {
  H1: 'redirects to the inside, with every code',
  H2: 'redirect chains and loops',
  H3: 'redirect targets that are huge, empty, broken, with credentials or line breaks',
  H4: 'meta refresh and base to the inside',
  H5: 'https to http and back',
  H6: 'compression bombs, stacked, wrong and truncated encodings',
  H7: 'bodies without end',
  H8: 'bodies drop by drop',
  H9: 'headers drop by drop',
  H10: 'no answer at all',
  H11: 'headers too large and too many',
  H12: 'resets, wrong lengths, bad chunks, HTTP/0.9',
  H13: 'certificates that are expired, for others, self-signed; old TLS; handshakes that hang',
  H14: 'huge pages, a million links, nesting, one line',
  H15: 'encodings that lie, NUL bytes, UTF-16',
  H16: 'sitemaps that name each other without end, entities',
  H17: 'robots.txt that is huge or hangs',
  H18: 'names whose addresses change, that hang, or have a hundred addresses',
  H19: 'pages that lead on for ever',
  H20: 'floods of cookies',
};

const folder = fileURLToPath(new URL('..', import.meta.url));
const texts = readdirSync(folder, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && entry.name !== 'hostileCases.test.ts')
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

test.each(Object.entries(KINDS))('%s: %s', (number) => {
  // In the name of a test: after its quote, first or after another number.
  const names = new RegExp(`['"\`](?:H\\d+, )*${number}[:,]`);
  expect(texts.filter((text) => names.test(text)).length).toBeGreaterThan(0);
});
