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
  risk: 'Your site is served over plain HTTP. Browsers mark it as not secure, and anyone on the network between your visitors and your server can read or change what they send and see.',
  steps: [
    'Get a certificate in your web host’s control panel or your CDN. Many hosts offer them from Let’s Encrypt at no cost. If you find no such setting, ask your host’s support team to turn on HTTPS.',
    'Open your main pages with https:// and make sure they, their images, and their scripts load. Do this before you redirect visitors.',
    'In the control panel or the CDN, set up a 301 redirect from each http:// URL to the same path on https://.',
    'In your CMS’s site address setting, change http:// to https://. Then make sure internal links, canonical tags, and the sitemap use https://.',
    'Open the site, typing http:// at the start of its URL, and make sure you land on https:// and your browser shows no warning.',
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
