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
  gain: 'Browsers warn visitors away from insecure pages; HTTPS restores trust.',
  timeToResult: '1-3 weeks',
  risk: 'Insecure pages show a warning and lose form entries.',
  steps: ['Install a certificate and serve everything over HTTPS.'],
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
