import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PART_BYTES } from '../../../src/domain/report/events.ts';
import { MAX_EVIDENCE, MAX_PAGES } from '../../../src/integrations/analyst/actionItems.ts';
import { createRulesAnalyst, firstSteps } from '../../../src/integrations/analyst/rules.ts';
import type { Edit, Finding } from '../../../src/model/findings.ts';
import { editsFor, minutesFor } from '../../../src/model/issues/effort.ts';
import { findingsOf, gatherIssues } from '../../../src/model/issues/issues.ts';
import { NOT_JUDGED_REASONS, NOT_JUDGED_TEXTS, SHUT_TEXT } from '../../../src/model/scores.ts';
import { runs } from '../../given/fullForm.ts';
import { check, finding, HOSTILE, mixedSite, page, site } from './inputs.ts';
import { rendered } from './rendered.ts';

const analyst = createRulesAnalyst();
const recommend = async (input: ReturnType<typeof site>) => (await analyst.recommend(input)).value;

describe('the first steps', () => {
  it('are in the order of the analysis, impact before effort, without suggestions', async () => {
    const findings = [
      finding('slow', page(1), { impact: 'high' }),
      finding('quick', page(2), { impact: 'medium' }),
      finding('hint', page(1), { hint: true }),
    ];
    const input = site(findings, {
      checks: [check('slow', { minutes: 400 }), check('quick', { minutes: 1 }), check('hint')],
    });
    expect((await recommend(input)).map(({ id }) => id)).toEqual(['slow', 'quick', 'hint']);
    expect(firstSteps(input).map(({ title }) => title)).toEqual([
      expect.stringContaining('slow'),
      expect.stringContaining('quick'),
    ]);
  });
});

describe('recommendations of the built-in analyst', () => {
  it('are one item per issue, by points gained per minute, suggestions last, each with its reason', async () => {
    const items = await recommend(mixedSite());
    expect(items.map((item) => [item.id, item.reason])).toEqual([
      ['title-missing', 'High impact on 3 pages, about 15 minutes of work.'],
      ['broken-internal-link', 'High impact on 1 page, about 1 hour of work.'],
      ['canonical-missing', 'Medium impact on 2 pages, about 20 minutes of work.'],
      ['favicon-missing', 'Low impact for the whole site, about 10 minutes of work.'],
      ['llms-txt-missing', 'Optional, about 5 minutes of work.'],
    ]);
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  });

  it('list as many pages as fit into an event, however long their addresses are, and say how many', async () => {
    const long = (index: number): string => `https://shop.example/${index}-${'x'.repeat(1900)}`;
    const findings = Array.from({ length: 300 }, (_, index) =>
      finding('title-missing', long(index), {
        evidence: { url: long(index), place: '字'.repeat(300), value: '字'.repeat(300) },
      }),
    );
    const [item] = await recommend(site(findings));
    expect(item?.pages[0]).toBe(long(0));
    expect(item?.pages.length).toBeGreaterThan(20);
    expect(item?.problem).toContain(`The first ${item?.pages.length} of the 300 pages are listed below.`);
    expect(item?.findingIds).toHaveLength(300);
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(MAX_PART_BYTES - 20_000);
  });

  it('name the pages, the evidence and every finding they fix', async () => {
    const input = mixedSite();
    const [title] = await recommend(input);
    expect(title).toMatchObject({
      checkId: 'title-missing',
      title: 'Page title is missing (3 pages)',
      impact: 'high',
      category: 'content',
      pages: [page(1), page(2), page(3)],
    });
    expect(title?.findingIds).toEqual(
      input.findings.filter((one) => one.checkId === 'title-missing').map((one) => one.id),
    );
    expect(title?.codeExample).toBe('<title>Own words</title>');
    expect(title?.problem).toContain(`\`${page(1)}\``);
    expect(title?.problem).toContain('Found on 3 pages, for example on');
    expect(title?.problem).toContain('The page has no title.');
    expect(title?.problem).toContain('Why title-missing matters.');
    expect(title?.solution).toContain('Fix title-missing.');
    expect(title?.evidence).toHaveLength(3);
  });

  it('name the page of a single finding', async () => {
    const [item] = await recommend(
      site([finding('thin-content', 'https://shop.example/about', { category: 'content' })]),
    );
    expect(item?.title).toBe('Title of thin-content (/about)');
  });

  it('are deterministic and complete', async () => {
    const input = mixedSite();
    expect(await recommend(input)).toEqual(await recommend(input));
    expect((await recommend(input)).flatMap((item) => item.findingIds).sort()).toEqual(
      input.findings.map((one) => one.id).sort(),
    );
  });

  it('are bounded for a huge cause, and state its real size', async () => {
    const findings = Array.from({ length: 5000 }, (_, n) => [
      finding('image-alt-missing', page(n), { category: 'content' }),
      finding('image-alt-missing', page(n)),
    ]).flat();
    const [item] = await recommend(site(findings));
    expect(item?.pages).toHaveLength(MAX_PAGES);
    expect(item?.evidence).toHaveLength(MAX_EVIDENCE);
    expect(new Set(item?.evidence.map((one) => one.url)).size).toBe(MAX_EVIDENCE);
    expect(item?.title).toContain('(5,000 pages)');
    expect(item?.problem).toContain('Found on 5,000 pages, in 10,000 places');
    expect(item?.problem).toContain('The first 200 of the 5,000 pages are listed');
    expect(item?.timeEstimate).toBe(2400);
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(256 * 1024);
  });

  it('are none for a clean site', async () => {
    expect(await recommend(site([]))).toEqual([]);
  });
});

