import type { FetchOutcome } from '../../../crawl/site.ts';
import { httpsSite, publicSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { isHttps } from '../../lookups/siteIndex.ts';

export const httpNotRedirected = siteCheck({
  id: 'http-not-redirected',
  title: 'HTTP is not redirected to HTTPS',
  category: 'technical',
  group: 'https',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Every visitor gets the encrypted site, and search engines see only one version of it.',
  timeToResult: '1-3 weeks',
  risk: 'Your site also loads over plain HTTP instead of redirecting to HTTPS. Visitors may end up on an insecure copy, and search engines can find every page twice.',
  steps: [
    'If you use a CDN, look at its SSL/TLS setting. If it connects to your server over HTTP (in Cloudflare, “Flexible”), first have your host’s support team confirm that your server has a certificate. Only then switch the setting to HTTPS (“Full”), and do so before you set up the redirect, or it will loop forever.',
    'In your web host’s control panel, your CDN, or the server’s configuration, set up a 301 redirect from every http:// URL to the same path on https://. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Open the Network tab in the developer tools of a private window. Open a page other than the home page, typing http:// at the start of its URL, and make sure the tab shows one 301 to the same page on https://. If it shows a 307, your browser switched on its own, which says nothing about your server: run the audit again and make sure this issue is gone.',
  ],
  example: {
    before: null,
    after: '# nginx\nserver {\n  listen 80;\n  server_name YOUR DOMAIN;\n  return 301 https://$host$request_uri;\n}',
  },
  tags: ['https', 'redirect'],
  source: 'Lighthouse: redirects-http',
  lighthouse: 'redirects-http',
  appliesTo: (site) => publicSite(site) && httpsSite(site),
  gathered: (site) => isAnswered(site.discovery.probes.httpTwin) || isClosed(site.discovery.probes.httpTwin),
  run: (site) => {
    const twin = site.discovery.probes.httpTwin;
    if (twin === null || twin.status === null || isHttps(twin.url)) return [];
    return [
      {
        evidence: { url: twin.requestedUrl, place: 'redirects', value: `${twin.status} ${twin.url}` },
        message: `${twin.requestedUrl} answers with status ${twin.status} instead of moving to https.`,
      },
    ];
  },
});

function isAnswered(outcome: FetchOutcome | null): boolean {
  return outcome !== null && outcome.status !== null;
}

/** With port 80 closed, there is no HTTP version. */
function isClosed(outcome: FetchOutcome | null): boolean {
  return outcome !== null && outcome.failure === 'refused';
}
