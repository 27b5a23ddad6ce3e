import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { focusText } from '../../../ui/focus/focusText.ts';
import { count } from '../../../ui/text/wording.ts';
import { ImpactMark } from '../page/ImpactMark.tsx';
import { points } from '../page/points.ts';
import { IssueDetail, type IssueDetailProps } from './IssueDetail.tsx';
import { ReachBar } from './IssueRow.tsx';
import { reachOf } from './reach.ts';

interface IssuePanelProps extends IssueDetailProps {
  id: string;
  /** Pages of the audit; null where only some of them are shown. */
  of: number | null;
  /** Whether there is an issue before and after it. */
  steps: { readonly previous: boolean; readonly next: boolean };
  /** A new number moves the focus in. */
  wish: number;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

/** The opened issue beside the list. It scrolls by itself and stays in view. */
export function IssuePanel({ id, of, steps, wish, onStep, onClose, ...detail }: IssuePanelProps) {
  const { checkId, title, impact, hint, points: cost } = detail.cause;
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another issue begins at its top.
  useEffect(() => {
    if (content.current) content.current.scrollTop = 0;
  }, [checkId]);
  useEffect(() => {
    if (wish > 0) focusText(heading.current);
  }, [wish]);
  const reach = reachOf(detail.cause, of, detail.only.page !== undefined);
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="flex max-h-[calc(100dvh-6rem)] min-w-0 flex-col panel lg:sticky lg:top-18 print:static print:max-h-none"
    >
      <header className="border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <ImpactMark impact={impact} hint={hint} />
          <span className="flex min-w-0 items-center gap-2 truncate text-sm text-muted tabular-nums">
            {reach.share !== null && <ReachBar share={reach.share} />}
            {reach.text}
            {cost > 0 && !detail.only.page && ` · −${count(Number(points(cost)), 'point')}`}
          </span>
          <span className="ml-auto flex shrink-0 print:hidden">
            <Button variant="quiet" inactive={!steps.previous} aria-label="Previous issue" onClick={() => onStep(-1)}>
              <ChevronUp aria-hidden="true" size={16} />
            </Button>
            <Button variant="quiet" inactive={!steps.next} aria-label="Next issue" onClick={() => onStep(1)}>
              <ChevronDown aria-hidden="true" size={16} />
            </Button>
            <Button variant="quiet" aria-label="Close" onClick={onClose}>
              <X aria-hidden="true" size={16} />
            </Button>
          </span>
        </div>
        <h3 ref={heading} id={`${id}-title`} className="mt-1 text-lg wrap-anywhere">
          {title}
        </h3>
      </header>
      <div ref={content} className="min-h-0 overflow-y-auto px-4 py-3 print:overflow-visible">
        <IssueDetail {...detail} />
      </div>
    </section>
  );
}
