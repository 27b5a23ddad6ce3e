/** What each type of structured data needs to be of use to search engines and assistants, in one table, and what a node lacks of it. */
import type { PageFacts } from '../../facts/pageFacts.ts';
import { has, isNode, isReference, listOf, resolved, type SchemaNode } from './schemaNodes.ts';
import { isIsoDate, isIsoDuration } from './schemaValues.ts';

/**
 * An entry is a property, or several of which one is enough: `offers|review`. After a point it is looked for in each nested node:
 * `location.address` wants a location with an address; `offers?.price` wants the price only where there are offers.
 */
export type SchemaNeeds = {
  readonly required: readonly string[];
  readonly recommended: readonly string[];
  /** Written as ISO 8601 dates and durations, where they are there. */
  readonly dates?: readonly string[];
  readonly durations?: readonly string[];
};

export const OFFERS = ['offers?.price|lowPrice|priceSpecification', 'offers?.priceCurrency|priceSpecification'] as const;

/** A type stands for its subtypes too. */
export const SCHEMA_NEEDS = {
  Organization: { required: ['name', 'url'], recommended: ['logo', 'sameAs'] },
  WebSite: { required: ['name', 'url'], recommended: [] },
  Article: { required: ['headline'], recommended: ['image', 'datePublished', 'author.name'] },
  Product: { required: ['name', 'offers|review|aggregateRating'], recommended: ['image', ...OFFERS] },
  LocalBusiness: { required: ['name', 'address'], recommended: ['telephone', 'openingHoursSpecification|openingHours', 'geo', 'url'] },
  Event: {
    required: ['name', 'startDate', 'location.address|url'],
    recommended: ['image', 'offers', 'endDate', 'eventStatus'],
    dates: ['startDate'],
  },
  Recipe: {
    required: ['name', 'image'],
    recommended: ['recipeIngredient', 'recipeInstructions', 'totalTime', 'recipeYield', 'author'],
    durations: ['totalTime', 'prepTime', 'cookTime'],
  },
  VideoObject: { required: ['name', 'thumbnailUrl|thumbnail', 'uploadDate'], recommended: [], dates: ['uploadDate'] },
  JobPosting: {
    required: ['title', 'description', 'datePosted', 'hiringOrganization', 'jobLocation|jobLocationType'],
    recommended: [],
  },
  SoftwareApplication: { required: ['name', 'offers.price|priceSpecification', 'aggregateRating|review'], recommended: [] },
  AggregateRating: { required: ['ratingValue', 'ratingCount|reviewCount'], recommended: [] },
  Review: { required: ['author', 'reviewRating?.ratingValue'], recommended: [] },
  Question: { required: ['name', 'acceptedAnswer.text'], recommended: [] },
} as const satisfies Readonly<Record<string, SchemaNeeds>>;

export type NeedyType = keyof typeof SCHEMA_NEEDS;

export type SchemaLacks = {
  readonly required: readonly string[];
  readonly recommended: readonly string[];
  /** Dates and durations that are none, as `startDate "tomorrow"`. */
  readonly unreadable: readonly string[];
};

/** References are followed within the page. */
export function lacksOf(node: SchemaNode, type: NeedyType, facts: PageFacts): SchemaLacks {
  const needs: SchemaNeeds = SCHEMA_NEEDS[type];
  return {
    required: needs.required.filter((need) => !meets(node, need, facts)).map(nameOf),
    recommended: needs.recommended.filter((need) => !meets(node, need, facts)).map(nameOf),
    unreadable: [...unreadable(node, needs.dates ?? [], isIsoDate), ...unreadable(node, needs.durations ?? [], isIsoDuration)],
  };
}

/** `offers.price or offers.lowPrice` is told by its first name, `a|b` by all. */
function nameOf(need: string): string {
  const [path = '', last] = need.replace('?', '').split('.');
  if (last !== undefined) return `${path}.${last.split('|', 1)[0]}`;
  const names = path.split('|');
  return names.length === 1 ? path : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function meets(node: SchemaNode, need: string, facts: PageFacts): boolean {
  const point = need.indexOf('.');
  if (point < 0) return need.split('|').some((property) => has(node, property));
  const names = need.slice(point + 1).split('|');
  const isConditional = need[point - 1] === '?';
  const values = listOf(node[need.slice(0, isConditional ? point - 1 : point)]).filter((value) => value !== '');
  if (values.length === 0) return isConditional;
  return values.every((value) => holds(resolved(facts, value), names));
}

/** Text in place of a node is its name; a reference leads to where nobody looked. */
function holds(value: unknown, names: readonly string[]): boolean {
  if (!isNode(value)) return names.includes('name') || names.includes('text');
  return isReference(value) || names.some((name) => has(value, name));
}

function unreadable(node: SchemaNode, properties: readonly string[], isReadable: (text: string) => boolean): string[] {
  return properties.flatMap((property) => {
    const bad = listOf(node[property]).find((value) => typeof value === 'string' && value.trim() !== '' && !isReadable(value.trim()));
    return bad === undefined ? [] : [`${property} "${String(bad).slice(0, 60)}"`];
  });
}
