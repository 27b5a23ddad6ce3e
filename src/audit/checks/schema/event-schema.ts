import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { describedNodes, faultsOfNode } from '../schemaOrg/schemaFaults.ts';
import { isOwn, isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const eventSchema = pageCheck({
  id: 'event-schema',
  title: 'Event data is incomplete',
  category: 'schema',
  group: 'event',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Events show with date and place.',
  timeToResult: '1-4 weeks',
  risk: 'Incomplete events are not listed.',
  steps: ['Fill the required fields.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"Event","name":"...","startDate":"2026-06-01T19:00+02:00","location":{"@type":"Place","name":"Hall","address":"1 Main St, Town"}}',
  },
  tags: ['schema', 'event'],
  source:
    'Google Search Central: Event structured data (https://developers.google.com/search/docs/appearance/structured-data/event)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'Event'),
  gathered: (page) => isTypeReadable(page.facts, 'Event'),
  run: (page) =>
    describedNodes(page, 'Event')
      .filter(isOwn)
      .flatMap((placed) => faultsOfNode(page, placed, 'Event', 'event')),
});
