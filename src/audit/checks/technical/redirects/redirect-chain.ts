import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { redirectCode } from '../../lookups/serverCode.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';
import { answeredBy } from '../../lookups/snippets.ts';

export const redirectChain = answerCheck({
  id: 'redirect-chain',
  title: 'Link needs more than one redirect',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Faster pages and less authority lost on the way.',
  timeToResult: '1-3 weeks',
  risk: 'Every hop adds delay and crawlers stop after a few.',
  steps: ['Point the first URL straight at the final address.'],
  example: { before: null, after: 'RewriteRule ^old$ https://example.com/final [R=301,L]' },
  tags: ['redirect'],
  source:
    'Google Search Central: HTTP status codes and network errors (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: answered,
  run: (page) => {
    const { hops, url, requestedUrl } = page.outcome;
    if (hops.length < 2) return [];
    const code = redirectCode(requestedUrl, url);
    const path = [...hops.map((hop) => hop.url), url].join(' → ');
    return [
      {
        evidence: seen(page, 'redirects', path),
        message: `${pathAndQueryOf(requestedUrl)} needs ${hops.length} redirects before it ends at ${url}.`,
        snippet: code === null ? null : answeredBy(requestedUrl, code),
      },
    ];
  },
});
