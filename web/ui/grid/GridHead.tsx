import { Tooltip } from '@base-ui/react/tooltip';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { GridColumn, GridSort, Order } from './gridColumn.ts';

interface GridHeadProps {
  column: Pick<GridColumn<never>, 'name' | 'icon' | 'about' | 'example' | 'end' | 'first' | 'to' | 'upright'>;
  /** The order of the rows, if it is this column's. */
  sorted: GridSort | null;
  /** Address of the list in this order. */
  sortTo: (order: Order) => string;
  className: string;
}

/** Sorts the rows, and explains the column: on hover, on focus, and to screen readers. */
export function GridHead({ column, sorted, sortTo, className }: GridHeadProps) {
  const { name, icon, about, example, end, first, to, upright } = column;
  const id = useId();
  const Arrow = sorted?.order === 'asc' ? ArrowUp : ArrowDown;
  const label = (
    <>
      {icon}
      <span className="truncate">{name}</span>
      {sorted && <Arrow aria-hidden="true" size={12} className="shrink-0" />}
    </>
  );
  const classes = clsx(
    'flex min-w-0 items-center gap-1 rounded-control hover:text-strong',
    upright
      ? 'mx-auto h-48 w-8 rotate-180 py-1 [writing-mode:vertical-rl] pointer-coarse:w-11'
      : 'h-8 w-full px-1 pointer-coarse:h-11',
    end && 'justify-end',
    sorted && 'font-medium text-strong',
  );
  return (
    <th
      scope="col"
      aria-sort={sorted ? (sorted.order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={className}
    >
      <Tooltip.Root>
        <Tooltip.Trigger
          delay={400}
          render={
            first ? (
              <Link
                to={sortTo(sorted ? (sorted.order === 'asc' ? 'desc' : 'asc') : first)}
                replace
                aria-describedby={id}
                className={classes}
              >
                {label}
              </Link>
            ) : to ? (
              <Link to={to} aria-describedby={id} className={classes}>
                {label}
              </Link>
            ) : (
              <button type="button" aria-describedby={id} className={classes}>
                {label}
              </button>
            )
          }
        />
        <Tooltip.Portal>
          <Tooltip.Positioner sideOffset={6} collisionPadding={8} className="z-50">
            <Tooltip.Popup
              aria-hidden="true"
              className="max-w-72 animate-appear rounded-card border border-line bg-raised px-3 py-2 text-sm shadow-float"
            >
              {upright && <p className="mb-1 font-medium text-strong">{name}</p>}
              <p className="text-strong">{about}</p>
              {example && <p className="mt-1 text-muted wrap-anywhere">Example: {example}</p>}
            </Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
      <span id={id} hidden>
        {about}
        {example && ` Example: ${example}.`}
      </span>
    </th>
  );
}
