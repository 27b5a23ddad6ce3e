import type { CrawledPage } from '../../../crawl/site.ts';
import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { arePermanent, isMove, isTemporary } from '../../lookups/redirects.ts';
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
    'If you’ll undo the move, leave the redirect as it is.',
    'If the move is permanent, change the status of the redirect to 301 (or 308).',
    'Open the Network tab in your browser’s developer tools, open the old URL, click its entry, and make sure its status is 301 or 308.',
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
    const { hops, url, status } = page.outcome;
    const hop = hops.find(isTemporary);
    if (hop === undefined || !isMove(hop)) return [];
    const target = new URL(hop.location ?? '', hop.url).href;
    // Straight to the end, as the rule against chains sends it.
    const isSure = status !== null && status < 400 && arePermanent(hops);
    return [
      {
        evidence: seen(page, 'status', `${hop.status} ${target}`),
        message: `${hop.url} moves to ${target} with the temporary status ${hop.status}.`,
        snippet: isSure ? redirected(hop.url, url, page.outcome) : null,
      },
    ];
  },
});

function dependsOnVisitor(page: CrawledPage): boolean {
  return (
    /accept-language/i.test(header(page.outcome, 'vary') ?? '') || /log-?in|sign-?in|anmelden/i.test(page.outcome.url)
  );
}
