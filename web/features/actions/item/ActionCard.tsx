import { clsx } from 'clsx';
import { Clock, Eye } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../ui/Button.tsx';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { stripMarkdown } from '../../../ui/text/wording.ts';
import { FROM_LIST } from '../board/address.ts';
import { MoveMenu } from '../board/MoveMenu.tsx';
import { cardId } from '../board/spotlight.ts';
import { nextMove } from '../work.ts';
import type { ActionItem, ActionStatus } from './actionItem.ts';
import { ImpactBadge } from './impact.tsx';
import { MinutesText } from './MinutesText.tsx';

interface ActionCardProps {
  item: ActionItem;
  search: string;
  /** Absent when read-only. */
  onMove: ((item: ActionItem, to: ActionStatus) => void) | undefined;
  /** Makes an optional item a task; absent when read-only. */
  onAdd?: ((item: ActionItem) => void) | undefined;
  onDetails: (item: ActionItem) => void;
  /** On the board, where space is limited and the column shows the status. */
  small?: boolean;
}

const BELOW = 'relative mt-auto pt-3';
const OVERLAY = `absolute inset-x-0 bottom-0 rounded-b-card border-t border-line bg-card px-2 py-1.5 opacity-0 transition-opacity duration-150
  group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:relative [@media(hover:none)]:mt-auto [@media(hover:none)]:border-0
  [@media(hover:none)]:px-0 [@media(hover:none)]:pt-3 [@media(hover:none)]:pb-0 [@media(hover:none)]:opacity-100`;

/**
 * The whole card links to the task. Its buttons lie above the link, shown on hover, on focus, and always on touch
 * devices.
 */
export const ActionCard = memo(function ActionCard({
  item,
  search,
  onMove,
  onAdd,
  onDetails,
  small = false,
}: ActionCardProps) {
  const move = nextMove(item.status);
  const Title = small ? 'h4' : 'h3';
  // A task in progress should be finished, so its button is always visible.
  const pinned = item.status === 'in-progress' && onMove !== undefined && !small;
  return (
    <article
      data-action={item.id}
      className={clsx(
        'group relative flex h-full min-h-36 flex-col panel p-4 transition-colors duration-150 hover:border-line-strong/60 has-[a:focus-visible]:border-accent',
        // The buttons' line lies over nothing.
        !pinned && '[@media(hover:hover)]:pb-14',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <ImpactBadge item={item} />
        {item.category && <span>{categoryName(item.category)}</span>}
        {item.minutes > 0 && (
          <span className="ml-auto inline-flex items-center gap-1 tabular-nums">
            <Clock aria-hidden="true" size={12} />
            <MinutesText minutes={item.minutes} />
          </span>
        )}
      </div>
      <Title className="mt-2 font-medium">
        <Link
          id={cardId(item.id)}
          to={{ search }}
          state={FROM_LIST}
          // The card is dragged, not the link's URL.
          draggable={false}
          className="line-clamp-2 text-strong outline-none wrap-anywhere after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {item.title}
        </Link>
      </Title>
      {item.problem && (
        <p className="mt-1 line-clamp-2 text-muted wrap-anywhere">
          <InlineText text={stripMarkdown(item.problem)} />
        </p>
      )}
      {item.solution && !small && (
        <p className="mt-1 line-clamp-2 wrap-anywhere">
          <span className="font-medium">Fix: </span>
          {stripMarkdown(item.solution)}
        </p>
      )}
      <div className={clsx('flex flex-wrap items-center gap-1 print:hidden', pinned ? BELOW : OVERLAY)}>
        {onAdd && item.optional && (
          <Button aria-label={`Add to Tasks: ${item.title}`} onClick={() => onAdd(item)}>
            Add to Tasks
          </Button>
        )}
        {onMove && !item.optional && (
          <Button
            variant={small ? 'quiet' : 'secondary'}
            aria-label={`${move.label}: ${item.title}`}
            onClick={() => onMove(item, move.to)}
          >
            {pinned ? move.label : move.short}
          </Button>
        )}
        <Button variant="quiet" aria-label={`View Details: ${item.title}`} onClick={() => onDetails(item)}>
          <Eye aria-hidden="true" size={14} />
          {small ? <span className="sr-only">View Details</span> : 'View Details'}
        </Button>
        {onMove && !item.optional && <MoveMenu item={item} onMove={onMove} className="ml-auto" />}
      </div>
    </article>
  );
});
