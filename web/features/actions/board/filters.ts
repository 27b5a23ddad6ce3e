/** The task filters and their encoding in the page's address. */
import type { ActionItem } from '../item/actionItem.ts';

export interface Filters {
  /** Part of a title, case-insensitive. */
  readonly search: string;
  readonly categories: readonly string[];
  readonly impacts: readonly string[];
  readonly statuses: readonly string[];
  readonly difficulties: readonly string[];
  /** Minutes available; null for any. */
  readonly timeAvailable: number | null;
}

export type View = 'list' | 'board';

export const NO_FILTERS: Filters = {
  search: '',
  categories: [],
  impacts: [],
  statuses: [],
  difficulties: [],
  timeAvailable: null,
};

/** Query parameter of each list. */
const LISTS = { categories: 'category', impacts: 'impact', statuses: 'status', difficulties: 'difficulty' } as const;
type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

const MAX_SEARCH = 200;
/** Longer than any useful limit. */
const MAX_MINUTES = 10_000;

/** Invalid values in the address are ignored. */
export function filtersOf(search: URLSearchParams): Filters {
  const list = (name: ListName): string[] => {
    const words = (search.get(LISTS[name]) ?? '').toLowerCase().split(',');
    return [...new Set(words.filter((word) => /^[a-z-]{1,20}$/.test(word)))];
  };
  const minutes = Number(search.get('time') ?? '');
  return {
    search: (search.get('search') ?? '').slice(0, MAX_SEARCH),
    categories: list('categories'),
    impacts: list('impacts'),
    statuses: list('statuses'),
    difficulties: list('difficulties'),
    timeAvailable: Number.isInteger(minutes) && minutes > 0 && minutes <= MAX_MINUTES ? minutes : null,
  };
}

export function viewOf(search: URLSearchParams): View {
  return search.get('view') === 'board' ? 'board' : 'list';
}

/** Replaces the address's filters and keeps everything else in it. */
export function withFilters(search: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(search);
  const set = (name: string, value: string): void => (value ? next.set(name, value) : next.delete(name));
  set('search', filters.search);
  for (const name of LIST_NAMES) set(LISTS[name], filters[name].join(','));
  set('time', filters.timeAvailable === null ? '' : String(filters.timeAvailable));
  return next;
}

export function withView(search: URLSearchParams, view: View): URLSearchParams {
  const next = new URLSearchParams(search);
  if (view === 'board') next.set('view', view);
  else next.delete('view');
  return next;
}

export function withAction(search: URLSearchParams, actionId: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (actionId) next.set('actionId', actionId);
  else next.delete('actionId');
  return next;
}

/** How many of the filters are set. */
export function countOf(filters: Filters): number {
  return [
    filters.search.trim() !== '',
    ...LIST_NAMES.map((name) => filters[name].length > 0),
    filters.timeAvailable !== null,
  ].filter(Boolean).length;
}

export function applyFilters(items: readonly ActionItem[], filters: Filters): readonly ActionItem[] {
  if (countOf(filters) === 0) return items;
  const words = filters.search.trim().toLowerCase();
  const allows = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value);
  return items.filter(
    (item) =>
      item.title.toLowerCase().includes(words) &&
      allows(filters.categories, item.category) &&
      allows(filters.impacts, item.impact) &&
      allows(filters.statuses, item.status) &&
      allows(filters.difficulties, item.difficulty) &&
      (filters.timeAvailable === null || item.minutes <= filters.timeAvailable),
  );
}
