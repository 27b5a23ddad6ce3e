import { Link } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { INDEXABILITY_TEXTS } from '../../../../src/model/pages.ts';
import { asFailure } from '../../../api/failure.ts';
import { jobPagePath } from '../../../ui/paths.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { AuditPart } from '../page/AuditPart.tsx';
import { type OnePage, useGetPageQuery } from '../page/reportApi.ts';
import { type Run, runsOf, useListRunsQuery } from '../page/runsApi.ts';
import { Part } from './Part.tsx';

type Row = OnePage['page'];

/** What changed on the page since the last audit of the site. */
export function EarlierRun({ job, page }: { job: JobView; page: Row }) {
  const query = useListRunsQuery(runsOf(job));
  return (
    <AuditPart query={query}>
      {({ runs }) => {
        const at = runs.findIndex((run) => run.jobId === job.id);
        const run = runs.slice(0, Math.max(at, 0)).at(-1);
        return run ? <Since run={run} page={page} /> : null;
      }}
    </AuditPart>
  );
}

function Since({ run, page }: { run: Run; page: Row }) {
  const query = useGetPageQuery({ jobId: run.jobId, version: '', url: page.url });
  const isNew = query.error !== undefined && asFailure(query.error).status === 404;
  return (
    <Part title="Since the audit before">
      <p className="mb-2 text-sm text-muted">
        Audited <RelativeTime iso={run.at} />
      </p>
      {isNew ? (
        <p>That audit didn’t read this page.</p>
      ) : (
        <AuditPart query={query}>{({ page: before }) => <Changes run={run} before={before} page={page} />}</AuditPart>
      )}
    </Part>
  );
}

const text = (value: string | number | null): string => (value === null || value === '' ? '(none)' : String(value));

const COMPARED: readonly { readonly name: string; readonly of: (page: Row) => string | number | null }[] = [
  { name: 'Status', of: ({ status, problem }) => status ?? problem },
  {
    name: 'Search engines',
    of: ({ indexability }) => (indexability === null ? null : INDEXABILITY_TEXTS[indexability]),
  },
  { name: 'Title', of: ({ title }) => title },
  { name: 'Description', of: ({ description }) => description },
  { name: 'Main heading', of: ({ h1 }) => h1 },
  { name: 'Canonical', of: ({ canonical }) => canonical },
  { name: 'Words', of: ({ words }) => words },
  { name: 'Pages linking here', of: ({ inlinks }) => inlinks },
  { name: 'Clicks from the home page', of: ({ clicksFromStart }) => clicksFromStart },
  { name: 'Findings', of: ({ findings }) => findings },
];

/** Only what both audits know is compared. */
function Changes({ run, before, page }: { run: Run; before: Row; page: Row }) {
  const changed = COMPARED.filter(({ of }) => of(before) !== of(page)).filter(
    ({ name }) =>
      !['Search engines', 'Pages linking here'].includes(name) || (before.role !== null && page.role !== null),
  );
  return (
    <>
      {changed.length === 0 ? (
        <p>No changes.</p>
      ) : (
        <dl className="space-y-2">
          {changed.map(({ name, of }) => (
            <div key={name}>
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="wrap-anywhere">
                <del className="text-muted">{text(of(before))}</del>{' '}
                <ins className="no-underline">{text(of(page))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="mt-2">
        <Link to={jobPagePath(run.jobId, page.url)} className="link">
          This page in that audit
        </Link>
      </p>
    </>
  );
}
