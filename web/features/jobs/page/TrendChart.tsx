import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { wholeScore } from '../../../../src/model/scores.ts';
import { exactTime } from '../../../ui/text/time.ts';
import type { Run } from './runsApi.ts';

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

/** Scores over time. Runs that are not comparable are points beside the line, never part of it. */
export function TrendChart({ runs }: { runs: readonly Run[] }) {
  const data = runs.map((run, index) => ({
    index,
    at: run.at,
    score: run.comparable && run.score !== null ? wholeScore(run.score) : null,
    other: run.comparable || run.score === null ? null : wholeScore(run.score),
  }));
  // Runs on a single day are labeled by time instead.
  const sameDay = new Set(runs.map((run) => day.format(new Date(run.at)))).size === 1;
  const label = (index: number): string => {
    const at = data[index]?.at;
    return at ? (sameDay ? time : day).format(new Date(at)) : '';
  };
  return (
    <div aria-hidden="true" className="h-56 text-xs">
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 480, height: 224 }}>
        <LineChart data={data} margin={{ top: 8, right: 16, bottom: 0, left: -16 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="index"
            tickFormatter={label}
            tickLine={false}
            stroke="var(--color-muted)"
            axisLine={{ stroke: 'var(--color-line)' }}
            minTickGap={32}
          />
          <YAxis domain={[0, 100]} ticks={[0, 50, 100]} tickLine={false} axisLine={false} stroke="var(--color-muted)" />
          <Tooltip
            content={(shown) => <PointTooltip at={shown.payload?.[0]?.payload?.at} score={shown.payload?.[0]?.value} />}
            isAnimationActive={false}
          />
          <Line
            dataKey="score"
            type="linear"
            connectNulls
            stroke="var(--color-accent)"
            strokeWidth={2}
            dot={{ r: 4, fill: 'var(--color-accent)', strokeWidth: 0 }}
            activeDot={{ r: 5 }}
            isAnimationActive={false}
          />
          <Line
            dataKey="other"
            stroke="none"
            dot={{ r: 4, fill: 'var(--color-card)', stroke: 'var(--color-muted)', strokeWidth: 1.5 }}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

function PointTooltip({ at, score }: { at: unknown; score: unknown }) {
  if (typeof at !== 'string' || typeof score !== 'number') return null;
  return (
    <p className="rounded-control border border-line bg-raised px-2 py-1 shadow-float">
      <strong className="font-semibold text-strong tabular-nums">{score}</strong>{' '}
      <span className="text-muted">{exactTime(at)}</span>
    </p>
  );
}