describe('related findings', () => {
  it('are one item if one follows from the other', async () => {
    const canonical = finding('canonical-to-root', page(1), { impact: 'high' });
    const follows = finding('og-url-mismatch', page(1), {
      impact: 'low',
      category: 'social',
      code: '<meta property="og:url" content="wrong">',
    });
    const other = finding('og-url-mismatch', page(2), { impact: 'low', category: 'social' });
    const items = await recommend(site([canonical, follows, other]));
    expect(items.map((item) => [item.id, item.findingIds])).toEqual([
      ['canonical-to-root', [canonical.id, follows.id]],
      ['og-url-mismatch', [other.id]],
    ]);
    expect(items[0]?.solution).toContain('Also fixes “Title of og-url-mismatch”.');
    // Its code would fix the consequence and leave the cause.
    expect(items[0]?.codeExample).toBeNull();
    expect(items[0]?.pages).toEqual([page(1)]);
  });

  it('are one item if a page has no text because it is made of frames', async () => {
    const frames = finding('frames', page(1));
    const [empty, short] = [1, 2].map((n) => finding('thin-content', page(n), { category: 'content' }));
    const checks = [check('frames'), check('thin-content', { looked: 9, failed: 2 })];
    const items = await recommend(site([empty as Finding, short as Finding, frames], { checks }));
    expect(items.find(({ id }) => id === 'thin-content')?.reason).toContain('on 1 of the 9 pages it applies to');
    expect(new Map(items.map(({ id, findingIds }) => [id, findingIds]))).toEqual(
      new Map([
        ['frames', [frames.id, empty?.id]],
        ['thin-content', [short?.id]],
      ]),
    );
  });

  it('are one item with the code and the time of all if one edit fixes them', async () => {
    const tags = (id: string, n: number, impact: 'medium' | 'low') =>
      finding(id, page(n), {
        category: 'social',
        impact,
        code: `<meta ${id} ${n}>`,
        evidence: { url: page(n), place: 'head', value: 'missing' },
      });
    const findings = [1, 2].flatMap((n) => [
      tags('og-missing', n, 'medium'),
      tags('og-description-missing', n, 'low'),
      tags('twitter-card-missing', n, 'low'),
    ]);
    const [item, ...rest] = await recommend(site(findings));
    expect(rest).toEqual([]);
    expect(item).toMatchObject({
      id: 'og-missing',
      title: 'Social sharing tags are missing (2 pages)',
      impact: 'medium',
      timeEstimate: 45,
    });
    expect(item?.codeExample).toBe(
      '<meta og-missing 1>\n<meta og-description-missing 1>\n<meta twitter-card-missing 1>',
    );
    expect(item?.findingIds).toHaveLength(6);
    expect(item?.solution).toContain('twitter:card');
  });

  it('show code for one place, and name the place whole', async () => {
    const at = `head > ${'div > '.repeat(40)}meta`;
    const tags = (id: string, edit: Edit) =>
      finding(id, page(1), {
        category: 'social',
        code: `<meta ${id}>`,
        edit,
        evidence: { url: page(1), place: 'head', value: 'missing' },
      });
    const [item] = await recommend(
      site([
        tags('og-missing', { edits: 'element', operation: 'replace', at }),
        tags('twitter-card-missing', { edits: 'head', operation: 'add', at: 'head' }),
      ]),
    );
    expect(item?.codeExample).toBe('<meta og-missing>');
    expect(item?.solution).toContain(at);
    const head = { edits: 'head', operation: 'add', at: 'head' } as const;
    const [both] = await recommend(site([tags('og-missing', head), tags('twitter-card-missing', head)]));
    expect(both?.codeExample).toBe('<meta og-missing>\n<meta twitter-card-missing>');
  });

  it('count many links to one address as one fix, and name the address', async () => {
    const link = (n: number, href: string) =>
      finding('broken-internal-link', page(n), {
        impact: 'high',
        evidence: { url: `https://shop.example/a/${n}`, place: `a[href="${href}"]`, value: href },
      });
    const [item] = await recommend(site([link(1, '../gone'), link(2, '/gone#top'), link(3, '/gone')]));
    expect(item?.problem).toContain('All of them lead to `https://shop.example/gone`.');
    expect(item?.timeEstimate).toBe(15);
    const [two] = await recommend(site([link(1, '/gone'), link(2, '/gone'), link(3, '/away')]));
    expect(two?.problem).toContain(
      'All of them lead to 2 addresses: `https://shop.example/gone` and `https://shop.example/away`.',
    );
    expect(two?.timeEstimate).toBe(20);
    const [one] = await recommend(site([link(1, '/gone')]));
    expect(one?.problem).not.toContain('lead to');
  });

  it('stay separate if only some of them are related', async () => {
    const items = await recommend(
      site([
        finding('og-missing', page(1)),
        finding('og-description-missing', page(1)),
        finding('og-description-missing', page(2)),
      ]),
    );
    expect(items.map((item) => item.id).sort()).toEqual(['og-description-missing', 'og-missing']);
  });

  it('put a missing page under the links to it, and a server error under the page', async () => {
    const gone = (status: string) =>
      finding('page-http-error', page(9), {
        impact: 'high',
        evidence: { url: page(9), place: 'status', value: status },
      });
    const link = finding('broken-internal-link', page(1), {
      impact: 'high',
      evidence: { url: page(1), place: 'a', value: 'page-9#top' },
    });
    const idsFor = async (status: string) =>
      (await recommend(site([gone(status), link]))).map((item) => [item.id, item.findingIds.length]);
    expect(await idsFor('404')).toEqual([['broken-internal-link', 2]]);
    expect(await idsFor('503')).toEqual([['page-http-error', 2]]);
  });

  it('never lose or duplicate a finding', () => {
    const ids = [
      'canonical-to-root',
      'og-url-mismatch',
      'page-http-error',
      'broken-internal-link',
      'sitemap-bad-urls',
      'redirect-to-error',
      'redirect-chain',
      'og-missing',
    ];
    const more = [
      'og-description-missing',
      'frame-protection',
      'nosniff-missing',
      'hsts-missing',
      'title-duplicate',
      'title-generic',
      'title-too-short',
      'robots-blocks-all',
    ];
    const one = fc.record({
      checkId: fc.constantFrom(
        ...ids,
        ...more,
        'robots-blocks-page',
        'sitemap-blocked',
        'schema-missing',
        'product-schema',
        'unknown',
      ),
      n: fc.integer({ min: 0, max: 3 }),
      place: fc.constantFrom('head', 'a'),
      value: fc.constantFrom('404', '500', '/page-1', 'no Product', '', 'page-2'),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 25 }), (given) => {
        const findings = given.map(({ checkId, n, place, value }) =>
          finding(checkId, page(n), { evidence: { url: page(n), place, value } }),
        );
        const issues = gatherIssues(site(findings));
        expect(issues.flatMap((issue) => findingsOf(issue).map((found) => found.id)).sort()).toEqual(
          findings.map((found) => found.id).sort(),
        );
        expect(new Set(issues.map((issue) => issue.check.id)).size).toBe(issues.length);
        for (const issue of issues) expect(issue.findings.length).toBeGreaterThan(0);
      }),
      { seed: 4713, numRuns: runs(300) },
    );
  });
});

