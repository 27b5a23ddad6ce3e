import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const recipeSchema = pageCheck({
  id: 'recipe-schema',
  title: 'Recipe markup is incomplete',
  category: 'schema',
  group: 'recipe',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The recipe can appear in search as a card with its picture and cooking time.',
  timeToResult: '2-4 weeks',
  risk: 'The recipe’s markup is incomplete or has times that can’t be read. Google needs at least a name and an image to show a recipe, and can’t show times or ingredients that the markup leaves out.',
  steps: [
    'In your recipe plugin or in the template, add the properties that this report lists for the page to the Recipe markup (JSON-LD). `name` and `image` are required.',
    'Add `recipeIngredient`, `recipeInstructions`, `totalTime` (or both `prepTime` and `cookTime`), `recipeYield`, and `author` as the page shows them.',
    'Write times like `PT45M` for 45 minutes, or `PT1H30M` for an hour and a half.',
    'Run the page through Google’s Rich Results Test and make sure it detects the recipe and reports no errors.',
  ],
  // No code is written: times and ingredients are read from no page for certain.
  example: schemaExample({
    '@type': 'Recipe',
    name: 'YOUR RECIPE NAME',
    image: ['YOUR IMAGE ADDRESS'],
    author: { '@type': 'Person', name: 'YOUR AUTHOR NAME' },
    totalTime: 'YOUR TOTAL TIME',
    recipeYield: 'YOUR NUMBER OF SERVINGS',
    recipeIngredient: ['YOUR INGREDIENT'],
    recipeInstructions: [{ '@type': 'HowToStep', text: 'YOUR INSTRUCTION' }],
  }),
  tags: ['schema', 'recipe'],
  source:
    'Google Search Central: Recipe structured data (https://developers.google.com/search/docs/appearance/structured-data/recipe)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'Recipe'),
  gathered: (page) => isTypeReadable(page.facts, 'Recipe'),
  run: (page) => faultsOfType(page, 'Recipe', 'recipe'),
});
