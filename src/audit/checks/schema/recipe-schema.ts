import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const recipeSchema = pageCheck({
  id: 'recipe-schema',
  title: 'Recipe data is incomplete',
  category: 'schema',
  group: 'recipe',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Recipe cards with picture and time.',
  timeToResult: '2-4 weeks',
  risk: 'Required fields are missing.',
  steps: ['Fill the fields.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"Recipe","name":"...","image":"https://example.com/p.jpg","totalTime":"PT45M"}',
  },
  tags: ['schema', 'recipe'],
  source:
    'Google Search Central: Recipe structured data (https://developers.google.com/search/docs/appearance/structured-data/recipe)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'Recipe'),
  gathered: (page) => isTypeReadable(page.facts, 'Recipe'),
  run: (page) => faultsOfType(page, 'Recipe', 'recipe'),
});
