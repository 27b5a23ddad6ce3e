import { asked } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const pageUnreachable = answerCheck({
  id: 'page-unreachable',
  title: 'Page could not be fetched',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Visitors and crawlers can reach the page.',
  timeToResult: '1-3 days',
  risk: 'We got no response from this URL, and visitors and crawlers may not get one either. Search engines slow down and eventually drop URLs that stay unreachable.',
  steps: [
    'Open the URL in your browser, ideally from another network, and pick the case that fits.',
    'If it fails there too, check the DNS records, the TLS certificate, and whether the server is running and responds in time. Your host’s support can do this for you.',
    'If it opens, look in your firewall, CDN, or bot protection for rules that block unknown visitors.',
    'Run the audit again and make sure this issue is gone.',
  ],
  example: null,
  tags: ['availability', 'indexing'],
  source:
    'Google Search Central: HTTP status codes and network errors (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (page) =>
    asked(page) && page.outcome.failure !== 'redirect_loop' && page.outcome.failure !== 'too_many_redirects',
  run: (page) => {
    const { failure, message } = page.outcome;
    if (page.outcome.status !== null || failure === null) return [];
    return [
      {
        evidence: seen(page, 'connection', failure),
        message: `${page.url} could not be fetched: ${(message ?? failure).replace(/\.$/, '')}.`,
      },
    ];
  },
});
