import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { areKnown, externalLinks, oneForEach } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const brokenExternalLink = pageCheck({
  id: 'broken-external-link',
  title: 'Links to other sites are broken',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Visitors can follow your references and check them.',
  timeToResult: '2-4 weeks',
  risk: 'Links on this page lead to pages on other sites that don’t work. Visitors who click them get an error, so they can’t check what you refer to.',
  steps: [
    'Open each link that this report lists. If it works, leave it. If not, search the site for the page’s new URL, and link to that.',
    'If the page is gone, link to another source that says the same, or remove the link and keep the text.',
    'Reload your page and make sure each of these links is gone or opens a working page.',
  ],
  example: null,
  tags: ['links', 'broken'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: (page) => htmlPage(page) && externalLinks(page).length > 0,
  gathered: (page, site) =>
    siteIndex(site).outsideReachable && externalLinks(page).some((link) => siteIndex(site).answerOf(link.url) !== null),
  complete: (page, site) => areKnown(externalLinks(page), site),
  run: (page, site) =>
    oneForEach(externalLinks(page)).flatMap(({ link, others }) => {
      const outcome = siteIndex(site).answerOf(link.url)?.outcome;
      if (outcome === undefined) return [];
      const { status, failure } = outcome;
      if (status !== 404 && status !== 410 && failure !== 'dns') return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link "${nameOf(link) || hrefOf(link)}" leads to ${link.url}, ${status === null ? 'whose host does not exist' : `which answers with status ${status}`}.${others}`,
        },
      ];
    }),
});
