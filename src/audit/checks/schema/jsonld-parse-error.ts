import { excerpt } from '../../excerpt.ts';
import { hasJsonLd, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';

export const jsonldParseError = pageCheck({
  id: 'jsonld-parse-error',
  title: 'Structured data is not valid JSON',
  category: 'schema',
  group: 'structured-data',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Search engines can read everything in the block.',
  timeToResult: '1-3 weeks',
  risk: 'A JSON-LD block on the page isn’t valid JSON, so search engines drop it and nothing in it counts.',
  steps: [
    'View the page source and find the `application/ld+json` script that this report lists. A comment or class name near it often names the plugin that writes it. If not, search your theme’s templates for part of its text. You can’t edit it in the page source itself.',
    'Correct the syntax there. Common causes are trailing commas, missing quotation marks, unescaped quotation marks or line breaks in a text, comments, and HTML entities.',
    'If a template writes the block, use the JSON encoder of your programming language instead of joining strings.',
    'If the block is empty, remove it there.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it reports no errors.',
  ],
  example: {
    ...schemaExample({ '@type': 'Organization', name: 'YOUR ORGANIZATION NAME', url: 'YOUR HOME PAGE ADDRESS' }),
    before: '{ "@type": "Organization", "name": YOUR ORGANIZATION NAME, }',
  },
  tags: ['schema', 'json-ld'],
  source: 'Schema.org validator behavior (https://validator.schema.org/); JSON RFC 8259',
  appliesTo: hasJsonLd,
  gathered: isComplete,
  run: (page) =>
    page.facts.structuredData.flatMap(({ syntax, error, raw, selector }) => {
      if (syntax !== 'json-ld' || error === null) return [];
      return [
        {
          evidence: seen(page, selector, excerpt(raw, 160) || 'empty'),
          message: `A JSON-LD block cannot be read: ${error}.`,
        },
      ];
    }),
});
