import { parseUrl } from '../../../model/parseUrl.ts';
import { htmlPage } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { pathAndQueryOf } from '../lookups/siteIndex.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { describedNodes, faultsOfNode } from '../schemaOrg/schemaFaults.ts';
import {
  isNode,
  isTypeReadable,
  namesType,
  type PlacedNode,
  resolved,
  textOf,
  valuesOf,
} from '../schemaOrg/schemaNodes.ts';

export const richResultIncomplete = pageCheck({
  id: 'rich-result-incomplete',
  title: 'Markup lacks properties its rich result needs',
  category: 'schema',
  group: 'structured-data',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'The page qualifies for the rich result that its markup is meant for.',
  timeToResult: '2-6 weeks',
  risk: 'The page’s markup lacks properties that Google asks for, so the page may not get the rich result that the markup is meant for.',
  steps: [
    'In the plugin’s settings or the template that writes the markup, add the properties that this report lists for the page, with values that the page shows.',
    'If it’s a ProfilePage, give it a `mainEntity` with a `name`. If it’s a Dataset, give it a `name` and a `description`.',
    'If you aren’t sure which form a property takes, look up the type in Google’s structured data documentation.',
    'Run the page through Google’s Rich Results Test and make sure it reports no errors.',
  ],
  example: schemaExample({
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: 'YOUR NAME', image: 'YOUR IMAGE ADDRESS' },
  }),
  tags: ['schema'],
  source:
    'Google Search Central: Introduction to structured data (https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data)',
  appliesTo: (page) => htmlPage(page) && TYPES.some(([type]) => namesType(page.facts, type)),
  gathered: (page) => TYPES.every(([type]) => isTypeReadable(page.facts, type)),
  run: (page) =>
    TYPES.flatMap(([type, noun]) =>
      describedNodes(page, type)
        .filter((placed) => !isExcused(page, placed, type))
        .flatMap((placed) => faultsOfNode(page, placed, type, noun)),
    ),
});

/** Types without a check of their own. */
const TYPES = [
  ['Dataset', 'data set'],
  ['DiscussionForumPosting', 'post'],
  ['ProfilePage', 'profile'],
  ['QAPage', 'question page'],
  ['VacationRental', 'vacation rental'],
] as const;

/** A question without answers gets no rich result anyway, and a list of posts need not say all that each page does. */
function isExcused(page: HtmlPage, { node }: PlacedNode, type: string): boolean {
  if (type === 'QAPage')
    return valuesOf(node, 'mainEntity')
      .map((value) => resolved(page.facts, value))
      .some((question) => isNode(question) && textOf(question, 'answerCount') === '0');
  const url = type === 'DiscussionForumPosting' ? parseUrl(textOf(node, 'url') ?? '', page.facts.url) : null;
  return url !== null && pathAndQueryOf(url.href) !== pathAndQueryOf(page.facts.url);
}
