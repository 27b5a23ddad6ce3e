import type { Snippet } from '../../../model/findings.ts';
import type { Crawl } from '../../crawl/site.ts';
import { isArticle, isComplete } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { cut, headingOf, jsonLd, metaOf } from '../lookups/siteCode.ts';
import { ownHeading, ownPicture } from '../lookups/siteFacts.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { describedNodes } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { isTypeReadable } from '../schemaOrg/schemaNodes.ts';

export const articleSchema = pageCheck({
  id: 'article-schema',
  title: 'Article data is missing or incomplete',
  category: 'schema',
  group: 'article',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Author and date become visible to search and assistants.',
  timeToResult: '2-6 weeks',
  risk: 'Freshness and authorship stay unknown.',
  steps: ['Add Article markup.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"Article","headline":"...","image":["https://example.com/a.jpg"],"datePublished":"2026-01-10","dateModified":"2026-02-01","author":{"@type":"Person","name":"Jane Doe","url":"https://example.com/jane"}}',
  },
  tags: ['schema', 'article', 'ai'],
  source:
    'Google Search Central: Article structured data (https://developers.google.com/search/docs/appearance/structured-data/article)',
  appliesTo: isArticle,
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'Article'),
  run: (page, site) => {
    const [found] = describedNodes(page, 'Article');
    if (found === undefined)
      return [
        {
          evidence: seen(page, 'html', 'no Article'),
          message: `The article "${cut(headingOf(page), 80)}" is not marked up as one.`,
          snippet: articleCode(page, site),
        },
      ];
    const { required, recommended } = lacksOf(found.node, 'Article', page.facts);
    const lacks = [...required, ...recommended];
    if (lacks.length === 0) return [];
    return [
      {
        evidence: seen(page, found.selector, `missing: ${lacks.join(', ')}`),
        message: `The markup of this article lacks ${lacks.join(', ')}.`,
        impact: required.length > 0 ? 'high' : 'medium',
      },
    ];
  },
});

/** Null unless the page says who wrote it, and when, and shows a picture. */
function articleCode(page: HtmlPage, site: Crawl): Snippet | null {
  const headline = ownHeading(page, site);
  const [datePublished] = page.facts.dates;
  const author = metaOf(page, 'author');
  const image = ownPicture(page, site);
  if (headline === null || datePublished === undefined || author === null || image === null) return null;
  const node = { headline, image, datePublished, author: { '@type': 'Person', name: author } };
  return addedToHead(jsonLd({ '@type': 'Article', ...node, mainEntityOfPage: page.outcome.url }));
}
