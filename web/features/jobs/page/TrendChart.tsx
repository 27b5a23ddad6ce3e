import { useRef, useState } from 'react';
import { wholeScore } from '../../../../src/model/scores.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { useWidth } from '../../../ui/useWidth.ts';
import type { Run } from './runsApi.ts';

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

const HEIGHT = 224;
const LEFT = 36;
const RIGHT = 32;
const TOP = 8;
const BOTTOM = 28;
const TICKS = [0, 50, 100] as const;
const LABEL_WIDTH = 64;

const yOf = (score: number): number => TOP + (1 - score / 100) * (HEIGHT - TOP - BOTTOM);

/** Scores over time. Runs that are not comparable are points beside the line, never part of it. */
export function TrendChart({ runs }: { runs: readonly Run[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number | null>(null);
  const room = Math.max(1, width - LEFT - RIGHT);
  // A single run is in the middle.
  const xOf = (nth: number): number => LEFT + (runs.length > 1 ? (room * nth) / (runs.length - 1) : room / 2);
  const points = runs.flatMap(({ at, score, comparable }, nth) =>
    score === null ? [] : [{ nth, at, comparable, score: wholeScore(score) }],
  );
  const line = points.filter(({ comparable }) => comparable);
  // Runs on a single day are labeled by time instead.
  const sameDay = new Set(runs.map((run) => day.format(new Date(run.at)))).size === 1;
  const label = (at: string): string => (sameDay ? time : day).format(new Date(at));
  const every = Math.max(1, Math.ceil((runs.length * LABEL_WIDTH) / room));
  const shown = points.find(({ nth }) => nth === pointed);
  return (
    <div ref={frame} aria-hidden="true" className="relative h-56 overflow-hidden text-xs">
      <svg
        aria-hidden="true"
        className="absolute"
        width={width}
        height={HEIGHT}
        onPointerMove={({ nativeEvent: { offsetX } }) => setPointed(nearest(points, offsetX, xOf))}
        onPointerLeave={() => setPointed(null)}
      >
        {TICKS.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width - RIGHT / 2} y1={yOf(tick)} y2={yOf(tick)} stroke="var(--color-line)" />
            <text x={LEFT - 8} y={yOf(tick)} dy="0.32em" textAnchor="end" fill="var(--color-muted)">
              {tick}
            </text>
          </g>
        ))}
        {runs.map(
          ({ jobId, at }, nth) =>
            nth % every === 0 && (
              <text key={jobId} x={xOf(nth)} y={HEIGHT - 8} textAnchor="middle" fill="var(--color-muted)">
                {label(at)}
              </text>
            ),
        )}
        <polyline
          data-line="score"
          points={line.map(({ nth, score }) => `${xOf(nth)},${yOf(score)}`).join(' ')}
          fill="none"
          stroke="var(--color-accent)"
          strokeWidth={2}
        />
        {points.map(({ nth, score, comparable }) => (
          <circle
            key={nth}
            cx={xOf(nth)}
            cy={yOf(score)}
            r={nth === pointed ? 5 : 4}
            fill={comparable ? 'var(--color-accent)' : 'var(--color-card)'}
            stroke={comparable ? 'var(--color-card)' : 'var(--color-muted)'}
            strokeWidth={1.5}
          />
        ))}
      </svg>
      {shown && (
        <p
          className="pointer-events-none absolute z-10 rounded-control border border-line bg-raised px-2 py-1 whitespace-nowrap shadow-float"
          style={{
            top: Math.min(yOf(shown.score) + 8, HEIGHT - 40),
            ...(xOf(shown.nth) > width / 2 ? { right: width - xOf(shown.nth) + 8 } : { left: xOf(shown.nth) + 8 }),
          }}
        >
          <strong className="font-semibold text-strong tabular-nums">{shown.score}</strong>{' '}
          <span className="text-muted">{exactTime(shown.at)}</span>
        </p>
      )}
    </div>
  );
}

/** Place of the point that is nearest to `x`. */
function nearest(points: readonly { readonly nth: number }[], x: number, xOf: (nth: number) => number): number | null {
  let found: number | null = null;
  for (const { nth } of points) if (found === null || Math.abs(xOf(nth) - x) < Math.abs(xOf(found) - x)) found = nth;
  return found;
}
