import { Lock } from 'lucide-react';
import { count as counted } from '../../../ui/text/wording.ts';

interface LockedNoteProps {
  /** Items that never left the server. */
  count: number;
  shown: number;
  /** Whether the reader is the owner, whose plan it is about. */
  own: boolean;
}

/** Says once that there are more items than the plan lets out. Nothing is offered here while no plan can be bought. */
export function LockedNote({ count, shown, own }: LockedNoteProps) {
  const plan = own ? `Free plan: the first ${counted(shown, 'task')} of each audit. More will come with paid plans.` : 'This link shows the top tasks only.';
  return (
    <section aria-label="Locked tasks" className="flex gap-2 rounded-card border border-line bg-card px-4 py-3 print:hidden">
      <Lock aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-muted" />
      <p>
        <span className="font-medium text-strong tabular-nums">
          {shown} unlocked of {shown + count}.
        </span>{' '}
        {plan}
      </p>
    </section>
  );
}
