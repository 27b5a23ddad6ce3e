import { Link } from 'react-router-dom';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { rootText } from '../../../../src/model/issues/rootTexts.ts';
import { listed, resultsText, shortDuration } from '../../../../src/model/wording.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { actionsPath } from '../../../ui/paths.ts';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { AuditPart } from '../page/AuditPart.tsx';
import { rowsOf, useListFindingsQuery } from '../page/reportApi.ts';
import { EvidenceList } from './EvidenceList.tsx';
import type { Finding } from './evidence.ts';
import type { IssueTasks } from './issueTasks.ts';
import { inCode, Snippet } from './Snippet.tsx';

/** Findings that are searched for code. */
const CODE_LIMIT = 10;
/** More than any check's findings. */
const ALL = 500;

export interface IssueDetailProps {
  job: JobView;
  cause: CauseView;
  /** Limits the evidence to a page or a template. */
  only: { readonly page?: string; readonly template?: string };
  /** The site's origin, omitted from addresses. */
  origin: string | null;
  tasks: IssueTasks;
}

/** What an issue means, how it is fixed, its task, and where it was seen. */
export function IssueDetail({ job, cause, only, origin, tasks }: IssueDetailProps) {
  const facts = [
    categoryName(cause.category),
    `about ${shortDuration(cause.minutes)}`,
    cause.difficulty,
    resultsText(cause.timeToResult),
  ].filter(Boolean);
  const root = rootText(cause, inCode);
  const source = webLink(cause.source);
  const asked = { ...rowsOf(job), ...only, cause: cause.checkId };
  const codes = useListFindingsQuery({ ...asked, columns: 'checkId,url,code,edit', limit: CODE_LIMIT }).currentData;
  const query = useListFindingsQuery({ ...asked, columns: 'id,message,url,place,value', limit: ALL });
  const isOwnCode = ({ checkId, code }: Finding): boolean => checkId === cause.checkId && Boolean(code);
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted">{facts.join(' · ')}</p>
      <Task job={job} cause={cause} tasks={tasks} />
      <dl className="max-w-[70ch] space-y-2">
        <Labeled label="Risk" text={cause.risk} />
        <Labeled label="Gain" text={cause.gain} />
      </dl>
      {root && (
        <p className="max-w-[70ch] wrap-anywhere">
          <InlineText text={root} />
        </p>
      )}
      <section>
        <h4 className="text-base">How to fix</h4>
        <Steps steps={cause.steps} />
        {cause.joined.length > 0 && (
          <p className="mt-1 max-w-[70ch]">Also fixes {listed(cause.joined.map(({ title }) => `“${title}”`))}.</p>
        )}
        {codes && (
          <Snippet
            own={codes.findings.filter(isOwnCode)}
            more={codes.total > codes.findings.length}
            example={cause.example}
            origin={origin}
          />
        )}
      </section>
      {/* Never the evidence of the issue that was open before. */}
      <AuditPart query={{ ...query, data: query.currentData }}>
        {({ findings, total }) => (
          <EvidenceList
            key={cause.checkId}
            job={job}
            findings={findings}
            total={total}
            omitted={cause.omitted}
            origin={origin}
          />
        )}
      </AuditPart>
      {source && (
        <a href={source} {...OUTSIDE} className={buttonClasses('quiet', '-ml-2')}>
          Where this rule comes from
        </a>
      )}
    </div>
  );
}

/** Of the issue; a link to all of them where it has none of its own. */
function Task({ job, cause: { task, title }, tasks }: Pick<IssueDetailProps, 'job' | 'cause' | 'tasks'>) {
  if (task !== null)
    return (
      <div className="border-y border-line py-3 print:hidden">{tasks.controls({ ...tasks.now(task), title })}</div>
    );
  if (job.action_count === 0) return null;
  return (
    <Link to={actionsPath(job)} className={buttonClasses('quiet', '-ml-2 text-accent')}>
      Open tasks
    </Link>
  );
}

/** A sentence with its name. */
export function Labeled({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="inline font-medium text-strong">{label}: </dt>
      <dd className="inline">
        <InlineText text={text} />
      </dd>
    </div>
  );
}

/** One step as a paragraph, several as a numbered list. */
export function Steps({ steps }: { steps: readonly string[] }) {
  const [only] = steps;
  if (only !== undefined && steps.length === 1)
    return (
      <p className="mt-1 max-w-[70ch]">
        <InlineText text={only} />
      </p>
    );
  return (
    <ol className="mt-1 max-w-[70ch] list-decimal space-y-1 pl-5">
      {steps.map((step) => (
        <li key={step}>
          <InlineText text={step} />
        </li>
      ))}
    </ol>
  );
}
