/** What the page's address says about the board, and the ways to change it. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type Filters, filtersOf, type View, viewOf, withAction, withFilters, withView } from './filters.ts';

export interface BoardAddress {
  readonly filters: Filters;
  readonly view: View;
  readonly actionId: string | null;
  /** Those that it names; the others stay. */
  readonly setFilters: (change: Partial<Filters>) => void;
  readonly setView: (view: View) => void;
  /** For a link; null: back to all. */
  readonly searchOf: (actionId: string | null) => string;
  readonly open: (actionId: string) => void;
  /** Back to all: the step that the browser's own back would take, when the list is there. */
  readonly close: () => void;
}

/** Given to links to a task, so that its page knows that the list lies behind it. */
export const FROM_LIST = { fromList: true } as const;

export function useBoardAddress(): BoardAddress {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const fromList = (useLocation().state as { fromList?: unknown } | null)?.fromList === true;
  const filters = useMemo(() => filtersOf(search), [search]);
  // What is drawn may be behind what was just chosen, and a change goes by the latter.
  const newest = useRef(search);
  useEffect(() => {
    newest.current = search;
  }, [search]);
  // Filters are no steps to go back through.
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
