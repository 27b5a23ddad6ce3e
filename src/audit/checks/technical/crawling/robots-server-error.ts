import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';

export const robotsServerError = siteCheck({
  id: 'robots-server-error',
  title: 'robots.txt returns a server error',
  category: 'technical',
  group: 'crawling',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Crawlers can rely on your rules and keep crawling the site.',
  timeToResult: '1-3 days',
  risk: 'Your /robots.txt returns a server error, so crawlers have to treat the whole site as off limits. Google pauses crawling before it falls back on the last copy it could read.',
  steps: [
    'Open /robots.txt in your browser to see the error. Find its cause in the error log of the server, in your web host’s control panel, or in the log of your CDN or firewall, and correct it. If you have no access to them, ask your host’s support team for help.',
    'If the application or its database causes the error, put robots.txt into the root folder of the site as a plain text file, so that it works without them.',
    'If you don’t want a robots.txt, make /robots.txt return a 404 status, which crawlers read as no restrictions.',
    'Open the Network tab in your browser’s developer tools, open /robots.txt, click its entry, and make sure its status is 200 or 404.',
  ],
  example: null,
  tags: ['robots.txt', 'availability'],
  source: 'Lighthouse: robots-txt; RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  lighthouse: 'robots-txt',
  appliesTo: (site) => {
    const { outcome, text } = site.discovery.robots;
    const { status } = outcome;
    if (status !== null && status < 400) return text.trim() !== '';
    return status === null || status >= 500 || status === 429;
  },
  gathered: (site) => !WHOLE_HOST.has(site.discovery.robots.outcome.failure ?? ''),
  run: (site) => {
    const { status, failure } = site.discovery.robots.outcome;
    if (status !== null && status < 500 && status !== 429) return [];
    const value = status === null ? `no answer (${failure ?? 'unknown'})` : `status ${status}`;
    return [
      {
        evidence: seenInRobots(site, 'status', value),
        message: `/robots.txt gives ${value}: crawlers must treat the whole site as off limits.`,
      },
    ];
  },
});

/** Failures of the whole host or of the auditor, which say nothing about this file. */
const WHOLE_HOST: ReadonlySet<string> = new Set(['dns', 'refused', 'tls', 'blocked', 'bad_url', 'aborted']);
