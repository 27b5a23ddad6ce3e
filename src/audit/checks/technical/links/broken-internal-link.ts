import { isRefusal } from '../../../crawl/outcome.ts';
import type { FetchOutcome } from '../../../crawl/site.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { areKnown, internalLinks, oneForEach } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const brokenInternalLink = pageCheck({
  id: 'broken-internal-link',
  title: 'Internal links lead to error pages',
  category: 'technical',
  group: 'links',
  impact: 'high',
  difficulty: 'easy',
  minutes: 6,
  gain: 'Visitors and crawlers no longer run into dead ends.',
  timeToResult: '1-2 weeks',
  risk: 'Links on this page lead to error pages of your own site, where visitors and crawlers get stuck.',
  steps: [
    'Open each link that this report lists. Change the link in the page editor. If it’s in a menu, footer, or template, you only have to change it there once.',
    'If the URL is mistyped, correct it in the link. If the page should work, restore or repair it.',
    'If the page has moved, link to its new URL, and set up a 301 redirect from the old URL in your CMS, your web host’s control panel, or the server’s configuration.',
    'If the page is gone, remove the link.',
    'Reload the page and make sure each of these links is gone or opens a working page.',
  ],
  example: null,
  tags: ['links', 'broken'],
  source:
    'Screaming Frog SEO Spider issue library: Response codes: Internal client error 4xx (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => htmlPage(page) && internalLinks(page).length > 0,
  gathered: (page, site) => internalLinks(page).some((link) => siteIndex(site).answerOf(link.url) !== null),
  complete: (page, site) => areKnown(internalLinks(page), site),
  run: (page, site) =>
    oneForEach(internalLinks(page)).flatMap(({ link, others }) => {
      const outcome = siteIndex(site).answerOf(link.url)?.outcome;
      const problem = outcome === undefined ? null : problemOf(outcome);
      return problem === null
        ? []
        : [
            {
              evidence: seen(page, linkPlace(link), hrefOf(link)),
              message: `The link "${nameOf(link) || hrefOf(link)}" leads to ${link.url}, which ${problem}.${others}`,
            },
          ];
    }),
});

function problemOf({ status, failure }: FetchOutcome): string | null {
  if (failure === 'redirect_loop') return 'redirects in a circle';
  if (failure === 'too_many_redirects') return 'redirects again and again';
  return status === null || status < 400 || isRefusal(status) ? null : `answers with status ${status}`;
}
