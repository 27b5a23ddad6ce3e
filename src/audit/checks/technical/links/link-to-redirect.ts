import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { htmlPage } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { sameAddress } from '../../lookups/canonicals.ts';
import { writtenFragment } from '../../lookups/fragments.ts';
import { areKnown, internalLinks, oneForEach } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { arePermanent } from '../../lookups/redirects.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const linkToRedirect = pageCheck({
  id: 'link-to-redirect',
  title: 'Internal links go through a redirect',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Pages open faster from your own links, and crawlers need fewer requests.',
  timeToResult: '2-4 weeks',
  risk: 'Links on this page lead to URLs that redirect, so every click and every crawl takes a detour before the page loads.',
  steps: [
    'Replace the URL of each link that this report lists with the final URL, which the address bar shows after you click the link.',
    'If the link is in a menu, footer, or template, change it there once.',
    'Keep the redirect for visitors who come from elsewhere.',
    'Open the Network tab in your browser’s developer tools, click each of these links, click the entry of the page that opens, and make sure it returns 200, without a 301 or 302 before it.',
  ],
  example: null,
  tags: ['links', 'redirect'],
  source:
    'Screaming Frog SEO Spider issue library: Response codes: Internal redirection 3xx (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => htmlPage(page) && internalLinks(page).length > 0,
  gathered: (page, site) => internalLinks(page).some((link) => siteIndex(site).answerOf(link.url) !== null),
  complete: (page, site) => areKnown(internalLinks(page), site),
  run: (page, site) =>
    oneForEach(internalLinks(page)).flatMap(({ link, others }) => {
      const answer = siteIndex(site).answerOf(link.url);
      if (answer === null || answer.redirects === 0 || answer.outcome.status === null || answer.outcome.status >= 400)
        return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link "${nameOf(link) || hrefOf(link)}" leads to ${link.url}, which redirects to ${answer.outcome.url}.${others}`,
          // A link to the page itself is no use, and where a visitor is sent only this time is no address to link to.
          snippet:
            sameAddress(answer.outcome.url, page.outcome.url) || !arePermanent(answer.outcome.hops)
              ? null
              : inPlaceOf(
                  linkPlace(link),
                  `<a href="${html(shortened(answer.outcome.url, page).split('#', 1)[0] + writtenFragment(link))}">`,
                ),
        },
      ];
    }),
});

/** Without the host, if it is the page's own: it holds after a move to https, too. */
function shortened(url: string, { outcome }: HtmlPage): string {
  return new URL(url).origin === new URL(outcome.url).origin ? pathAndQueryOf(url) : url;
}
