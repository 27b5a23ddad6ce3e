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
  gain: 'Everyone sees at once what the page is about.',
  timeToResult: '2-4 weeks',
  risk: 'No heading tells search engines what the page is about, and screen reader users have no main heading to jump to.',
  steps: [
    'Add one h1 element above the main content that names the page’s subject.',
    'If there’s a headline marked up as a div or an h2, turn it into the h1.',
    'If there’s an h1 that is empty or hidden, give it text and show it.',
  ],
  example: { before: '<div class="headline">YOUR PAGE SUBJECT</div>', after: '<h1>YOUR PAGE SUBJECT</h1>' },
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