describe('a locked fix', () => {
  it('hides the combined fix of its cause too', () => {
    const found = ['frame-protection', 'nosniff-missing'].map((id) => finding(id, page(1)));
    const fixOf = (locked: boolean) =>
      gatherIssues(
        site(found, {
          checks: [check('frame-protection'), check('nosniff-missing', locked ? { locked, steps: ['Hidden.'] } : {})],
        }),
      ).map(({ steps }) => steps);
    expect(fixOf(false)).toEqual([
      [
        expect.stringContaining('HTTPS'),
        expect.stringContaining('X-Content-Type-Options: nosniff'),
        expect.stringContaining('frame-ancestors'),
        expect.stringContaining('max-age'),
        expect.stringContaining('make sure all three'),
      ],
    ]);
    expect(fixOf(true)).toEqual([['Hidden.']]);
  });
});

describe('the order', () => {
  it('goes by impact, then by points gained per minute, then by id; hints come last', () => {
    const found = (id: string, impact: 'high' | 'medium' | 'low', hint = false) =>
      finding(id, page(1), { impact, hint });
    const input = site(
      [
        found('a-hint', 'low', true),
        found('z-low', 'low'),
        found('b-medium', 'medium'),
        found('c-medium', 'medium'),
        found('d-medium', 'medium'),
        found('slow-high', 'high'),
        found('quick-high', 'high'),
      ],
      {
        points: [
          { checkId: 'z-low', points: 0.9 },
          { checkId: 'b-medium', points: 1 },
          { checkId: 'c-medium', points: 1 },
          { checkId: 'd-medium', points: 2.5 },
          { checkId: 'slow-high', points: 10 },
          { checkId: 'quick-high', points: 4 },
        ],
        checks: [
          check('z-low', { minutes: 1 }),
          check('b-medium', { minutes: 10 }),
          check('c-medium', { minutes: 10 }),
          check('d-medium', { minutes: 10 }),
          check('slow-high', { minutes: 400 }),
          check('quick-high', { minutes: 5 }),
          check('a-hint', { minutes: 1 }),
        ],
      },
    );
    expect(gatherIssues(input).map((issue) => issue.check.id)).toEqual([
      'quick-high',
      'slow-high',
      'd-medium',
      'b-medium',
      'c-medium',
      'z-low',
      'a-hint',
    ]);
  });

  it('starts with the items that lower the score most, however long they take', async () => {
    const quick = finding('title-missing', page(1), { impact: 'high' });
    const capping = finding('noindex-meta', page(2), { impact: 'high' });
    const limits = [{ cap: 30, reason: 'Search engines may not index the start page', checkIds: ['noindex-meta'] }];
    const input = site([quick, capping], {
      limits,
      checks: [check('title-missing', { minutes: 2 }), check('noindex-meta', { minutes: 400 })],
    });
    const [first] = await recommend(input);
    expect([first?.id, first?.reason]).toEqual([
      'noindex-meta',
      'Keeps the score from rising above 30: fix it first, about 6 hours 40 minutes of work.',
    ]);
    const summary = (await analyst.summarise(input, await recommend(input))).value;
    expect(summary).toContain(
      '**Search engines may not index the start page.** Until that’s fixed, the score can’t rise above 30.',
    );
    expect(summary.indexOf('noindex-meta')).toBeLessThan(summary.indexOf('title-missing'));
  });

  it.each([
    [14, 3, 'on 3 of 14 pages'],
    [14, 14, 'on all 14 pages'],
    [4, 3, 'on 3 of the 4 pages it applies to'],
    [3, 3, 'on all 3 pages it applies to'],
    [2, 2, 'on both pages it applies to'],
    [1, 1, 'on the only page it applies to'],
    [20, 3, 'on 3 of 20 addresses', 'addresses'],
    [2, 2, 'on both addresses', 'addresses'],
  ] as const)('says of how many pages: of %i looked at %i', async (looked, failed, where, of?: 'addresses') => {
    const pages = Array.from({ length: failed }, (_, n) => finding('x', page(n)));
    const [item] = await recommend(site(pages, { checks: [check('x', { looked, failed, ...(of ? { of } : {}) })] }));
    expect(item?.reason).toContain(`Medium impact ${where}, about `);
  });

  it('counts pages even if they have too many findings to list', async () => {
    const [item] = await recommend(
      site([finding('x', page(1))], { pagesAudited: 900, checks: [check('x', { looked: 900, failed: 700 })] }),
    );
    expect(item?.reason).toContain('on 700 of 900 pages');
  });
});

