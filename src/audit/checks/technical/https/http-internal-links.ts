import { hrefOf } from '../../../facts/reading.ts';
import { hasLinks, httpsPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { writtenFragment } from '../../lookups/fragments.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { hostOf, siteIndex } from '../../lookups/siteIndex.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const httpInternalLinks = pageCheck({
  id: 'http-internal-links',
  title: 'Internal links use HTTP instead of HTTPS',
  category: 'technical',
  group: 'https',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Visitors and crawlers go straight to the secure page.',
  timeToResult: '1-3 weeks',
  risk: 'Links on this page lead to http:// URLs of your own site. Each click on them goes out unencrypted and depends on a redirect to reach the secure page.',
  steps: [
    'Replace http:// with https:// in the links that this report lists, in templates, menus, and content.',
    'In WordPress, make sure both addresses under Settings > General start with https://.',
    'Keep the redirect from HTTP to HTTPS for links on other sites.',
    'View the page source, search for http://, and make sure no link to your own site starts with it.',
  ],
  example: {
    before: '<a href="http://YOUR DOMAIN/YOUR PAGE">YOUR LINK TEXT</a>',
    after: '<a href="https://YOUR DOMAIN/YOUR PAGE">YOUR LINK TEXT</a>',
  },
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
          snippet: isThere ? inPlaceOf(linkPlace(link), `<a href="${html(safe + writtenFragment(link))}">`) : null,
        },
      ];
    }),
});
