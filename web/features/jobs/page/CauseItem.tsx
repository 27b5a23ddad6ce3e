import { ChevronDown, ListChecks } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { actionsPath } from '../../../ui/paths.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { readablePath } from '../../../ui/text/readableAddress.ts';
import { count, cutMiddle, grouped, minutesText, titleCase } from '../../../ui/text/wording.ts';
import { byAddress, type Cause, type Finding, findingsAt } from './findingsFile.ts';
import { ImpactMark } from './ImpactMark.tsx';
import { OutsideLink } from './OutsideLink.tsx';
import { points } from './scoreRules.ts';
import { useRowsInView } from './toRows.ts';

const FIRST = 10;

interface CauseItemProps {
  job: JobView;
  cause: Cause;
  /** Points that all of it costs; of a hint none. */
  cost: number;
  /** The site's own, which evidence need not say again. */
  origin: string | null;
  /** Only what was found there. */
  page: string | null;
  open: boolean;
}

/** A cause in one line; open, with everything that was seen, how to mend it and what that takes. */
export function CauseItem({ job, cause, cost, origin, page, open }: CauseItemProps) {
  const { check, impact, hint } = cause;
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const findings = findingsAt(cause, page);
  const item = useRowsInView<HTMLLIElement>(open, true);
  const toggle = (): void => {
    const next = new URLSearchParams(search);
    if (open) next.delete('cause');
    else next.set('cause', check.id);
    setSearch(next, { replace: true });
  };
  const first = findings[0];
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
            <span className="block font-medium text-strong">{check.title}</span>
            {!open && first && <span className="mt-0.5 block truncate font-mono text-xs text-muted">{firstEvidence(first)}</span>}
          </span>
          <span className="flex items-start gap-2 text-right text-sm whitespace-nowrap text-muted tabular-nums">
            <span>
              {extentText(cause, page)}
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
      {open && <CauseDetail id={id} job={job} cause={cause} findings={findings} origin={origin} />}
    </li>
  );
}

/** Pages tell how far a fault has spread; on a single one its places do. */
function extentText(cause: Cause, page: string | null): string {
  const places = findingsAt(cause, page).length + (page ? 0 : cause.omitted);
  return page || (cause.pages === 1 && places > 1) ? count(places, 'place') : count(cause.pages, 'page');
}

const firstEvidence = ({ evidence }: Finding): string => [pathOf(evidence.url), evidence.value].filter(Boolean).join(' · ');

function pathOf(url: string): string {
  return cutMiddle(URL.canParse(url) ? readablePath(new URL(url).pathname) : url, 50);
}

type CauseDetailProps = Pick<CauseItemProps, 'job' | 'cause' | 'origin'> & { id: string; findings: readonly Finding[] };

function CauseDetail({ id, job, cause, findings, origin }: CauseDetailProps) {
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
      <EvidenceList findings={findings} omitted={omitted} origin={origin} />
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

type EvidenceListProps = Pick<CauseDetailProps, 'findings' | 'origin'> & { omitted: number };

/** Each address once, with everything that was seen there. */
function EvidenceList({ findings, omitted, origin }: EvidenceListProps) {
  const [all, setAll] = useState(false);
  return (
    <section>
      <h4 className="text-base">
        Evidence <span className="font-normal text-muted tabular-nums">{grouped(findings.length + omitted)}</span>
      </h4>
      <ul className="mt-1 divide-y divide-line border-y border-line">
        {byAddress(all ? findings : findings.slice(0, FIRST)).map((group) => (
          <li key={group.url} className="py-2">
            <OutsideLink url={group.url} origin={origin} />
            {group.findings.map((finding) => (
              <Seen key={finding.id} finding={finding} />
            ))}
          </li>
        ))}
      </ul>
      {findings.length > FIRST && !all && (
        <Button look="quiet" className="mt-1 -ml-2" onClick={() => setAll(true)}>
          Show all {grouped(findings.length)}
        </Button>
      )}
      {omitted > 0 && <p className="mt-1 text-sm text-muted">{count(omitted, 'more of the same was', 'more of the same were')} found and not listed.</p>}
    </section>
  );
}

function Seen({ finding: { message, evidence } }: { finding: Finding }) {
  // What the sentence says already is not said twice.
  const value = message.includes(evidence.value) ? '' : evidence.value;
  return (
    <div className="mt-0.5 not-first-of-type:mt-2">
      <p>
        <InlineText text={message} /> {evidence.place && <span className="text-sm text-muted [overflow-wrap:anywhere]">{evidence.place}</span>}
      </p>
      {value && <p className="font-mono text-sm text-muted [overflow-wrap:anywhere]">{value}</p>}
    </div>
  );
}
