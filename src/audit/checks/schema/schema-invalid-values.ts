import { htmlPage } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { listOf, nodesOf, typesOfNode } from '../schemaNodes.ts';

export const schemaInvalidValues: PageCheck = {
  id: 'schema-invalid-values',
  scope: 'page',
  title: 'Structured data has invalid values',
  category: 'schema',
  group: 'structured-data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  businessValue: 'Facts are taken over correctly.',
  timeToResult: '2-4 weeks',
  why: 'Invalid values are ignored.',
  fix: 'Correct the listed values.',
  codeExample: null,
  tags: ['schema'],
  source: 'schema.org property ranges (https://schema.org/)',
  lighthouse: null,
  hint: false,
  appliesTo: (page) => htmlPage(page) && nodesOf(page.facts).length > 0,
  run: (page) =>
    nodesOf(page.facts).flatMap(({ node, selector }) =>
      Object.entries(node).flatMap(([property, value]) => {
        const bad = listOf(value).find((item) => typeof item !== 'object' && problemOf(property, item) !== null);
        if (bad === undefined) return [];
        const place = `${selector} ${typesOfNode(node)[0] ?? ''}.${property}`;
        return [
          {
            evidence: seen(page, place, String(bad)),
            message: `${typesOfNode(node)[0] ?? 'A node'} has the ${property} "${String(bad).slice(0, 80)}": ${problemOf(property, bad)}.`,
          },
        ];
      }),
    ),
};

const DATES = /^(?:datePublished|dateModified|dateCreated|uploadDate|startDate|endDate|validFrom|validThrough|priceValidUntil|datePosted)$/;
const URLS = /^(?:url|image|logo|sameAs|thumbnailUrl|contentUrl)$/;
const ISO_DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?)?$/;

function problemOf(property: string, value: unknown): string | null {
  const text = String(value).trim();
  if (property.startsWith('@')) return null;
  if (/\{\{[^{}]{1,80}\}\}|^\[insert/i.test(text)) return 'a template mark was left in';
  if (DATES.test(property)) return ISO_DATE.test(text) ? null : 'dates are written like 2026-01-31 or 2026-01-31T09:30:00+01:00';
  if (URLS.test(property)) return /^https?:\/\//i.test(text) && URL.canParse(text) ? null : 'it must be a whole http or https address';
  if (property === 'priceCurrency') return /^[A-Z]{3}$/.test(text) ? null : 'currencies are three capital letters like EUR';
  if (property === 'price' || property === 'lowPrice' || property === 'highPrice')
    return /^\d+(?:\.\d+)?$/.test(text) ? null : 'prices are plain numbers like 1299.00';
  return null;
}
