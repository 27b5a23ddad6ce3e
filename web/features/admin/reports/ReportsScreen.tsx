import { useSearchParams } from 'react-router-dom';
import type { ReportProgress, ReportSummary, ReportView } from '../../../../src/http/contract/admin/reports.ts';
import { textOf } from '../../../api/failure.ts';
import { Card } from '../../../ui/Card.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ReportFigures } from '../../../ui/reports/ReportFigures.tsx';
import { dayOf, exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useRequested } from '../useRequested.ts';
import { ReportForm } from './ReportForm.tsx';
import { addressOf, commandOf, fileNameOf, isBackwards, type ReportRequest, requestIn } from './reportRequest.ts';
import { useGetReportQuery, useListReportsQuery } from './reportsApi.ts';

/** Delay before polling again after a progress response, in ms. */
const AGAIN_MS = 200;

/** Reports over the whole log; the choices are kept in the address. */
export function ReportsScreen() {
  const list = useListReportsQuery();
  return (
    <AdminAnswer
      query={list}
      title="Failed to load the reports"
      textOf={() => textOf(list.error, 'The server sent an unexpected response.')}
    >
      {(reports) => <Report reports={reports} />}
    </AdminAnswer>
  );
}

function Report({ reports }: { reports: readonly ReportSummary[] }) {
  const [address, setAddress] = useSearchParams();
  const asked = requestIn(address, reports[0]?.name ?? '');
  const [chosen, choose] = useRequested(asked, (next) => setAddress(addressOf(next), { replace: true }));
  return (
    <div className="space-y-4">
      <ReportForm asked={chosen} reports={reports} onAsk={choose} />
      {!isBackwards(asked) && <Result key={addressOf(asked).toString()} asked={asked} />}
      <Card title="In a terminal">
        <p className="mb-2 text-muted">The same figures, also as Markdown, JSON or Parquet, with no time limit:</p>
        <code className="block overflow-x-auto rounded-control bg-inset p-2 font-mono text-sm">{commandOf(asked)}</code>
      </Card>
    </div>
  );
}

function Result({ asked }: { asked: ReportRequest }) {
  const known = useGetReportQuery(asked);
  const running = known.data?.data === null && !known.error;
  const query = useGetReportQuery(asked, { pollingInterval: running ? AGAIN_MS : 0 });
  return (
    <AdminAnswer
      query={query}
      title="Failed to make the report"
      textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
    >
      {({ data, progress }) =>
        data ? (
          <Figures asked={asked} report={data} />
        ) : (
          <Progress progress={progress ?? { done: 0, seconds_left: null }} />
        )
      }
    </AdminAnswer>
  );
}

function Progress({ progress: { done, seconds_left } }: { progress: ReportProgress }) {
  const percent = Math.floor(done * 100);
  return (
    <Card title="Reading the log">
      <progress aria-label="Reading the log" value={percent} max={100} className="h-2 w-full accent-accent" />
      <p role="status" className="mt-2 text-sm text-muted tabular-nums">
        {percent}%{seconds_left !== null && ` · about ${count(seconds_left, 'second')} left`}
      </p>
    </Card>
  );
}

function Figures({
  asked,
  report: { title, as_of, events, tables, note },
}: {
  asked: ReportRequest;
  report: ReportView;
}) {
  return (
    <section aria-label={title} className="space-y-4">
      <p className="text-sm text-muted">
        As of{' '}
        <time dateTime={as_of} title={exactTime(as_of)}>
          {dayOf(as_of)}, {as_of.slice(11, 16)} UTC
        </time>
        , from {count(events, 'event')}.
      </p>
      {note !== null && (
        <Notice tone="caution">
          <p>{note}</p>
        </Notice>
      )}
      {tables.map((table) => (
        <ReportFigures
          key={table.name}
          table={table}
          by={asked.by}
          fileName={fileNameOf(asked, table.name, as_of.slice(0, 10))}
        />
      ))}
    </section>
  );
}
