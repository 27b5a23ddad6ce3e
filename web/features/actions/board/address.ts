/** The board's state in the page's address, and how to change it. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type Filters, filtersOf, type View, viewOf, withAction, withFilters, withView } from './filters.ts';

export interface BoardAddress {
  readonly filters: Filters;
  readonly view: View;
  readonly actionId: string | null;
  /** Replaces the given filters and keeps the others. */
  readonly setFilters: (change: Partial<Filters>) => void;
  readonly setView: (view: View) => void;
  /** Query string for a link to a task; null: back to all. */
  readonly searchOf: (actionId: string | null) => string;
  readonly open: (actionId: string) => void;
  /** Back to all: the same as the browser's back button when the list is the previous entry. */
  readonly close: () => void;
}

/** Navigation state of links to a task, so that its page knows that the list precedes it. */
export const FROM_LIST = { fromList: true } as const;

export function useBoardAddress(): BoardAddress {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const fromList = (useLocation().state as { fromList?: unknown } | null)?.fromList === true;
  const filters = useMemo(() => filtersOf(search), [search]);
  // Rendering may lag behind the latest choice, which changes must be based on.
  const newest = useRef(search);
  useEffect(() => {
    newest.current = search;
  }, [search]);
  // Filter changes add no history entries.
  const put = (next: URLSearchParams): void => {
    newest.current = next;
    setSearch(next, { replace: true });
  };
  const searchOf = useCallback((actionId: string | null) => `?${withAction(search, actionId)}`, [search]);
  return {
    filters,
    view: viewOf(search),
    actionId: search.get('actionId'),
    setFilters: (change) => put(withFilters(newest.current, { ...filtersOf(newest.current), ...change })),
    setView: (view) => put(withView(newest.current, view)),
    searchOf,
    open: (actionId) => void navigate({ search: searchOf(actionId) }, { state: FROM_LIST }),
    close: () => void (fromList ? navigate(-1) : navigate({ search: searchOf(null) })),
  };
}
