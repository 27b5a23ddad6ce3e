import { indexableContent, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { sameAddress } from '../../lookups/canonicals.ts';

export const deadEndPage = pageCheck({
  id: 'dead-end-page',
  title: 'Page has no links to other pages',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Visitors who finish this page can go on to the rest of your site.',
  timeToResult: '2-4 weeks',
  risk: 'This page doesn’t link to the rest of your site, so it’s a dead end for visitors and crawlers.',
  steps: [
    'If visitors should stay on the page, as in a checkout, leave it as it is.',
    'Add the site’s header, menu, or footer to the page’s template if they’re missing.',
    'In the text, link to two or three related pages that help visitors next: `<a href="YOUR RELATED PAGE">YOUR LINK TEXT</a>`.',
    'View the page source and make sure it contains links with an `href` to other pages of your site.',
  ],
  example: { before: null, after: '<a href="YOUR RELATED PAGE">YOUR LINK TEXT</a>' },
  tags: ['links'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: indexableContent,
  gathered: isComplete,
  run: (page) => {
    if (page.facts.resources.some(({ kind }) => kind === 'frame')) return [];
    if (page.facts.links.some((link) => link.url !== null && !sameAddress(link.url, page.outcome.url))) return [];
    return [
      {
        evidence: seen(page, 'body', plural(page.facts.totals.links, 'link')),
        message: 'The page links to no other address.',
      },
    ];
  },
});
