import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { html } from '../../lookups/siteCode.ts';

export const h1Multiple = pageCheck({
  id: 'h1-multiple',
  title: 'Several main headings',
  category: 'content',
  group: 'headings',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'One clear topic per page.',
  timeToResult: '2-4 weeks',
  risk: 'The main subject is diluted.',
  steps: ['Keep one H1, turn others into H2.'],
  example: null,
  tags: ['headings'],
  source: 'Screaming Frog SEO Spider issue library: H1: Multiple (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  hint: true,
  appliesTo: contentPage,
  run: (page) => {
    const headings = page.facts.headings.filter(
      ({ level, text, hidden, byRole }) => level === 1 && text !== '' && !hidden && byRole !== true,
    );
    const [first, second] = headings;
    if (first === undefined || second === undefined) return [];
    return [
      {
        evidence: seen(page, second.selector, headings.map(({ text }) => text).join(' | ')),
        message: `The page has ${headings.length} main headings.`,
        code: `<h2>${html(second.text)}</h2>`,
      },
    ];
  },
});
