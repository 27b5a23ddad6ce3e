import { indexableContent, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { ownSubject, siteName } from '../lookups/siteFacts.ts';
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
  risk: 'Search engines and assistants have to work out from the text alone what the page is about, and rich results are out of reach.',
  steps: [
    'Choose the type that fits the page: Organization for the home page, Article or Product for such pages, and WebPage for the rest.',
    'Add it as JSON-LD to the head of the template, in a script of the type application/ld+json.',
    'Use only values that visitors can see on the page.',
    'Check it with the Schema Markup Validator (validator.schema.org).',
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
    const name = start ? siteName(site) : ownSubject(page, site);
    const type = start ? 'WebSite' : 'WebPage';
    return [
      {
        evidence: seen(page, 'html', 'no JSON-LD, microdata or RDFa'),
        message: `${start ? 'The start page' : 'The page'} has no structured data.`,
        impact: start ? 'medium' : 'low',
        snippet: name === null ? null : addedToHead(jsonLd({ '@type': type, name, url: page.outcome.url })),
      },
    ];
  },
});
