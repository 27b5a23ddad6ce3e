import { describe, expect, it } from 'vitest';
import { MAX_EVIDENCE, MAX_PAGES } from '../../../src/integrations/analyst/actionItems.ts';
import { estimateMinutes } from '../../../src/integrations/analyst/causes.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { check, finding, HOSTILE, mixedSite, page, site } from './inputs.ts';
import { rendered } from './rendered.ts';

const analyst = createRulesAnalyst();
const recommend = async (input: ReturnType<typeof site>) => (await analyst.recommend(input)).value;

describe('recommendations of the built-in analyst', () => {
  it('are one item per cause, impact first, then value per effort, hints last', async () => {
    const items = await recommend(mixedSite());
    expect(items.map((item) => item.id)).toEqual(['title-missing', 'broken-internal-link', 'canonical-missing', 'favicon-missing', 'llms-txt-missing']);
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
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
    expect(title?.findingIds).toEqual(input.findings.filter((one) => one.checkId === 'title-missing').map((one) => one.id));
    expect(title?.codeExample).toBe('<title>Own words</title>');
    expect(title?.problem).toContain(`\`${page(1)}\``);
    expect(title?.problem).toContain('The page has no title.');
    expect(title?.problem).toContain('Why title-missing matters.');
    expect(title?.solution).toContain('Fix title-missing.');
    expect(title?.evidence).toHaveLength(3);
  });

  it('say which page a single fault is on', async () => {
    const [item] = await recommend(site([finding('thin-content', 'https://shop.example/about', { category: 'content' })]));
    expect(item?.title).toBe('Title of thin-content (/about)');
  });

  it('are the same for the same input, and leave nothing out', async () => {
    const input = mixedSite();
    expect(await recommend(input)).toEqual(await recommend(input));
    expect((await recommend(input)).flatMap((item) => item.findingIds).sort()).toEqual(input.findings.map((one) => one.id).sort());
  });

  it('are bounded for a huge cause, and honest about its size', async () => {
    const findings = Array.from({ length: 5000 }, (_, n) => [
      finding('image-alt-missing', page(n), { category: 'content' }),
      finding('image-alt-missing', page(n)),
    ]).flat();
    const [item] = await recommend(site(findings));
    expect(item?.pages).toHaveLength(MAX_PAGES);
    expect(item?.evidence).toHaveLength(MAX_EVIDENCE);
    expect(new Set(item?.evidence.map((one) => one.url)).size).toBe(MAX_EVIDENCE);
    expect(item?.title).toContain('(5,000 pages)');
    expect(item?.problem).toContain('10,000 places in all');
    expect(item?.problem).toContain('The first 200 of the 5,000 pages are listed');
    expect(item?.timeEstimate).toBe(480);
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(256 * 1024);
  });

  it('keep a finding whose check the catalogue does not know', async () => {
    const [item] = await recommend(site([finding('unheard-of', page(1), { message: 'Odd thing [x](https://evil.example)' })], { checks: [] }));
    expect(item).toMatchObject({ id: 'unheard-of', findingIds: [expect.any(String)], timeEstimate: 30 });
  });

  it('are none for a clean site', async () => {
    expect(await recommend(site([]))).toEqual([]);
  });
});

describe('time estimates', () => {
  it('grow with the repairs, ever slower, up to a working day', () => {
    const minutes = [1, 2, 4, 10, 50, 1000].map((n) => estimateMinutes(15, n));
    expect(minutes).toEqual([15, 20, 30, 60, 120, 480]);
    expect(estimateMinutes(600, 3)).toBe(600);
    expect(estimateMinutes(5, 1)).toBe(5);
  });

  it('count a template once and texts per page', async () => {
    const same = (n: number) => finding('viewport-missing', page(n), { evidence: { url: page(n), place: 'head', value: '' } });
    const [template] = await recommend(site([1, 2, 3, 4].map(same)));
    expect(template?.timeEstimate).toBe(15);
    const [texts] = await recommend(site([1, 2, 3, 4].map((n) => ({ ...same(n), category: 'content' as const }))));
    expect(texts?.timeEstimate).toBe(30);
  });
});

describe('the analysis', () => {
  it('says what matters most, by category, and the quick wins', async () => {
    const { value, by, fallback } = await analyst.analyse(mixedSite());
    expect([by, fallback]).toEqual(['Built-in analyst', null]);
    expect(rendered(value).headings).toEqual(['What matters most', 'By category', 'Quick wins', 'What this covers']);
    expect(value).toContain('**62 of 100** (fair)');
    expect(value).toContain('8 findings come from 5 causes: 2 of high impact, 1 of medium impact and 2 of low impact.');
    expect(value.indexOf('Page title is missing')).toBeLessThan(value.indexOf('canonical-missing'));
    expect(value).toContain('**Structured data**: nothing found.');
    expect(value).toContain('prices and stock were not.');
  });

  it('has words for a clean site and for one that could not be read', async () => {
    const clean = (await analyst.analyse(site([], { score: 100 }))).value;
    expect(clean).toContain('No check found a fault.');
    const unread = (await analyst.analyse(site([finding('page-unreachable', page(1))], { pagesAudited: 0 }))).value;
    expect(unread).toContain('No page of `shop.example` could be read');
    expect(unread).not.toContain('of 100');
  });
});

describe('the executive summary', () => {
  const summarise = async (input: ReturnType<typeof site>) => (await analyst.summarise(input, await recommend(input))).value;

  it('gives score, three things, time, good news and limits', async () => {
    const text = await summarise(mixedSite());
    expect(rendered(text).headings).toEqual([
      'Executive summary: shop.example',
      'The three most important things',
      'What it costs in time',
      'What is already good',
      'What this covers, and what not',
    ]);
    expect(text).toContain('**62 of 100**');
    expect(text).toContain('5 things to mend, 2 of high impact');
    expect(text.match(/^\d\. /gm)).toHaveLength(3);
    expect(text).toContain('“Page has no viewport” and “Page has no language”');
  });

  it('changes its words with the score', async () => {
    const texts = await Promise.all([96, 80, 60, 30, 5].map((score) => summarise(site([finding('x', page(1))], { score }))));
    expect(new Set(texts.map((text) => text.split('\n')[2])).size).toBe(5);
  });

  it('is honest when there is nothing to say', async () => {
    const clean = await summarise(site([], { score: 100, passed: [], coverage: '' }));
    expect(clean).toContain('We found nothing to mend.');
    expect(rendered(clean).headings).toEqual(['Executive summary: shop.example']);
    expect(await summarise(site([], { pagesAudited: 0 }))).toContain('could not read a single page');
  });
});

describe('hostile page text', () => {
  it.each(HOSTILE)('stays text in everything the analyst writes: %j', async (text) => {
    const input = site(
      [1, 2]
        .map((n) => finding('title-generic', page(n), { message: text, evidence: { url: page(n), place: text, value: text } }))
        .concat(finding('unknown-check', `https://shop.example/?q=${text}`, { message: text, impact: 'high' })),
      { coverage: text, checks: [check('title-generic')] },
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
      'What this covers',
      'What it costs in time',
      'What is already good',
      'What this covers, and what not',
      'The two most important things',
      'Executive summary: shop.example',
    ]);
    for (const markdown of texts) {
      const result = rendered(markdown);
      expect([result.links, result.images, result.rawHtml, result.headings.filter((heading) => !own.has(heading))]).toEqual([[], 0, false, []]);
      expect(result.elements.has('table') || result.elements.has('blockquote') || result.elements.has('hr')).toBe(false);
    }
  });
});
