import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { useWidth } from '../useWidth.ts';
import { HEIGHT, numberAt, PointTooltip, placeText, styleOf, valueAxis, widthOf } from './chartParts.tsx';
import type { Drawn } from './reportSeries.ts';
import { valueText } from './reportText.ts';
import { everyNth } from './ticks.ts';

const MOST_BAR = 40;
const AXIS_HEIGHT = 28;
const TOP = 8;
const RIGHT = 8;
const LABEL_SPACE = 20;

/** Bars of dates stand side by side; those of names lie below each other, where there is room for the whole name. */
export function BarChart({ drawn }: { drawn: Drawn }) {
  return drawn.x.kind === 'text' ? <LyingBars drawn={drawn} /> : <StandingBars drawn={drawn} />;
}

function LyingBars({ drawn: { x, series, points } }: { drawn: Drawn }) {
  const most = points.reduce(
    (all, point) => series.reduce((high, each) => Math.max(high, Math.abs(numberAt(point, each) ?? 0)), all),
    0,
  );
  return (
    <ul className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-3 gap-y-1.5">
      {points.map((point, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: points keep their order.
        <li key={nth} className="col-span-2 grid grid-cols-subgrid items-center">
          <span className="text-right wrap-anywhere text-normal">{valueText(x.kind, point.x ?? null, null)}</span>
          <span className="min-w-0 space-y-0.5">
            {series.map((each, at) => {
              const value = numberAt(point, each);
              return (
                <span key={each.key} className="flex items-center gap-2">
                  <span
                    className={clsx('h-3 min-w-px shrink-0 rounded-[2px]', (value ?? 0) < 0 && 'hatch-dense')}
                    style={{
                      // Beside it there is room for the value.
                      width: `calc((100% - 6rem) * ${most === 0 ? 0 : Math.abs(value ?? 0) / most})`,
                      backgroundColor: styleOf(at).color,
                    }}
                  />
                  <span className="whitespace-nowrap text-muted tabular-nums">
                    {valueText(each.kind, value, each.currency)}
                  </span>
                </span>
              );
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}

function StandingBars({ drawn }: { drawn: Drawn }) {
  const { series, points } = drawn;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number | null>(null);
  const { ticks, text } = valueAxis(drawn);
  const valueTexts = ticks.map(text);
  const left = Math.max(32, widthOf(valueTexts) + 12);
  const band = Math.max(0, width - left - RIGHT) / Math.max(1, points.length);
  const bar = Math.min(MOST_BAR, (band * 0.8) / Math.max(1, series.length));
  const [least, most] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const y = (value: number): number => TOP + ((most - value) / (most - least)) * (HEIGHT - TOP - AXIS_HEIGHT);
  const places = points.map((point) => placeText(drawn, point));
  const step = everyNth(points.length, width - left, widthOf(places) + LABEL_SPACE);
  const middle = (nth: number): number => left + band * (nth + 0.5);
  const point = pointed === null ? undefined : points[pointed];
  return (
    <div ref={frame} className="relative overflow-hidden" style={{ height: HEIGHT }}>
      <svg
        aria-hidden="true"
        className="absolute"
        width={width}
        height={HEIGHT}
        onPointerMove={({ nativeEvent: { offsetX } }) => {
          const nth = Math.floor((offsetX - left) / band);
          setPointed(nth >= 0 && nth < points.length ? nth : null);
        }}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick, nth) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--color-line)" />
            <text data-tick="value" x={left - 6} y={y(tick)} dy="0.32em" textAnchor="end" fill="var(--color-muted)">
              {valueTexts[nth]}
            </text>
          </g>
        ))}
        {pointed !== null && (
          <rect
            x={middle(pointed) - band / 2}
            y={TOP}
            width={band}
            height={HEIGHT - TOP - AXIS_HEIGHT}
            fill="var(--color-inset)"
          />
        )}
        {series.map((each, at) => (
          <g key={each.key} data-series={each.label} fill={styleOf(at).color}>
            {points.map((shown, nth) => {
              const value = numberAt(shown, each);
              if (value === null || value === 0) return null;
              return (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: points keep their order.
                  key={nth}
                  x={middle(nth) + bar * (at - series.length / 2)}
                  y={Math.min(y(0), y(value))}
                  width={Math.max(1, bar - 1)}
                  height={Math.max(1, Math.abs(y(value) - y(0)))}
                  rx={Math.min(2, bar / 4)}
                />
              );
            })}
          </g>
        ))}
        {places.map(
          (place, nth) =>
            nth % step === 0 && (
              <text
                // biome-ignore lint/suspicious/noArrayIndexKey: points keep their order.
                key={nth}
                x={middle(nth)}
                y={HEIGHT - 8}
                textAnchor="middle"
                fill="var(--color-muted)"
              >
                {place}
              </text>
            ),
        )}
      </svg>
      {point && <PointTooltip drawn={drawn} point={point} at={middle(pointed ?? 0)} width={width} />}
    </div>
  );
}
