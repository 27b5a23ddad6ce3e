import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crawlDelayFor,
  decide,
  groupsFor,
  isAllowed,
  parseRobots,
  productToken,
  unreadRules,
} from '../../../src/audit/crawl/robots/robots.ts';
import { textOfRobots } from '../../../src/audit/crawl/robots/robotsBytes.ts';
import { escapePattern, pathOf } from '../../../src/audit/crawl/robots/robotsPattern.ts';
import { runs } from '../../given/fullForm.ts';
import { all, ROBOTS_CASES } from './robotsCases.ts';

const verdict = (robots: string, agent: string, path: string): 'allow' | 'deny' =>
  isAllowed(parseRobots(robots), agent, `https://site.example${path}`).allowed ? 'allow' : 'deny';

describe('robots.txt', () => {
  test.each(ROBOTS_CASES)('%s', (_what, robots, agent, path, expected) => {
    expect(verdict(robots, agent, path)).toBe(expected);
  });

  test('the table is valid: every case is unique, with both outcomes', () => {
    expect(new Set(ROBOTS_CASES.map(([, ...given]) => JSON.stringify(given))).size).toBe(ROBOTS_CASES.length);
    const denied = ROBOTS_CASES.filter(([, , , , expected]) => expected === 'deny').length;
    expect(denied).toBeGreaterThan(80);
    expect(ROBOTS_CASES.length - denied).toBeGreaterThan(80);
  });

  test('the decision names its rule and line', () => {
    const rules = parseRobots('# top\nUser-agent: *\nDisallow: /a # why\nAllow: /a/b\n');
    expect(isAllowed(rules, 'Bot', 'https://site.example/a/x')).toEqual({
      allowed: false,
      line: 3,
      rule: 'Disallow: /a',
    });
    expect(isAllowed(rules, 'Bot', 'https://site.example/a/b')).toEqual({
      allowed: true,
      line: 4,
      rule: 'Allow: /a/b',
    });
    expect(isAllowed(rules, 'Bot', 'https://site.example/c')).toEqual({ allowed: true, line: null, rule: null });
  });

  test.each([
    ['https://site.example', '/'],
    ['https://site.example?q', '/?q'],
    ['https://site.example/#/x', '/'],
  ])('the path of %s is %s', (url, path) => {
    expect(isAllowed(parseRobots(all(`Disallow: ${path}$`)), 'Bot', url).allowed).toBe(false);
  });

  test('rules are plain data', () => {
    const rules = parseRobots(all('Disallow: /*a$', 'Allow: /b'));
    expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
    expect(isAllowed(JSON.parse(JSON.stringify(rules)), 'Bot', 'https://site.example/xa').allowed).toBe(false);
  });
});

