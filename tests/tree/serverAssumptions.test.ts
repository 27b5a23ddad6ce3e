/**
 * The assumptions about the event store in docs/operations.md: each says how well it is founded, and names a test that
 * exists.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = (path: string): string => readFileSync(at(path), 'utf8');
const testsIn = (folder: string): readonly string[] =>
  readdirSync(at(folder)).flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []));
const sources = [
  ...testsIn('tests/contract'),
  ...testsIn('tests/eventStore/eventStoreDb'),
  ...testsIn('tests/servers'),
  'tests/start/secureStores.test.ts',
].map(text);

const section =
  text('docs/operations.md').split('### What the product assumes about the event store')[1]?.split(/^## /m)[0] ?? '';
const rows = [...section.matchAll(/^\| (?!the server …|---)(.*) \| (.*) \| (.*) \|$/gm)].map(
  ([, what = '', founded = '', tests = '']) => [what, founded, tests] as const,
);

describe('assumptions about the event store', () => {
  it.each(rows)('%s', (_, founded, tests) => {
    expect(['tried', 'assumed']).toContain(founded);
    const named = [...tests.matchAll(/'([^']+)'/g)].map((found) => found[1] ?? '');
    expect(named.length).toBeGreaterThan(0);
    // A title may go on with a number.
    for (const title of named)
      expect(
        sources.some((source) => source.includes(`'${title}`) || source.includes(`\`${title}`)),
        title,
      ).toBe(true);
  });

  it('are at least thirty', () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
  });
});
