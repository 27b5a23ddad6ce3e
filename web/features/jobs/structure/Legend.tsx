import { clsx } from 'clsx';
import type { ColorBy } from './address.ts';
import { inkOf, type Level, levelNames, type Means, surfaceOf } from './levels.ts';

const LEVELS: readonly Level[] = [0, 1, 2, 3];

/** Of each level: the outline of its shape in a square of 12. The graph draws the same. */
const SHAPES: Readonly<Record<Level, string>> = {
  0: 'M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8z',
  1: 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  2: 'M1.5 1.5h9v9h-9z',
  3: 'M6 0l6 6l-6 6l-6-6z',
};

interface LegendProps {
  /** Surfaces of folders, or shapes of pages. */
  of: 'folders' | 'pages';
  by: ColorBy;
  means: Means;
  /** What has none of the levels, if there is any. */
  unknown?: string | false;
  /** Said before the levels: what they leave out. */
  without?: string | false;
}

export function Legend({ of, by, means, unknown, without }: LegendProps) {
  const names = levelNames(by, of, means);
  return (
    <ul aria-label="Colors" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
      {without && <li>{without}</li>}
      {LEVELS.slice(0, names.length).map((level) => (
        <li key={level} className="flex items-center gap-1.5">
          {of === 'folders' ? <Swatch by={by} level={level} /> : <Shape by={by} level={level} />}
          {names[level]}
        </li>
      ))}
      {unknown && (
        <li className="flex items-center gap-1.5">
          {of === 'folders' ? <Swatch by={by} level={null} /> : <Shape by={by} level={null} />}
          {unknown}
        </li>
      )}
    </ul>
  );
}

export function Swatch({ by, level }: { by: ColorBy; level: Level | null }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('inline-block size-3 shrink-0 rounded-[3px] border border-line-strong/60', patternOf(level))}
      style={{ backgroundColor: surfaceOf(by, level) }}
    />
  );
}

/** Small surfaces have no room for words. */
export const patternOf = (level: Level | null): string | undefined =>
  level === 3 ? 'hatch-dense' : level === 2 ? 'hatch' : level === null ? 'dots' : undefined;

function Shape({ by, level }: { by: ColorBy; level: Level | null }) {
  const ink = inkOf(by, level);
  const hollow = level === 0 || level === null;
  return (
    <svg aria-hidden="true" width="12" height="12" className="shrink-0">
      <path
        d={SHAPES[level ?? 0]}
        style={{ fill: hollow ? 'var(--color-card)' : ink, stroke: ink }}
        strokeWidth={hollow ? 2 : 0}
        strokeDasharray={level === null ? '2 2' : undefined}
      />
    </svg>
  );
}
