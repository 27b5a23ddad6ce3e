import { excerpt } from '../../excerpt.ts';
import { hasJsonLd, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';

export const jsonldParseError = pageCheck({
  id: 'jsonld-parse-error',
  title: 'Structured data is broken JSON',
  category: 'schema',
  group: 'structured-data',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Fixing this makes all your markup count again.',
  timeToResult: '1-3 weeks',
  risk: 'One typo makes the whole block unreadable.',
  steps: ['Fix the JSON syntax error.'],
  example: null,
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
