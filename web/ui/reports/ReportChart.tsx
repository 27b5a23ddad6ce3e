import { Suspense } from 'react';
import { lazily } from '../lazily.ts';
import { BarChart } from './BarChart.tsx';
import { HEIGHT, styleOf } from './chartParts.tsx';
import type { Drawn, Series } from './reportSeries.ts';

// Its library is only for lines.
const LineChart = lazily(() => import('./LineChart.tsx'), 'LineChart');

/** Hidden from screen readers, since the table beside it has the same data. */
export function ReportChart({ kind, drawn }: { kind: 'line' | 'bar'; drawn: Drawn }) {
  const { series } = drawn;
  return (
    <div aria-hidden="true" className="text-xs">
      {series.length > 1 && <Legend kind={kind} series={series} />}
      {kind === 'line' ? (
        <Suspense fallback={<div style={{ height: HEIGHT }} />}>
          <LineChart drawn={drawn} />
        </Suspense>
      ) : (
        <BarChart drawn={drawn} />
      )}
    </div>
  );
}

function Legend({ kind, series }: { kind: 'line' | 'bar'; series: readonly Series[] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-normal">
      {series.map(({ key, label }, nth) => {
        const { color, dash } = styleOf(nth);
        return (
          <li key={key} className="flex items-center gap-1.5">
            <svg aria-hidden="true" width="20" height="8">
              {kind === 'line' ? (
                <path d="M0 4h20" stroke={color} strokeWidth="2" strokeDasharray={dash.join(' ')} />
              ) : (
                <rect width="8" height="8" x="6" rx="2" fill={color} />
              )}
            </svg>
            {label}
          </li>
        );
      })}
    </ul>
  );
}