describe('the text of an item', () => {
  const problemOf = async (message: string, place: string, value: string) =>
    (await recommend(site([finding('x', page(1), { message, evidence: { url: page(1), place, value } })])))[0]?.problem;

  it('quotes a value only if the message does not contain it', async () => {
    expect(await problemOf('The title says "Tea".', 'head > title', 'Tea')).toMatch(/at `head > title`\.$/);
    expect(await problemOf('There is none.', 'head > title', 'missing')).toMatch(/at `head > title`\.$/);
    expect(await problemOf('The line cannot be read.', 'line 5', 'Disalow: /')).toMatch(
      /at `line 5`, which reads `Disalow: \/`\.$/,
    );
    expect(await problemOf('The page has 164 words.', 'main', '164 words')).toMatch(/page-1`\.$/);
  });

  it('says whether the code fits all pages', async () => {
    const two = (codes: readonly (string | null)[], overrides: object = {}) =>
      recommend(
        site(
          codes.map((code, n) =>
            finding('x', page(n), {
              code,
              evidence: { url: page(n), place: 'head > title', value: 'v' },
              ...overrides,
            }),
          ),
        ),
      );
    expect((await two(['<a>', '<b>']))[0]?.solution).toContain(
      `The code is for \`${page(0)}\`: adapt it for the other page.`,
    );
    expect((await two(['<a>', '<b>', '<c>']))[0]?.solution).toContain('adapt it for the other pages.');
    expect((await two(['<a>', '<a>']))[0]?.solution).toBe(
      'Fix x. It’s the same on every page: if it comes from a template, fix it there once.',
    );
    expect((await two([null, null], { category: 'content' }))[0]?.solution).toBe(
      'Fix x. Start with your most visited pages.',
    );
    const example = { before: null, after: '<a href="YOUR ADDRESS">YOUR ADDRESS, YOUR NAME</a>' };
    const [item] = await recommend(site([finding('x', page(0))], { checks: [check('x', { example })] }));
    expect(item).toMatchObject({
      codeExample: example.after,
      solution: 'Fix x. The code is an example: replace `YOUR ADDRESS` and `YOUR NAME` with your own values.',
    });
  });
});

