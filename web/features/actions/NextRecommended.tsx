import { clsx } from 'clsx';
import { Flag } from 'lucide-react';
import { Link } from 'react-router-dom';
import { FROM_LIST } from './board/address.ts';
import { byImpact } from './board/sorting.ts';
import type { ActionItem } from './item/actionItem.ts';

interface NextRecommendedProps {
  items: readonly ActionItem[];
  /** The task already on the screen. */
  open?: ActionItem;
  searchOf: (actionId: string) => string;
  className?: string;
}

/** The best next task for the owner; nothing when all are done. */
export function NextRecommended({ items, open, searchOf, className }: NextRecommendedProps) {
  const left = byImpact(items.filter(({ status }) => status !== 'completed'));
  const next = left.find(({ id }) => id !== open?.id);
  const high = left.filter(({ impact }) => impact === 'high').length;
  if (high < 2 && !next) return null;
  return (
    <div
      className={clsx('flex gap-2 rounded-control border border-info-line bg-info-soft px-3 py-2 text-info', className)}
    >
      <Flag aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">Next Recommended Action</p>
        {high < 2 && next ? (
          <Link
            to={{ search: searchOf(next.id) }}
            state={FROM_LIST}
            className="inline-block underline underline-offset-2 wrap-anywhere"
          >
            Do this next: {next.title}
          </Link>
        ) : (
          <p>Complete 2 more high-impact actions to trigger AI citation improvements within the next 2 weeks.</p>
        )}
      </div>
    </div>
  );
}
