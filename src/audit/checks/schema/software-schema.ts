import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const softwareSchema = pageCheck({
  id: 'software-schema',
  title: 'Software data is incomplete',
  category: 'schema',
  group: 'software',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Rich results for apps and SaaS.',
  timeToResult: '2-6 weeks',
  risk: 'Required fields are missing.',
  steps: ['Add price and rating.'],
  example: null,
  tags: ['schema', 'software'],
  source:
    'Google Search Central: SoftwareApplication structured data (https://developers.google.com/search/docs/appearance/structured-data/software-app)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'SoftwareApplication'),
  gathered: (page) => isTypeReadable(page.facts, 'SoftwareApplication'),
  run: (page) => faultsOfType(page, 'SoftwareApplication', 'software'),
});
