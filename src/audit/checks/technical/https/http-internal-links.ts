import { hrefOf } from '../../../facts/reading.ts';
import { hasLinks, httpsPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { hostOf, siteIndex } from '../../lookups/siteIndex.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const httpInternalLinks = pageCheck({
  id: 'http-internal-links',
  title: 'Links point to the insecure version',
  category: 'technical',
  group: 'https',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Saves a redirect on every click.',
  timeToResult: '1-3 weeks',
  risk: 'Every click takes a detour.',
  steps: ['Write the links with https.'],
  example: null,
  tags: ['https', 'links'],
  source: 'web.dev: Enable HTTPS on your servers (https://web.dev/articles/enable-https)',
  appliesTo: (page) => httpsPage(page) && hasLinks(page),
  run: (page, site) =>
    page.facts.links.flatMap((link) => {
      if (link.url === null || !link.url.startsWith('http://') || hostOf(link.url) !== hostOf(page.outcome.url))
        return [];
      const safe = link.url.replace(/^http:/, 'https:');
      const isThere = siteIndex(site).answerOf(safe)?.outcome.status === 200;
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `A link leads to ${link.url} without encryption.`,
          snippet: isThere ? inPlaceOf(linkPlace(link), `<a href="${html(safe)}">`) : null,
        },
      ];
    }),
});
