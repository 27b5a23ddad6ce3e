import { ChevronDown, ListChecks } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { InlineText } from '../../../ui/InlineText.tsx';
import { OUTSIDE, webLink } from '../../../ui/links.ts';
import { actionsPath } from '../../../ui/paths.ts';
import { count, cutMiddle, minutesText, titleCase } from '../../../ui/wording.ts';
import type { Cause, Finding } from './findingsFile.ts';
import { ImpactMark } from './ImpactMark.tsx';
import { OutsideLink } from './OutsideLink.tsx';

const FIRST = 10;

interface CauseItemProps {
  job: JobView;
  cause: Cause;
  /** Only what was found there. */
  page: string | null;
  open: boolean;
}

/** A cause in one line; open, with everything that was seen, how to mend it and what that takes. */
export function CauseItem({ job, cause, page, open }: CauseItemProps) {
  const { check, impact, hint } = cause;
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const findings = page ? cause.findings.filter((finding) => finding.evidence.url === page) : cause.findings;
  const toggle = (): void => {
    const next = new URLSearchParams(search);
    if (open) next.delete('cause');
    else next.set('cause', check.id);
    setSearch(next, { replace: true });
  };
  const first = findings[0];
  return (
    <li>
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
            <span className="block font-medium text-strong">{check.title}</span>
            {!open && first && <span className="mt-0.5 block truncate font-mono text-xs text-muted">{firstEvidence(first)}</span>}
          </span>
          <span className="flex items-center gap-2 text-sm whitespace-nowrap text-muted tabular-nums">
            {count(page ? findings.length : cause.pages, page ? 'place' : 'page')}
            <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
          </span>
        </button>
      </h3>
      {open && <CauseDetail id={id} job={job} cause={cause} findings={findings} />}
    </li>
  );
}

const firstEvidence = ({ evidence }: Finding): string => [pathOf(evidence.url), evidence.value].filter(Boolean).join(' · ');

function pathOf(url: string): string {
  return cutMiddle(URL.canParse(url) ? new URL(url).pathname : url, 50);
}

function CauseDetail({ id, job, cause, findings }: { id: string; job: JobView; cause: Cause; findings: readonly Finding[] }) {
  const { check, omitted } = cause;
  const code = findings.find((finding) => finding.code)?.code ?? check.codeExample;
  const facts = [titleCase(check.category), `about ${minutesText(check.minutes)}`, check.difficulty, resultsText(check.timeToResult)].filter(Boolean);
  const source = webLink(check.source);
  return (
    <div id={id} className="space-y-4 px-4 pb-5 sm:pl-28">
      <p className="text-sm text-muted">{facts.join(' · ')}</p>
      <p className="max-w-[70ch]">
        <InlineText text={check.why} />
      </p>
      <section>
        <h4 className="text-base">How to fix</h4>
        <p className="mt-1 max-w-[70ch]">
          <InlineText text={check.fix} />
        </p>
        {code && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
          <pre tabIndex={0} className="mt-2 max-h-96 overflow-auto rounded-control bg-inset p-3 font-mono text-sm">
            {code}
          </pre>
        )}
      </section>
      <EvidenceList findings={findings} omitted={omitted} />
      <div className="-ml-2 flex flex-wrap gap-1">
        {job.action_count > 0 && (
          <Link to={actionsPath(job)} className={buttonLook('quiet', 'text-accent')}>
            <ListChecks aria-hidden="true" size={14} />
            Work on it
          </Link>
        )}
        {source && (
          <a href={source} {...OUTSIDE} className={buttonLook('quiet')}>
            Where this rule comes from
          </a>
        )}
      </div>
    </div>
  );
}

function resultsText(timeToResult: string): string {
  if (timeToResult === '' || timeToResult === 'unknown') return '';
  return timeToResult === 'immediate' ? 'results at once' : `results in ${timeToResult}`;
}

function EvidenceList({ findings, omitted }: { findings: readonly Finding[]; omitted: number }) {
  const [all, setAll] = useState(false);
  return (
    <section>
      <h4 className="text-base">
        Evidence <span className="font-normal text-muted tabular-nums">{(findings.length + omitted).toLocaleString('en')}</span>
      </h4>
      <ul className="mt-1 divide-y divide-line border-y border-line">
        {(all ? findings : findings.slice(0, FIRST)).map((finding) => (
          <li key={finding.id} className="py-2">
            <OutsideLink url={finding.evidence.url} />
            {finding.evidence.place && <span className="ml-2 text-sm text-muted [overflow-wrap:anywhere]">{finding.evidence.place}</span>}
            <p className="mt-0.5">
              <InlineText text={finding.message} />
            </p>
            {finding.evidence.value && <p className="mt-0.5 font-mono text-sm text-muted [overflow-wrap:anywhere]">{finding.evidence.value}</p>}
          </li>
        ))}
      </ul>
      {findings.length > FIRST && !all && (
        <Button look="quiet" className="mt-1 -ml-2" onClick={() => setAll(true)}>
          Show all {findings.length.toLocaleString('en')}
        </Button>
      )}
      {omitted > 0 && <p className="mt-1 text-sm text-muted">{count(omitted, 'more of the same was', 'more of the same were')} found and not listed.</p>}
    </section>
  );
}
