/** What each structured data type needs to be useful to search engines and assistants, and what a node lacks. */
import { excerpt } from '../../excerpt.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { has, isNode, isReference, resolved, type SchemaNode, typesOfNode, valuesOf } from './schemaNodes.ts';
import { isIsoDate, isIsoDuration } from './schemaValues.ts';

/**
 * An entry is a property, or several of which one is enough: `offers|review`. The part after a dot is required in each
 * nested node: `location.address` requires a location with an address; `offers?.price` requires a price only if there
 * are offers; `location.address|VirtualLocation.url` takes a URL for it in nodes of that type alone.
 */
export type SchemaNeeds = {
  readonly required: readonly string[];
  readonly recommended: readonly string[];
  /** Must be ISO 8601 dates and durations, if present. */
  readonly dates?: readonly string[];
  readonly durations?: readonly string[];
  /** The page of Google's documentation, where a rich result depends on the type. */
  readonly source?: string;
  /** The day (YYYY-MM-DD) of the newest full copy of Google's page on the type that this was compared with. */
  readonly looked: string;
};

const GOOGLE = 'https://developers.google.com/search/docs/appearance/structured-data';

export const OFFERS = [
  'offers?.price|lowPrice|priceSpecification',
  'offers?.priceCurrency|priceSpecification',
] as const;

/** Each type includes its subtypes. */
export const SCHEMA_NEEDS = {
  Organization: {
    required: [],
    recommended: ['name', 'url', 'logo', 'sameAs'],
    source: `${GOOGLE}/organization`,
    looked: '2026-09-14',
  },
  WebSite: { required: ['name', 'url'], recommended: [], looked: '2026-09-01' },
  Article: {
    required: [],
    recommended: ['headline', 'image', 'datePublished', 'author.name'],
    source: `${GOOGLE}/article`,
    looked: '2026-09-14',
  },
  Product: {
    required: ['name', 'offers|review|aggregateRating'],
    recommended: ['image', ...OFFERS],
    source: `${GOOGLE}/product`,
    looked: '2026-09-14',
  },
  LocalBusiness: {
    required: ['name', 'address'],
    recommended: ['telephone', 'openingHoursSpecification|openingHours', 'geo', 'url'],
    source: `${GOOGLE}/local-business`,
    looked: '2026-09-14',
  },
  Event: {
    required: ['name', 'startDate', 'location.address|VirtualLocation.url'],
    recommended: ['image', 'offers', 'endDate', 'eventStatus'],
    dates: ['startDate'],
    source: `${GOOGLE}/event`,
    looked: '2026-09-14',
  },
  Recipe: {
    required: ['name', 'image'],
    recommended: [
      'recipeIngredient',
      'recipeInstructions',
      'totalTime|cookTime',
      'totalTime|prepTime',
      'recipeYield',
      'author',
    ],
    durations: ['totalTime', 'prepTime', 'cookTime'],
    source: `${GOOGLE}/recipe`,
    looked: '2026-09-14',
  },
  VideoObject: {
    required: ['name', 'thumbnailUrl', 'uploadDate'],
    recommended: [],
    dates: ['uploadDate'],
    source: `${GOOGLE}/video`,
    looked: '2026-09-14',
  },
  JobPosting: {
    required: [
      'title',
      'description',
      'datePosted',
      'hiringOrganization',
      'jobLocation|jobLocationType',
      'jobLocation?.address',
    ],
    recommended: [],
    source: `${GOOGLE}/job-posting`,
    looked: '2026-09-14',
  },
  SoftwareApplication: {
    required: ['name', 'offers.price|priceSpecification', 'aggregateRating|review'],
    recommended: [],
    source: `${GOOGLE}/software-app`,
    looked: '2026-09-14',
  },
  AggregateRating: {
    required: ['ratingValue', 'ratingCount|reviewCount'],
    recommended: [],
    source: `${GOOGLE}/review-snippet`,
    looked: '2026-09-14',
  },
  // Google's page requires a reviewRating, but its example with pros and cons has none.
  Review: {
    required: ['author', 'reviewRating?.ratingValue'],
    recommended: [],
    source: `${GOOGLE}/review-snippet`,
    looked: '2026-09-14',
  },
  // A shop may say these once for all its products.
  Offer: {
    required: [],
    recommended: ['shippingDetails', 'hasMerchantReturnPolicy'],
    source: `${GOOGLE}/product`,
    looked: '2026-09-14',
  },
  Dataset: { required: ['name', 'description'], recommended: ['license', 'creator'], looked: '2026-09-14' },
  DiscussionForumPosting: {
    required: ['author.name', 'datePublished', 'text|image|video|sharedContent'],
    recommended: ['headline', 'url'],
    dates: ['datePublished'],
    looked: '2026-09-14',
  },
  ProfilePage: {
    required: ['mainEntity.name|alternateName'],
    recommended: ['mainEntity?.image'],
    looked: '2026-09-01',
  },
  QAPage: {
    required: ['mainEntity.name', 'mainEntity?.answerCount', 'mainEntity?.acceptedAnswer|suggestedAnswer'],
    recommended: [],
    looked: '2026-09-14',
  },
  VacationRental: {
    required: ['name', 'identifier', 'image', 'containsPlace.occupancy', 'latitude|geo', 'longitude|geo'],
    recommended: ['address', 'aggregateRating', 'checkinTime', 'checkoutTime'],
    looked: '2026-09-01',
  },
} as const satisfies Readonly<Record<string, SchemaNeeds>>;

export type NeedyType = keyof typeof SCHEMA_NEEDS;

export type SchemaLacks = {
  readonly required: readonly string[];
  readonly recommended: readonly string[];
  /** Invalid dates and durations, such as `startDate "tomorrow"`. */
  readonly unreadable: readonly string[];
};

/** Follows references within the page. */
export function lacksOf(node: SchemaNode, type: NeedyType, facts: PageFacts): SchemaLacks {
  const needs: SchemaNeeds = SCHEMA_NEEDS[type];
  return {
    required: needs.required.filter((need) => !meets(node, need, facts)).map(nameOf),
    recommended: needs.recommended.filter((need) => !meets(node, need, facts)).map(nameOf),
    unreadable: [
      ...unreadable(node, needs.dates ?? [], isIsoDate),
      ...unreadable(node, needs.durations ?? [], isIsoDuration),
    ],
  };
}

/** Names a nested need after its first property (`offers.price`), and `a|b` after all of them. */
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
  const values = valuesOf(node, need.slice(0, isConditional ? point - 1 : point)).filter((value) => value !== '');
  if (values.length === 0) return isConditional;
  return values.every((value) => holds(resolved(facts, value), names));
}

/** Text instead of a node counts as its name; an unresolved reference gets the benefit of the doubt. */
function holds(value: unknown, names: readonly string[]): boolean {
  if (!isNode(value)) return names.includes('name') || names.includes('text');
  return isReference(value) || names.some((name) => hasNamed(value, name));
}

/** `url`, or `VirtualLocation.url` of a node of that type. */
function hasNamed(node: SchemaNode, name: string): boolean {
  const [type = '', property] = name.split('.');
  return property === undefined ? has(node, name) : typesOfNode(node).includes(type) && has(node, property);
}

function unreadable(node: SchemaNode, properties: readonly string[], isReadable: (text: string) => boolean): string[] {
  return properties.flatMap((property) => {
    const bad = valuesOf(node, property).find(
      (value) => typeof value === 'string' && value.trim() !== '' && !isReadable(value.trim()),
    );
    return bad === undefined ? [] : [`${property} "${excerpt(String(bad), 60)}"`];
  });
}
