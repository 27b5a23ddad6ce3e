import type { Crawl, FetchOutcome } from '../../../crawl/site.ts';
import { httpsSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const certificateProblem = siteCheck({
  id: 'certificate-problem',
  title: 'Certificate is invalid or about to expire',
  category: 'technical',
  group: 'https',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'The site stays reachable without a security warning.',
  timeToResult: 'immediate',
  risk: 'The site’s certificate needs attention. If it’s invalid, browsers put a full-page warning in front of the site and crawlers can’t connect. If it’s about to expire, that starts on the day it does.',
  steps: [
    'If the certificate has expired or is about to, renew it in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send these steps to your host’s support team.',
    'If this report names another reason, get a certificate that covers every host name in use, with and without www, and set up the server to send the intermediate certificates, too.',
    'Turn on automatic renewal. With Certbot and nginx, `certbot renew --deploy-hook "systemctl reload nginx"` also makes the server load the new certificate. Set up an alert three weeks before it expires.',
    'Open the site, click the icon left of the URL in your browser, and make sure the certificate is valid and its end date is more than three weeks away.',
  ],
  example: { before: null, after: 'certbot renew --deploy-hook "systemctl reload nginx"' },
  tags: ['https', 'security'],
  source: 'SiteOne Crawler src/analysis/ssl_tls/cert_info.rs',
  appliesTo: httpsSite,
  gathered: (site) =>
    connections(site).some(({ failure, certificateEnds }) => failure === 'tls' || certificateEnds !== undefined),
  run: (site) => {
    const { origin } = site.discovery;
    const outcomes = connections(site);
    const refused = outcomes.find(({ failure }) => failure === 'tls');
    if (refused !== undefined)
      return [
        {
          evidence: { url: `${origin}/`, place: 'certificate', value: refused.message ?? 'refused' },
          message: `No secure connection to ${origin} could be made: ${(refused.message ?? 'it was refused').replace(/\.$/, '')}.`,
        },
      ];
    const ends = outcomes.find(({ certificateEnds }) => certificateEnds !== undefined)?.certificateEnds ?? '';
    const days = Math.floor((Date.parse(ends) - Date.parse(site.coverage.startedAt)) / 86_400_000);
    if (days >= THRESHOLDS.certificateDays) return [];
    return [
      {
        evidence: { url: `${origin}/`, place: 'certificate', value: `valid until ${ends.slice(0, 10)}` },
        message: `The certificate of ${new URL(origin).host} ends on ${ends.slice(0, 10)}, in ${plural(Math.max(0, days), 'day')}.`,
      },
    ];
  },
});

/** Answers of the site itself, which show its certificate. */
function connections(site: Crawl): FetchOutcome[] {
  const own = [site.discovery.robots.outcome, siteIndex(site).start?.outcome];
  return own.filter((outcome) => outcome !== undefined).filter(({ url }) => url.startsWith(site.discovery.origin));
}
