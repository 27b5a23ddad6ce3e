import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { NOT_JUDGED_TEXTS } from '../../../../src/model/scores.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RowsSkeleton, Skeleton } from '../../../ui/Skeleton.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { addressOf, changed, type FindingsAddress, issuesAsked, PLACES } from '../findings/address.ts';
import { FindingsFilters, focusSearch, KeysButton } from '../findings/FindingsTools.tsx';
import { GroupList } from '../findings/GroupList.tsx';
import { groupText, PLACE_NOUNS } from '../findings/groupText.ts';
import { IssueList } from '../findings/IssueList.tsx';
import type { TasksOf } from '../findings/issueTasks.ts';
import { AuditPart } from './AuditPart.tsx';
import { Nothing } from './Nothing.tsx';
import { type Causes, rowsOf, useListCausesQuery } from './reportApi.ts';

interface FindingsTabProps {
  job: JobView;
  /** Works on the tasks of the issues. */
  Tasks: TasksOf;
}

/** The findings, grouped by issue or by where they are; all that is chosen is kept in the address. */
export function FindingsTab({ job, Tasks }: FindingsTabProps) {
  const [search] = useSearchParams();
  const address = addressOf(search);
  // The previous data stays until the new filter's data arrives.
  const query = useListCausesQuery({ ...rowsOf(job), ...issuesAsked(address) });
  return (
    <AuditPart query={query} loading={<Coming />}>
      {(found) => (
        <Tasks jobId={job.id} askedAt={query.startedTimeStamp ?? 0}>
          {(tasks) => (
            <Found job={job} found={found} address={address} busy={query.isFetching}>
              {(onSearch) => <IssueList job={job} found={found} address={address} tasks={tasks} onSearch={onSearch} />}
            </Found>
          )}
        </Tasks>
      )}
    </AuditPart>
  );
}

/** In the shape of what is coming. */
function Coming() {
  return (
    <div className="space-y-3">
      <Skeleton className="h-8 w-full xl:hidden pointer-coarse:h-11" />
      <RowsSkeleton label="Loading" rows={16} />
    </div>
  );
}

interface FoundProps {
  job: JobView;
  found: Causes;
  address: FindingsAddress;
  busy: boolean;
  children: (onSearch: () => void) => ReactNode;
}

function Found({ job, found, address, busy, children }: FoundProps) {
  const { causes, counts, coverage, preview } = found;
  const { filter, groups } = address;
  const [search] = useSearchParams();
  const filtered = Object.keys(filter).length > 0;
  return (
    <div className="space-y-3" aria-busy={busy}>
      <FindingsFilters address={address} counts={counts} />
      {groups === null && <Narrowed address={address} search={search} />}
      <Locked job={job} preview={preview} />
      {groups !== null ? (
        <GroupList job={job} by={groups} filter={filter} onSearch={focusSearch} />
      ) : causes.length > 0 ? (
        children(focusSearch)
      ) : (
        <>
          <p role="status" className="sr-only">
            No findings
          </p>
          <Nothing text={job.not_judged && !filtered ? NOT_JUDGED_TEXTS[job.not_judged] : emptyText(preview, filtered)}>
            {filtered && (
              <Link
                to={{
                  search: `?${changed(search, { category: null, impact: null, search: null, page: null, template: null, root: null })}`,
                }}
                className={buttonClasses('secondary')}
              >
                Show all findings
              </Link>
            )}
          </Nothing>
        </>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-sm text-muted">{coverage}</p>
        <KeysButton />
      </div>
    </div>
  );
}

/** An empty list does not always mean that nothing was found. */
function emptyText(preview: Causes['preview'], filtered: boolean): string {
  const kept = preview !== null && preview.total > preview.shown;
  if (filtered) return kept ? 'No findings in the preview match.' : 'No findings match.';
  return kept ? 'Findings appear together with the tasks.' : 'No findings.';
}

const NARROWED = {
  page: 'Only findings on',
  template: 'Only findings on pages of the template',
  root: 'Only issues that one edit fixes, fully or in part:',
} as const;

/** Issues of one group: which, and the way back to all of them. */
function Narrowed({ address: { filter }, search }: { address: FindingsAddress; search: URLSearchParams }) {
  return PLACES.map((place) => {
    const value = filter[place];
    if (value === undefined) return null;
    const { kind, name } = groupText(place, value, null);
    return (
      <p
        key={place}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-card py-1 pr-1 pl-3"
      >
        <span className="min-w-0 wrap-anywhere">
          {NARROWED[place]} {kind.toLowerCase()} <span className="font-mono text-sm">{name}</span>
        </span>
        <Link
          to={{ search: `?${changed(search, { [place]: null, cause: null })}` }}
          replace
          className={buttonClasses('quiet', 'ml-auto')}
        >
          Show all {PLACE_NOUNS[place][1]}
        </Link>
      </p>
    );
  });
}

/** The total is always shown; withheld findings are not in the page at all. */
function Locked({ job, preview }: { job: JobView; preview: Causes['preview'] }) {
  if (preview === null || preview.total <= preview.shown) return null;
  return (
    <Notice tone="info">
      <p>
        Preview: {grouped(preview.shown)} of {count(preview.total, 'finding')}, those that the first action items fix.{' '}
        {job.files.includes('seo-audit-report.md') && (
          <>
            The{' '}
            <Link to={{ search: '?tab=report' }} className="underline underline-offset-2">
              report
            </Link>{' '}
            lists every issue.
          </>
        )}
      </p>
    </Notice>
  );
}
