/** What the findings show is all in the address. */
import type { CausesQuery } from '../../../../src/http/contract/findings.ts';
import { CATEGORY_ORDER, IMPACTS } from '../../../../src/model/findings.ts';

export const WEIGHTS = [...IMPACTS, 'hint'] as const;

/** By value: the choice, and the order in a sentence. */
export const SORTS = {
  impact: ['Fix first', 'what blocks search first, then by impact and points per minute'],
  points: ['Most points', 'most points first'],
  pages: ['Most pages', 'most pages first'],
  minutes: ['Quickest', 'quickest first'],
  title: ['Title', 'by title'],
} as const;
export type Sort = keyof typeof SORTS;
export const ALL_SORTS = Object.keys(SORTS) as Sort[];

export const GROUPS = {
  issue: 'By issue',
  category: 'By category',
  page: 'By page',
  template: 'By template',
  root: 'By root cause',
} as const;
export type Group = keyof typeof GROUPS;
const ALL_GROUPS = Object.keys(GROUPS) as Group[];

/** Groups that the server makes; each opens the issues of the parameter of its name. */
export const PLACES = ['page', 'template', 'root'] as const;
export type Place = (typeof PLACES)[number];

export interface FindingsAddress {
  readonly filter: Omit<CausesQuery, 'sort'>;
  readonly sort: Sort;
  readonly group: Group;
  /** The groups to list; null: issues are listed. */
  readonly groups: Place | null;
  /** The opened issue. */
  readonly cause: string | null;
}

export function addressOf(search: URLSearchParams): FindingsAddress {
  const category = CATEGORY_ORDER.find((each) => each === search.get('category'));
  const impact = WEIGHTS.find((each) => each === search.get('impact'));
  const group = ALL_GROUPS.find((each) => each === search.get('group')) ?? 'issue';
  const place = PLACES.find((each) => each === group) ?? null;
  const words = search.get('search')?.trim();
  const places = PLACES.flatMap((each) => {
    const value = search.get(each);
    return value ? [[each, value] as const] : [];
  });
  return {
    filter: {
      ...(category ? { category } : {}),
      ...(impact ? { impact } : {}),
      ...(words ? { search: words } : {}),
      ...Object.fromEntries(places),
    },
    sort: ALL_SORTS.find((each) => each === search.get('sort')) ?? 'impact',
    group,
    groups: place && !search.get(place) ? place : null,
    cause: search.get('cause'),
  };
}

/** What the server is asked for. Of groups, it searches the names, not the issues. */
export function issuesAsked({ filter: { search, ...filter }, sort, groups }: FindingsAddress): CausesQuery {
  return {
    ...filter,
    ...(search && groups === null ? { search } : {}),
    ...(sort === 'impact' ? {} : { sort }),
  };
}

/** With other values; null removes one. */
export function changed(search: URLSearchParams, values: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