describe('time estimates', () => {
  it('grow with the number of fixes, ever more slowly, up to a working day', () => {
    const minutes = [1, 2, 4, 10, 50, 1000].map((n) => minutesFor({ id: 'x', minutes: 15 }, n));
    expect(minutes).toEqual([15, 20, 30, 60, 120, 480]);
    expect(minutesFor({ id: 'x', minutes: 600 }, 3)).toBe(600);
    expect(minutesFor({ id: 'x', minutes: 5 }, 1)).toBe(5);
  });

  it('grow with each text that has to be written, up to a working week', () => {
    const minutes = [1, 2, 10, 46, 5000].map((n) => minutesFor({ id: 'description-missing', minutes: 10 }, n));
    expect(minutes).toEqual([10, 13, 40, 160, 2400]);
  });

  it('count a template once, and texts per page', async () => {
    const same = (n: number) =>
      finding('viewport-missing', page(n), { evidence: { url: page(n), place: 'head', value: '' } });
    const [template] = await recommend(site([1, 2, 3, 4].map(same)));
    expect(template?.timeEstimate).toBe(15);
    const [texts] = await recommend(site([1, 2, 3, 4].map((n) => ({ ...same(n), checkId: 'title-missing' }))));
    expect(texts?.timeEstimate).toBe(30);
  });

  it('count no address that stays as it is', () => {
    const named = (n: number) =>
      finding('url-underscores', page(n), { evidence: { url: page(n), place: 'url', value: `/a_${n}` } });
    for (const many of [1, 2, 50])
      expect(
        editsFor(
          Array.from({ length: many }, (_, n) => named(n)),
          many,
        ),
      ).toBe(1);
  });
});

