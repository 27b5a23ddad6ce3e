import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { directivePlace } from '../../lookups/directives.ts';

export const nofollowPage = pageCheck({
  id: 'nofollow-page',
  title: 'Page tells crawlers not to follow its links',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Crawlers can follow the page’s links to the pages you want to rank.',
  timeToResult: '2-4 weeks',
  risk: 'Crawlers are asked to ignore every link on the page. Pages that are linked only from here may never be found.',
  steps: [
    'Remove nofollow from the robots meta tag or X-Robots-Tag header shown in the finding.',
    'For an ad, a comment, or another link you can’t vouch for, set rel to sponsored, ugc, or nofollow on that link alone.',
  ],
  example: {
    before: '<meta name="robots" content="index, nofollow">',
    after: '<meta name="robots" content="index, follow">',
  },
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
