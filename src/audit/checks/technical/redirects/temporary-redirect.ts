import { parseUrl } from '../../../../model/parseUrl.ts';
import type { CrawledPage } from '../../../crawl/site.ts';
import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { redirected } from '../../lookups/serverCode.ts';
import { header } from '../../lookups/siteIndex.ts';

export const temporaryRedirect = answerCheck({
  id: 'temporary-redirect',
  title: 'Permanent move uses a temporary redirect',
  category: 'technical',
  group: 'redirects',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Search engines will index the new URL instead of the old one.',
  timeToResult: '2-6 weeks',
  risk: 'This URL has moved for good but uses a temporary redirect, which tells search engines to keep the old URL in the index.',
  steps: [
    'Find the redirect in your redirect plugin, your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send these steps to your host’s support team.',
    'If the move is permanent, change the status of the redirect to 301 (or 308).',
    'If you’ll undo the move, keep the temporary status.',
    'Open the old URL with the Network tab of your browser’s developer tools and make sure its status is 301 or 308.',
  ],
  example: {
    before: '# nginx\nreturn 302 https://$host$request_uri;',
    after: '# nginx\nreturn 301 https://$host$request_uri;',
  },
  tags: ['redirect'],
  source:
    'Google Search Central: Redirects (https://developers.google.com/search/docs/crawling-indexing/301-redirects)',
  appliesTo: (page) => answered(page) && page.outcome.hops.length > 0 && !dependsOnVisitor(page),
  run: (page) => {
    const hop = page.outcome.hops.find(({ status, location }) => TEMPORARY.has(status) && location !== null);
    if (hop === undefined) return [];
    const target = parseUrl(hop.location ?? '', hop.url);
    if (target === null || !isMove(new URL(hop.url), target)) return [];
    return [
      {
        evidence: seen(page, 'status', `${hop.status} ${target.href}`),
        message: `${hop.url} moves to ${target.href} with the temporary status ${hop.status}.`,
        snippet: redirected(hop.url, target.href, page.outcome),
      },
    ];
  },
});

const TEMPORARY: ReadonlySet<number> = new Set([302, 303, 307]);

/** Changes of protocol, host or trailing slash are meant to be permanent. */
function isMove(from: URL, to: URL): boolean {
  const bare = (path: string): string => path.replace(/(?<!\/)\/+$/, '');
  return bare(from.pathname) === bare(to.pathname) && from.search === to.search && from.href !== to.href;
}

function dependsOnVisitor(page: CrawledPage): boolean {
  return (
    /accept-language/i.test(header(page.outcome, 'vary') ?? '') || /log-?in|sign-?in|anmelden/i.test(page.outcome.url)
  );
}