describe('the analysis', () => {
  it('lists the main issues by category, and the quick wins', async () => {
    const { value, by, fallback } = await analyst.analyse(mixedSite());
    expect([by, fallback]).toEqual(['Built-in analyst', null]);
    expect(rendered(value).headings).toEqual(['What matters most', 'By category']);
    expect(value).toContain('**62 of 100** (fair)');
    expect(value).toContain('8 findings, 4 issues to fix (2 high, 1 medium and 1 low impact): about ');
    expect(value).toContain('1 optional issue doesn’t affect the score.');
    expect(value.indexOf('Page title is missing')).toBeLessThan(value.indexOf('canonical-missing'));
    expect(value).toContain('**Structured data**: no issues.');
  });

  it('tells risk and gain apart, each on a line of its own', async () => {
    const { value } = await analyst.analyse(site([finding('check-1', page(1), { impact: 'high' })]));
    const lines = value.split('\n');
    const risk = lines.find((line) => line.startsWith('  - **Risk:** ')) ?? '';
    const gain = lines.find((line) => line.startsWith('  - **Gain:** ')) ?? '';
    expect(lines.indexOf(gain)).toBe(lines.indexOf(risk) + 1);
    expect(lines.filter((line) => line.includes(gain.slice('  - **Gain:** '.length)))).toEqual([gain]);
    expect(lines[lines.indexOf(risk) - 1]).toMatch(/^- \*\*Title of check-1\*\* \(high impact .+\)\. /);
  });

  it('lists quick wins beyond the main issues', async () => {
    const many = Array.from({ length: 8 }, (_, n) =>
      finding(`check-${n}`, page(n), { impact: n < 5 ? 'high' : 'low' }),
    );
    const { value } = await analyst.analyse(site(many));
    expect(rendered(value).headings).toEqual(['What matters most', 'By category', 'Quick wins']);
    const wins = value.slice(value.indexOf('### Quick wins'));
    expect(wins).toContain('3 more quick wins, 45 minutes in total:');
    for (const n of [5, 6, 7]) expect(wins).toContain(`Title of check-${n}`);
    expect(wins).not.toContain('Title of check-0');
  });

  it('covers a clean site and a site that could not be read', async () => {
    const clean = (await analyst.analyse(site([], { score: 100 }))).value;
    expect(clean).toContain('No issues found.');
    const unread = (
      await analyst.analyse(site([finding('page-unreachable', page(1))], { score: null, pagesAudited: 0 }))
    ).value;
    expect(unread).toContain('No page of `shop.example` could be read');
    expect(unread).not.toContain('of 100');
  });

  it('says why a site was not scored, and that robots.txt is all there is of one that is shut', async () => {
    for (const reason of NOT_JUDGED_REASONS) {
      const input = site([], { score: null, notJudged: reason, pagesAudited: 0, passed: [] });
      for (const { value } of [await analyst.analyse(input), await analyst.summarise(input, [])]) {
        expect(value).toContain(`**Not scored.** ${NOT_JUDGED_TEXTS[reason]}`);
        expect(value).not.toMatch(/of 100|nothing to fix/);
      }
    }
    const shut = site([finding('robots-blocks-all', page(1))], { score: 0, pagesAudited: 0 });
    expect((await analyst.analyse(shut)).value).toContain(
      `The site scores **0 of 100**: search engines can’t read any of it. ${SHUT_TEXT}`,
    );
  });
});

