import { indexableContent, isArticle, isComplete, isProduct } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { ownSubject } from '../lookups/siteFacts.ts';
import { isStartPage } from '../lookups/siteIndex.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';

export const schemaMissing = pageCheck({
  id: 'schema-missing',
  title: 'No structured data at all',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 45,
  gain: 'Search engines get clear facts about the page, and rich results become possible.',
  timeToResult: '2-6 weeks',
  risk: 'The page has no structured data, so search engines and AI assistants have to work out from the text alone what it’s about, and rich results are out of reach.',
  steps: [
    'If your SEO plugin can write structured data, switch it on there.',
    'If you edit the template, choose the type that fits the page: Organization for the home page, Article or Product for articles and products, and WebPage for the rest.',
    'Add the type as JSON-LD to the template’s `<head>`, in a script of the type `application/ld+json`.',
    'Use only values that visitors can see on the page.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it lists the type you chose and reports no errors.',
  ],
  example: schemaExample({
    '@type': 'Organization',
    name: 'YOUR ORGANIZATION NAME',
    url: 'YOUR HOME PAGE ADDRESS',
    logo: 'YOUR LOGO ADDRESS',
  }),
  tags: ['schema', 'json-ld'],
  source:
    'Google Search Central: Introduction to structured data (https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data)',
  appliesTo: indexableContent,
  gathered: isComplete,
  run: (page, site) => {
    if (page.facts.structuredData.length > 0) return [];
    const start = isStartPage(page);
    // Those need more, and a check of their own tells it.
    const isSpecial = start || isArticle(page, site) || isProduct(page);
    const name = isSpecial ? null : ownSubject(page, site);
    return [
      {
        evidence: seen(page, 'html', 'no JSON-LD, microdata or RDFa'),
        message: `${start ? 'The home page' : 'The page'} has no structured data.`,
        impact: start ? 'medium' : 'low',
        snippet: name === null ? null : addedToHead(jsonLd({ '@type': 'WebPage', name, url: page.outcome.url })),
      },
    ];
  },
});
