import { ChevronDown, ListChecks } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { editText, isOnPage } from '../../../../src/model/edits.ts';
import { rootText } from '../../../../src/model/issues/rootTexts.ts';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { listed, resultsText, shortDuration } from '../../../../src/model/wording.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { actionsPath } from '../../../ui/paths.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { count, cutMiddle, grouped, titleCase } from '../../../ui/text/wording.ts';
import { AuditPart } from './AuditPart.tsx';
import { ImpactMark } from './ImpactMark.tsx';
import { OutsideLink } from './OutsideLink.tsx';
import { points } from './points.ts';
import { reachText } from './reachText.ts';
import { type Findings, rowsOf, useListFindingsQuery } from './reportApi.ts';
import { useRowsInView } from './toRows.ts';

const FIRST = 10;
/** More than any check's findings. */
const ALL = 500;
const COLUMNS = 'id,checkId,message,url,place,value,code,edit';

type Finding = Findings['findings'][number];

interface CauseItemProps {
  job: JobView;
  cause: CauseView;
  /** The site's origin, which is omitted from addresses. */
  origin: string | null;
  /** Limits the findings to this page. */
  page: string | null;
  open: boolean;
}

/** An issue in one line; expanded, with all evidence, how to fix it and the effort. */
export function CauseItem({ job, cause, origin, page, open }: CauseItemProps) {
  const { checkId, title, impact, hint, points: cost, first } = cause;
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const item = useRowsInView<HTMLLIElement>(open, true);
  const toggle = (): void => {
    const next = new URLSearchParams(search);
    if (open) next.delete('cause');
    else next.set('cause', checkId);
    setSearch(next, { replace: true });
  };
  return (
    <li ref={item} className="scroll-mt-20">
      <h3 className="text-base font-normal">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={toggle}
          className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 rounded-card px-4 py-3 text-left hover:bg-inset sm:grid-cols-[84px_minmax(0,1fr)_auto]"
        >
          <span className="col-span-2 sm:col-span-1">
            <ImpactMark impact={impact} hint={hint} />
          </span>
          <span className="min-w-0">
            <span className="block font-medium text-strong">{title}</span>
            {!open && (
              <span className="mt-0.5 block truncate font-mono text-xs text-muted">{firstEvidence(first)}</span>
            )}
          </span>
          <span className="flex items-start gap-2 text-right text-sm whitespace-nowrap text-muted tabular-nums">
            <span>
              {reachText(cause, page !== null)}
              {cost > 0 && !page && (
                <>
                  <span className="sr-only">, </span>
                  <span className="block text-xs">−{count(Number(points(cost)), 'point')}</span>
                </>
              )}
            </span>
            <ChevronDown aria-hidden="true" size={14} className={`mt-1 ${open ? 'rotate-180' : ''}`} />
          </span>
        </button>
      </h3>
      {open && <CauseDetail id={id} job={job} cause={cause} page={page} origin={origin} />}
    </li>
  );
}

const firstEvidence = ({ url, value }: CauseView['first']): string => [pathOf(url), value].filter(Boolean).join(' · ');

function pathOf(url: string): string {
  return cutMiddle(URL.canParse(url) ? readableText(new URL(url).pathname) : url, 50);
}

type CauseDetailProps = Pick<CauseItemProps, 'job' | 'cause' | 'page' | 'origin'>;

function CauseDetail({ id, job, cause, page, origin }: CauseDetailProps & { id: string }) {
  const facts = [
    titleCase(cause.category),
    `about ${shortDuration(cause.minutes)}`,
    cause.difficulty,
    resultsText(cause.timeToResult),
  ].filter(Boolean);
  const root = rootText(cause, inCode);
  const source = webLink(cause.source);
  const isOwnCode = ({ checkId, code }: Finding): boolean => checkId === cause.checkId && Boolean(code);
  const [all, setAll] = useState(false);
  const asked = {
    ...rowsOf(job),
    cause: cause.checkId,
    columns: COLUMNS,
    limit: all ? ALL : FIRST,
    ...(page ? { page } : {}),
  };
  const query = useListFindingsQuery(asked);
  const { data, isFetching } = query;
  return (
    <div id={id} className="space-y-4 px-4 pb-5 sm:pl-28">
      <p className="text-sm text-muted">{facts.join(' · ')}</p>
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
        {data && (
          <Snippet
            own={data.findings.filter(isOwnCode)}
            more={data.total > data.findings.length}
            example={cause.example}
          />
        )}
      </section>
      <AuditPart query={query}>
        {({ findings, total }) => (
          <EvidenceList
            findings={findings}
            total={total}
            omitted={cause.omitted}
            origin={origin}
            busy={isFetching}
            onAll={() => setAll(true)}
          />
        )}
      </AuditPart>
      <div className="-ml-2 flex flex-wrap gap-1">
        <TaskLink job={job} task={cause.task} />
        {source && (
          <a href={source} {...OUTSIDE} className={buttonClasses('quiet')}>
            Where this rule comes from
          </a>
        )}
      </div>
    </div>
  );
}

