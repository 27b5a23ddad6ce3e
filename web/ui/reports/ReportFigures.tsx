import { Download } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { reportCsv } from '../../../src/model/reportCsv.ts';
import type { ReportStep, ReportTable } from '../../../src/model/reports.ts';
import { Button } from '../Button.tsx';
import { lazily } from '../lazily.ts';
import { Skeleton } from '../Skeleton.tsx';
import { saveFile } from '../saveFile.ts';
import { ReportRows } from './ReportRows.tsx';
import { drawnOf } from './reportSeries.ts';

const ReportChart = lazily(() => import('./ReportChart.tsx'), 'ReportChart');

interface ReportFiguresProps {
  table: ReportTable;
  /** Step of the chart's time axis. */
  by: ReportStep;
  /** Of the file, without extension: `revenue-by-month-2026-11-23`. */
  fileName: string;
  /** Heading level. */
  level?: 'h2' | 'h3';
  /** Replaces the rows, for tables with a custom view. The file stays the same. */
  children?: ReactNode;
}

/** A table of a report: its heading, chart, rows and download. */
export function ReportFigures({ table, by, fileName, level: Heading = 'h2', children }: ReportFiguresProps) {
  const { title, rows, note, chart } = table;
  const drawn = drawnOf(table, by);
  return (
    <section className="panel p-4">
      <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <Heading className="text-base">{title}</Heading>
        {rows.length > 0 && (
          <Button aria-label={`Download CSV: ${title}`} onClick={() => saveFile(`${fileName}.csv`, reportCsv(table))}>
            <Download aria-hidden="true" size={14} />
            Download CSV
          </Button>
        )}
      </header>
      {rows.length === 0 ? (
        <p className="text-muted">Nothing in this range.</p>
      ) : (
        <div className="space-y-4">
          {chart && drawn && (
            <Suspense fallback={<Skeleton className="h-56 w-full" />}>
              <ReportChart kind={chart.kind} drawn={drawn} />
            </Suspense>
          )}
          {children ?? <ReportRows title={title} columns={table.columns} rows={rows} />}
        </div>
      )}
      {note && <p className="mt-3 max-w-[70ch] text-sm text-muted">{note}</p>}
    </section>
  );
}
