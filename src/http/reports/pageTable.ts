/** The pages of an audit with what lists of them need: the values of each filter, and the orders asked for so far. */
import type { ReportPage } from '../../domain/report/reportRows.ts';
import { ascending } from '../../model/order.ts';
import type { PageFacet, PagePlace, PageSort } from '../contract/pages.ts';
import { alphabeticalKey } from './sortedTexts.ts';

/** Of each row, the values by which a filter finds it. */
type FacetValues = readonly (readonly string[])[];

/** `task` follows from the action items, which change. */
type FixedFacet = Exclude<PageFacet, 'task'>;

export type PageTable = {
  readonly rows: readonly ReportPage[];
  readonly values: Readonly<Record<FixedFacet, FacetValues>>;
  /** Address, title, and description of each row in lower case. */
  readonly texts: readonly string[];
  /** Row numbers from the least to the greatest value; rows without a value are last, `known` is how many have one. */
  readonly orderBy: (sort: PageSort) => { readonly order: Uint32Array; readonly known: number };
};

const NONE: readonly string[] = [];
const only = <T>(value: T | null | undefined): readonly T[] => (value == null ? [] : [value]);

/** The status class of an answer: `2xx`; `none` without an answer. */
const statusClass = (status: number | null): string => (status === null ? 'none' : `${Math.floor(status / 100)}xx`);

/** Only of HTML pages: of others nothing can be missing. */
function missingOf({ indexable, titleLength, description, h1 }: ReportPage): readonly string[] {
  if (indexable === null) return NONE;
  const missing = [
    ...((titleLength ?? 0) === 0 ? ['title'] : []),
    ...(description === '' ? ['description'] : []),
    ...(h1 === '' ? ['h1'] : []),
  ];
  return missing.length === 0 ? NONE : missing;
}

const DEEP = 3;

/** Of pages that people can open: not of what redirects, or fails. */
function placesOf({
  status,
  indexable,
  foundBy,
  clicksFromStart,
  inlinks,
  outlinks,
}: ReportPage): readonly PagePlace[] {
  if (indexable === null || inlinks === null || status === null || status >= 400) return [];
  return [
    ...(inlinks === 0 && foundBy !== 'start' ? (['orphan'] as const) : []),
    ...(outlinks === 0 ? (['dead_end'] as const) : []),
    ...((clicksFromStart ?? 0) > DEEP ? (['deep'] as const) : []),
  ];
}

const VALUES: Readonly<Record<FixedFacet, (page: ReportPage) => readonly string[]>> = {
  status: ({ status }) => [statusClass(status)],
  indexability: ({ indexability }) => only(indexability),
  role: ({ role }) => only(role),
  depth: ({ clicksFromStart }) => [clicksFromStart === null ? 'none' : String(clicksFromStart)],
  place: placesOf,
  type: ({ indexable }) => [indexable === null ? 'other' : 'html'],
  missing: missingOf,
  template: ({ template }) => only(template),
};

export function pageTableOf(rows: readonly ReportPage[]): PageTable {
  // Rows share the lists of values that are equal.
  const shared = new Map<string, readonly string[]>();
  const share = (list: readonly string[]): readonly string[] => {
    const key = list.join('\n');
    const known = shared.get(key) ?? list;
    shared.set(key, known);
    return known;
  };
  const orders = new Map<PageSort, { readonly order: Uint32Array; readonly known: number }>();
  return {
    rows,
    values: mapped(VALUES, (valuesOf) => rows.map((page) => share(valuesOf(page)))),
    texts: rows.map(({ url, title, description }) => `${url}\n${title}\n${description}`.toLowerCase()),
    orderBy(sort) {
      let found = orders.get(sort);
      if (found === undefined) {
        found = orderOf(rows, sort);
        orders.set(sort, found);
      }
      return found;
    },
  };
}

const mapped = <K extends string, V, W>(of: Readonly<Record<K, V>>, change: (value: V) => W): Readonly<Record<K, W>> =>
  Object.fromEntries(Object.entries<V>(of).map(([key, value]) => [key, change(value)])) as Record<K, W>;

/** About what a table takes in memory. */
export const bytesOfPages = ({ rows, texts }: PageTable): number =>
  rows.reduce((sum, { rows: findings, finalUrl, canonical, h1 }, number) => {
    const characters = 2 * (texts[number]?.length ?? 0) + finalUrl.length + canonical.length + h1.length;
    return sum + 900 + 8 * findings.length + 2 * characters;
  }, 0);

function orderOf(rows: readonly ReportPage[], sort: PageSort): { readonly order: Uint32Array; readonly known: number } {
  const keys = rows.map((page) => keyOf(page, sort));
  const hasKey = (row: number): boolean => keys[row] !== null && keys[row] !== '';
  const numbers = [...rows.keys()];
  const known = numbers.filter(hasKey);
  const byUrl = (a: number, b: number): number => ascending(rows[a]?.url ?? '', rows[b]?.url ?? '');
  known.sort((a, b) => ascending(keys[a] ?? '', keys[b] ?? '') || byUrl(a, b));
  const unknown = numbers.filter((row) => !hasKey(row)).sort(byUrl);
  return { order: Uint32Array.from([...known, ...unknown]), known: known.length };
}

function keyOf(page: ReportPage, sort: PageSort): string | number | null {
  // Pages with high-impact findings first, then those with most.
  if (sort === 'findings') return page.highImpact * 1_000_000 + page.findings;
  const value = page[sort];
  if (value === undefined) return null;
  if (typeof value === 'boolean') return Number(value);
  const text = typeof value === 'object' && value !== null ? value.join(', ') : value;
  return typeof text === 'string' ? alphabeticalKey(text) : text;
}
