import { httpsSite, publicSite, startAnswered } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';
import { headerSet } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const hstsMissing = siteCheck({
  id: 'hsts-missing',
  title: 'Strict-Transport-Security is missing or weak',
  category: 'technical',
  group: 'security-headers',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'After a first visit, browsers will connect to your site only over HTTPS.',
  timeToResult: 'immediate',
  risk: 'Your site doesn’t send a Strict-Transport-Security header that lasts a year. A visitor who types your address or follows an old http link can start on an unencrypted connection, which others on the network can intercept.',
  steps: [
    'Open your main pages with https:// and make sure they load without warnings, on every host name you use. With this header, browsers refuse plain HTTP until it expires, and you can’t easily take that back.',
    'Start with `Strict-Transport-Security: max-age=86400` (one day) on all HTTPS responses, in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If nothing breaks, raise `max-age` to one year in seconds. Add `includeSubDomains` only if every subdomain works over HTTPS too.',
    'Open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure its response headers contain `Strict-Transport-Security` with the value for one year.',
  ],
  example: { before: null, after: 'Strict-Transport-Security: max-age=31536000' },
  tags: ['security', 'headers'],
  source: 'Lighthouse: has-hsts',
  lighthouse: 'has-hsts',
  looksIn: ['response header'],
  appliesTo: (site) => httpsSite(site) && publicSite(site) && startAnswered(site),
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null) return [];
    const value = header(start.outcome, 'strict-transport-security');
    const directives = (value ?? '').toLowerCase().replace(/\s/g, '').split(/[;,]/).filter(Boolean);
    const age = directives.find((directive) => directive.startsWith('max-age'));
    const seconds = Number.parseInt(age?.split('=')[1]?.replace(/"/g, '') ?? '', 10);
    const place = 'header strict-transport-security';
    const snippet = headerSet(`Strict-Transport-Security: max-age=${THRESHOLDS.hstsMaxAge}`);
    const fault = (message: string): Fault => ({ evidence: seen(start, place, value ?? 'missing'), message, snippet });
    if (value === null) return [fault('The header Strict-Transport-Security is missing.')];
    if (age === undefined) return [fault('The header has no max-age, so it says nothing.')];
    if (!(seconds >= THRESHOLDS.hstsMaxAge))
      return [
        fault(
          `max-age is ${Number.isNaN(seconds) ? 'not a number' : count(seconds)}; a year is ${count(THRESHOLDS.hstsMaxAge)} seconds.`,
        ),
      ];
    const unknown = directives.filter(
      (directive) => !directive.startsWith('max-age') && directive !== 'includesubdomains' && directive !== 'preload',
    );
    return unknown.map((directive) => fault(`"${directive}" isn’t a directive of this header.`));
  },
});
