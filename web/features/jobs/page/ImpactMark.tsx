import { ChevronsUp, ChevronUp, Lightbulb, Minus } from 'lucide-react';
import type { Impact } from '../../../../src/http/contract/findings.ts';
import { Badge } from '../../../ui/Badge.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { titleCase } from '../../../ui/text/wording.ts';

const TONES: Record<Impact, Tone> = { high: 'bad', medium: 'attention', low: 'info' };
const ICONS = { high: ChevronsUp, medium: ChevronUp, low: Minus };

interface ImpactMarkProps {
  impact: Impact;
  hint: boolean;
  /** Leaves the word to screen readers where space is limited. */
  wordClassName?: string;
}

/** How much an issue weighs, with a word and an icon besides the color; a suggestion weighs nothing. */
export function ImpactMark({ impact, hint, wordClassName }: ImpactMarkProps) {
  const Icon = hint ? Lightbulb : ICONS[impact];
  return (
    <Badge tone={hint ? 'plain' : TONES[impact]}>
      <Icon aria-hidden="true" size={12} strokeWidth={2.5} />
      <span className={wordClassName}>{hint ? 'Optional' : titleCase(impact)}</span>
    </Badge>
  );
}
