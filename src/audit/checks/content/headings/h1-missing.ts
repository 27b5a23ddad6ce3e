import { contentPage, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { html, titleOf } from '../../lookups/siteCode.ts';

export const h1Missing = pageCheck({
  id: 'h1-missing',
  title: 'No main heading',
  category: 'content',
  group: 'headings',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Topic is clear at first sight.',
  timeToResult: '2-4 weeks',
  risk: 'Readers and machines cannot see the subject.',
  steps: ['Add one descriptive H1.'],
  example: { before: null, after: '<h1>Handmade oak tables</h1>' },
  tags: ['headings'],
  source: 'W3C WAI: Headings (https://www.w3.org/WAI/tutorials/page-structure/headings/)',
  appliesTo: contentPage,
  gathered: isComplete,
  run: (page) => {
    const headings = page.facts.headings.filter(
      ({ level, hidden, byRole }) => level === 1 && !hidden && byRole !== true,
    );
    if (headings.some(({ text }) => text !== '')) return [];
    return [
      {
        evidence: seen(page, headings[0]?.selector ?? 'body', headings.length > 0 ? 'empty h1' : 'no h1'),
        message: headings.length > 0 ? 'The main heading is empty.' : 'The page has no main heading (h1).',
        code: `<h1>${html(titleOf(page).split(/(?<!\s)\s+[|–—]\s+/)[0] ?? '')}</h1>`,
      },
    ];
  },
});