describe('the path that rules are matched with', () => {
  test.each([
    ['', '/'],
    ['https://site.example', '/'],
    ['https://site.example/', '/'],
    ['https://site.example/a', '/a'],
    ['https://site.example/a#b?c', '/a'],
    ['https://site.example/a?b#c', '/a?b'],
    ['https://site.example#a', '/'],
    ['https://site.example#/a', '/'],
    ['https://site.example?a', '/?a'],
    ['https://site.example;a', '/;a'],
    ['https://site.example/a;b?c', '/a;b?c'],
    ['https://site.example/a?to=https://x.example/', '/a?to=https://x.example/'],
    ['https://site.example//a//b', '//a//b'],
    ['site.example/a', '/a'],
    ['site.example?to=https://x.example/', '/?to=https://x.example/'],
    ['//site.example/a', '/a'],
    ['//site.example', '/'],
    ['/a', '/a'],
    ['a', '/'],
    ['odd_scheme://site.example/a', '/a'],
  ])('of %s is %s', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  test('escapes in upper and lower case are equal, and the matcher gets them unchanged', () => {
    const rules = parseRobots(all('Disallow: /%C3'));
    expect(isAllowed(rules, 'Bot', 'https://site.example/%c3').allowed).toBe(false);
    expect(decide(rules, 'Bot', '/%c3').allowed).toBe(true);
    expect(decide(rules, 'Bot', '/%C3').allowed).toBe(false);
  });
});

describe('octets of robots.txt', () => {
  const octets = (...parts: readonly (string | number)[]): Uint8Array =>
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part, 'utf8'))));
  const group = 'User-agent: *\nDisallow: /';
  test.each([
    ['plain', octets(group, 'a'), '/a', false],
    ['UTF-8', octets(group, '\u00e4'), '/%C3%A4', false],
    ['Latin-1: the octet itself is what is escaped', octets(group, 0xe4), '/%E4', false],
    ['Latin-1 is not guessed', octets(group, 0xe4), '/%C3%A4', true],
    ['a character cut short', octets(group, 0xe3, 0x83), '/%E3%83', false],
    ['a whole byte order mark', octets(0xef, 0xbb, 0xbf, group), '/', false],
    ['two thirds of one', octets(0xef, 0xbb, group), '/', false],
    ['a third of one', octets(0xef, group), '/', false],
    ['a wrong one spoils the first line', octets(0xef, 0x11, 0xbf, group), '/', true],
    ['a third and then a whole one spoils it, too', octets(0xef, 0xef, 0xbb, 0xbf, group), '/', true],
    ['UTF-16 says nothing', Buffer.from(`\uFEFF${group}`, 'utf16le'), '/', true],
    [
      'garbage between the lines is no hindrance',
      octets('User-agent: *\n', 0xff, 0xfe, 0, '\nDisallow: /'),
      '/',
      false,
    ],
    ['garbage behind a token ends it', octets('User-agent: Bot', 0xff, '\nDisallow: /'), '/', false],
  ])('%s', (_what, bytes, path, allowed) => {
    expect(decide(parseRobots(textOfRobots(bytes)), 'Bot', path).allowed).toBe(allowed);
  });

  test('UTF-8 is kept, other octets become escapes, nothing is lost', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const padded = Uint8Array.of(0x20, ...bytes);
        expect(escapePattern(textOfRobots(padded))).toBe(escapePattern(Array.from(padded, octetAsWritten).join('')));
      }),
      { seed: 20_260_302, numRuns: runs(2000) },
    );
  });

  const octetAsWritten = (octet: number): string =>
    octet < 0x80 ? String.fromCharCode(octet) : `%${octet.toString(16)}`;
});

describe('the matcher compared with the definition', () => {
  /** `*` is any text, `$` at the end is the end: tried position by position. */
  function matches(pattern: string, path: string): boolean {
    if (pattern === '') return true;
    if (pattern === '$') return path === '';
    if (pattern.startsWith('*'))
      return Array.from({ length: path.length + 1 }, (_, from) => path.slice(from)).some((rest) =>
        matches(pattern.slice(1), rest),
      );
    return path !== '' && path[0] === pattern[0] && matches(pattern.slice(1), path.slice(1));
  }
  const piece = fc.constantFrom('/', 'a', 'b', '*', '$', '/a', '%c3', '\u00e4', '/index.html', '?');
  const value = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  const path = fc
    .array(fc.constantFrom('/', 'a', 'b', '%C3', '%C3%A4', 'index.html', '?', '$'), { maxLength: 6 })
    .map((pieces) => `/${pieces.join('')}`);
  const rule = fc.record({ allow: fc.boolean(), value });

  test('the longest matching rule decides, allow before disallow', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), path, (rules, asked) => {
        const weights = { true: 0, false: 0 };
        for (const { allow, value: written } of rules) {
          const escaped = escapePattern(written);
          const directory = /^(.*\/)index\.htm[^/]*$/.exec(escaped);
          const weight = matches(escaped, asked)
            ? escaped.length
            : allow && directory && matches(`${directory[1]}$`, asked)
              ? `${directory[1]}$`.length
              : 0;
          weights[`${allow}`] = Math.max(weights[`${allow}`], weight);
        }
        const text = all(...rules.map(({ allow, value: written }) => `${allow ? 'Allow' : 'Disallow'}: ${written}`));
        expect(decide(parseRobots(text), 'Bot', asked).allowed).toBe(weights.true >= weights.false);
      }),
      { seed: 20_260_303, numRuns: runs(3000) },
    );
  });
});

