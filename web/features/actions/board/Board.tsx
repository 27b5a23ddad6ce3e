import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ACTION_STATUSES } from '../../../../src/model/actions.ts';
import type { ActionItem, ActionStatus } from '../item/actionItem.ts';
import { statusName } from '../work.ts';
import { CardGrid } from './CardGrid.tsx';
import type { ByStatus } from './sorting.ts';

interface BoardProps {
  items: ByStatus;
  render: (item: ActionItem) => ReactNode;
  /** Absent when read-only. */
  onMove: ((item: ActionItem, to: ActionStatus) => void) | undefined;
}

/** The tasks in three columns. Each card's menu and the keyboard do everything that dragging does. */
export function Board({ items, render, onMove }: BoardProps) {
  return (
    <section
      aria-label="Board"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
      tabIndex={0}
      className="-mx-4 overflow-x-auto px-4 py-1 outline-offset-[-2px] sm:mx-0 sm:px-0"
    >
      <div className="grid grid-cols-[repeat(3,minmax(270px,1fr))] items-start gap-4">
        {ACTION_STATUSES.map((status) => (
          <Column key={status} status={status} items={items[status]} render={render} onMove={onMove} />
        ))}
      </div>
    </section>
  );
}

function Column({
  status,
  items,
  render,
  onMove,
}: Omit<BoardProps, 'items'> & { status: ActionStatus; items: readonly ActionItem[] }) {
  const id = useId();
  const column = useRef<HTMLElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!column.current || !onMove) return;
    return dropTargetForElements({
      element: column.current,
      canDrop: ({ source }) => itemIn(source.data) !== null,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        const item = itemIn(source.data);
        if (item && item.status !== status) onMove(item, status);
      },
    });
  }, [status, onMove]);
  return (
    <section
      ref={column}
      aria-labelledby={id}
      data-column={status}
      className={clsx(
        'min-h-64 self-stretch rounded-card border p-3 transition-colors duration-150',
        over ? 'border-accent bg-accent-soft' : 'border-line bg-inset',
      )}
    >
      <h3 id={id} className="mb-3 text-base">
        {statusName(status)} <span className="font-normal text-muted tabular-nums">({items.length})</span>
      </h3>
      {items.length > 0 ? (
        <CardGrid
          label={statusName(status)}
          items={items}
          minWidth={230}
          estimate={150}
          render={(item) => (onMove ? <Draggable item={item}>{render(item)}</Draggable> : render(item))}
        />
      ) : (
        <p className="py-6 text-center text-sm text-muted">
          {onMove ? 'No tasks. Drag one here, or use its menu.' : 'No tasks.'}
        </p>
      )}
    </section>
  );
}

function Draggable({ item, children }: { item: ActionItem; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    if (!card.current) return;
    return draggable({
      element: card.current,
      getInitialData: () => ({ actionItem: item }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [item]);
  return (
    <div ref={card} className={clsx('h-full cursor-grab', dragged && 'opacity-50')}>
      {children}
    </div>
  );
}

function itemIn(data: Record<string | symbol, unknown>): ActionItem | null {
  return (data.actionItem as ActionItem | undefined) ?? null;
}
