import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { selectUnlimited } from '../../../api/system.ts';
import { count as counted } from '../../../ui/text/wording.ts';

interface LockedNoteProps {
  /** Items withheld by the server. */
  count: number;
  shown: number;
  /** Whether the reader is the owner, whose plan applies. */
  own: boolean;
  /** The way to unlock the rest, if any. */
  unlock?: ReactNode;
}

/** Says once that there are more items than the plan includes, and offers to unlock them where that is possible. */
export function LockedNote({ count, shown, own, unlock }: LockedNoteProps) {
  const unlimited = useSelector(selectUnlimited);
  const ownText = unlimited
    ? 'This audit was made as a preview.'
    : `A free audit shows its first ${counted(shown, 'task')}.`;
  return (
    <section aria-label="Locked tasks" className="flex flex-wrap items-center gap-2 panel px-4 py-3 print:hidden">
      <Lock aria-hidden="true" size={16} className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1 basis-56">
        <span className="font-medium text-strong tabular-nums">
          {shown} of {shown + count} unlocked.
        </span>{' '}
        {own ? ownText : 'This link shows the top tasks only.'}
      </p>
      {unlock}
    </section>
  );
}