describe('robots.txt: limits', () => {
  const FULL = 500 * 1024;
  const filled = (line: (index: number) => string): string => {
    const lines: string[] = [];
    for (let index = 0, size = 0; size < FULL - 200; index++) size += lines[lines.push(line(index)) - 1]?.length ?? 0;
    return lines.join('');
  };
  test.each([
    ['agents and delays by turns', filled((index) => `User-agent: a${index % 26}\nCrawl-delay: 1\n`)],
    [
      'one group of agents, then delays',
      `${filled((index) => `User-agent: ${'ab'[index % 2]}\n`).slice(0, FULL / 2)}\n${filled(() => 'Crawl-delay: 1\n').slice(0, FULL / 2)}`,
    ],
    ['groups of one agent', filled((index) => `User-agent: Bot\nDisallow: /${index}\n`)],
    ['rules alone', `User-agent: *\n${filled((index) => `Disallow: /${index}\n`)}`],
    ['rules that begin with a star', `User-agent: *\n${filled((index) => `Disallow: *${index}$\n`)}`],
    ['rules of every length', `User-agent: *\n${filled((index) => `Disallow: /${'a'.repeat(index)}\n`)}`],
    ['empty lines', '\n'.repeat(FULL)],
    ['blanks', ' '.repeat(FULL)],
    ['one line', `Disallow: /${'*a'.repeat(FULL / 2 - 10)}`],
    ['one comment', '#'.repeat(FULL)],
  ])("%s of 500 KiB are parsed at once, in a small multiple of the file's memory", (_what, text) => {
    const started = performance.now();
    const rules = parseRobots(text);
    crawlDelayFor(rules, 'Bot');
    for (let count = 0; count < 100; count++)
      isAllowed(rules, 'Bot', `https://site.example/${'a'.repeat(500)}${count}`);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(JSON.stringify(rules).length).toBeLessThan(20 * FULL);
  });

  test('the first 1,000 rules with wildcards are read, whatever is in between; the rest is reported', () => {
    const lines = Array.from(
      { length: 1200 },
      (_, index) => `Disallow: /*a${index}x\nDisallow: /plain${index}/*\nAllow: /*a${index}x`,
    );
    const rules = parseRobots(`User-agent: *\nDisallow: /*a0x\n${lines.join('\n')}\n`);
    const verdictOn = (path: string): boolean => isAllowed(rules, 'Bot', `https://site.example${path}`).allowed;
    expect(unreadRules(rules, 'Bot')).toEqual({ count: 1400, line: 3 + 500 * 3 });
    expect(parseRobots(all('Disallow: /*x')).groups).toHaveLength(1);
    expect(unreadRules(parseRobots(all('Disallow: /*x')), 'Bot')).toBeNull();
    // A star at the end is no wildcard that needs matching.
    expect(verdictOn('/plain1199/x')).toBe(false);
  });

  test.each([
    ['many in one group', (index: number) => `Disallow: /**a${index}x*`],
    ['many groups of one', (index: number) => `User-agent: *\nDisallow: /*a${index}x`],
    ['many stars in each', (index: number) => `Disallow: /${'*a'.repeat(100)}${index}`],
  ])('%s: no verdict tries more than 10,000 pieces', (_what, rule) => {
    const rules = parseRobots(`User-agent: *\n${Array.from({ length: 2000 }, (_, index) => rule(index)).join('\n')}`);
    const { count = 0 } = unreadRules(rules, 'Bot') ?? {};
    const read = 2000 - count;
    expect(read).toBeGreaterThan(90);
    expect(read * ((rule(0).match(/\*+a/g) ?? []).length || 1)).toBeLessThanOrEqual(10_000);
  });

  test('stars reach into the first 2,048 octets of a path; starts and ends are compared with all of it', () => {
    const robots = all(
      'Disallow: /*near',
      'Disallow: /*far-away',
      `Disallow: /${'b'.repeat(3000)}c`,
      'Disallow: /*.pdf$',
    );
    const at = (length: number, text: string): string => `/${'a'.repeat(length - 1)}${text}`;
    expect(verdict(robots, 'Bot', at(2048 - 4, 'near'))).toBe('deny');
    expect(verdict(robots, 'Bot', at(2048 - 3, 'near'))).toBe('allow');
    expect(verdict(robots, 'Bot', at(2048 - 8, 'far-away'))).toBe('deny');
    expect(verdict(robots, 'Bot', at(2048 - 7, 'far-away'))).toBe('allow');
    expect(verdict(robots, 'Bot', `/${'b'.repeat(3000)}c`)).toBe('deny');
    expect(verdict(robots, 'Bot', at(4000, '.pdf'))).toBe('deny');
  });

  test('a decision that is asked for again is the same', () => {
    const rules = parseRobots(all('Disallow: /*a', 'Allow: /*ab$'));
    const paths = Array.from(
      { length: 1200 },
      (_, index) => `https://site.example/${index}${['x', 'a', 'ab'][index % 3]}`,
    );
    const verdicts = (): readonly unknown[] => paths.map((url) => isAllowed(rules, 'Bot', url));
    const first = verdicts();
    expect(first.slice(0, 3)).toMatchObject([{ line: null }, { line: 2 }, { line: 3 }]);
    expect(verdicts()).toEqual(first);
  });

  test('octets count, not characters', () => {
    const filler = `#${'\u00e4'.repeat(49)}\n`.repeat(Math.ceil(FULL / 100));
    expect(verdict(`${filler}User-agent: *\nDisallow: /`, 'Bot', '/')).toBe('allow');
    expect(verdict(`${filler.slice(0, filler.length / 2)}\nUser-agent: *\nDisallow: /`, 'Bot', '/')).toBe('deny');
  });

  test('text beyond 500 KiB is ignored, and no half rule is used', () => {
    const filler = `#${'x'.repeat(99)}\n`.repeat(Math.ceil((500 * 1024) / 101));
    const head = 'User-agent: *\n';
    const text = `${head}${filler.slice(0, 500 * 1024 - head.length - 12)}Disallow: /secret/place\n`;
    expect(verdict(text, 'Bot', '/')).toBe('allow');
    expect(verdict(text, 'Bot', '/secret/place')).toBe('allow');
  });

  test('a line of more than 16 kB is cut', () => {
    const rules = parseRobots(all(`Disallow: /${'a'.repeat(20_000)}`));
    expect(rules.issues).toMatchObject([{ line: 2, kind: 'line_too_long' }]);
    expect(isAllowed(rules, 'Bot', `https://site.example/${'a'.repeat(17_000)}`).allowed).toBe(false);
  });

  test.each([
    ['stars without end', `/${'*a'.repeat(8000)}b`, `/${'a'.repeat(8000)}`],
    ['a long piece that almost matches everywhere', `/*${'a'.repeat(8000)}b`, `/${'a'.repeat(16_000)}`],
    ['long pieces between stars', `/*${`${'a'.repeat(1000)}b*`.repeat(8)}`, `/${'a'.repeat(16_000)}`],
  ])('%s are parsed quickly', (_what, pattern, path) => {
    const rules = parseRobots(all(...Array.from({ length: 20 }, () => `Disallow: ${pattern}`)));
    const started = performance.now();
    expect(isAllowed(rules, 'Bot', `https://site.example${path}`).allowed).toBe(true);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('robots.txt: other lines', () => {
  test('sitemaps may be anywhere', () => {
    const rules = parseRobots(
      'Sitemap: https://a.example/1.xml\nUser-agent: *\nsitemap : https://a.example/2.xml\nDisallow: /\nSite-map: https://a.example/3.xml # last',
    );
    expect(rules.sitemaps).toEqual([
      { url: 'https://a.example/1.xml', line: 1 },
      { url: 'https://a.example/2.xml', line: 3 },
      { url: 'https://a.example/3.xml', line: 5 },
    ]);
  });

  test('a crawl delay belongs to its group', () => {
    const rules = parseRobots('User-agent: *\nCrawl-delay: 2\n\nUser-agent: Bot\nCrawl-delay: 0.5\nDisallow:');
    expect(crawlDelayFor(rules, 'Bot')).toBe(0.5);
    expect(crawlDelayFor(rules, 'Other')).toBe(2);
    expect(crawlDelayFor(parseRobots(all('Crawl-delay: soon')), 'Bot')).toBeNull();
  });

  test('a crawl delay is for the agents above it, and the longest of several counts', () => {
    const rules = parseRobots(
      'User-agent: A\nCrawl-delay: 2\nUser-agent: B\nCrawl-delay: 1\nDisallow: /x\n\nUser-agent: A\nCrawl-delay: 3\n',
    );
    expect(crawlDelayFor(rules, 'a')).toBe(3);
    expect(crawlDelayFor(rules, 'b')).toBe(1);
    expect(crawlDelayFor(parseRobots('User-agent: A\nCrawl-delay: 2\nUser-agent: B\nDisallow: /x'), 'b')).toBeNull();
    expect(crawlDelayFor(parseRobots('Crawl-delay: 2\nUser-agent: *\nDisallow: /x'), 'b')).toBeNull();
  });

  test.each([
    ['no_separator', 'User-agent: *\nhello'],
    ['no_separator', 'User-agent: *\nDisallow /a'],
    ['unknown_directive', 'User-agent: *\nFoo: bar'],
    ['misspelt_directive', 'User-agent: *\nDisalow: /a'],
    ['rule_without_agent', '# none\nDisallow: /a'],
    ['empty_agent', '#\nUser-agent:'],
    ['bad_pattern_start', 'User-agent: *\nDisallow: a'],
    ['dollar_not_at_end', 'User-agent: *\nDisallow: /a$b'],
    ['bad_sitemap', '#\nSitemap: /sitemap.xml'],
    ['bad_crawl_delay', 'User-agent: *\nCrawl-delay: soon'],
  ])('%s is reported with its line', (kind, text) => {
    expect(parseRobots(text).issues).toMatchObject([{ line: 2, kind }]);
  });

  test('a valid file has nothing to report', () => {
    const text =
      'User-agent: *\nDisallow: /a/*.pdf$\nAllow: *\nCrawl-delay: 1\nHost: a.example\nContent-Signal: search=yes\n\nSitemap: https://a.example/s.xml\n';
    expect(parseRobots(text).issues).toEqual([]);
  });

  test('reports are limited', () => {
    expect(parseRobots('x\n'.repeat(5000)).issues).toHaveLength(200);
  });
});

describe('groups and tokens', () => {
  test('the groups for a crawler', () => {
    const rules = parseRobots('User-agent: A\nUser-agent: B\nDisallow: /1\n\nUser-agent: *\nDisallow: /2');
    expect(groupsFor(rules, 'b').map((group) => group.line)).toEqual([1]);
    expect(groupsFor(rules, 'c').map((group) => group.line)).toEqual([5]);
  });

  test.each([
    ['SeoWorkbench/1.0 (+https://x.example)', 'SeoWorkbench'],
    ['My_Bot-2', 'My_Bot-'],
    ['  Bot', 'Bot'],
    ['(none)', ''],
  ])('the token of %s is %s', (userAgent, token) => {
    expect(productToken(userAgent)).toBe(token);
  });
});