describe('an audit of a part of a site', () => {
  it('is called one wherever its score is stated, but not for a limit of pages', async () => {
    const found = [finding('title-missing', page(1))];
    const part = site(found, { settings: { folder: '/blog/', maxPages: 40 } });
    expect((await analyst.analyse(part)).value).toContain(
      'A part of `shop.example` (`/blog/` only, 40 pages) scores **62 of 100**',
    );
    expect((await analyst.summarise(part, [])).value).toContain(
      'This part of the site (`/blog/` only, 40 pages) scores **62 of 100**',
    );
    const limited = site(found, { settings: { maxPages: 40 } });
    expect((await analyst.analyse(limited)).value).toContain('`shop.example` scores **62 of 100**');
    expect((await analyst.summarise(limited, [])).value).toContain('The site scores **62 of 100**');
  });
});

describe('the executive summary', () => {
  const summarise = async (input: ReturnType<typeof site>) =>
    (await analyst.summarise(input, await recommend(input))).value;

  it('gives the score, three priorities, the time, good news and limits', async () => {
    const text = await summarise(mixedSite());
    expect(rendered(text).headings).toEqual([
      'Executive summary: shop.example',
      'Fix first',
      'Effort',
      'What’s already good',
      'Scope and limits',
    ]);
    expect(text).toContain('**62 of 100**');
    expect(text).toContain('4 action items, 2 of them high impact. 1 more is optional and doesn’t affect the score.');
    expect(text).toContain('High impact on 3 pages, about 15 minutes of work. First results in 2-4 weeks.');
    expect(text).toMatch(/Estimated effort: about \d+ hours? for someone who knows the site/);
    expect(text.match(/^\d\. /gm)).toHaveLength(3);
    expect(text).toContain('We didn’t find “Page has no viewport” or “Page has no language”.');
  });

  it('changes its wording with the score', async () => {
    const texts = await Promise.all([96, 60, 5].map((score) => summarise(site([finding('x', page(1))], { score }))));
    for (const [at, word] of ['good', 'fair', 'poor'].entries()) expect(texts[at]).toContain(`of 100** (${word}). `);
  });

  it('says so when there is nothing to report', async () => {
    const clean = await summarise(site([], { score: 100, passed: [], coverage: '' }));
    expect(clean).toContain('There is nothing to fix.');
    expect(rendered(clean).headings).toEqual(['Executive summary: shop.example']);
    expect(await summarise(site([], { score: null, pagesAudited: 0 }))).toContain('We couldn’t read any page');
  });
});

describe('hostile page text', () => {
  it.each(HOSTILE)('stays text in everything the analyst writes: %j', async (text) => {
    const input = site(
      [1, 2]
        .map((n) =>
          finding('title-generic', page(n), { message: text, evidence: { url: page(n), place: text, value: text } }),
        )
        .concat(finding('unknown-check', `https://shop.example/?q=${text}`, { message: text, impact: 'high' })),
      { coverage: text, checks: [check('title-generic'), check('unknown-check')] },
    );
    const actions = await recommend(input);
    const texts = [
      (await analyst.analyse(input)).value,
      (await analyst.summarise(input, actions)).value,
      ...actions.flatMap((item) => [item.title, item.problem, item.solution]),
    ];
    const own = new Set([
      'What matters most',
      'By category',
      'Quick wins',
      'Effort',
      'What’s already good',
      'Scope and limits',
      'Fix first',
      'Executive summary: shop.example',
    ]);
    for (const markdown of texts) {
      const result = rendered(markdown);
      expect([
        result.links,
        result.images,
        result.rawHtml,
        result.headings.filter((heading) => !own.has(heading)),
      ]).toEqual([[], 0, false, []]);
      expect(result.elements.has('table') || result.elements.has('blockquote') || result.elements.has('hr')).toBe(
        false,
      );
    }
  });
});
