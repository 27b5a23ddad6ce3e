import { httpsSite, publicSite, startAnswered } from '../../applies.ts';
import { siteCheck } from '../../check.ts';

export const httpsMissing = siteCheck({
  id: 'https-missing',
  title: 'Site is not served over HTTPS',
  category: 'technical',
  group: 'https',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Visitors use the site over an encrypted connection, without browser warnings.',
  timeToResult: '1-3 weeks',
  risk: 'Browsers mark the site as not secure, and anyone on the network in between can read or change what visitors send and see.',
  steps: [
    'Get a certificate from your host or CDN, or a free one from Let’s Encrypt.',
    'Install it and serve the whole site over HTTPS.',
    'Redirect each http:// URL to the same path on https:// with status 301.',
    'Change internal links, canonicals and the sitemap to https://.',
  ],
  example: null,
  tags: ['https', 'security'],
  source: 'Lighthouse: is-on-https',
  lighthouse: 'is-on-https',
  appliesTo: (site) => publicSite(site) && startAnswered(site),
  run: (site) => {
    const { origin } = site.discovery;
    if (httpsSite(site)) return [];
    return [
      {
        evidence: { url: `${origin}/`, place: 'url', value: origin },
        message: `${origin} is served without encryption.`,
      },
    ];
  },
});
