import type { Snippet } from '../../../../model/findings.ts';
import { contentPage, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { html } from '../../lookups/siteCode.ts';
import { ownTitle } from '../../lookups/siteFacts.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const h1Missing = pageCheck({
  id: 'h1-missing',
  title: 'No main heading',
  category: 'content',
  group: 'headings',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Visitors and search engines see at once what the page is about.',
  timeToResult: '2-4 weeks',
  risk: 'The page has no main heading (h1), or an empty one, so nothing tells search engines at a glance what it’s about, and screen reader users have no main heading to jump to.',
  steps: [
    'If a headline is marked up as a `<div>` or an `<h2>`, turn it into `<h1>YOUR PAGE SUBJECT</h1>` in the page editor or the template.',
    'If there’s an `<h1>` that is empty or hidden, give it text and remove the CSS that hides it.',
    'If there’s no headline, add one `<h1>` above the main content that names the page’s subject.',
    'Right-click the headline on the page, choose Inspect, and make sure it’s in an `<h1>` tag.',
  ],
  example: { before: '<div class="headline">YOUR PAGE SUBJECT</div>', after: '<h1>YOUR PAGE SUBJECT</h1>' },
  tags: ['headings'],
  source: 'W3C WAI: Headings (https://www.w3.org/WAI/tutorials/page-structure/headings/)',
  appliesTo: contentPage,
  gathered: isComplete,
  run: (page, site) => {
    const headings = page.facts.headings.filter(
      ({ level, hidden, byRole }) => level === 1 && !hidden && byRole !== true,
    );
    if (headings.some(({ text }) => text !== '')) return [];
    const subject = ownTitle(page, site);
    return [
      {
        evidence: seen(page, headings[0]?.selector ?? 'body', headings.length > 0 ? 'empty h1' : 'no h1'),
        message: headings.length > 0 ? 'The main heading is empty.' : 'The page has no main heading (h1).',
        snippet: subject === null ? null : headingSet(headings[0]?.selector, subject),
      },
    ];
  },
});

/** Only an empty one is filled: elsewhere, a headline that is none for machines may stand on the page. */
function headingSet(empty: string | undefined, subject: string): Snippet | null {
  return empty === undefined ? null : inPlaceOf(empty, `<h1>${html(subject)}</h1>`);
}
