import { trackingParameters, withoutTracking } from '../../../crawl/url.ts';
import { hrefOf } from '../../../facts/reading.ts';
import { hasLinks } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { writtenFragment } from '../../lookups/fragments.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const urlSessionParams = pageCheck({
  id: 'url-session-params',
  title: 'Internal links carry tracking or session parameters',
  category: 'technical',
  group: 'url',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Your analytics show where visitors really come from, and crawlers fetch each page only once.',
  timeToResult: '2-4 weeks',
  risk: 'Links between your own pages carry tracking or session parameters. Each of them creates another URL for the same page, and campaign parameters also overwrite, in your analytics, where visitors really came from.',
  steps: [
    'In the content, the template, or the plugin that adds them, remove the parameters that this report names from links between your own pages.',
    'To measure clicks within the site, use events in your analytics tool.',
    'If the parameter is a session ID, have your CMS or shop software keep it in a cookie, in its settings or with your host’s support team.',
    'View the page source, search for the name of the parameter, and make sure no internal link contains it.',
  ],
  example: {
    before: '<a href="/YOUR PATH?utm_source=YOUR CAMPAIGN">YOUR LINK TEXT</a>',
    after: '<a href="/YOUR PATH">YOUR LINK TEXT</a>',
  },
  tags: ['url', 'analytics'],
  source:
    'Screaming Frog SEO Spider issue library: URL: GA tracking parameters (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: hasLinks,
  run: (page, site) =>
    page.facts.links.flatMap((link) => {
      if (!link.internal || link.url === null || !link.url.includes('?')) return [];
      const names = trackingParameters(link.url);
      if (names.length === 0) return [];
      const clean = withoutTracking(link.url);
      const isThere = siteIndex(site).answerOf(clean)?.outcome.status === 200;
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link to ${pathAndQueryOf(clean)} carries ${names.join(', ')}.`,
          snippet: isThere
            ? inPlaceOf(linkPlace(link), `<a href="${html(pathAndQueryOf(clean) + writtenFragment(link))}">`)
            : null,
        },
      ];
    }),
});
