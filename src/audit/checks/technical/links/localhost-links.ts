import { htmlPage, publicSite } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { loadedFiles } from '../../lookups/pageLinks.ts';
import { linkPlace } from '../../lookups/places.ts';
import { hostnameOf, hostOf, isLocalHost } from '../../lookups/siteIndex.ts';

export const localhostLinks = pageCheck({
  id: 'localhost-links',
  title: 'Links or files use a local or private address',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Every link and file works for your visitors too.',
  timeToResult: 'immediate',
  risk: 'Links or files on this page use an address that exists only on a developer’s computer or inside a private network. Everyone else gets an error.',
  steps: [
    'In each URL that this report lists, replace the host with your public one, or use the path alone: `href="/YOUR PATH"`.',
    'Search your content, templates, and settings for the same host, because it’s rarely used only once.',
    'Make sure the site address in your CMS settings is the public one.',
    'View the page source, search for the host that this report names, and make sure there’s no match.',
  ],
  example: {
    before: '<a href="http://localhost/YOUR PATH">YOUR LINK TEXT</a>',
    after: '<a href="/YOUR PATH">YOUR LINK TEXT</a>',
  },
  tags: ['links', 'broken'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: (page, site) => htmlPage(page) && publicSite(site),
  run: (page) =>
    [...page.facts.links.map((link) => ({ url: link.url, place: linkPlace(link) })), ...loadedFiles(page)].flatMap(
      ({ url, place }) => {
        if (url === null || !isTestHost(hostnameOf(url)) || hostOf(url) === hostOf(page.outcome.url)) return [];
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
