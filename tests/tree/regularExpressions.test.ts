/** Every regular expression in the sources that reads sites' data, or what somebody writes into emails, must take linear time. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { check } from 'recheck';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RegexLiteral, regexLiterals } from '../given/audit/regexLiterals.ts';
import { FULL } from '../given/fullForm.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src/audit', 'src/integrations', 'src/workers/mails'];

type Found = RegexLiteral & { readonly file: string };

const sources = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));
const found: readonly Found[] = sources.flatMap((file) =>
  regexLiterals(readFileSync(file, 'utf8')).map((each) => ({ ...each, file: relative(root, file) })),
);

/**
 * Growth does not depend on the size of a repetition's limit, only on whether there is one; with small limits the check
 * is exact and quick. Limits themselves are limited, below.
 */
function withSmallBounds(source: string): string {
  return source.replace(/\{(\d+)(,?)(\d*)\}/g, (_whole, least: string, comma: string, most: string) => {
    const low = Math.min(Number(least), 2);
    return `{${low}${comma}${most === '' ? '' : Math.max(low, Math.min(Number(most), 3))}}`;
  });
}

/** Look-arounds and back references cannot be proven, only attacked; running the attack shows whether it works. */
function isSlow(source: string, flags: string, attack: string): boolean {
  const script = 'for (let round = 0; round < 2; round++) regex.lastIndex = 0, regex.test(text);';
  try {
    runInNewContext(script, { regex: new RegExp(source, flags), text: attack }, { timeout: ATTACK_MS });
    return false;
  } catch {
    return true;
  }
}

/** Attacks have tens of thousands of characters: linear time takes a few milliseconds, quadratic time takes seconds. */
const ATTACK_MS = 700;

async function complaint({ source, flags, file, line }: Found): Promise<string | null> {
  const result = await check(withSmallBounds(source), flags, { timeout: 60_000, recallTimeout: -1, randomSeed: 1 });
  if (
    result.status === 'safe' ||
    (result.status === 'vulnerable' && result.checker === 'fuzz' && !isSlow(source, flags, result.attack.string))
  )
    return null;
  const why =
    result.status === 'vulnerable'
      ? `${result.complexity.summary}, such as ${result.attack.pattern.slice(0, 100)}`
      : result.error.kind;
  return `${file}:${line} /${source}/${flags}: ${why}`;
}

const textOf = ({ source, flags }: RegexLiteral): string => `/${source}/${flags}`;
const hashOf = (literal: RegexLiteral): string =>
  createHash('sha256').update(textOf(literal)).digest('hex').slice(0, 12);

/**
 * Those that take longest, checked by `npm run test:full` alone: one that is changed has another hash, and is checked
 * here, too.
 */
const PROVEN: ReadonlySet<string> = new Set([
  'f2ed41361f83',
  'a59a22e6b48e',
  '029e8759cdd7',
  '7c1fe9f9507d',
  '1071cd3ead8b',
  'a75fdf410d9b',
  'ad883707ef4c',
  '8f5df12fdcc7',
  '195674bdb8f1',
  '2d9d72a54969',
  '9414580ada0f',
  '5ffd8b8cb714',
  '5134ca5bbc73',
  '15c58f496842',
  'c0e23ee3a812',
  '2ca2afd29970',
  'c20ddd4c6c3b',
  '7fc8ff8c22de',
  '16f197fe1bf4',
  '5a372e61e429',
  '1f53f3e8aecd',
  '369408944674',
  '531602837599',
  'e9e22e9a80ec',
  '725bb290c52f',
  '0d786b1c7c17',
  '91ab73bad2b2',
  '4ea6a3f7a6ff',
  '52efa6fec9e4',
]);

describe('regular expressions', () => {
  let complaints: readonly string[] = [];
  beforeAll(async () => {
    const different = new Map(found.map((each) => [textOf(each), each]));
    const complained: (string | null)[] = [];
    for (const each of different.values())
      if (FULL || !PROVEN.has(hashOf(each))) complained.push(await complaint(each));
    complaints = complained.filter((each) => each !== null);
  }, 300_000);

  test('are found', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(found.length).toBeGreaterThan(250);
    for (const { source, flags } of found) expect(new RegExp(source, flags).source).toBe(source);
  });

  test('take linear time', () => {
    expect(complaints).toEqual([]);
  });

  test('that have been proven are still there', () => {
    expect([...PROVEN].filter((hash) => !found.some((each) => hashOf(each) === hash))).toEqual([]);
  });

  test('have no repetition limit so large that it is useless', () => {
    const bounds = found.flatMap(({ source }) =>
      [...source.matchAll(/\{(\d+),?(\d*)\}/g)].map((match) => Math.max(Number(match[1]), Number(match[2]))),
    );
    expect(Math.max(...bounds)).toBeLessThanOrEqual(2000);
  });

  test('are not built from texts', () => {
    const made = sources.filter(
      (file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')) && !MADE_OF_CONSTANTS.has(relative(root, file)),
    );
    expect(made.map((file) => relative(root, file))).toEqual([]);
  });
});

/** Files whose `new RegExp` joins constants of their own. */
const MADE_OF_CONSTANTS: ReadonlySet<string> = new Set(['src/audit/facts/text/visiting.ts']);

describe('the finder of regular expressions', () => {
  test.each<[string, string[]]>([
    ['const a = /x+/g;', ['/x+/g']],
    ['return /[/\\]]\\//.test(a)', ['/[/\\]]\\//']],
    ['a / b / c', []],
    ['(a + b) / 2 / d', []],
    ['list[0] / 2; /y/', ['/y/']],
    ['"/no/" + \'/no/\' + `/no/`', []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal is what is looked through
    ['`${a.replace(/x/, "}")} /no/ ${`/no/${/z/}`}`', ['/x/', '/z/']],
    ['// /no/\n/* /no/ */ /yes/i', ['/yes/i']],
    ['a.b.return / 2 / 3', []],
    ['x = { y: /a/, z: [/b/] }', ['/a/', '/b/']],
    ['f(/a\\/b/u)', ['/a\\/b/u']],
  ])('%s', (code, expected) => {
    expect(regexLiterals(code).map(textOf)).toEqual(expected);
  });

  test('the check itself finds known cases', async () => {
    for (const source of [
      '(?<!b)(a+)+$',
      '(a)\\1*a*a*$',
      '(a+)+$',
      '\\s+$',
      '^(?:<!--[\\s\\S]*?-->\\s*)*<html',
      'x\\s*,?\\s*y',
    ]) {
      expect(await complaint({ source, flags: '', line: 1, file: 'here' }), source).not.toBeNull();
    }
    expect(await complaint({ source: '^\\s*(?:#\\s*)?$', flags: 'i', line: 1, file: 'here' })).toBeNull();
  }, 60_000);
});
