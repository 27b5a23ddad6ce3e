/**
 * A site may have thousands of pages, each with thousands of links and nodes: whatever looks at all of them pauses
 * between two, by `somePage`, `everyPage`, `firstPage`, and `pagesWhere`, or in a generator that yields.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scripts/filesUnder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = filesUnder(root, 'src/audit/checks').map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const siteChecks = files.filter(({ text }) => /= siteCheck\(/.test(text));

/** A walk without pauses, such as `siteIndex(site).htmlPages.some(`. */
const AT_ONCE = /\b(?:htmlPages|(?:site|crawl)\.pages)\s*\.(?:some|every|find\w*|filter|flatMap|map|reduce|forEach)\(/g;

/** They read one property of each page. */
const CHEAP: Readonly<Record<string, number>> = {
  'src/audit/checks/applies.ts': 2,
  'src/audit/checks/lookups/renderedPlaces.ts': 1,
  'src/audit/checks/lookups/siteIndex.ts': 3,
};

/** The pages of a site under another name, which the rule above would not know. */
const RENAMED = /= (?:siteIndex\(\w+\)\.htmlPages|\w+\.pages);/g;

/** A loop over pages, up to its end at the same indentation. */
const LOOP =
  /^( *)for \(const [^\n]* of (?:siteIndex\(\w+\)\.htmlPages|htmlPages|\w+\.pages)\)[^\n]*\n(?:\1 [^\n]*\n|\n)*/gm;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

describe('checks of whole sites', () => {
  it('are found', () => {
    expect(siteChecks.length).toBeGreaterThan(50);
    expect(files.flatMap(({ text }) => [...text.matchAll(LOOP)]).length).toBeGreaterThan(8);
  });

  it('walk over no pages at once, except for what is cheap', () => {
    const walks = files
      .map(({ file, text }) => [file, countOf(text, AT_ONCE)] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(walks)).toEqual(CHEAP);
  });

  it('give the pages of a site no other name', () => {
    expect(files.filter(({ text }) => countOf(text, RENAMED) > 0).map(({ file }) => file)).toEqual([]);
  });

  it('pause in every loop over pages', () => {
    const without = files.flatMap(({ file, text }) =>
      [...text.matchAll(LOOP)].filter(([loop]) => !/\byield\b/.test(loop)).map(([loop]) => `${file}: ${loop}`),
    );
    expect(without).toEqual([]);
  });
});
