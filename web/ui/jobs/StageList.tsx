import { Check } from 'lucide-react';

interface JobStage {
  readonly step: string;
  readonly label: string;
  readonly state: 'waiting' | 'running' | 'done';
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

export function StageList({ stages }: { stages: readonly JobStage[] }) {
  return (
    <ol aria-label="Stages" className="mt-4 grid grid-cols-2 gap-x-1.5 gap-y-3 sm:grid-cols-4">
      {stages.map((stage) => (
        <Stage key={stage.step} stage={stage} />
      ))}
    </ol>
  );
}

const BARS = { done: 'border-good', running: 'border-accent', waiting: 'border-line' };
const TEXTS = { done: 'text-normal', running: 'font-medium text-strong', waiting: 'text-muted' };

/** A stage of the timeline: its bar, its name, and its duration. */
function Stage({ stage }: { stage: JobStage }) {
  const seconds =
    stage.started_at && stage.ended_at ? (Date.parse(stage.ended_at) - Date.parse(stage.started_at)) / 1000 : null;
  return (
    <li
      aria-current={stage.state === 'running' ? 'step' : undefined}
      className={`border-t-3 pt-1 text-sm ${BARS[stage.state]}`}
    >
      <span className={TEXTS[stage.state]}>{stage.label}</span>
      <span className="sr-only">, {stage.state}</span>
      {stage.state === 'done' && (
        <Check aria-hidden="true" size={12} strokeWidth={3} className="ml-1 inline text-good" />
      )}
      {seconds !== null && (
        <span className="ml-1 text-xs text-muted tabular-nums">
          {seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)}&nbsp;s
        </span>
      )}
    </li>
  );
}
