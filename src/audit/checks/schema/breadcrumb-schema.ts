import { excerpt } from '../../excerpt.ts';
import { isComplete, isDeepInTree } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { breadcrumbProblem, trailOf } from '../lookups/breadcrumbs.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { isTypeReadable, nodesOfType } from '../schemaOrg/schemaNodes.ts';

export const breadcrumbSchema = pageCheck({
  id: 'breadcrumb-schema',
  title: 'Breadcrumb data is missing or wrong',
  category: 'schema',
  group: 'breadcrumb',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Readable path in results.',
  timeToResult: '2-4 weeks',
  risk: 'Results show a bare address.',
  steps: ['Add BreadcrumbList.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Shop","item":"https://example.com/shop"},{"@type":"ListItem","position":2,"name":"Tables"}]}',
  },
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
