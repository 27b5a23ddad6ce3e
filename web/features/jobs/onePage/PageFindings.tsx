import { Link } from 'react-router-dom';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { shortDuration } from '../../../../src/model/wording.ts';
import { actionsPath, jobPath } from '../../../ui/paths.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { AuditPart } from '../page/AuditPart.tsx';
import { ImpactMark } from '../page/ImpactMark.tsx';
import { rowsOf, useListCausesQuery } from '../page/reportApi.ts';
import { Part } from './Part.tsx';

const STATUS_TEXTS = { todo: 'to do', 'in-progress': 'in progress', completed: 'completed' } as const;

/** What was found on the page, with the task that fixes it. What costs no points is folded. */
export function PageFindings({ job, url }: { job: JobView; url: string }) {
  const query = useListCausesQuery({ ...rowsOf(job), page: url });
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
            <Issues job={job} url={url} issues={issues} />
            {optional.length > 0 && (
              <details className="mt-1">
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

function Issues({ job, url, issues }: { job: JobView; url: string; issues: readonly CauseView[] }) {
  return (
    <ul className="divide-y divide-line">
      {issues.map(({ checkId, title, impact, hint, minutes, gain, task }) => (
        <li key={checkId} className="grid gap-x-3 gap-y-0.5 py-2 sm:grid-cols-[84px_minmax(0,1fr)_auto]">
          <span>
            <ImpactMark impact={impact} hint={hint} />
          </span>
          <span className="min-w-0">
            <Link to={jobPath(job.id, { tab: 'findings', page: url, cause: checkId })} className="link">
              {title}
            </Link>
            <span className="block text-sm text-muted">
              <InlineText text={gain} />
            </span>
          </span>
          <span className="text-sm text-muted">
            about {shortDuration(minutes)}
            {task && (
              <>
                <span className="sm:hidden"> · </span>
                <Link to={actionsPath(job, task.id)} className="link sm:block">
                  Task: {task.optional ? 'optional' : STATUS_TEXTS[task.status]}
                  <span className="sr-only">, {title}</span>
                </Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
