import { Suspense, useCallback, useDeferredValue } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { Loading } from '../../../ui/Spinner.tsx';
import { ActionCard } from '../item/ActionCard.tsx';
import type { ActionItem, ActionStatus } from '../item/actionItem.ts';
import { Section, Sections } from '../item/Sections.tsx';
import { PrintSheet, usePrinting } from '../PrintSheet.tsx';
import type { BoardAddress } from './address.ts';
import { NO_FILTERS } from './filters.ts';
import { type ByStatus, byStatus } from './sorting.ts';

const Board = lazily(() => import('./Board.tsx'), 'Board');

interface TasksProps {
  all: readonly ActionItem[];
  /** The tasks that match the filters. */
  shown: ByStatus;
  /** The optional items that match the filters. */
  suggested: readonly ActionItem[];
  address: BoardAddress;
  onMove: ((item: ActionItem, to: ActionStatus) => void) | undefined;
  onAdd: ((item: ActionItem) => void) | undefined;
  onDetails: (item: ActionItem) => void;
  /** All tasks are shown again, this one first. */
  onAll: (actionId: string) => void;
}

/** The tasks as a list, as a board, or for printing; the optional items below them. */
export function Tasks({ all, shown, suggested, address, onMove, onAdd, onDetails, onAll }: TasksProps) {
  const printing = usePrinting();
  // The content above the cards renders first; the cards follow in a deferred render that keeps the page responsive.
  const ready = useDeferredValue(true, false);
  const { view, searchOf, setFilters, filters } = address;
  const small = view === 'board';
  const render = useCallback(
    (item: ActionItem) => (
      <ActionCard
        item={item}
        search={searchOf(item.id)}
        onMove={onMove}
        onAdd={onAdd}
        onDetails={onDetails}
        small={small && !item.optional}
      />
    ),
    [searchOf, onMove, onAdd, onDetails, small],
  );
  if (all.length + suggested.length === 0)
    return <p className="py-8 text-center text-muted">This audit has no tasks.</p>;
  if (!ready) return <div className="min-h-dvh" />;
  if (printing) return <PrintSheet items={shown} suggested={suggested} />;
  const showAll = (): void => {
    setFilters(NO_FILTERS);
    const { todo, 'in-progress': started, completed } = byStatus(all);
    const [first] = view === 'board' ? [...todo, ...started, ...completed] : [...started, ...todo, ...completed];
    if (first) onAll(first.id);
  };
  // Tasks hidden by filters are not in progress or completed.
  const todoCount =
    filters.statuses.length > 0 ? Math.max(1, shown.todo.length) : all.filter((item) => item.status === 'todo').length;
  const count = shown.todo.length + shown['in-progress'].length + shown.completed.length;
  return (
    <div className="space-y-6">
      {all.length === 0 ? (
        <p className="py-8 text-center text-muted">This audit has no tasks.</p>
      ) : count === 0 ? (
        <div className="panel px-4 py-10 text-center">
          <p>No tasks match these filters.</p>
          <Button className="mt-3" onClick={showAll}>
            Show all tasks
          </Button>
        </div>
      ) : view === 'board' ? (
        <Suspense fallback={<Loading label="Loading the board" />}>
          <Board items={shown} render={render} onMove={onMove} />
        </Suspense>
      ) : (
        <Sections items={shown} todoCount={todoCount} render={render} />
      )}
      {suggested.length > 0 && (
        <Section
          title="Optional"
          about="Nothing here affects the score. Add what you want to do to your tasks."
          items={suggested}
          render={render}
        />
      )}
    </div>
  );
}
