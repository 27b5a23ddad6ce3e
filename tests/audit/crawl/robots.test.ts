import { describe, expect, test } from 'vitest';
import { crawlDelayFor, groupsFor, isAllowed, parseRobots, productToken } from '../../../src/audit/crawl/robots.ts';

const verdict = (robots: string, agent: string, path: string): 'allow' | 'deny' =>
  isAllowed(parseRobots(robots), agent, `https://site.example${path}`).allowed ? 'allow' : 'deny';

/** Rules of one group for everyone. */
const all = (...rules: string[]): string => ['User-agent: *', ...rules].join('\n');

type Row = readonly [what: string, robots: string, agent: string, path: string, expected: 'allow' | 'deny'];

const rows: readonly Row[] = [
  // Without rules everything is open.
  ['an empty file', '', 'Bot', '/', 'allow'],
  ['only comments', '# nothing\n# here', 'Bot', '/x', 'allow'],
  ['an empty disallow', all('Disallow:'), 'Bot', '/x', 'allow'],
  ['an empty disallow after a full one', all('Disallow: /', 'Disallow:'), 'Bot', '/x', 'deny'],
  ['everything closed', all('Disallow: /'), 'Bot', '/', 'deny'],
  ['robots.txt itself is always open', all('Disallow: /'), 'Bot', '/robots.txt', 'allow'],
  ['robots.txt with a query is a page like any other', all('Disallow: /'), 'Bot', '/robots.txt?x', 'deny'],
  // Choosing a group.
  ['the own group', 'User-agent: Bot\nDisallow: /a', 'Bot', '/a', 'deny'],
  ['a group for another', 'User-agent: Other\nDisallow: /', 'Bot', '/a', 'allow'],
  ['the own group replaces the one for everyone', 'User-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow: /a', 'Bot', '/b', 'allow'],
  ['an own group without rules opens everything', 'User-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow:', 'Bot', '/b', 'allow'],
  ['tokens in any case', 'User-agent: bOT\nDisallow: /', 'BOT', '/', 'deny'],
  ['a version in the line is left out', 'User-agent: Bot/2.1\nDisallow: /', 'Bot', '/', 'deny'],
  ['words after the token are left out', 'User-agent: Bot the crawler\nDisallow: /', 'Bot', '/', 'deny'],
  ['a token is no beginning of another', 'User-agent: Bo\nDisallow: /', 'Bot', '/', 'allow'],
  ['nor its end', 'User-agent: Bot-Images\nDisallow: /', 'Bot', '/', 'allow'],
  ['a group for two', 'User-agent: One\nUser-agent: Bot\nDisallow: /', 'Bot', '/', 'deny'],
  ['a group for two, the first', 'User-agent: Bot\nUser-agent: Two\nDisallow: /', 'Bot', '/', 'deny'],
  ['a group for one and everyone', 'User-agent: One\nUser-agent: *\nDisallow: /', 'Bot', '/', 'deny'],
  ['groups of one token are one group', 'User-agent: Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow: /c', 'Bot', '/c', 'deny'],
  ['and the first of them still holds', 'User-agent: Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow: /c', 'Bot', '/a', 'deny'],
  ['groups for everyone are one group', 'User-agent: *\nDisallow: /a\n\nUser-agent: X\nAllow: /\n\nUser-agent: *\nDisallow: /b', 'Bot', '/a', 'deny'],
  ['rules before any group do not count', 'Disallow: /\nUser-agent: Bot\nDisallow: /a', 'Bot', '/b', 'allow'],
  ['a sitemap between agents does not part them', 'User-agent: Bot\nSitemap: https://site.example/s.xml\nUser-agent: Two\nDisallow: /', 'Bot', '/', 'deny'],
  ['an unknown line does not part them either', 'User-agent: Bot\nFoo: bar\nUser-agent: Two\nDisallow: /', 'Bot', '/', 'deny'],
  ['blank lines do not end a group', 'User-agent: Bot\n\n\nDisallow: /', 'Bot', '/', 'deny'],
  ['a star with words is for everyone', 'User-agent: * (all)\nDisallow: /', 'Bot', '/', 'deny'],
  ['a star stuck to a word is not', 'User-agent: *Bot\nDisallow: /', 'Bot', '/', 'allow'],
  ['a crawler without token obeys the rules for everyone', all('Disallow: /'), '', '/', 'deny'],
  ['and none else', 'User-agent: Bot\nDisallow: /', '', '/', 'allow'],
  // Matching.
  ['a path is a beginning', all('Disallow: /fo'), 'Bot', '/foo/bar', 'deny'],
  ['not an inside', all('Disallow: /bar'), 'Bot', '/foo/bar', 'allow'],
  ['a directory does not match its name alone', all('Disallow: /dir/'), 'Bot', '/dir', 'allow'],
  ['paths have a case', all('Disallow: /Dir'), 'Bot', '/dir', 'allow'],
  ['the query is a part of it', all('Disallow: /search?q='), 'Bot', '/search?q=x', 'deny'],
  ['the fragment is not', all('Disallow: /a#b'), 'Bot', '/a', 'deny'],
  ['a rule without leading slash never matches', all('Disallow: foo'), 'Bot', '/foo', 'allow'],
  ['a star in the middle', all('Disallow: /a/*/c'), 'Bot', '/a/b/c', 'deny'],
  ['a star matches nothing, too', all('Disallow: /a*b'), 'Bot', '/ab', 'deny'],
  ['a star crosses slashes', all('Disallow: /a*z'), 'Bot', '/a/b/c/z', 'deny'],
  ['a star at the end changes nothing', all('Disallow: /a*'), 'Bot', '/abc', 'deny'],
  ['a star at the beginning', all('Disallow: *.pdf'), 'Bot', '/x/y.pdf', 'deny'],
  ['stars upon stars', all('Disallow: /a**b***c'), 'Bot', '/a1b2c3', 'deny'],
  ['pieces have an order', all('Disallow: /*b*a'), 'Bot', '/a-b', 'allow'],
  ['pieces do not overlap', all('Disallow: /*aba*ba'), 'Bot', '/ababa', 'deny'],
  ['pieces that would have to overlap', all('Disallow: /*aba*aba'), 'Bot', '/ababa', 'allow'],
  ['a dollar is the end', all('Disallow: /a$'), 'Bot', '/a', 'deny'],
  ['and nothing after it', all('Disallow: /a$'), 'Bot', '/ab', 'allow'],
  ['not even a query', all('Disallow: /*.php$'), 'Bot', '/x.php?y', 'allow'],
  ['a dollar after a star', all('Disallow: /a*$'), 'Bot', '/abc', 'deny'],
  ['the last piece is looked for at the end', all('Disallow: /*.gif$'), 'Bot', '/a.gif.b.gif', 'deny'],
  ['a dollar elsewhere is a dollar', all('Disallow: /a$b'), 'Bot', '/a$b', 'deny'],
  ['only the root', all('Allow: /$', 'Disallow: /'), 'Bot', '/', 'allow'],
  ['and not below', all('Allow: /$', 'Disallow: /'), 'Bot', '/x', 'deny'],
  // Which rule decides.
  ['the longer one', all('Allow: /a/b', 'Disallow: /a'), 'Bot', '/a/b', 'allow'],
  ['whatever the order', all('Disallow: /a', 'Allow: /a/b'), 'Bot', '/a/b', 'allow'],
  ['the longer one may forbid', all('Allow: /a', 'Disallow: /a/b'), 'Bot', '/a/b', 'deny'],
  ['of two as long the allowing one', all('Disallow: /a', 'Allow: /a'), 'Bot', '/a', 'allow'],
  ['in either order', all('Allow: /a', 'Disallow: /a'), 'Bot', '/a', 'allow'],
  ['stars count as octets', all('Allow: /page', 'Disallow: /*.htm'), 'Bot', '/page.htm', 'deny'],
  ['escapes count as octets', all('Allow: /ab', 'Disallow: /ä'), 'Bot', '/%C3%A4', 'deny'],
  ['rules of merged groups compete', 'User-agent: Bot\nDisallow: /a\n\nUser-agent: Bot\nAllow: /a/b', 'Bot', '/a/b', 'allow'],
  // Escapes.
  ['characters outside ASCII are escaped', all('Disallow: /ü'), 'Bot', '/%C3%BC', 'deny'],
  ['small escapes in the rule', all('Disallow: /%c3%bc'), 'Bot', '/%C3%BC', 'deny'],
  ['small escapes in the address', all('Disallow: /%C3%BC'), 'Bot', '/%c3%bc', 'deny'],
  ['an escaped star is no star', all('Disallow: /a%2Ab'), 'Bot', '/axb', 'allow'],
  ['an escaped slash is no slash', all('Disallow: /a%2Fb'), 'Bot', '/a/b', 'allow'],
  ['an address in the query stays as it is', all('Disallow: /go?to=https://x.example'), 'Bot', '/go?to=https://x.example/y', 'deny'],
  // Writing.
  ['names in any case', 'USER-AGENT: Bot\nDISALLOW: /', 'Bot', '/', 'deny'],
  ['blanks around the colon', 'User-agent : Bot\nDisallow   :   /a  ', 'Bot', '/a', 'deny'],
  ['tabs', '\tUser-agent:\tBot\t\n\tDisallow:\t/a\t', 'Bot', '/a', 'deny'],
  ['no colon but two words', 'User-agent Bot\nDisallow /a', 'Bot', '/a', 'deny'],
  ['no colon and more words', 'User-agent: Bot\nDisallow /a /b', 'Bot', '/a', 'allow'],
  ['comments after a rule', all('Disallow: /a # not this'), 'Bot', '/a', 'deny'],
  ['comments cut a rule', all('Disallow: /a#b'), 'Bot', '/ab', 'deny'],
  ['lines ended by CR', 'User-agent: Bot\rDisallow: /a\r', 'Bot', '/a', 'deny'],
  ['lines ended by CRLF', 'User-agent: Bot\r\nDisallow: /a\r\n', 'Bot', '/a', 'deny'],
  ['a byte order mark', '\uFEFFUser-agent: Bot\nDisallow: /', 'Bot', '/', 'deny'],
  ...['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'].map((name): Row => [`${name} is understood`, all(`${name}: /`), 'Bot', '/', 'deny']),
  ...['useragent', 'user agent'].map((name): Row => [`${name} is understood`, `${name}: Bot\nDisallow: /`, 'Bot', '/', 'deny']),
  ['an allowed index.html opens its directory', all('Disallow: /', 'Allow: /d/index.html'), 'Bot', '/d/', 'allow'],
  ['and nothing else', all('Disallow: /', 'Allow: /d/index.html'), 'Bot', '/d/x', 'deny'],
  ['a forbidden one does not close it', all('Disallow: /d/index.html'), 'Bot', '/d/', 'allow'],
];

