import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { schemaIsReadable } from '../schemaOrg/schemaNodes.ts';
import { unknownNames } from '../schemaOrg/schemaVocabulary.ts';

/** Between two pauses: a page may have 20,000. */
const NAMES_AT_ONCE = 256;

export const schemaUnknownType = pageCheck({
  id: 'schema-unknown-type',
  title: 'Structured data uses unknown types or properties',
  category: 'schema',
  group: 'structured-data',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Every type and property you mark up is understood.',
  timeToResult: '2-4 weeks',
  risk: 'The structured data uses names that schema.org doesn’t define, which are often typos or wrongly capitalized, so search engines skip them.',
  steps: [
    'Look up the name that this report lists on schema.org.',
    'If schema.org spells it differently, copy that spelling to the plugin’s settings or the template that writes the structured data. Upper and lower case matter.',
    'If schema.org has nothing of the kind, remove the property with its value, or the whole block if its type is unknown.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it reports no errors, and no warning for the name.',
  ],
  example: {
    ...schemaExample({ '@type': 'Organization', name: 'YOUR ORGANIZATION NAME', url: 'YOUR HOME PAGE ADDRESS' }),
    before: schemaExample({ '@type': 'Organisation', title: 'YOUR ORGANIZATION NAME', url: 'YOUR HOME PAGE ADDRESS' })
      .after,
  },
  tags: ['schema'],
  source: 'schema.org vocabulary (https://schema.org/docs/developers.html)',
  appliesTo: (page) => htmlPage(page) && page.facts.structuredData.some(({ syntax }) => syntax !== 'rdfa'),
  gathered: (page) => schemaIsReadable(page.facts),
  run: function* (page) {
    const faults: Fault[] = [];
    for (const [nth, { name, of, meant, selector }] of (yield* unknownNames(page.facts)).entries()) {
      if (nth % NAMES_AT_ONCE === NAMES_AT_ONCE - 1) yield;
      const what = of === null ? `type "${name}"` : `property "${name}" (of ${of})`;
      faults.push({
        evidence: seen(page, selector, name),
        message: `schema.org has no ${what}${meant === null ? '' : `; it is spelled "${meant}"`}.`,
      });
    }
    return faults;
  },
});
