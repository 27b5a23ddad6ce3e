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
  risk: 'We got no response from this URL, and visitors and crawlers may not get one either. Search engines crawl a site more slowly when URLs don’t respond, and eventually drop those URLs.',
  steps: [
    'Open the URL in your browser, ideally from another network.',
    'If it fails there too, make sure in your web host’s control panel that the domain points to your server, the TLS certificate is valid, and the server is running. Your host’s support team can do this for you. If the page shouldn’t exist anymore, remove the links to it.',
    'If it opens, search your firewall, CDN, or bot protection for a rule that blocked our request, and allow our crawler or loosen the rule.',
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
