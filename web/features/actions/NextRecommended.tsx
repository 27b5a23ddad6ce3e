import { clsx } from 'clsx';
import { Flag } from 'lucide-react';

export function NextRecommended({ className }: { className?: string }) {
  return (
    <div className={clsx('flex gap-2 rounded-control border border-info-line bg-info-soft px-3 py-2 text-info', className)}>
      <Flag aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <div>
        <p className="font-medium">Next Recommended Action</p>
        <p>Complete 2 more high-impact actions to trigger AI citation improvements within the next 2 weeks.</p>
      </div>
    </div>
  );
}
