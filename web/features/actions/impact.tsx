import { ChevronsUp, ChevronUp, Minus } from 'lucide-react';
import type { ActionView } from '../../../src/http/contract/actions.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { Tone } from '../../ui/Notice.tsx';
import { titleCase } from '../../ui/wording.ts';

const TONES: Record<ActionView['impact'], Tone> = { high: 'bad', medium: 'attention', low: 'info' };
const ICONS = { high: ChevronsUp, medium: ChevronUp, low: Minus };
const ORDER: readonly string[] = ['high', 'medium', 'low'];

export function ImpactBadge({ impact }: { impact: ActionView['impact'] }) {
  const Icon = ICONS[impact] ?? Minus;
  return (
    <Badge tone={TONES[impact] ?? 'plain'}>
      <Icon aria-hidden="true" size={12} strokeWidth={2.5} />
      {titleCase(impact)} impact
    </Badge>
  );
}

const STATUS_NAMES: Record<ActionView['status'], string> = { todo: 'Todo', 'in-progress': 'In Progress', completed: 'Completed' };

export function statusName(status: ActionView['status']): string {
  return STATUS_NAMES[status] ?? STATUS_NAMES.todo;
}

/** High impact first, unknown last; within one impact the order that came. */
export function byImpact(actions: readonly ActionView[]): ActionView[] {
  const rank = (action: ActionView): number => {
    const place = ORDER.indexOf(action.impact);
    return place < 0 ? ORDER.length : place;
  };
  return [...actions].sort((a, b) => rank(a) - rank(b));
}
