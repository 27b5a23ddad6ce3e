import { CircleDot, Clock, type LucideIcon, SquareCheck, Zap } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { hoursText, type Stats } from './progress.ts';

/** Overall progress as a card, with what to do next at its bottom. */
export function ProgressCard({ stats, children }: { stats: Stats; children?: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="panel p-4">
      <h2 id={id} className="text-base">
        Progress Overview
      </h2>
      <div className="mt-3 flex items-baseline justify-between gap-2">
        <span id={`${id}-bar`} className="text-sm text-muted">
          Overall Completion
        </span>
        <span className="font-semibold text-strong tabular-nums">{stats.completionPercentage}%</span>
      </div>
      <progress aria-labelledby={`${id}-bar`} max={100} value={stats.completionPercentage} className="mt-1" />
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <Tile icon={SquareCheck} name="Completed" value={String(stats.completedActions)} />
        <Tile icon={CircleDot} name="In Progress" value={String(stats.inProgressActions)} />
        <Tile icon={Zap} name="High Impact Done" value={String(stats.highImpactCompleted)} />
        <Tile icon={Clock} name="Time Remaining" value={hoursText(stats.estimatedTimeRemaining)} />
      </dl>
      {children}
    </section>
  );
}

function Tile({ icon: Icon, name, value }: { icon: LucideIcon; name: string; value: string }) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 text-sm text-muted">
        <Icon aria-hidden="true" size={14} className="shrink-0" />
        {name}
      </dt>
      <dd className="font-semibold text-strong tabular-nums">{value}</dd>
    </div>
  );
}