describe('robots.txt', () => {
  test.each(rows)('%s', (_what, robots, agent, path, expected) => {
    expect(verdict(robots, agent, path)).toBe(expected);
  });

  test('the table is of use', () => {
    expect(rows.length).toBeGreaterThan(80);
  });

  test('the decision names its rule and line', () => {
    const rules = parseRobots('# top\nUser-agent: *\nDisallow: /a # why\nAllow: /a/b\n');
    expect(isAllowed(rules, 'Bot', 'https://site.example/a/x')).toEqual({ allowed: false, line: 3, rule: 'Disallow: /a' });
    expect(isAllowed(rules, 'Bot', 'https://site.example/a/b')).toEqual({ allowed: true, line: 4, rule: 'Allow: /a/b' });
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

describe('robots.txt: limits', () => {
  test('what lies behind 500 KiB is not read, and no half rule is made of it', () => {
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
  ])('%s take little time', (_what, pattern, path) => {
    const rules = parseRobots(all(...Array.from({ length: 20 }, () => `Disallow: ${pattern}`)));
    const started = performance.now();
    expect(isAllowed(rules, 'Bot', `https://site.example${path}`).allowed).toBe(true);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('robots.txt: what else it says', () => {
  test('sitemaps stand anywhere', () => {
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

  test('a file in order has nothing to report', () => {
    const text =
      'User-agent: *\nDisallow: /a/*.pdf$\nAllow: *\nCrawl-delay: 1\nHost: a.example\nContent-Signal: search=yes\n\nSitemap: https://a.example/s.xml\n';
    expect(parseRobots(text).issues).toEqual([]);
  });

  test('reports have an end', () => {
    expect(parseRobots('x\n'.repeat(5000)).issues).toHaveLength(200);
  });
});

describe('groups and tokens', () => {
  test('the groups that speak to a crawler', () => {
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
