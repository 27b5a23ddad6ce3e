/** The coverage of the specification cites tests by their files and titles: both must exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COVERAGE = 'docs/specification-coverage.md';
/** A file or folder of the project, or a title of the file before it. */
const CITED = /`((?:tests|web|src|deploy)\/[^`\s]*|[^`\s]*\.test\.tsx?)`|“([^”]+)”/g;

/** `…` at its end: only the beginning is cited. */
function isTitleIn(text: string, title: string): boolean {
  const beginning = title.replace(/ …$/, '');
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${beginning}${beginning === title ? quote : ''}`));
}

function faultsOf(document: string): readonly string[] {
  return document.split('\n').flatMap((line, index) => {
    let cited = '';
    return [...line.matchAll(CITED)].flatMap(([, path, title = '']) => {
      const at = `line ${index + 1}:`;
      if (path !== undefined) {
        cited = existsSync(join(root, path)) ? path : '';
        return cited === '' ? [`${at} there is no ${path}`] : [];
      }
      if (!/\.test\.tsx?$/.test(cited)) return [`${at} “${title}” follows no test file`];
      return isTitleIn(readFileSync(join(root, cited), 'utf8'), title) ? [] : [`${at} ${cited} has no “${title}”`];
    });
  });
}

describe('the coverage of the specification', () => {
  it('cites test files that exist, and titles that are in them', () => {
    const document = readFileSync(join(root, COVERAGE), 'utf8');
    expect([...document.matchAll(CITED)].length).toBeGreaterThan(300);
    expect(faultsOf(document)).toEqual([]);
  });

  it('is found to be wrong about a missing file, a missing title, and a title without a file', () => {
    const here = '`tests/tree/coverageCitations.test.ts`';
    const [own, other] = ['the coverage of the specification', 'was never'];
    expect(faultsOf(`| a | ${here} “${own}”, “the coverage of …” |`)).toEqual([]);
    expect(faultsOf(`| a | ${here} “${own} was”, “coverage of …” |\n| b | “${other}” |\n| c | \`tests/gone.test.ts\`, \`gone.test.ts\` |`)).toEqual([
      `line 1: tests/tree/coverageCitations.test.ts has no “${own} was”`,
      'line 1: tests/tree/coverageCitations.test.ts has no “coverage of …”',
      `line 2: “${other}” follows no test file`,
      'line 3: there is no tests/gone.test.ts',
      'line 3: there is no gone.test.ts',
    ]);
  });
});
