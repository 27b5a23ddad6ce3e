import { indexableContent, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { ownSubject, siteName } from '../lookups/siteFacts.ts';
import { isStartPage } from '../lookups/siteIndex.ts';
import { addedToHead } from '../lookups/snippets.ts';

export const schemaMissing = pageCheck({
  id: 'schema-missing',
  title: 'No structured data at all',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 45,
  gain: 'Opens rich results and gives assistants hard facts.',
  timeToResult: '2-6 weeks',
  risk: 'Machines must guess what the page is about.',
  steps: ['Add JSON-LD that mirrors the visible content.'],
  example: {
    before: null,
    after:
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Example","url":"https://example.com"}</script>',
  },
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
