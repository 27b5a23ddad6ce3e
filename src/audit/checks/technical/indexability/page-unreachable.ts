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
  gain: 'An unreachable site loses every visitor and every crawler at once.',
  timeToResult: '1-3 days',
  risk: 'Crawlers that cannot connect slow down and eventually remove the URL.',
  steps: ['Check DNS, certificate, firewall and bot-protection rules, then re-run the audit.'],
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
