import { publicSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { hostRedirected } from '../../lookups/serverCode.ts';
import { hostOf, siteIndex } from '../../lookups/siteIndex.ts';

export const wwwDuplicate = siteCheck({
  id: 'www-duplicate',
  title: 'Site loads both with and without www',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'All links count toward a single host.',
  timeToResult: '2-6 weeks',
  risk: 'Your site loads both with and without www. Search engines find two copies of it and have to guess which one to index, and links and crawling are split between them.',
  steps: [
    'Choose one host, preferably the one most of your links already use.',
    'Open the site with https:// on both hosts. If one shows a certificate warning, have the certificate extended to it in your web host’s control panel, because browsers check it before they follow a redirect.',
    'Set up a 301 redirect from every URL on the other host to the same path on the chosen one in your web host’s control panel, your CDN, or the server’s configuration, or ask your host’s support team to.',
    'In your CMS’s site address setting, enter the chosen host, and make sure canonicals, internal links, and the sitemap use it.',
    'Open a page other than the home page on the other host and make sure you land on the same page on the chosen host.',
  ],
  example: {
    before: null,
    after: '# nginx\nserver {\n  server_name YOUR OTHER HOST;\n  return 301 https://YOUR MAIN HOST$request_uri;\n}',
  },
  tags: ['duplicate', 'host'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: (site) => publicSite(site) && site.discovery.probes.wwwTwin !== null,
  gathered: (site) => {
    const twin = site.discovery.probes.wwwTwin;
    return twin !== null && (twin.status !== null || twin.failure === 'dns' || twin.failure === 'refused');
  },
  run: (site) => {
    const twin = site.discovery.probes.wwwTwin;
    const { start } = siteIndex(site);
    if (twin === null || twin.status === null || twin.status < 200 || twin.status > 299) return [];
    if (hostOf(twin.url) === hostOf(site.discovery.origin) || hostOf(twin.url) !== hostOf(twin.requestedUrl)) return [];
    const canonical = start === null ? null : canonicalOf(start)?.url;
    if (canonical != null && [site.discovery.origin, twin.url].some((address) => hostOf(canonical) === hostOf(address)))
      return [];
    return [
      {
        evidence: { url: twin.requestedUrl, place: 'status', value: String(twin.status) },
        // One rule for all addresses of the other host.
        snippet: hostRedirected(twin.requestedUrl, site.discovery.origin, twin),
        message: `Both ${hostOf(site.discovery.origin)} and ${hostOf(twin.url)} answer with the site, and neither names the other as the original.`,
      },
    ];
  },
});
