import type { ReactNode } from 'react';
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { cutMiddle } from '../text/wording.ts';
import type { Drawn, Series } from './reportSeries.ts';
import { axisText, valueText } from './reportText.ts';

/** Each series has its own color and, for lines, its own pattern, so that color is never the only cue. */
const SERIES_STYLES = [
  { colour: 'var(--color-accent)', dash: '' },
  { colour: 'var(--color-caution)', dash: '6 3' },
  { colour: 'var(--color-good)', dash: '2 3' },
  { colour: 'var(--color-info)', dash: '10 4' },
  { colour: 'var(--color-bad)', dash: '8 3 2 3' },
  { colour: 'var(--color-muted)', dash: '1 4' },
] as const;

const styleOf = (nth: number) => SERIES_STYLES[nth % SERIES_STYLES.length] ?? SERIES_STYLES[0];
const DOTS_UP_TO = 40;
const MARGIN = { top: 8, right: 16, bottom: 0, left: 0 };

const HEIGHT = 224;
/** For horizontal bars: the height of a category, and of each bar in it. */
const PLACE_HEIGHT = 16;
const BAR_HEIGHT = 12;
const AXIS_HEIGHT = 48;
/** Maximum length of the labels of horizontal bars. */
const NAME_LENGTH = 22;

/**
 * Hidden from screen readers, since the table beside it has the same data. Bars of named categories are horizontal, so
 * that all names fit.
 */
export function ReportChart({ kind, drawn }: { kind: 'line' | 'bar'; drawn: Drawn }) {
  const { series, points } = drawn;
  const shared = { data: [...points], margin: MARGIN, accessibilityLayer: false };
  const lies = kind === 'bar' && drawn.x.kind === 'text';
  const height = lies
    ? Math.max(HEIGHT / 2, AXIS_HEIGHT + points.length * (PLACE_HEIGHT + series.length * BAR_HEIGHT))
    : HEIGHT;
  return (
    <div aria-hidden="true" className="text-xs">
      {series.length > 1 && <Legend kind={kind} series={series} />}
      <div style={{ height }}>
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 480, height }}>
          {kind === 'line' ? (
            <LineChart {...shared}>
              {axesOf(drawn)}
              {series.map(({ key }, nth) => (
                <Line
                  key={key}
                  dataKey={(point) => point[key]}
                  name={key}
                  type="linear"
                  stroke={styleOf(nth).colour}
                  strokeWidth={2}
                  strokeDasharray={styleOf(nth).dash}
                  dot={points.length <= DOTS_UP_TO ? { r: 3, fill: styleOf(nth).colour, strokeWidth: 0 } : false}
                  isAnimationActive={false}
                />
              ))}
            </LineChart>
          ) : (
            <BarChart {...shared} layout={lies ? 'vertical' : 'horizontal'}>
              {lies ? lyingAxesOf(drawn) : axesOf(drawn)}
              {series.map(({ key }, nth) => (
                <Bar
                  key={key}
                  dataKey={(point) => point[key]}
                  name={key}
                  fill={styleOf(nth).colour}
                  maxBarSize={40}
                  radius={2}
                  isAnimationActive={false}
                />
              ))}
            </BarChart>
          )}
        </ResponsiveContainer>
      </div>
    </div>
  );
}

/** Shared by line and bar charts; an array rather than a component, since recharts only detects direct children. */
function axesOf(drawn: Drawn): ReactNode[] {
  const { x } = drawn;
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--color-line)" />,
    <XAxis
      key="x"
      dataKey="x"
      tickFormatter={(value: string) =>
        x.kind === 'date' ? valueText('date', value, null).replace(/, \d{4}$/, '') : cutMiddle(value, 16)
      }
      tickLine={false}
      stroke="var(--color-muted)"
      axisLine={{ stroke: 'var(--color-line)' }}
      minTickGap={24}
    />,
    <YAxis key="y" width={64} {...valuesOf(drawn)} />,
    tooltipOf(drawn),
  ];
}

function lyingAxesOf(drawn: Drawn): ReactNode[] {
  return [
    <CartesianGrid key="grid" horizontal={false} stroke="var(--color-line)" />,
    <XAxis key="x" type="number" {...valuesOf(drawn)} />,
    <YAxis
      key="y"
      type="category"
      dataKey="x"
      width={116}
      interval={0}
      tickFormatter={(value: string) => cutMiddle(value, NAME_LENGTH)}
      tickLine={false}
      stroke="var(--color-muted)"
      axisLine={{ stroke: 'var(--color-line)' }}
    />,
    tooltipOf(drawn),
  ];
}

/** Value axis. With several currencies it names none, as one would be wrong for the others. */
function valuesOf({ series: [first, ...more] }: Drawn) {
  const isMixed = more.some(({ currency }) => currency !== first?.currency);
  return {
    allowDecimals: first?.kind !== 'count',
    tickFormatter: (value: number) => {
      if (!first) return String(value);
      return isMixed ? axisText('number', value / 100, null) : axisText(first.kind, value, first.currency);
    },
    tickLine: false,
    axisLine: false,
    stroke: 'var(--color-muted)',
  } as const;
}

function tooltipOf({ x, series }: Drawn): ReactNode {
  return (
    <Tooltip
      key="tooltip"
      cursor={{ fill: 'var(--color-inset)', stroke: 'var(--color-line)' }}
      isAnimationActive={false}
      content={({ payload, active }) => {
        const point: unknown = payload?.[0]?.payload;
        return active && isPoint(point) ? (
          <PointTooltip at={valueText(x.kind, point.x ?? null, null)} series={series} point={point} />
        ) : null;
      }}
    />
  );
}

const isPoint = (value: unknown): value is Readonly<Record<string, string | number | null>> =>
  typeof value === 'object' && value !== null;

function PointTooltip({
  at,
  series,
  point,
}: {
  at: string;
  series: readonly Series[];
  point: Readonly<Record<string, string | number | null>>;
}) {
  return (
    <div className="rounded-control border border-line bg-raised px-2 py-1 shadow-float">
      <p className="text-muted">{at}</p>
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

function Legend({ kind, series }: { kind: 'line' | 'bar'; series: readonly Series[] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-normal">
      {series.map(({ key, label }, nth) => {
        const { colour, dash } = styleOf(nth);
        return (
          <li key={key} className="flex items-center gap-1.5">
            <svg aria-hidden="true" width="20" height="8">
              {kind === 'line' ? (
                <path d="M0 4h20" stroke={colour} strokeWidth="2" strokeDasharray={dash} />
              ) : (
                <rect width="8" height="8" x="6" rx="2" fill={colour} />
              )}
            </svg>
            {label}
          </li>
        );
      })}
    </ul>
  );
}
