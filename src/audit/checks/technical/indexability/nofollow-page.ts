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
  risk: 'The page’s robots meta tag or X-Robots-Tag header contains nofollow, which asks crawlers to ignore every link on it. Pages that are linked only from here may never be found.',
  steps: [
    'If crawlers should ignore every link on the page, leave it as it is.',
    'If this report shows a robots meta tag, remove `nofollow` from it in your SEO plugin’s settings or in the template.',
    'If this report shows an `X-Robots-Tag` header, remove `nofollow` from it in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If you can’t vouch for a link, such as an ad or a comment, set `rel="sponsored"`, `rel="ugc"`, or `rel="nofollow"` on that link alone.',
    'View the page source and make sure the robots meta tag doesn’t say nofollow. Then open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure no response header says it.',
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