const STATUS_TEXTS = { todo: 'to do', 'in-progress': 'in progress', completed: 'completed' } as const;

/** To the task of the issue, or to all of them where the issue has none of its own. */
function TaskLink({ job, task }: { job: JobView; task: CauseView['task'] }) {
  if (task === null && job.action_count === 0) return null;
  return (
    <Link to={actionsPath(job, task?.id)} className={buttonClasses('quiet', 'text-accent')}>
      <ListChecks aria-hidden="true" size={14} />
      {task === null ? 'Open tasks' : `Open task (${task.optional ? 'optional' : STATUS_TEXTS[task.status]})`}
    </Link>
  );
}

function Labeled({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="inline font-medium text-strong">{label}: </dt>
      <dd className="inline">
        <InlineText text={text} />
      </dd>
    </div>
  );
}

function Steps({ steps }: { steps: readonly string[] }) {
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

interface SnippetProps {
  /** The listed findings with code. */
  own: readonly Finding[];
  /** Others are not listed. */
  more: boolean;
  example: CauseView['example'];
}

/** Code for this site; where there is none, an example, which is called one. */
function Snippet({ own, more, example }: SnippetProps) {
  const [first] = own;
  const of = own.length < 2 ? '' : ` (1 of ${own.length}${more ? ' or more' : ''})`;
  if (first?.code) return <OwnCode finding={first} code={first.code} of={of} />;
  if (example === null) return null;
  return (
    <>
      <p className="mt-3 text-sm font-medium text-strong">Example{example.before !== null && ', before'}</p>
      {example.before !== null && (
        <>
          <Code text={example.before} />
          <p className="mt-3 text-sm font-medium text-strong">After</p>
        </>
      )}
      <Code text={example.after} />
    </>
  );
}

function OwnCode({ finding: { url = '', edit }, code, of }: { finding: Finding; code: string; of: string }) {
  const what = edit ? editText(edit, code, inCode) : 'Code';
  return (
    <>
      <p className="mt-3 text-sm font-medium text-strong wrap-anywhere">
        <InlineText text={`${edit && !isOnPage(edit) ? what : `${what}, for ${inCode(pathOf(url))}`}${of}`} />
      </p>
      <Code text={code} />
    </>
  );
}

const inCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <pre tabIndex={0} className="mt-2 max-h-96 overflow-auto rounded-control bg-inset p-3 font-mono text-sm">
      {text}
    </pre>
  );
}

interface EvidenceListProps {
  findings: readonly Finding[];
  /** Number of findings, of which these are the first. */
  total: number;
  omitted: number;
  origin: string | null;
  busy: boolean;
  onAll: () => void;
}

/** Each address once, with all its findings. */
function EvidenceList({ findings, total, omitted, origin, busy, onAll }: EvidenceListProps) {
  return (
    <section>
      <h4 className="text-base">
        Evidence <span className="font-normal text-muted tabular-nums">{grouped(total + omitted)}</span>
      </h4>
      <ul className="mt-1 divide-y divide-line border-y border-line">
        {byAddress(findings).map(([url, seen]) => (
          <li key={url} className="py-2">
            <OutsideLink url={url} origin={origin} />
            {seen.map((finding) => (
              <Seen key={finding.id} finding={finding} />
            ))}
          </li>
        ))}
      </ul>
      {total > findings.length && (
        <Button variant="quiet" className="mt-1 -ml-2" busy={busy} onClick={onAll}>
          Show all {grouped(total)}
        </Button>
      )}
      {omitted > 0 && (
        <p className="mt-1 text-sm text-muted">
          {count(omitted, 'more of the same was', 'more of the same were')} found and not listed.
        </p>
      )}
    </section>
  );
}

/** In order of first appearance. */
function byAddress(findings: readonly Finding[]): [url: string, findings: Finding[]][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { url = '' } = finding;
    const group = groups.get(url);
    if (group) group.push(finding);
    else groups.set(url, [finding]);
  }
  return [...groups];
}

function Seen({ finding: { message = '', place, value: seen = '' } }: { finding: Finding }) {
  // Omitted when the message already includes it.
  const value = message.includes(seen) ? '' : seen;
  return (
    <div className="mt-0.5 not-first-of-type:mt-2">
      <p>
        <InlineText text={message} /> {place && <span className="text-sm text-muted wrap-anywhere">{place}</span>}
      </p>
      {value && <p className="font-mono text-sm text-muted wrap-anywhere">{value}</p>}
    </div>
  );
}
