import type { LucideIcon } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';

/** An empty list, and how to begin it. */
export function NoneYet({
  text,
  Icon,
  action,
  onClick,
}: {
  text: string;
  Icon: LucideIcon;
  action: string;
  onClick: () => void;
}) {
  return (
    <div className="rounded-card border border-line border-dashed px-4 py-8 text-center">
      <p className="mb-3">{text}</p>
      <Button variant="primary" onClick={onClick}>
        <Icon aria-hidden="true" size={14} />
        {action}
      </Button>
    </div>
  );
}
