import { excerpt } from '../../excerpt.ts';
import { isComplete, isDeepInTree } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { breadcrumbProblem, trailOf } from '../lookups/breadcrumbs.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { isTypeReadable, nodesOfType } from '../schemaOrg/schemaNodes.ts';

export const breadcrumbSchema = pageCheck({
  id: 'breadcrumb-schema',
  title: 'Breadcrumb markup is missing or wrong',
  category: 'schema',
  group: 'breadcrumb',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Desktop search results can show a readable path to the page instead of parts of its URL.',
  timeToResult: '2-4 weeks',
  risk: 'The page’s breadcrumb markup is missing or wrong, so Google builds the path in a desktop result from the URL, and machines have to guess where the page belongs in the site.',
  steps: [
    'If an SEO plugin or your theme writes breadcrumbs, switch on or correct their markup there.',
    'If there’s none, add BreadcrumbList JSON-LD (a script of the type `application/ld+json`) to the page template, with one `ListItem` for each level from the home page down to this page.',
    'Number each `position` from 1 without gaps, and give each `ListItem` a `name` and a URL in `item` (the last one may go without a URL).',
    'Use the same levels and names as the breadcrumbs that visitors see.',
    'Run the page through Google’s Rich Results Test and make sure it detects the breadcrumbs and reports no errors.',
  ],
  example: schemaExample({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'YOUR SITE NAME', item: 'YOUR HOME PAGE ADDRESS' },
      { '@type': 'ListItem', position: 2, name: 'YOUR SECTION NAME', item: 'YOUR SECTION ADDRESS' },
      { '@type': 'ListItem', position: 3, name: 'YOUR PAGE NAME' },
    ],
  }),
  tags: ['schema', 'breadcrumb'],
  source:
    'Google Search Central: Breadcrumb structured data (https://developers.google.com/search/docs/appearance/structured-data/breadcrumb)',
  appliesTo: isDeepInTree,
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'BreadcrumbList'),
  run: (page, site) => {
    const [found] = nodesOfType(page.facts, 'BreadcrumbList');
    const trail = trailOf(page, site);
    if (found === undefined)
      return [
        {
          evidence: seen(page, 'html', 'no BreadcrumbList'),
          message: 'The page does not say in structured data where it stands in the site.',
          snippet: trail === null ? null : addedToHead(jsonLd({ '@type': 'BreadcrumbList', itemListElement: trail })),
        },
      ];
    const problem = breadcrumbProblem(found.node);
    return problem === null
      ? []
      : [
          {
            evidence: seen(page, found.selector, excerpt(JSON.stringify(found.node), 160)),
            message: `The breadcrumb ${problem}.`,
          },
        ];
  },
});
