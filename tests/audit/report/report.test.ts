import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { actionItemsMarkdown } from '../../../src/audit/report/actionItemsMarkdown.ts';
import { coverageText } from '../../../src/audit/report/coverage.ts';
import { FINDINGS_FORMAT } from '../../../src/audit/report/findingsFormat.ts';
import { findingsJson } from '../../../src/audit/report/findingsJson.ts';
import { cellCode, codeBlock, codeSpan, inlineMarkdown, oneLine, prose } from '../../../src/audit/report/markdown.ts';
import { gatheringRows, pagesCsv } from '../../../src/audit/report/pagesCsv.ts';
import { reportHtml } from '../../../src/audit/report/reportHtml.ts';
import { reportIssues } from '../../../src/audit/report/reportIssues.ts';
import { type ReportInput, reportMarkdown } from '../../../src/audit/report/reportMarkdown.ts';
import { terminalReport } from '../../../src/audit/report/terminalReport.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { type GivenPage, type GivenSite, givenSite } from '../../given/audit/page.ts';
import { inputOf } from '../../given/audit/reportInput.ts';

/**
 * Rendered as in the app, which would show HTML as text; other renderers would not. That there is none shows in that
 * removing it changes nothing.
 */
function html(markdown: string): string {
  const rendered = renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, markdown));
  expect(renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm], skipHtml: true }, markdown))).toBe(
    rendered,
  );
  return rendered;
}

const HOSTILE = [
  '[click](https://evil.example)',
  '![pixel](https://evil.example/p.gif)',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '# Heading\n## Another',
  'https://evil.example/ www.evil.example me@evil.example mailto:me@evil.example',
  '<https://evil.example>',
  '`code` ``more`` ``` fence',
  '\n```\n# out of the block\n',
  '| a | b |\n| --- | --- |\n| c | d |',
  '**bold** __bold__ *it* _it_ ~~gone~~',
  '&lt;b&gt; &#35; &amp;',
  '1. one\n2. two',
  '- item\n+ item\n> quote\n---\n===',
  '[ref]: https://evil.example "x"\n[ref]',
  '[^1]\n\n[^1]: note',
  '\u202Egnp.exe\u202C\u0000\u001b[31mred',
  '\\[escaped\\](https://evil.example)',
  'a\\',
  '`'.repeat(50),
  'https://evil.example/`](x) `<b>`',
];

const SAFE_TAGS = /<(?!\/?(?:p|code|pre|strong|em|br)\b)[a-z/]/i;

