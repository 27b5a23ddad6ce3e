import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { shortDuration } from '../../../../src/model/wording.ts';
import { actionsPath, jobPath } from '../../../ui/paths.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { Seen } from '../findings/EvidenceList.tsx';
import { Labeled, Steps } from '../findings/IssueDetail.tsx';
import { AuditPart } from '../page/AuditPart.tsx';
import { ImpactMark } from '../page/ImpactMark.tsx';
import { rowsOf, useListCausesQuery, useListFindingsQuery } from '../page/reportApi.ts';
import { changed } from '../page/tables/tableAddress.ts';
import { Part } from './Part.tsx';

/** Findings of one issue on one page that are listed here. */
const SHOWN = 10;

const STATUS_TEXTS = { todo: 'to do', 'in-progress': 'in progress', completed: 'completed' } as const;

interface PageFindingsProps {
  job: JobView;
  url: string;
}

/** What was found on the page, with the task that fixes it. What costs no points is folded. */
export function PageFindings({ job, url }: PageFindingsProps) {
  const query = useListCausesQuery({ ...rowsOf(job), page: url });
  const [search] = useSearchParams();
  // Once: afterwards the fold is the reader's.
  const [asked] = useState(() => search.get('issue'));
  return (
    <AuditPart query={query}>
      {({ causes, preview }) => {
        const issues = causes.filter(({ optional }) => !optional);
        const optional = causes.filter((cause) => cause.optional);
        return (
          <Part title={`Issues on this page (${issues.length})`}>
            {issues.length === 0 && (
              <p className="text-muted">
                {preview === null
                  ? 'No issues on this page lower the score.'
                  : 'The preview shows no issues on this page.'}
              </p>
            )}
            {causes.length > 0 && (
              <p className="text-sm text-muted tabular-nums">
                {count(
                  causes.reduce((sum, { findings }) => sum + findings, 0),
                  'finding',
                )}
                {optional.length > 0 && `, with ${count(optional.length, 'optional issue')} below`}
              </p>
            )}
            <Issues job={job} url={url} issues={issues} />
            {optional.length > 0 && (
              <details className="mt-1" open={optional.some(({ checkId }) => checkId === asked)}>
                <summary className="min-h-8 cursor-pointer content-center text-sm pointer-coarse:min-h-11">
                  {optional.length} optional
                </summary>
                <Issues job={job} url={url} issues={optional} />
              </details>
            )}
          </Part>
        );
      }}
    </AuditPart>
  );
}

function Issues({ issues, ...page }: PageFindingsProps & { issues: readonly CauseView[] }) {
  return (
    <ul className="-mx-2 divide-y divide-line">
      {issues.map((cause) => (
        <Issue key={cause.checkId} {...page} cause={cause} />
      ))}
    </ul>
  );
}

/** In two lines; opens in place. The address names the one that is open. */
function Issue({ cause, ...page }: PageFindingsProps & { cause: CauseView }) {
  const { checkId, title, impact, hint, gain } = cause;
  const [search, setSearch] = useSearchParams();
  const isOpen = search.get('issue') === checkId;
  const { state } = useLocation();
  const id = useId();
  return (
    <li>
      <h3 className="text-base font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() =>
            setSearch(changed(search, { issue: isOpen ? null : checkId }), {
              replace: true,
              preventScrollReset: true,
              state,
            })
          }
          className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-0.5 rounded-control px-2 py-2 text-left hover:bg-inset sm:grid-cols-[84px_minmax(0,1fr)_auto]"
        >
          <span className="max-sm:col-span-2">
            <ImpactMark impact={impact} hint={hint} />
          </span>
          <span className="min-w-0">
            <span className="font-medium text-strong">{title}</span>
            <span className="block text-sm text-muted">
              <InlineText text={gain} />
            </span>
          </span>
          <ChevronRight
            aria-hidden="true"
            size={14}
            className={`mt-1 text-muted transition-transform duration-150 motion-reduce:transition-none ${isOpen ? 'rotate-90' : ''}`}
          />
        </button>
      </h3>
      {isOpen && (
        <div id={id} className="space-y-3 px-2 pt-1 pb-4 sm:pl-[104px]">
          <Opened {...page} cause={cause} />
        </div>
      )}
    </li>
  );
}

/** Why it matters, what to do, what was seen here, and the way to all pages that have it. */
function Opened({ job, url, cause }: PageFindingsProps & { cause: CauseView }) {
  const { checkId, title, risk, steps, minutes, task } = cause;
  const asked = { ...rowsOf(job), page: url, cause: checkId, columns: 'id,message,url,place,value', limit: SHOWN };
  const query = useListFindingsQuery(asked);
  // The time is that of the issue on all its pages.
  const pages = useListCausesQuery(rowsOf(job)).data?.causes.find((each) => each.checkId === checkId)?.pages ?? 1;
  return (
    <>
      <dl className="max-w-[70ch]">
        <Labeled label="Risk" text={risk} />
      </dl>
      <section>
        <h4 className="text-base">How to fix</h4>
        <Steps steps={steps} />
      </section>
      <AuditPart query={query}>
        {({ findings, total }) => (
          <section>
            <h4 className="text-base">Seen on this page</h4>
            {findings.map((finding) => (
              <Seen key={finding.id} finding={finding} />
            ))}
            {total > findings.length && (
              <Link to={jobPath(job.id, { tab: 'findings', page: url, cause: checkId })} className="link text-sm">
                Show all {grouped(total)}
              </Link>
            )}
          </section>
        )}
      </AuditPart>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <Link to={jobPath(job.id, { tab: 'findings', cause: checkId })} className="link pointer-coarse:touch-line">
          {pages > 1 ? `All ${count(pages, 'page')} with this issue` : 'This issue in Findings'}
          <span className="sr-only">, {title}</span>
        </Link>
        {task && (
          <Link to={actionsPath(job, task.id)} className="link pointer-coarse:touch-line">
            Task: {task.optional ? 'optional' : STATUS_TEXTS[task.status]}
            <span className="sr-only">, {title}</span>
          </Link>
        )}
        <span>
          about {shortDuration(minutes)}
          {pages > 1 && ` for all ${count(pages, 'page')}`}
        </span>
      </p>
    </>
  );
}
