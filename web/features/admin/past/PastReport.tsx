import type { PastReportResponse } from '../../../../src/http/contract/admin/past.ts';
import { shortDuration } from '../../../../src/model/wording.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { Files, FileText, Found } from '../jobs/job/AnyReport.tsx';
import { type JobThen, useGetPastFileQuery, useGetPastReportQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

type Shown = NonNullable<PastReportResponse['data']>;

/** A report at a past moment: its findings, its texts, and the action items with their progress. */
export function PastReport({ then, host }: { then: JobThen; host: string }) {
  const query = useGetPastReportQuery(then);
  return (
    <AdminAnswer query={query} title="Failed to load the report" textOf={pastFailure('There is no such job.')}>
      {({ data }) =>
        data === null ? (
          <p className="text-muted">No report yet.</p>
        ) : (
          <div className="space-y-4">
            {data.found ? <Found found={data.found} /> : <p className="text-muted">No findings yet.</p>}
            <Files host={host} files={data.files} show={(name) => <File then={then} name={name} />} />
            <Items items={data.items} by={data.items_by} />
          </div>
        )
      }
    </AdminAnswer>
  );
}

function File({ then, name }: { then: JobThen; name: string }) {
  return <FileText name={name} query={useGetPastFileQuery({ ...then, name })} />;
}

function Items({ items, by }: { items: Shown['items']; by: string | null }) {
  if (by === null) return <p className="text-muted">No action items yet.</p>;
  return (
    <section aria-labelledby="items-then">
      <h3 id="items-then" className="mb-1 text-sm text-muted">
        {count(items.length, 'action item')}, written by {by}
      </h3>
      <ul aria-label="Action items" className="divide-y divide-line border-t border-line">
        {items.map(({ id, title, impact, status, time_estimate, problem, solution, notes }) => (
          <li key={id}>
            <details className="py-1">
              <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-3 rounded-control hover:bg-inset pointer-coarse:min-h-11">
                <span className="min-w-0 flex-1 basis-48 text-strong wrap-anywhere">{title}</span>
                <Badge tone={status === 'completed' ? 'good' : status === 'in-progress' ? 'info' : 'plain'}>
                  {titleCase(status)}
                </Badge>
                <span className="text-sm text-muted">
                  {titleCase(impact)} impact · {shortDuration(time_estimate)}
                </span>
              </summary>
              <div className="max-w-[70ch] space-y-1 py-2 pl-4">
                <p>{problem}</p>
                <p>{solution}</p>
                {notes && <p className="text-sm text-muted">Notes: {notes}</p>}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
