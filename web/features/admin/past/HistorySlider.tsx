import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { StepsResponse } from '../../../../src/http/contract/admin/past.ts';
import { Button } from '../../../ui/Button.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { grouped } from '../../../ui/text/wording.ts';

type Steps = Pick<StepsResponse, 'data' | 'earlier'>;

/**
 * Debounce, in ms: the thumb passes more moments than a server should be asked for, and more addresses than browsers
 * let a page set.
 */
const DEBOUNCE_MS = 120;

interface HistorySliderProps {
  steps: Steps;
  /** The position or time in the address, or '' for now. */
  asked: string;
  /** The moment shown. */
  position: string;
  onMove: (at: string) => void;
}

/**
 * Steps through a stream's events with the browser's own slider and its keys. It runs ahead of what is shown, which
 * follows once it rests.
 */
export function HistorySlider({ steps: { data: steps, earlier }, asked, position, onMove }: HistorySliderProps) {
  const label = useId();
  const [chosen, choose] = useDebounced(asked, onMove);
  const at = steps.findLastIndex((step) => step.position <= (chosen ?? position));
  const step = steps[at];
  const move = (to: number): void => {
    const next = steps[to];
    if (next && to !== at) choose(next.position);
  };
  if (steps.length === 0) return null;
  const words = step ? `${step.title}, by ${step.by}` : 'Before its first event';
  return (
    <section aria-label="Timeline" className="space-y-1 panel p-4">
      <p id={label} className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="font-medium text-strong wrap-anywhere">{words}</span>
        <span className="text-muted tabular-nums">
          {step ? `${exactTime(step.at, 'seconds')} · ` : ''}
          {grouped(at + 1)} of {grouped(steps.length)}
          {earlier && ', the newest'}
        </span>
      </p>
      <div className="flex items-center gap-2">
        <Button variant="quiet" aria-label="Earlier" inactive={at <= 0} onClick={() => move(at - 1)}>
          <ChevronLeft aria-hidden="true" size={16} />
        </Button>
        <input
          type="range"
          min={at === -1 ? -1 : 0}
          max={steps.length - 1}
          step={1}
          value={at}
          aria-label="Event"
          aria-valuetext={step ? `${words}, ${exactTime(step.at, 'seconds')}` : words}
          onChange={({ target }) => move(Number(target.value))}
          className="h-8 min-w-0 flex-1 cursor-pointer accent-accent pointer-coarse:h-11"
        />
        <Button variant="quiet" aria-label="Later" inactive={at >= steps.length - 1} onClick={() => move(at + 1)}>
          <ChevronRight aria-hidden="true" size={16} />
        </Button>
      </div>
    </section>
  );
}

/** The last choice; null when there is none, or when the address has changed to something else since. */
function useDebounced(asked: string, onSettled: (chosen: string) => void) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const [seen, setSeen] = useState(asked);
  const latest = useRef(onSettled);
  useEffect(() => {
    latest.current = onSettled;
  });
  if (asked !== seen) {
    setSeen(asked);
    // The echo of a reported choice may arrive after the thumb has moved on.
    if (asked !== sent) {
      setChosen(null);
      setSent(null);
    }
  }
  useEffect(() => {
    if (chosen === null || chosen === sent) return undefined;
    const timer = setTimeout(() => {
      setSent(chosen);
      latest.current(chosen);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [chosen, sent]);
  return [chosen, setChosen] as const;
}
