import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { resolvedColors, useThemeChange } from '../resolvedColors.ts';
import { useWidth } from '../useWidth.ts';
import { HEIGHT, PointTooltip, placeText, styleOf, valueAxis, widthOf } from './chartParts.tsx';
import { lineData } from './lineData.ts';
import type { Drawn } from './reportSeries.ts';
import { everyNth } from './ticks.ts';

const DOTS_UP_TO = 40;
const FONT = '12px "Inter Variable", system-ui, sans-serif';
const LABEL_SPACE = 24;

/** Lines over time; nothing where there is no canvas to draw on. */
export function LineChart({ drawn }: { drawn: Drawn }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<{ readonly index: number; readonly at: number } | null>(null);
  const [theme, setTheme] = useState(0);
  useThemeChange(useCallback(() => setTheme((times) => times + 1), []));
  const data = useMemo(() => lineData(drawn), [drawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colors are those of the theme.
  useEffect(() => {
    const within = plot.current;
    if (!within || typeof CanvasRenderingContext2D === 'undefined') return;
    const options = optionsOf(drawn, { within, width, onPoint: setPointed });
    const chart = new uPlot(options, data, within);
    return () => chart.destroy();
  }, [drawn, data, width, theme]);
  const point = pointed && drawn.points[pointed.index];
  return (
    <div ref={frame} className="relative overflow-hidden" style={{ height: HEIGHT }}>
      <div ref={plot} className="absolute inset-0" />
      {point && <PointTooltip drawn={drawn} point={point} at={pointed.at} width={width} />}
    </div>
  );
}

interface Within {
  within: HTMLElement;
  width: number;
  onPoint: (pointed: { readonly index: number; readonly at: number } | null) => void;
}

function optionsOf(drawn: Drawn, { within, width, onPoint }: Within): uPlot.Options {
  const { series, points } = drawn;
  const { ticks, text } = valueAxis(drawn);
  const colors = resolvedColors(within, {
    line: 'var(--color-line)',
    muted: 'var(--color-muted)',
    ...Object.fromEntries(series.map((_, nth) => [`series ${nth}`, styleOf(nth).color])),
  }) as Readonly<Record<string, string>>;
  const axis = { font: FONT, stroke: colors.muted ?? '', ticks: { show: false } };
  const valueTexts = ticks.map(text);
  const places = points.map((point) => placeText(drawn, point));
  const step = everyNth(points.length, width - 64, widthOf(places) + LABEL_SPACE);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 16, 0, 0],
    scales: {
      // A single point is in the middle.
      x: { time: false, range: [points.length === 1 ? -1 : 0, Math.max(1, points.length - 1)] },
      y: { range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        gap: 8,
        grid: { show: false },
        border: { show: true, stroke: colors.line ?? '', width: 1 },
        splits: () => points.flatMap((_, index) => (index % step === 0 ? [index] : [])),
        values: (_, splits) => splits.map((index) => places[index] ?? ''),
      },
      {
        ...axis,
        size: Math.max(32, widthOf(valueTexts) + 12),
        gap: 6,
        grid: { stroke: colors.line ?? '', width: 1 },
        splits: () => [...ticks],
        values: () => valueTexts,
      },
    ],
    cursor: {
      drag: { setScale: false, x: false, y: false },
      y: false,
      points: { size: 8 },
    },
    series: [
      {},
      ...series.map(({ label }, nth): uPlot.Series => {
        const stroke = colors[`series ${nth}`] ?? '';
        return {
          label,
          stroke,
          width: 2,
          dash: [...styleOf(nth).dash],
          points: { show: points.length <= DOTS_UP_TO, size: 6, fill: stroke, width: 0 },
        };
      }),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx }, valToPos, over }) => {
          const isOver = typeof idx === 'number' && over.matches(':hover');
          onPoint(isOver ? { index: idx, at: over.offsetLeft + valToPos(idx, 'x') } : null);
        },
      ],
    },
  };
}
