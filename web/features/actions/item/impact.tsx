import { ChevronsUp, ChevronUp, Minus } from 'lucide-react';
import { Badge } from '../../../ui/Badge.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { titleCase } from '../../../ui/text/wording.ts';
import { statusName } from '../work.ts';
import { type ActionItem, type ActionStatus, impactPercent } from './actionItem.ts';

const TONES: Readonly<Record<string, Tone>> = { high: 'bad', medium: 'attention', low: 'info' };
const ICONS: Readonly<Record<string, typeof Minus>> = { high: ChevronsUp, medium: ChevronUp, low: Minus };

export function ImpactBadge({ item: { impact, optional } }: { item: Pick<ActionItem, 'impact' | 'optional'> }) {
  if (optional) return <Badge tone="plain">Optional</Badge>;
  const Icon = ICONS[impact] ?? Minus;
  return (
    <Badge tone={TONES[impact] ?? 'plain'}>
      <Icon aria-hidden="true" size={12} strokeWidth={2.5} />
      {titleCase(impact || 'unknown')} impact
    </Badge>
  );
}

export function StatusTag({ status }: { status: ActionStatus }) {
  return (
    <Badge tone={status === 'completed' ? 'good' : status === 'in-progress' ? 'info' : 'plain'}>
      {statusName(status)}
    </Badge>
  );
}

/** The impact as a share of the maximum; nothing when unknown. */
export function ImpactMeter({ impact }: { impact: string }) {
  const percent = impactPercent(impact);
  if (percent === null) return null;
  return (
    <span className="flex items-center gap-2">
      <progress aria-label="Impact" max={100} value={percent} className="max-w-32 flex-1" />
      <span className="tabular-nums">{percent}%</span>
    </span>
  );
}
