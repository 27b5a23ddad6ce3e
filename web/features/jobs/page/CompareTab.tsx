import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { settingsText } from '../../../../src/model/crawlSettings.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { NOT_JUDGED, wholeScore } from '../../../../src/model/scores.ts';
import { Card } from '../../../ui/Card.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton, Skeleton } from '../../../ui/Skeleton.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { grouped, hostWithoutWww } from '../../../ui/text/wording.ts';
import { ComparedRuns } from './ComparedRuns.tsx';
import { Nothing } from './Nothing.tsx';
import { formulaChanged, type Run, type Runs, runsOf, useListRunsQuery } from './runsApi.ts';

const TrendChart = lazy(() => import('./TrendChart.tsx').then((module) => ({ default: module.TrendChart })));

/** The site's runs over time, and a comparison of this one with another. */
export function CompareTab({ job }: { job: JobView }) {
  // Other runs may have ended since.
  const query = useListRunsQuery(runsOf(job), { refetchOnMountOrArgChange: true });
  const only = `This is the only finished audit of ${hostWithoutWww(job.host)}. Run it again after your changes to see what they did.`;
  return (
    <QueryState
      query={query}
      title="Failed to load the audits of this site"
      loading={<RowsSkeleton label="Loading the audits" rows={2} row="h-48" />}
      empty={({ runs }) => runs.every((run) => run.jobId === job.id) && <Nothing text={only} />}
    >
      {(data) => <RunsOverTime job={job} data={data} />}
    </QueryState>
  );
}

function RunsOverTime({ job, data }: { job: JobView; data: Runs }) {
  const [search] = useSearchParams();
  const others = data.runs.filter((run) => run.jobId !== job.id);
  const asked = search.get('with');
  const earlier = others.filter((run) => run.at < (job.completed_at ?? job.created_at));
  const judged = earlier.findLast((run) => run.notJudged === null);
  const other =
    asked ?? (earlier.findLast((run) => run.comparable) ?? judged ?? earlier.at(-1) ?? others.at(-1))?.jobId ?? '';
  const finished = data.runs.some((run) => run.jobId === job.id);
  return (
    <div className="space-y-4">
      <Card title="Score over time">
        <div className="grid gap-4 lg:grid-cols-2">
          <Suspense fallback={<Skeleton className="h-56 w-full" />}>
            <TrendChart runs={data.runs} />
          </Suspense>
          <RunsTable job={job} runs={data} other={other} finished={finished} />
        </div>
        <FormulaChanges runs={data} />
      </Card>
      {finished ? <ComparedRuns jobId={job.id} other={other} /> : <Nothing text={notYetText(job)} />}
    </div>
  );
}

/** Where the line of scores is broken although nothing happened to the site. */
function FormulaChanges({ runs }: { runs: Runs }) {
  const changed = runs.runs.filter((run) => formulaChanged(runs, run.jobId));
  return changed.map((run) => (
    <p key={run.jobId} className="mt-3 text-sm text-muted">
      The score formula changed before the audit of {exactTime(run.at)}: scores before and after can’t be compared.
    </p>
  ));
}

function notYetText(job: JobView): string {
  if (groupOf(job.status) === 'failed') return 'This audit ended before there was anything to compare. Run it again.';
  return 'You can compare this audit when it is finished.';
}

interface RunsTableProps {
  job: JobView;
  runs: Runs;
  other: string;
  finished: boolean;
}

function RunsTable({ job, runs: { runs, truncated }, other, finished }: RunsTableProps) {
  return (
    <section aria-label="Audits of this site" className="max-h-72 overflow-auto">
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-card text-muted">
          <tr>
            <th className="py-1 pr-3 font-normal">Audit</th>
            <th className="py-1 pr-3 text-right font-normal">Score</th>
            <th className="py-1 pr-3 text-right font-normal max-sm:hidden">Pages</th>
            <th className="py-1 pr-3 text-right font-normal">Findings</th>
            <th className="py-1 font-normal">
              <span className="sr-only">Compare</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...runs].reverse().map((run) => (
            <RunRow key={run.jobId} job={job} run={run} chosen={finished && run.jobId === other} finished={finished} />
          ))}
        </tbody>
      </table>
      {truncated && <p className="pt-2 text-sm text-muted">The newest {runs.length} audits are shown.</p>}
    </section>
  );
}

function scoreText({ score, notJudged }: Run): string {
  if (score !== null) return String(wholeScore(score));
  return notJudged === null ? '–' : NOT_JUDGED;
}

function RunRow({ job, run, chosen, finished }: { job: JobView; run: Run; chosen: boolean; finished: boolean }) {
  const own = run.jobId === job.id;
  const at = exactTime(run.at);
  return (
    <tr className={`border-t border-line align-top ${chosen ? 'bg-accent-soft' : ''}`}>
      <th scope="row" className="py-1.5 pr-3 pl-1 font-normal">
        <Link to={jobPath(run.jobId)} className="text-accent underline-offset-2 hover:underline">
          {at}
        </Link>
        {run.settings && <span className="block max-w-56 text-xs wrap-anywhere">{settingsText(run.settings)}</span>}
        {!own && finished && run.because && (
          <span className="block max-w-56 text-xs text-muted">Not comparable: {run.because}</span>
        )}
      </th>
      <td className="py-1.5 pr-3 text-right tabular-nums">{scoreText(run)}</td>
      <td className="py-1.5 pr-3 text-right text-muted tabular-nums max-sm:hidden">
        <Link to={jobPath(run.jobId, { tab: 'pages' })} className="underline-offset-2 hover:underline">
          {grouped(run.pages)}{' '}
          <span className="sr-only">{`${run.pages === 1 ? 'page' : 'pages'} of the audit of ${at}`}</span>
        </Link>
      </td>
      <td className="py-1.5 pr-3 text-right tabular-nums">
        <Link to={jobPath(run.jobId, { tab: 'findings' })} className="underline-offset-2 hover:underline">
          {run.findings === null ? '–' : grouped(run.findings)}{' '}
          <span className="sr-only">{`${run.findings === 1 ? 'finding' : 'findings'} of the audit of ${at}`}</span>
        </Link>
      </td>
      <td className="py-1.5 pr-1 text-right whitespace-nowrap">
        {own ? (
          <span className="text-muted">this audit</span>
        ) : (
          finished && (
            <Link
              to={jobPath(job.id, { tab: 'compare', with: run.jobId })}
              replace
              aria-current={chosen ? 'true' : undefined}
              className="link"
            >
              {chosen ? 'compared' : 'compare'} <span className="sr-only">with the audit of {at}</span>
            </Link>
          )
        )}
      </td>
    </tr>
  );
}
