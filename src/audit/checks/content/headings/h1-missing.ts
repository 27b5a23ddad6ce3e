import type { Snippet } from '../../../../model/findings.ts';
import { contentPage, isComplete } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
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
        snippet: subject === null ? null : headingSet(page, headings[0]?.selector, subject),
      },
    ];
  },
});

/** Null for a page of frames, which has no body. */
function headingSet({ facts }: HtmlPage, empty: string | undefined, subject: string): Snippet | null {
  if (facts.resources.some(({ kind }) => kind === 'frame')) return null;
  const text = `<h1>${html(subject)}</h1>`;
  if (empty !== undefined) return inPlaceOf(empty, text);
  return { edits: 'element', operation: 'add', at: facts.landmarks.main === 1 ? 'main' : 'body', text };
}
