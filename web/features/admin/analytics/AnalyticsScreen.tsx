import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ReportFigures } from '../../../ui/reports/ReportFigures.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { type Analytics, useGetAnalyticsQuery } from './analyticsApi.ts';
import { CohortsTable } from './CohortsTable.tsx';
import { RangeChooser } from './RangeChooser.tsx';
import { addressOf, dayBefore, shownIn } from './range.ts';

/** Sign-ups, retention and revenue. The range is kept in the address. */
export function AnalyticsScreen() {
  const [address, setAddress] = useSearchParams();
  const now = Date.now();
  const shown = shownIn(address, now);
  const { from, to, by } = shown;
  const query = useGetAnalyticsQuery({ from, to, by }, ADMIN_POLLING);
  // Data of another range must not appear under this range's dates, nor in the download.
  const { currentData: data, isError, isFetching, refetch } = query;
  const isReading = !isError && (data?.sections.some(({ progress }) => progress !== null) ?? false);
  useEffect(() => {
    if (isReading && !isFetching) void refetch();
  }, [isReading, isFetching, refetch]);
  return (
    <div className="space-y-6">
      <RangeChooser
        shown={shown}
        today={dayBefore(now, 0)}
        onRange={(range, dates) => setAddress(addressOf(range, dates, null), { replace: true })}
        onStep={(step) => setAddress(addressOf(shown.range, shown, step), { replace: true })}
      />
      <AdminAnswer query={{ ...query, data }} title="Failed to load analytics" textOf={failureText}>
        {({ as_of, by: step, sections }) => (
          <>
            {sections.map((section) => (
              <Section
                key={section.name}
                section={section}
                by={step}
                range={[from ?? 'start', to ?? as_of.slice(0, 10)].join('-to-')}
              />
            ))}
            <p className="text-sm text-muted">
              Days are UTC. Read from the log <RelativeTime iso={as_of} />.
            </p>
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

const failureText = (status: number, message: string): string =>
  status === 0 ? 'The server did not answer.' : message || `The server answered ${status}.`;

interface SectionProps {
  section: Analytics['sections'][number];
  by: Analytics['by'];
  range: string;
}

function Section({ section: { name, title, description, tables, note, progress }, by, range }: SectionProps) {
  const id = `analytics-${name}`;
  return (
    <section aria-labelledby={id} className="space-y-3">
      <header>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <p className="max-w-[70ch] text-sm text-muted">{description}</p>
      </header>
      {note !== null && <p className="max-w-[70ch] text-sm text-muted">{note}</p>}
      {progress && <Reading progress={progress} />}
      {tables.map((table) => (
        <ReportFigures key={table.name} level="h3" table={table} by={by} fileName={`${name}-${table.name}-${range}`}>
          {name === 'cohorts' && table.name === 'by-week' ? <CohortsTable {...table} /> : undefined}
        </ReportFigures>
      ))}
    </section>
  );
}

/** The first read of a long log takes a while; progress is kept. */
function Reading({
  progress: { done, seconds_left },
}: {
  progress: NonNullable<Analytics['sections'][number]['progress']>;
}) {
  const left = seconds_left === null ? '' : `, about ${seconds_left} s left`;
  return (
    <div role="status" className="panel p-4">
      <p className="mb-2 text-sm text-muted tabular-nums">
        Reading the log: {Math.floor(done * 100)}%{left}
      </p>
      <progress value={done} max={1} aria-label="Reading the log" className="text-accent" />
    </div>
  );
}
