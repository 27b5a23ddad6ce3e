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
  risk: 'A visitor who types your address or follows an old http link can start on an unencrypted connection, which others on the network can intercept.',
  steps: [
    'Make sure every page and file loads over HTTPS.',
    'Send the header Strict-Transport-Security with all HTTPS responses, at first with a short max-age such as 86400 (one day).',
    'If nothing breaks, raise max-age to one year, as the example shows.',
    'Add includeSubDomains only if every subdomain works over HTTPS, because browsers then refuse plain HTTP there too.',
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
