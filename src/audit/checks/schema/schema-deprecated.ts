import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { isNode, listOf, nodesOfType, typesOfNode } from '../schemaOrg/schemaNodes.ts';

export const schemaDeprecated = pageCheck({
  id: 'schema-deprecated',
  title: 'Markup for retired search features',
  category: 'schema',
  group: 'structured-data',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'You spend time only on markup that pays off.',
  timeToResult: 'immediate',
  risk: 'The page has markup for search features that Google has retired, so keeping it up to date brings nothing in Google Search. It does no harm.',
  steps: [
    'If Bing, a voice assistant, or another service that you rely on says in its documentation that it still reads the types that this report lists, keep them.',
    'Otherwise remove them in the plugin’s settings or the template that writes them, and leave the rest of the structured data in place.',
    'If you removed them, test the page in the Schema Markup Validator (validator.schema.org) and make sure these types are gone and it reports no errors for the rest.',
  ],
  example: null,
  tags: ['schema'],
  source:
    'Google Search Central: Simplifying search results, June 2025 (https://developers.google.com/search/blog/2025/06/simplifying-search-results)',
  hint: true,
  appliesTo: (page) => htmlPage(page) && page.facts.structuredData.length > 0,
  run: (page) => {
    const types = new Set(page.facts.structuredData.flatMap((data) => data.types));
    const gone = GONE.filter((type) => types.has(type));
    const search = nodesOfType(page.facts, 'WebSite').some(({ node }) =>
      listOf(node.potentialAction).some((action) => isNode(action) && typesOfNode(action).includes('SearchAction')),
    );
    const named = search ? [...gone, 'SearchAction'] : gone;
    if (named.length === 0) return [];
    return [
      {
        evidence: seen(page, 'html', named.join(', ')),
        message: `${named.join(', ')} does no harm, but search results no longer show anything for it.`,
      },
    ];
  },
});

const GONE: readonly string[] = [
  'HowTo',
  'SpecialAnnouncement',
  'ClaimReview',
  'VehicleListing',
  'EstimatedSalary',
  'LearningVideo',
  'CourseInfo',
  'BookAction',
];
