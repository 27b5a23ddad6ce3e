import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonLook } from '../../../ui/Button.tsx';
import { paths } from '../../../ui/paths.ts';
import { count as counted } from '../../../ui/text/wording.ts';

const MOST_SHOWN = 3;

interface LockedCardsProps {
  count: number;
  shown: number;
  notice?: ReactNode;
}

/** Items that never left the server: blank cards in their place, and what to do. */
export function LockedCards({ count, shown, notice }: LockedCardsProps) {
  return (
    <section aria-label="Locked tasks" className="space-y-3 print:hidden">
      <div aria-hidden="true" className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-3">
        {Array.from({ length: Math.min(count, MOST_SHOWN) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
          <div key={index} className="grid h-24 place-items-center rounded-card border border-dashed border-line-strong/60 text-muted">
            <Lock size={18} />
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-info-line bg-info-soft px-4 py-3 text-info">
        <div>
          <p className="font-medium">
            Preview: {shown} of {shown + count} action items
          </p>
          <p>
            These are the ones with the highest impact. {counted(count, 'more item')} {count === 1 ? 'is' : 'are'} locked.
          </p>
        </div>
        {notice ?? (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Full access comes with a paid plan.
            <Link to={paths.account} className={buttonLook('secondary')}>
              See your plan
            </Link>
          </p>
        )}
      </div>
    </section>
  );
}
