/** What the page's address says about the board, and the ways to change it. */
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type Filters, filtersOf, type View, viewOf, withAction, withFilters, withView } from './filters.ts';

export interface BoardAddress {
  readonly filters: Filters;
  readonly view: View;
  readonly actionId: string | null;
  readonly setFilters: (filters: Filters) => void;
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
  const searchOf = useCallback((actionId: string | null) => `?${withAction(search, actionId)}`, [search]);
  return {
    filters,
    view: viewOf(search),
    actionId: search.get('actionId'),
    // Filters are no steps to go back through.
    setFilters: (next) => setSearch((current) => withFilters(current, next), { replace: true }),
    setView: (view) => setSearch((current) => withView(current, view), { replace: true }),
    searchOf,
    open: (actionId) => void navigate({ search: searchOf(actionId) }, { state: FROM_LIST }),
    close: () => void (fromList ? navigate(-1) : navigate({ search: searchOf(null) })),
  };
}
