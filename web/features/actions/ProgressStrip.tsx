import { clsx } from 'clsx';
import { CircleDot, Clock, type LucideIcon, Zap } from 'lucide-react';
import { useId } from 'react';
import { hoursText, type Stats } from './progress.ts';

/** Progress above a list: the total, and the counts in progress, done and left. */
export function ProgressStrip({ stats, className }: { stats: Stats; className?: string }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx(
        'grid gap-x-8 gap-y-4 panel p-4 lg:grid-cols-[minmax(220px,1.2fr)_repeat(3,minmax(0,1fr))]',
        className,
      )}
    >
      <div className="col-span-full lg:col-span-1">
        <div className="flex items-baseline justify-between gap-2">
          <h2 id={id} className="text-sm font-medium text-muted">
            Overall Progress
          </h2>
          <span className="text-xl font-semibold text-strong tabular-nums">{stats.completionPercentage}%</span>
        </div>
        <progress aria-labelledby={id} max={100} value={stats.completionPercentage} className="mt-2" />
        <p className="mt-1 text-sm text-muted tabular-nums">
          {stats.completedActions} of {stats.totalActions} tasks
        </p>
      </div>
      <dl className="col-span-full grid grid-cols-3 gap-x-4 lg:col-span-3 lg:gap-x-8">
        <Counter icon={CircleDot} name="In Progress" value={String(stats.inProgressActions)} />
        <Counter icon={Zap} name="High Impact Done" value={String(stats.highImpactCompleted)} />
        <Counter icon={Clock} name="Time Remaining" value={hoursText(stats.estimatedTimeRemaining)} />
      </dl>
    </section>
  );
}

function Counter({ icon: Icon, name, value }: { icon: LucideIcon; name: string; value: string }) {
  return (
    <div className="flex flex-col justify-between lg:justify-start lg:border-l lg:border-line lg:pl-6">
      <dt className="flex items-center gap-1.5 text-sm text-muted">
        <Icon aria-hidden="true" size={14} className="shrink-0 max-sm:hidden" />
        {name}
      </dt>
      <dd className={clsx('mt-1 text-xl tabular-nums', value === '0' ? 'text-muted' : 'font-semibold text-strong')}>
        {value}
      </dd>
    </div>
  );
}
