import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { directivePlace } from '../../lookups/directives.ts';

export const nofollowPage = pageCheck({
  id: 'nofollow-page',
  title: 'Page tells crawlers to follow no links',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Lets authority reach the pages you want to rank.',
  timeToResult: '2-4 weeks',
  risk: 'A page-wide nofollow cuts internal discovery.',
  steps: ['Remove the page-level nofollow; mark single links instead.'],
  example: null,
  tags: ['nofollow', 'meta'],
  source:
    'Screaming Frog SEO Spider issue library: Directives: Nofollow (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: isIndexable,
  run: (page) => {
    const place = directivePlace(page, (directive) => directive === 'nofollow' || directive === 'none');
    if (place === null) return [];
    return [
      {
        evidence: place.evidence,
        message: `"${place.evidence.value}" tells crawlers to follow none of the ${plural(page.facts.totals.links, 'link')} on this page.`,
      },
    ];
  },
});
