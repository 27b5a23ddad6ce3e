import { describe, expect, it } from 'vitest';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import type { Category, RootCause } from '../../../src/model/findings.ts';
import { finding, HOSTILE, page, site } from './inputs.ts';

type Given = {
  readonly checkId?: string;
  readonly category?: Category;
  readonly value?: string;
  readonly code?: string;
};

/** Each root with the number of its pages, which follow one another. */
async function itemOf(roots: readonly (readonly [RootCause | undefined, number])[], given: Given = {}) {
  const { checkId = 'x', category = 'technical', value, code = null } = given;
  let n = 0;
  const findings = roots.flatMap(([root, pages]) =>
    Array.from({ length: pages }, () => {
      n += 1;
      const evidence = { url: page(n), place: 'head', value: value ?? `value ${n}` };
      return finding(checkId, page(n), { category, evidence, code, ...(root === undefined ? {} : { root }) });
    }),
  );
  const [item] = (await createRulesAnalyst().recommend(site(findings, { pagesAudited: n }))).value;
  return item!;
}

const template = (name: string): RootCause => ({ kind: 'template', name });
const old: RootCause = { kind: 'link', name: '/old', position: 'footer' };

describe('what one edit fixes', () => {
  it.each<[string, RootCause, string]>([
    ['a template', template('/blog/*'), 'One template, `/blog/*`: 60 pages.'],
    ['all templates', template('*'), 'One layout that all templates share: 60 pages.'],
    ['a header', { kind: 'header', name: 'x-robots-tag' }, 'One response header, `x-robots-tag`: 60 pages.'],
    ['a file', { kind: 'file', name: 'sitemap.xml' }, 'One file: `sitemap.xml`.'],
  ])('is said of %s, and counts once', async (_, root, text) => {
    const { problem, timeEstimate, pages, evidence } = await itemOf([[root, 60]]);
    expect(problem).toContain(text);
    expect(timeEstimate).toBe(15);
    expect(pages).toHaveLength(60);
    expect(new Set(evidence.map(({ url }) => url)).size).toBe(20);
  });

  it('is said of a link and an image, in place of where they lead', async () => {
    const links = await itemOf([[old, 60]], { checkId: 'broken-internal-link', value: '/old' });
    expect(links.problem).toContain('One link in the footer, on 60 pages: `/old`.');
    expect(links.problem).not.toContain('lead to');
    expect(links.timeEstimate).toBe(15);
    const anywhere = await itemOf([[{ kind: 'link', name: '/old' }, 2]], {
      checkId: 'link-to-redirect',
      value: '/old',
    });
    expect(anywhere.problem).toContain('One link, on 2 pages: `/old`.');
    const images = await itemOf([[{ kind: 'image', name: '/logo.png' }, 3]], {
      checkId: 'image-broken',
      value: '/logo.png',
    });
    expect(images.problem).toContain('One image, on 3 pages: `/logo.png`.');
  });

  it('is said of a few, and of one among many that has most pages', async () => {
    const two = await itemOf([
      [template('/*'), 2],
      [template('/blog/*'), 45],
    ]);
    expect(two.problem).toContain('2 templates: `/blog/*` (45 pages) and `/*` (2 pages).');
    expect(two.timeEstimate).toBe(20);
    const most = await itemOf([
      [template('/blog/*'), 5],
      [{ kind: 'page', name: '/a' }, 1],
    ]);
    expect(most.problem).toContain('Most of it is one template, `/blog/*`: 5 pages.');
    const many = await itemOf(Array.from({ length: 40 }, (_, n) => [template(`/${n}/*`), 3] as const));
    expect(many.problem).not.toMatch(/\/\d+\/\*/);
    expect(many.timeEstimate).toBe(105);
  });

  it('is not said of pages by themselves, or of one page', async () => {
    const pages = await itemOf(Array.from({ length: 4 }, (_, n) => [{ kind: 'page', name: `/${n}` }, 1] as const));
    expect(pages.problem).not.toMatch(/one (?:page|template)/i);
    expect(pages.solution).toBe('Fix x.');
    expect(pages.timeEstimate).toBe(30);
    expect((await itemOf([[template('/*'), 1]])).problem).not.toContain('template');
  });

  it('leaves texts to each page', async () => {
    const one = await itemOf([[template('/blog/*'), 4]], { checkId: 'title-missing', category: 'content' });
    expect(one.problem).toContain('They are all pages of one template, `/blog/*`.');
    expect(one.solution).toContain('Start with your most visited pages.');
    expect(one.timeEstimate).toBe(30);
    const all = await itemOf([[template('*'), 4]], { checkId: 'title-missing', category: 'content' });
    expect(all.problem).not.toContain('template');
  });

  it('agrees with where to fix it', async () => {
    expect((await itemOf([[template('/blog/*'), 4]])).solution).toBe('Fix x. Fix it once, in that template.');
    expect((await itemOf([[template('*'), 4]], { category: 'content' })).solution).toBe(
      'Fix x. Fix it once, in that layout.',
    );
    expect(
      (
        await itemOf([
          [template('/a/*'), 4],
          [template('/b/*'), 4],
        ])
      ).solution,
    ).toBe('Fix x. Fix it once in each template.');
    expect((await itemOf([[{ kind: 'header', name: 'link' }, 4]])).solution).toBe(
      'Fix x. One server setting fixes all of them.',
    );
    expect((await itemOf([[old, 4]])).solution).toBe('Fix x.');
  });

  it('is not known of audits of earlier versions', async () => {
    const item = await itemOf([[undefined, 4]], { value: 'missing' });
    expect(item.solution).toBe('Fix x. It’s the same on every page: if it comes from a template, fix it there once.');
    expect(item.timeEstimate).toBe(15);
    const partly = await itemOf([
      [template('/blog/*'), 3],
      [undefined, 1],
    ]);
    expect(partly.problem).not.toContain('template');
    expect(partly.timeEstimate).toBe(30);
  });

  it.each(HOSTILE)('stays text, whatever a site is called: %j', async (name) => {
    const { problem } = await itemOf([[{ kind: 'link', name }, 3]]);
    expect(problem).not.toMatch(/\n/);
  });
});
