/** What the charts of reports have in common. */
import { cutMiddle } from '../text/wording.ts';
import type { Drawn, Point, Series } from './reportSeries.ts';
import { axisText, valueText } from './reportText.ts';
import { ticksOf } from './ticks.ts';

/** Each series has its own color and, for lines, its own pattern, so that color is never the only cue. */
const SERIES_STYLES = [
  { color: 'var(--color-accent)', dash: [] },
  { color: 'var(--color-caution)', dash: [6, 3] },
  { color: 'var(--color-good)', dash: [2, 3] },
  { color: 'var(--color-info)', dash: [10, 4] },
  { color: 'var(--color-bad)', dash: [8, 3, 2, 3] },
  { color: 'var(--color-muted)', dash: [1, 4] },
] as const;

export const styleOf = (nth: number): { readonly color: string; readonly dash: readonly number[] } =>
  SERIES_STYLES[nth % SERIES_STYLES.length] ?? SERIES_STYLES[0];

export const HEIGHT = 224;

export const numberAt = (point: Point, { key }: Series): number | null => {
  const value = point[key];
  return typeof value === 'number' ? value : null;
};

/** Lines of the axis of values, each with its text. With several currencies it names none. */
export function valueAxis({ series, points }: Drawn): {
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
} {
  const [first, ...more] = series;
  let [least, most] = [0, 0];
  for (const point of points)
    for (const each of series) {
      const value = numberAt(point, each) ?? 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  const kind = first?.kind === 'count' ? 'whole' : first?.kind === 'duration' ? 'duration' : 'any';
  const isMixed = more.some(({ currency }) => currency !== first?.currency);
  return {
    ticks: ticksOf(least, most, kind),
    text: (value) => {
      if (!first) return String(value);
      return isMixed ? axisText('number', value / 100, null) : axisText(first.kind, value, first.currency);
    },
  };
}

/** Short text of a point's place on the axis. */
export function placeText({ x }: Drawn, point: Point | undefined): string {
  const value = String(point?.x ?? '');
  return x.kind === 'date' ? valueText('date', value, null).replace(/, \d{4}$/, '') : cutMiddle(value, 16);
}

/** Of the widest label, px: letters of 12 px are about so wide. */
export const widthOf = (texts: readonly string[]): number =>
  7 * texts.reduce((most, { length }) => Math.max(most, length), 0);

/** `at`: middle of the point, px from the left of the chart. */
export function PointTooltip({
  drawn: { x, series },
  point,
  at,
  width,
}: {
  drawn: Drawn;
  point: Point;
  at: number;
  width: number;
}) {
  const isRight = at > width / 2;
  return (
    <div
      className="pointer-events-none absolute top-1 z-10 rounded-control border border-line bg-raised px-2 py-1 whitespace-nowrap shadow-float"
      style={isRight ? { right: width - at + 8 } : { left: at + 8 }}
    >
      <p className="text-muted">{valueText(x.kind, point.x ?? null, null)}</p>
      {series.map(({ key, label, kind, currency }) => (
        <p key={key}>
          {label}{' '}
          <strong className="font-semibold text-strong tabular-nums">
            {valueText(kind, point[key] ?? null, currency)}
          </strong>
        </p>
      ))}
    </div>
  );
}
