import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { CardGrid } from '../board/CardGrid.tsx';
import type { ByStatus } from '../board/sorting.ts';
import type { ActionItem } from './actionItem.ts';

interface SectionsProps {
  items: ByStatus;
  /** Number of todo items, regardless of filters. */
  todoCount: number;
  render: (item: ActionItem) => ReactNode;
}

/** The tasks as a list: in progress first, then todo, then completed. */
export function Sections({ items, todoCount, render }: SectionsProps) {
  const { todo, 'in-progress': started, completed } = items;
  return (
    <div className="space-y-6">
      {started.length > 0 && <Section title="In Progress" items={started} render={render} />}
      {todo.length > 0 && <Section title="Available Tasks" items={todo} render={render} />}
      {todoCount === 0 && (
        <p className="flex items-center justify-center gap-2 rounded-card border border-good-line bg-good-soft px-4 py-6 text-good">
          <CircleCheck aria-hidden="true" size={18} />
          All tasks are in progress or completed!
        </p>
      )}
      {completed.length > 0 && <Section title="Completed Tasks" items={completed} render={render} />}
    </div>
  );
}

export function Section({
  title,
  about,
  items,
  render,
}: {
  title: string;
  /** A sentence below the title. */
  about?: string;
  items: readonly ActionItem[];
  render: (item: ActionItem) => ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="text-lg outline-none">
        {title} <span className="font-normal text-muted tabular-nums">({items.length})</span>
      </h2>
      {about && <p className="text-muted">{about}</p>}
      <div className="mt-3">
        <CardGrid label={title} items={items} minWidth={300} estimate={236} render={render} />
      </div>
    </section>
  );
}
