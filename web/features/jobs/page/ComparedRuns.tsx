import { CheckCheck, ChevronRight, CircleDashed, CircleDot, CircleHelp, CirclePlus } from 'lucide-react';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { ImpactMark } from './ImpactMark.tsx';
import { OutsideLink } from './OutsideLink.tsx';
import { type Comparison, useCompareRunsQuery } from './runsApi.ts';

type GroupName = 'new' | 'fixed' | 'remaining' | 'notSeenBefore' | 'notComparable';
type Group = Comparison[GroupName];
type Finding = Group['findings'][number];

const GROUPS: readonly {
  readonly name: GroupName;
  readonly title: string;
  readonly about: string;
  readonly Icon: typeof CheckCheck;
  readonly tone: string;
}[] = [
  { name: 'new', title: 'New', about: 'Only in the later audit.', Icon: CirclePlus, tone: 'text-bad' },
  {
    name: 'fixed',
    title: 'Fixed',
    about: 'No longer found; page rechecked.',
    Icon: CheckCheck,
    tone: 'text-good',
  },
  { name: 'remaining', title: 'Remaining', about: 'In both audits.', Icon: CircleDot, tone: 'text-attention' },
  {
    name: 'notSeenBefore',
    title: 'Not seen before',
    about: 'The earlier audit didn’t check there.',
    Icon: CircleHelp,
    tone: 'text-muted',
  },
  {
    name: 'notComparable',
    title: 'Not comparable',
    about: 'Can’t tell: page not rechecked.',
    Icon: CircleDashed,
    tone: 'text-muted',
  },
];

/** What changed between two runs, in five groups; those without findings are not listed. */
export function ComparedRuns({ jobId, other }: { jobId: string; other: string }) {
  const query = useCompareRunsQuery({ jobId, other });
  return (
    <QueryState
      query={{ ...query, data: query.currentData }}
      title="Failed to compare the two audits"
      loading={<RowsSkeleton label="Comparing the audits" rows={1} row="h-40" />}
    >
      {(data) => <Changes data={data} />}
    </QueryState>
  );
}

function Changes({ data }: { data: Comparison }) {
  return (
    <section aria-label="Comparison" className="space-y-3">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-lg">
          {exactTime(data.before.at)} → {exactTime(data.after.at)}
        </h2>
        <ScoreChange data={data} />
      </header>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-5">
        {GROUPS.map(({ name, title, Icon, tone }) => (
          <button
            key={name}
            type="button"
            disabled={data[name].total === 0}
            onClick={() => show(`group-${name}`)}
            className="rounded-control border border-line bg-card px-3 py-2 text-left enabled:hover:bg-inset"
          >
            <span className="block text-xl font-semibold text-strong tabular-nums">{grouped(data[name].total)}</span>
            <span className={`flex items-center gap-1.5 text-sm ${tone}`}>
              <Icon aria-hidden="true" size={14} />
              {title}
            </span>
          </button>
        ))}
      </div>
      {data.new.total + data.fixed.total + data.notSeenBefore.total + data.notComparable.total === 0 && (
        <p>
          {data.notIdentical === null
            ? 'Nothing changed between these two audits.'
            : `No finding changed, but the two audits are not identical: ${data.notIdentical}.`}
        </p>
      )}
      {data.preview && (
        <p className="text-sm text-muted">
          Totals cover the whole audit; the list shows what the unlocked action items fix.
        </p>
      )}
      {GROUPS.filter(({ name }) => data[name].total > 0).map(({ name, title, about }) => (
        <GroupList
          key={`${data.before.jobId} ${data.after.jobId} ${name}`}
          id={`group-${name}`}
          title={title}
          about={about}
          group={data[name]}
          open={name !== 'remaining'}
        />
      ))}
    </section>
  );
}

/** Shows the rows behind a count. */
function show(id: string): void {
  const group = document.getElementById(id);
  if (!(group instanceof HTMLDetailsElement)) return;
  group.open = true;
  group.scrollIntoView({ block: 'start' });
  group.querySelector('summary')?.focus({ preventScroll: true });
}

function ScoreChange({ data: { score, scoreNotComparable } }: { data: Comparison }) {
  if (!score)
    return (
      <p className="text-sm text-muted">
        The scores can’t be compared{scoreNotComparable ? `: ${scoreNotComparable}` : ''}.
      </p>
    );
  const { before, after, change } = score;
  return (
    <p className="tabular-nums">
      Score {before} → <strong className="font-semibold text-strong">{after}</strong>{' '}
      <span className={change > 0 ? 'text-good' : change < 0 ? 'text-bad' : 'text-muted'}>
        ({change > 0 ? `+${change}` : change || 'unchanged'})
      </span>
    </p>
  );
}

function GroupList({
  id,
  title,
  about,
  group,
  open,
}: {
  id: string;
  title: string;
  about: string;
  group: Group;
  open: boolean;
}) {
  const causes = new Map<string, Finding[]>();
  for (const finding of group.findings) causes.set(finding.checkId, [...(causes.get(finding.checkId) ?? []), finding]);
  const left = group.total - group.findings.length;
  return (
    <details id={id} open={open} className="group scroll-mt-20 panel">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-card px-4 py-2 hover:bg-inset [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
        <span>
          <span className="font-medium text-strong">{title}</span>{' '}
          <span className="text-muted tabular-nums">{grouped(group.total)}</span>{' '}
          <span className="text-sm text-muted max-sm:sr-only">{about}</span>
        </span>
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {[...causes].map(([checkId, findings]) => (
          <CauseRow key={checkId} findings={findings} />
        ))}
        {left > 0 && <li className="px-4 py-2 text-sm text-muted">and {grouped(left)} more</li>}
      </ul>
    </details>
  );
}

function CauseRow({ findings }: { findings: readonly Finding[] }) {
  const [first] = findings;
  if (!first) return null;
  return (
    <li>
      <details>
        <summary className="grid min-h-10 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-inset sm:grid-cols-[84px_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
          <span className="max-sm:col-span-2">
            <ImpactMark impact={first.impact} hint={first.hint} />
          </span>
          <span className="min-w-0 text-strong">{first.title}</span>
          <span className="text-sm text-muted tabular-nums">{count(findings.length, 'place')}</span>
        </summary>
        <ul className="space-y-2 px-4 pb-3 sm:pl-28">
          {findings.map((finding) => (
            <li key={finding.id}>
              <OutsideLink url={finding.url} />
              {finding.place && <span className="ml-2 text-sm text-muted wrap-anywhere">{finding.place}</span>}
              <p>
                <InlineText text={finding.message} />
              </p>
              {finding.value && <p className="font-mono text-sm text-muted wrap-anywhere">{finding.value}</p>}
              {finding.because && <p className="text-sm text-muted">Can’t tell: {finding.because}.</p>}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