describe('untrusted text in markdown', () => {
  test.each(HOSTILE)('%j as prose shows its own characters and nothing else', (text) => {
    const rendered = html(`Before ${prose(text)} after`);
    expect(rendered).not.toMatch(SAFE_TAGS);
    expect(rendered).not.toMatch(/<strong>|<em>|<pre>/);
  });

  test.each(HOSTILE)('%j as prose alone on a line', (text) => {
    expect(html(prose(text))).not.toMatch(SAFE_TAGS);
  });

  test.each(HOSTILE)('%j in a code span is one code span', (text) => {
    const rendered = html(`Before ${codeSpan(text)} after`);
    expect(rendered).toMatch(/^<p>Before (?:<code>[\s\S]*<\/code>|\(empty\)) after<\/p>$/);
    expect(rendered.match(/<code>/g)?.length).toBe(1);
  });

  test.each(HOSTILE)('%j in a code block is one code block', (text) => {
    expect(html(`${codeBlock(text)}\n\nafter`)).toMatch(/^<pre><code>[\s\S]*<\/code><\/pre>\n<p>after<\/p>$/);
  });

  test.each(HOSTILE)('%j in a cell does not make another cell', (text) => {
    expect(html(`| a | b |\n| --- | --- |\n| ${cellCode(text)} | x |`).match(/<td/g)).toHaveLength(2);
  });

  test.each(HOSTILE)('%j as inline markdown shows nothing but text and code', (text) => {
    for (const line of [text, `a@b.example${text}`, `\`x\`${text}\`y\``, `\\${text}`]) {
      expect(html(`Before ${inlineMarkdown(line)} after`)).not.toMatch(SAFE_TAGS);
      expect(html(inlineMarkdown(line))).not.toMatch(/<strong>|<em>|<pre>/);
    }
  });

  test('inline markdown keeps its code spans and does not escape twice', () => {
    const shown = (markdown: string) => html(inlineMarkdown(markdown));
    expect(shown('Found at `head > title`, where it reads `` a`b ``.')).toBe(
      '<p>Found at <code>head &gt; title</code>, where it reads <code>a`b</code>.</p>',
    );
    expect(shown('5 \\* 3 \\[a\\] \\`no code\\` \\&amp;')).toBe('<p>5 * 3 [a] `no code` &amp;amp;</p>');
    expect(shown('an open ` backtick and **bold** <b>')).toBe('<p>an open ` backtick and **bold** &lt;b&gt;</p>');
    expect(shown('www.a.example`x`')).toBe('<p><code>www.a.example</code> <code>x</code></p>');
  });

  test('plain sentences are not changed', () => {
    expect(prose('The title has 74 characters; results show about 60.')).toBe(
      'The title has 74 characters; results show about 60.',
    );
    expect(prose('/gone answers with status 404.')).toBe('/gone answers with status 404.');
    expect(oneLine('a\n\n  b\tc')).toBe('a b c');
    expect(oneLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});

const EVIL = HOSTILE.map((text) => text.replaceAll('<', '&lt;')).join(' ');
const evilSite: GivenSite = {
  pages: [
    {
      html: `<!doctype html><title>${EVIL}</title><h1>${EVIL}</h1><h3>${EVIL}</h3><a href="/x">${EVIL}</a><img src="/a.png"><p>Lorem ipsum dolor sit amet ${EVIL}</p>`,
    },
    { url: '/x', status: 404 },
  ],
  robots: `${EVIL}\nDisallow: /](https://evil.example)`,
};

describe('the report', () => {
  test('of a hostile site has no link, image, HTML or heading of the site', () => {
    const input = inputOf(evilSite);
    const rendered = html(reportMarkdown(input));
    expect(rendered).not.toMatch(/<a |<img|<script|<b>|<h1>(?!SEO audit)/);
    expect(rendered.match(/<h1>/g)).toHaveLength(1);
    const headings = [...rendered.matchAll(/<h[2-6]>([^<]*)</g)].map((match) => match[1]);
    const ours = [
      /^Score:/,
      /^Scope and limits$/,
      /^Findings$/,
      /^(?:High|Medium|Low) impact$/,
      /^Optional$/,
      /^Passed checks$/,
      /^Not checked$/,
    ];
    const titles = new Set([
      ...CHECKS.map((check) => check.title),
      'Security headers are missing',
      'Social sharing tags are missing',
    ]);
    expect(
      headings.filter(
        (heading) =>
          !ours.some((own) => own.test(heading ?? '')) && !titles.has(heading?.replaceAll('&#x27;', "'") ?? ''),
      ),
    ).toEqual([]);
  });

  test('has score, deductions with denominators, coverage, findings, and what passed and was not checked', () => {
    const text = reportMarkdown(
      inputOf({
        pages: ['<!doctype html><html lang="en"><title>Tea</title>', { url: '/b', status: 404 }],
        favicon: null,
      }),
    );
    expect(text).toMatch(/## Score: \d+ of 100/);
    expect(text).toMatch(/\| No mobile viewport \| 25 \| whole site \| 25 \|/);
    expect(text).toContain('1 HTML page of example.com audited. No discovered page was left out.');
    expect(text).toContain('- 1 address returned an error.');
    expect(text).toContain('#### Page returns an HTTP error');
    expect(text).toContain('however few pages an issue affects, it deducts at least 1, 0.4 or 0.1.');
    // Of the whole site and of a page.
    expect(text).toMatch(/## Passed checks[\s\S]*- Unknown URLs don’t return 404 \(whole site\)\n/);
    expect(text).toMatch(/## Passed checks[\s\S]*- Page does not declare its language \(1 checked\)\n/);
    expect(text).toMatch(
      /## Not checked[\s\S]*- Favicon is missing or broken: what it checks was not requested or could not be read/,
    );
  });

  test('has the summary and its author', () => {
    const text = reportMarkdown({
      ...inputOf('<p>Tea'),
      analysis: { text: 'The site is **fine**.', by: 'Built-in analyst' },
    });
    expect(text).toContain('## Analysis\n\nThe site is **fine**.\n\nWritten by: Built-in analyst');
  });

  test('explains why a crawl ended', () => {
    const crawl = givenSite({ pages: ['<p>Tea'], stop: 'page_budget' });
    expect(coverageText({ ...crawl, coverage: { ...crawl.coverage, notFetched: 12 } })).toBe(
      '1 HTML page of example.com audited. Page limit reached: 12 known addresses were not audited.',
    );
  });

  test('of a site without a page says so, without a score or a claim of full coverage', () => {
    const input = inputOf({ pages: [{ url: '/', failure: 'dns' }], origin: 'http://example.com' });
    const texts = [reportMarkdown(input), coverageText(input.crawl)];
    for (const text of texts) {
      expect(text).toContain('No HTML page of example.com could be audited.');
      expect(text).not.toMatch(/of 100|left out|can’t rise above|No issues/);
    }
    expect(terminalReport(input.url, input)).toBe('');
    expect(JSON.parse(findingsJson(input)).score).toBeNull();
    expect(input.outcomes.find(({ checkId }) => checkId === 'https-missing')?.state).toBe('not_applicable');
  });

  test('says which pages were truncated, and reports nothing as missing that may be in the rest', () => {
    const page = { html: '<!doctype html><html lang="en"><title>All our teas in one list</title><p>Tea' };
    const cut = inputOf({ pages: [{ ...page, truncated: true }] });
    expect(reportMarkdown(cut)).toContain('- 1 page is larger than 5 MB; the rest was not checked.');
    const whole = inputOf({ pages: [page] });
    expect(reportMarkdown(whole)).not.toContain('larger than');
    const late = [
      'schema-missing',
      'organization-incomplete',
      'website-schema',
      'h1-missing',
      'contact-missing',
      'social-profiles-missing',
      'analytics-missing',
    ];
    const states = (input: ReportInput) =>
      late.map((id) => input.outcomes.find(({ checkId }) => checkId === id)?.state);
    expect(states(cut)).toEqual(late.map(() => 'not_checked'));
    expect(states(whole)).not.toContain('not_checked');
  });

  test('says of how many the code is the first', () => {
    const shown = (...pages: readonly GivenPage[]) => {
      const input = inputOf({ pages: pages.map((page, nth) => ({ url: nth === 0 ? '/' : `/${nth}`, ...page })) });
      return [reportMarkdown(input), reportHtml(input)].map(
        (text) => /Add to the head, for .* \((1 of \d)\):/.exec(text)?.[1],
      );
    };
    const page = (name: string) => ({ html: `<!doctype html><html lang="en"><title>${name}</title><h1>${name}</h1>` });
    expect(shown(page('Tea'))).toEqual([undefined, undefined]);
    expect(shown(page('Tea'), page('Pots'), page('Bowls'))).toEqual(['1 of 3', '1 of 3']);
  });

  test('groups by issue, the worst first and hints last', () => {
    const input = inputOf({ pages: ['<p>Tea', { url: '/a', html: '<p>Tea' }, { url: '/b', status: 404 }] });
    const issues = reportIssues(input);
    expect(issues.find((issue) => issue.check.id === 'title-missing')?.pages).toEqual([
      'https://example.com/',
      'https://example.com/a',
    ]);
    const ranks = issues.map((issue) => (issue.hint ? 3 : { high: 0, medium: 1, low: 2 }[issue.impact]));
    expect(ranks).toEqual([...ranks].sort());
    expect(ranks).toContain(3);
  });
});

describe('the other files', () => {
  test('findings.json is versioned and has the texts of its checks', () => {
    const json = JSON.parse(findingsJson(inputOf('<p>Tea')));
    expect(json).toMatchObject({
      ...FINDINGS_FORMAT,
      host: 'example.com',
      coverage: { stop: 'complete', pages: { html: 1 } },
    });
    const named = new Set(json.findings.map((finding: { checkId: string }) => finding.checkId));
    expect(new Set(json.checks.map((check: { id: string }) => check.id))).toEqual(named);
    expect(json.checks[0]).toMatchObject({
      risk: expect.any(String),
      gain: expect.any(String),
      steps: expect.any(Array),
    });
  });

  test('pages.csv has a row per page and no formula', () => {
    const crawl = givenSite({
      pages: [
        `<title>=HYPERLINK("https://evil.example")</title><h1>+1+1\t@x</h1>`,
        { url: '/b', status: 404 },
        { url: '/c', robotsBlocked: true },
      ],
    });
    const { findings } = runChecks(crawl);
    const rows = pagesCsv(crawl, findings).trim().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^url,status,problem,/);
    expect(rows[1]).not.toMatch(/(?:^|,)"?[=+@-]/);
    expect(rows[1]).toContain(`'=HYPERLINK`);
    expect(rows[3]).toContain('closed by robots.txt');
  });

  test.each(['  =1+1', '\u00a0+1', '\t\r\n@x', '\u3000-1'])(
    'a formula after spaces is escaped like any other: %j',
    (text) => {
      const crawl = givenSite(`<title>Tea</title><meta name="description" content="${text}">`);
      expect(pagesCsv(crawl, [])).toMatch(/,'[=+@-]/);
    },
  );

  test('rows of pages are gathered with pauses, and so is what they look up', () => {
    const sitemaps = [{ locs: Array.from({ length: 2_000 }, (_, nth) => `/listed/${nth}`) }];
    const crawl = givenSite({ pages: Array.from({ length: 30 }, () => '<title>Tea</title>'), sitemaps });
    let pauses = 0;
    for (const work = gatheringRows(crawl, []); !work.next().done; ) pauses += 1;
    expect(pauses).toBeGreaterThan(2_000);
  });

  test('action-items.md escapes all quotes', () => {
    const item = {
      title: EVIL,
      category: 'content',
      impact: 'high',
      difficulty: 'easy',
      timeEstimate: 20,
      businessValue: EVIL,
      timeToResult: '1 week',
      reason: EVIL,
      evidence: [
        { url: 'https://example.com/<b>', place: EVIL, value: EVIL },
        { url: 'https://example.com/', place: '', value: '' },
      ],
      findingIds: ['a', 'b', 'c'],
      problem: EVIL,
      solution: EVIL,
      codeExample: '```\n</code>',
      pages: ['https://example.com/<b>'],
    };
    const rendered = html(actionItemsMarkdown([item, { ...item, title: 'Second', codeExample: null, pages: [] }]));
    expect(rendered).not.toMatch(/<a |<img|<script|<b>/);
    expect(rendered.match(/<h2>/g)).toHaveLength(2);
    expect(actionItemsMarkdown([])).toContain('Nothing to do');
  });

  test('texts show international hosts and pages in Unicode, files for programs do not', async () => {
    const origin = 'https://xn--bcher-kva.example';
    const site = inputOf({
      pages: ['<!doctype html><html lang="en"><title>Tea</title>', { url: '/stra%C3%9Fe', status: 404 }],
      origin,
    });
    const input = { ...site, url: `${origin}/`, host: 'xn--bcher-kva.example' };
    const { value: items } = await createRulesAnalyst().recommend({
      ...input,
      score: 1,
      pagesAudited: 1,
      coverage: '',
      passed: [],
    });
    for (const text of [
      reportMarkdown(input),
      reportHtml(input),
      actionItemsMarkdown(items.map((item) => ({ ...item, pages: [`${origin}/stra%C3%9Fe`, `${origin}/`] }))),
    ]) {
      expect(text).toContain('https://bücher.example/straße');
      expect(text).not.toContain('SEO audit of xn--');
    }
    expect(findingsJson(input)).toContain(`${origin}/stra%C3%9Fe`);
  });

  test('action-items.md shows the code spans of the built-in analyst as code', async () => {
    const input = inputOf({
      pages: [
        '<!doctype html><title>A *tea* [list](https://evil.example)</title><h1>`Tea`</h1><p>Tea',
        { url: '/b', status: 404 },
      ],
    });
    const analysis = {
      host: input.host,
      url: input.url,
      score: input.score?.value ?? null,
      pagesAudited: 1,
      coverage: '',
      passed: [],
    };
    const { value } = await createRulesAnalyst().recommend({
      ...analysis,
      findings: input.findings,
      checks: input.checks,
    });
    const problems = html(actionItemsMarkdown(value))
      .split('\n')
      .filter((line) => /<strong>(?:Problem|Solution):/.test(line));
    expect(problems.length).toBeGreaterThan(10);
    for (const line of problems) expect(line.replace(/<code>.*?<\/code>/g, '')).not.toMatch(/[`\\]/);
    expect(problems.join('\n')).toMatch(/Found on <code>https:\/\/example\.com\/<\/code>/);
    expect(problems.join('\n')).not.toContain('<code>missing</code>');
  });

  test('statements about many pages appear once', () => {
    const page = '<!doctype html><html lang="en"><title>Tea</title><p>Tea';
    const input = inputOf({ pages: [page, { url: '/b', html: page }, { url: '/c', html: page }] });
    for (const text of [reportMarkdown(input), reportHtml(input)]) {
      expect(text.split('The page has no meta description.')).toHaveLength(2);
      for (const path of ['b', 'c']) expect(text).toContain(`https://example.com/${path}`);
      expect(text).toContain('On all 3 pages: The page has no meta description.');
    }
  });

  test('a header of many pages is one statement, and no template is said to write it', () => {
    const input = inputOf({
      pages: [1, 2, 3].map((n) => ({
        url: `/${n}`,
        html: `<!doctype html><title>Tea</title><p>Tea ${n}`,
        bytes: n * 9000,
      })),
    });
    for (const text of [reportMarkdown(input), reportHtml(input)])
      expect(text.split('On all 3 pages: The HTML is sent uncompressed.')).toHaveLength(2);
  });

  test.each([
    [900, 0, '1 finding on 1 address · technical'],
    [1600, 0, '1 finding on 1 address · technical'],
    [1600, 1, '2 findings on 2 addresses, 1 of them optional · technical'],
    [1600, 2, '3 findings on 3 addresses, 2 of them optional · technical'],
  ])('an issue with findings that cost nothing says so: %i elements, and %i pages of 900', (elements, more, text) => {
    const page = (size: number): string => `<!doctype html><html lang="en"><title>Tea</title>${'<p></p>'.repeat(size)}`;
    const input = inputOf({
      pages: [page(elements), ...Array.from({ length: more }, (_, n) => ({ url: `/${n}`, html: page(900) }))],
    });
    const [, section = ''] = reportMarkdown(input).split('#### Page has too many elements\n\n');
    expect(section.split('\n')[0]).toContain(text);
  });

  test('an image of the template is one finding, however each page writes its address', () => {
    const page = (src: string) =>
      `<!doctype html><html lang="en"><title>Tea</title><p>Tea<img src="${src}" alt="A tea garden in the hills">`;
    const input = inputOf({
      pages: [page('logo.png'), { url: '/b', html: page('/logo.png') }, { url: '/c/d', html: page('../logo.png') }],
    });
    for (const text of [reportMarkdown(input), reportHtml(input)])
      expect(text.split('probably from a shared template: The image logo.png has no width')).toHaveLength(2);
  });

  test('the HTML report begins with the given first steps', () => {
    const input = inputOf({ pages: ['<p>Tea'] });
    const firstSteps = [{ title: 'Say what the page is about', reason: 'High impact, for about 5 minutes.' }];
    expect(reportHtml({ ...input, firstSteps })).toContain(
      '<li><strong>Say what the page is about</strong>. High impact, for about 5 minutes.</li>',
    );
  });

  test('the terminal gets no control characters of the site', () => {
    const input = inputOf(evilSite);
    const text = terminalReport(input.url, input);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toMatch(/^SEO audit of https:\/\/example\.com\/\n\nScore \d+ of 100/);
  });
});
