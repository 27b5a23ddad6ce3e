import type { AnalystCheck, AnalystInput } from '../../../src/integrations/analyst/analyst.ts';
import type { Finding } from '../../../src/model/findings.ts';

export function check(id: string, overrides: Partial<AnalystCheck> = {}): AnalystCheck {
  return {
    id,
    title: `Title of ${id}`,
    difficulty: 'easy',
    minutes: 15,
    gain: `Value of ${id}.`,
    timeToResult: '2-4 weeks',
    risk: `Why ${id} matters.`,
    steps: [`Fix ${id}.`],
    example: null,
    tags: [id],
    ...overrides,
  };
}

let next = 0;
export function finding(checkId: string, url: string, overrides: Partial<Finding> = {}): Finding {
  next += 1;
  return {
    id: `${checkId}:${next}`,
    checkId,
    category: 'technical',
    impact: 'medium',
    hint: false,
    message: `Something about ${checkId}`,
    evidence: { url, place: 'head', value: `value-${next}` },
    code: null,
    ...overrides,
  };
}

export function site(findings: readonly Finding[], overrides: Partial<AnalystInput> = {}): AnalystInput {
  const ids = [...new Set(findings.map((one) => one.checkId))];
  return {
    host: 'shop.example',
    url: 'https://shop.example/',
    score: 62,
    pagesAudited: 14,
    coverage: 'All 14 pages that could be found were audited; prices and stock were not.',
    findings,
    checks: ids.map((id) => check(id)),
    passed: ['Page has no viewport', 'Page has no language'],
    ...overrides,
  };
}

export const page = (n: number) => `https://shop.example/page-${n}`;

/** A site with issues of every impact, unordered. */
export function mixedSite(): AnalystInput {
  const findings = [
    finding('favicon-missing', 'https://shop.example/', { impact: 'low', category: 'tools' }),
    ...[1, 2, 3].map((n) =>
      finding('title-missing', page(n), {
        impact: 'high',
        category: 'content',
        message: 'The page has no title',
        code: n === 2 ? '<title>Own words</title>' : null,
      }),
    ),
    finding('broken-internal-link', page(4), { impact: 'high' }),
    ...[1, 2].map((n) =>
      finding('canonical-missing', page(n), { evidence: { url: page(n), place: 'head', value: '' } }),
    ),
    finding('llms-txt-missing', 'https://shop.example/llms.txt', { impact: 'low', hint: true }),
  ];
  return site(findings, {
    points: [
      { checkId: 'title-missing', points: 9 },
      { checkId: 'broken-internal-link', points: 3 },
      { checkId: 'canonical-missing', points: 1 },
      { checkId: 'favicon-missing', points: 0.1 },
    ],
    checks: [
      check('favicon-missing', { minutes: 10, of: 'site' }),
      check('title-missing', {
        title: 'Page title is missing',
        minutes: 10,
        example: { before: null, after: '<title>Example</title>' },
      }),
      check('broken-internal-link', { minutes: 60, difficulty: 'hard' }),
      check('canonical-missing', { minutes: 20 }),
      check('llms-txt-missing', { minutes: 5 }),
    ],
  });
}

/** Page texts that try to become markup. */
export const HOSTILE = [
  '[click here](https://evil.example/steal)',
  '![x](https://evil.example/pixel.png)',
  'https://evil.example/plain',
  'www.evil.example/www',
  'mail me@evil.example now',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="https://evil.example">a</a>',
  '# A heading',
  '\n\n# A heading after a break\n\n- item',
  '\n\nSetext\n======\n',
  '``` \n</code><b>x</b>\n```',
  '`code` and `` more `` ``` and ```',
  '[ref]: https://evil.example "t"\n\n[ref]',
  '<https://evil.example/auto>',
  '&lt;b&gt; &#60;i&#62;',
  '> quote',
  '1. list',
  '***bold*** __under__ ~~gone~~',
  'javascript://evil.example/%0aalert(1)',
  '| a | b |\n|---|---|\n| c | d |',
  '[x][y] [z][] [^1]\n\n[^1]: note https://evil.example',
  'ftp://evil.example/file xmpp:me@evil.example mailto:me@evil.example',
  '\u202eright to left\u2028line',
] as const;
