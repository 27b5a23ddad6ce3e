import { isDeepInTree, isWhole } from '../applies.ts';
import type { HtmlPage, PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { breadcrumbProblem } from '../schemaNeeds.ts';
import { namesType, nodesOfType, schemaIsReadable } from '../schemaNodes.ts';
import { headingOf, jsonLd, siteNameOf } from '../siteCode.ts';
import { pathOf } from '../siteIndex.ts';

export const breadcrumbSchema: PageCheck = {
  id: 'breadcrumb-schema',
  scope: 'page',
  title: 'Breadcrumb data is missing or wrong',
  category: 'schema',
  group: 'breadcrumb',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  businessValue: 'Readable path in results.',
  timeToResult: '2-4 weeks',
  why: 'Results show a bare address.',
  fix: 'Add BreadcrumbList.',
  codeExample:
    '{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Shop","item":"https://example.com/shop"},{"@type":"ListItem","position":2,"name":"Tables"}]}',
  tags: ['schema', 'breadcrumb'],
  source: 'Google Search Central: Breadcrumb structured data (https://developers.google.com/search/docs/appearance/structured-data/breadcrumb)',
  lighthouse: null,
  hint: false,
  appliesTo: isDeepInTree,
  gathered: (page) => isWhole(page) && schemaIsReadable(page.facts),
  run: (page) => {
    const [found] = nodesOfType(page.facts, 'BreadcrumbList');
    if (found === undefined) {
      if (namesType(page.facts, 'BreadcrumbList')) return [];
      return [
        {
          evidence: seen(page, 'html', 'no BreadcrumbList'),
          message: `${pathOf(page.outcome.url)} does not say in structured data where it stands in the site.`,
          code: jsonLd({ '@type': 'BreadcrumbList', itemListElement: trailOf(page) }),
        },
      ];
    }
    const problem = breadcrumbProblem(found.node);
    return problem === null ? [] : [{ evidence: seen(page, found.selector, JSON.stringify(found.node).slice(0, 160)), message: `The breadcrumb ${problem}.` }];
  },
};

function trailOf(page: HtmlPage): object[] {
  const { origin, pathname } = new URL(page.outcome.url);
  const segments = pathname.split('/').filter(Boolean);
  return [
    { '@type': 'ListItem', position: 1, name: siteNameOf(page), item: `${origin}/` },
    ...segments.map((segment, index) => {
      const last = index === segments.length - 1;
      const name = last ? headingOf(page) : segment.replace(/[-_]/g, ' ');
      return { '@type': 'ListItem', position: index + 2, name, ...(last ? {} : { item: `${origin}/${segments.slice(0, index + 1).join('/')}/` }) };
    }),
  ];
}
