import { htmlPage, publicSite } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { loadedFiles } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { hostnameOf, isLocalHost } from '../../lookups/siteIndex.ts';

export const localhostLinks = pageCheck({
  id: 'localhost-links',
  title: 'Links point to a test machine',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Nothing broken for real visitors.',
  timeToResult: 'immediate',
  risk: 'These addresses work only for the developer.',
  steps: ['Replace them with public addresses.'],
  example: null,
  tags: ['links', 'broken'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: (page, site) => htmlPage(page) && publicSite(site),
  run: (page) =>
    [...page.facts.links.map((link) => ({ url: link.url, place: linkPlace(link) })), ...loadedFiles(page)].flatMap(
      ({ url, place }) => {
        if (url === null || !isTestHost(hostnameOf(url))) return [];
        return [{ evidence: seen(page, place, url), message: `${url} is an address that only a test machine has.` }];
      },
    ),
});

function isTestHost(hostname: string): boolean {
  return (
    isLocalHost(hostname) ||
    /\.(?:local|test|internal|localdomain)$/.test(hostname) ||
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)[\d.]+$/.test(hostname)
  );
}
