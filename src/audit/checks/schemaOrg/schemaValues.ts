/** Formats of structured data values. */
import { parseUrl } from '../../../model/parseUrl.ts';

const ISO_DATE =
  /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?$/;
const ISO_DURATION = /^P(?=.)(?:\d+(?:[.,]\d+)?[YMWD])*(?:T(?:\d+(?:[.,]\d+)?[HMS])+)?$/;

/** `2026-01-31`, `2026-01-31T09:30:00+01:00`. */
export function isIsoDate(text: string): boolean {
  return ISO_DATE.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)));
}

/** `PT1H30M`. */
export function isIsoDuration(text: string): boolean {
  return text.length < 60 && ISO_DURATION.test(text);
}

const DATES =
  /^(?:datePublished|dateModified|dateCreated|uploadDate|startDate|endDate|validFrom|validThrough|priceValidUntil|datePosted)$/;
const URLS = /^(?:url|image|logo|sameAs|thumbnailUrl|contentUrl)$/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** What is wrong with a property's value; null if nothing is wrong as far as the value alone shows. */
export function valueProblem(property: string, value: unknown): string | null {
  const text = String(value).trim();
  if (property.startsWith('@')) return null;
  if (text === '') return 'it is empty';
  if (/\{\{[^{}]{1,80}\}\}|^\[insert/i.test(text)) return 'a template mark was left in';
  if (DATES.test(property))
    return isIsoDate(text) ? null : 'dates are written like 2026-01-31 or 2026-01-31T09:30:00+01:00';
  if (URLS.test(property))
    return /^https?:\/\//i.test(text) && parseUrl(text) !== null ? null : 'it must be a whole http or https address';
  if (property === 'priceCurrency')
    return CURRENCIES.has(text) ? null : 'currencies are written as ISO codes, three capital letters like EUR';
  if (property === 'price' || property === 'lowPrice' || property === 'highPrice')
    return /^\d+(?:\.\d+)?$/.test(text) ? null : 'prices are plain numbers like 1299.00';
  const known = ENUMERATIONS[property];
  if (known !== undefined)
    return known.has(text.replace(/^https?:\/\/schema\.org\//i, ''))
      ? null
      : `it is one of the values of schema.org, such as https://schema.org/${[...known][0]}`;
  if (/^gtin(?:8|12|13|14)?$/.test(property) && isGtin(text) === false) return 'its check digit does not fit';
  return null;
}

/** Values from schema.org, usual ones first. */
const ENUMERATIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  availability: new Set(
    'InStock OutOfStock PreOrder PreSale BackOrder Discontinued InStoreOnly LimitedAvailability OnlineOnly SoldOut MadeToOrder Reserved'.split(
      ' ',
    ),
  ),
  itemCondition: new Set('NewCondition UsedCondition RefurbishedCondition DamagedCondition'.split(' ')),
};

/** Whether the last digit fits; null if it is no number of that kind. Source: GS1, check digit calculation. */
function isGtin(text: string): boolean | null {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return null;
  const digits = [...text].reverse().map(Number);
  return digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const DAY_MS = 86_400_000;
const OF_THE_PAST = /^(?:datePublished|dateCreated|dateModified|uploadDate|datePosted)$/;

/**
 * What is wrong with a date beside its form, at the time `now` (ms), in an offer or elsewhere; null if nothing is, or it
 * cannot be read.
 */
export function timeProblem(property: string, value: unknown, now: number, isOffer = false): string | null {
  const text = String(value).trim();
  if (!DATES.test(property) || !isIsoDate(text)) return null;
  const at = Date.parse(text.slice(0, 10));
  if (OF_THE_PAST.test(property) && at > now + DAY_MS) return 'it is in the future';
  const ends = property === 'priceValidUntil' || (isOffer && property === 'validThrough');
  return ends && at + DAY_MS < now ? 'it is over, so the price no longer counts' : null;
}

/** Dates of which the second cannot be before the first, each with what that would mean. */
const ORDERED: readonly (readonly [string, string, string])[] = [
  ['datePublished', 'dateModified', 'it was changed before it was published'],
  ['dateCreated', 'datePublished', 'it was published before it was made'],
  ['startDate', 'endDate', 'it ends before it starts'],
  ['datePosted', 'validThrough', 'it ends before it was posted'],
  ['validFrom', 'validThrough', 'it ends before it begins'],
  ['validFrom', 'priceValidUntil', 'it ends before it begins'],
];

export type DatesAtOdds = { readonly property: string; readonly value: string; readonly problem: string };

/** Dates of a node that contradict each other, by day: a time zone may be missing. `textOf` reads a property. */
export function datesAtOdds(textOf: (property: string) => string | null): readonly DatesAtOdds[] {
  return ORDERED.flatMap(([earlier, later, meaning]) => {
    const [first, second] = [textOf(earlier), textOf(later)];
    if (first === null || second === null || !isIsoDate(first) || !isIsoDate(second)) return [];
    const [from, to] = [first.slice(0, 10), second.slice(0, 10)];
    // A month without a day cannot be compared within itself.
    const length = Math.min(from.length, to.length);
    if (from.slice(0, length) <= to.slice(0, length)) return [];
    return [{ property: later, value: second, problem: `the ${earlier} is ${first}, so ${meaning}` }];
  });
}
