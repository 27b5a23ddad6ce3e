import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../../../src/model/jobs.ts';
import { Button } from '../../../../ui/Button.tsx';
import { QueryState } from '../../../../ui/QueryState.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import type { AskToSpend } from '../../useRunAgain.tsx';
import { AuditPart } from '../AuditPart.tsx';
import { JobHead } from '../JobHead.tsx';
import { type Causes, rowsOf, useCountPagesQuery, useListCausesQuery } from '../reportApi.ts';
import { ScoreFormula } from '../ScoreFormula.tsx';
import { sumText } from '../scoreSums.ts';
import { Columns } from './Columns.tsx';
import { categoryColumns, depthColumns, impactColumns } from './charts.ts';
import { FixFirst } from './FixFirst.tsx';
import { PagesByAnswer } from './PagesByAnswer.tsx';
import { ScoreFigure } from './ScoreFigure.tsx';

/** How the site is, what changed, and what to do first: each figure leads to its rows. */
export function Overview({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  return (
    <section aria-label="Overview" className="panel">
      <JobHead job={job} Ask={Ask} />
      {job.files.includes('findings.json') && (job.score !== null || groupOf(job.status) === 'processing') && (
        <Figures job={job} />
      )}
    </section>
  );
}

const FRAME =
  'flex flex-col gap-x-5 gap-y-3 border-t border-line px-4 pt-2 pb-1.5 max-md:py-3 md:grid md:grid-cols-[168px_minmax(0,1fr)] md:gap-y-1';

function Figures({ job }: { job: JobView }) {
  const query = useListCausesQuery(rowsOf(job));
  const [isOpen, setOpen] = useState(false);
  const explained = useId();
  const found = query.data;
  // The findings have it before the report that records it is written.
  const score = job.score ?? found?.score?.value ?? null;
  if (score === null)
    return query.isLoading ? (
      <div className={FRAME}>
        <Skeleton className="h-22" />
        <FiguresSkeleton />
      </div>
    ) : null;
  return (
    <>
      <div className={FRAME}>
        <ScoreFigure
          job={job}
          score={score}
          sum={found?.score ? sumText(found.score) : query.error ? '' : null}
          explained={explained}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        />
        <AuditPart query={query} loading={<FiguresSkeleton />}>
          {(data) => data.score && <Found job={job} found={data} score={data.score} />}
        </AuditPart>
      </div>
      {isOpen && found?.score && <ScoreFormula id={explained} job={job} score={found.score} />}
    </>
  );
}

/** On a phone only what to fix first is open. */
function Found({ job, found, score }: { job: JobView; found: Causes; score: NonNullable<Causes['score']> }) {
  const [search] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { counts, causes, preview } = found;
  return (
    <>
      <div className="min-w-0 max-md:order-1">
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-mx-2 md:hidden"
        >
          Points, impact, pages, and depth
          <ChevronDown aria-hidden="true" size={14} className={clsx(isOpen && 'rotate-180')} />
        </Button>
        <div
          id={id}
          className={clsx(
            'grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-[290px_188px_minmax(0,1fr)_164px] xl:gap-x-3',
            !isOpen && 'max-md:hidden',
          )}
        >
          <Columns title="Points lost by category" columns={categoryColumns(job.id, score, counts, search)} />
          <Columns title="Issues by impact" columns={impactColumns(job.id, counts, search)} />
          {job.files.includes('pages.csv') && <PageFigures job={job} search={search} />}
        </div>
      </div>
      <div className="min-w-0 md:col-span-2">
        <FixFirst
          jobId={job.id}
          score={score}
          causes={causes}
          cut={preview !== null && preview.total > preview.shown}
        />
      </div>
    </>
  );
}

function PageFigures({ job, search }: { job: JobView; search: URLSearchParams }) {
  const query = useCountPagesQuery(rowsOf(job));
  return (
    // An error takes the place of both charts.
    <div className={query.error ? 'sm:col-span-2' : 'contents'}>
      <QueryState
        query={query}
        title="The pages could not be counted"
        loading={
          <>
            <ChartSkeleton />
            <ChartSkeleton />
          </>
        }
      >
        {({ facets, total }) => (
          <>
            <PagesByAnswer jobId={job.id} facets={facets} total={total} search={search} />
            <Columns
              title="Clicks from home"
              label="Pages by clicks from the home page"
              columns={depthColumns(job.id, facets.depth, search)}
            />
          </>
        )}
      </QueryState>
    </div>
  );
}

/** In the shape of the figures, so that nothing moves when they arrive. */
function FiguresSkeleton() {
  return (
    <>
      <div role="status" className="min-w-0 max-md:order-1">
        <span className="sr-only">Loading the overview</span>
        <Skeleton className="h-11 w-56 md:hidden" />
        <div className="grid gap-x-4 gap-y-3 max-md:hidden sm:grid-cols-2 xl:grid-cols-[290px_188px_minmax(0,1fr)_164px] xl:gap-x-3">
          <ChartSkeleton />
          <ChartSkeleton />
          <ChartSkeleton />
          <ChartSkeleton />
        </div>
      </div>
      <div className="min-w-0 md:col-span-2">
        <div className="grid gap-x-5 gap-y-2 md:grid-cols-[168px_repeat(3,minmax(0,1fr))]">
          <Skeleton className="h-13" />
          <Skeleton className="h-13" />
          <Skeleton className="h-13" />
          <Skeleton className="h-13" />
        </div>
      </div>
    </>
  );
}

function ChartSkeleton() {
  return (
    <div>
      <Skeleton className="h-4 w-32" />
      <Skeleton className="mt-1 h-20" />
    </div>
  );
}
