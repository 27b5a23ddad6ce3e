import type { ReactNode } from 'react';
import { Badge } from '../../ui/Badge.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { dayOf } from '../../ui/text/time.ts';

interface WayInRowProps {
  way: { readonly id: string; readonly added_at: string; readonly last_used_at: string | null };
  name: string;
  badge: string | null;
  /** What can be done with it. */
  children: ReactNode;
}

/** A passkey or an identity in its list. */
export function WayInRow({ way: { id, added_at, last_used_at }, name, badge, children }: WayInRowProps) {
  return (
    <li data-row={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-strong">
          <span className="wrap-anywhere">{name}</span>
          {badge && <Badge tone="plain">{badge}</Badge>}
        </p>
        <p className="text-sm text-muted">
          Added {dayOf(added_at)} ·{' '}
          {last_used_at ? (
            <>
              last used <RelativeTime iso={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      <div className="flex gap-2">{children}</div>
    </li>
  );
}
