import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../src/model/jobs.ts';
import { textOf } from '../../api/failure.ts';
import { IssueTasks } from '../../features/actions/issue/IssueTasks.tsx';
import { FindingsTools } from '../../features/jobs/findings/FindingsTools.tsx';
import { StageAnnouncer } from '../../features/jobs/list/StageAnnouncer.tsx';
import { CompareTab } from '../../features/jobs/page/CompareTab.tsx';
import { FilesTab } from '../../features/jobs/page/FilesTab.tsx';
import { FindingsTab } from '../../features/jobs/page/FindingsTab.tsx';
import { Nothing } from '../../features/jobs/page/Nothing.tsx';
import { Overview } from '../../features/jobs/page/overview/Overview.tsx';
import { ReportTab } from '../../features/jobs/page/ReportTab.tsx';
import { useRowsInView } from '../../features/jobs/page/toRows.ts';
import { useJob } from '../../features/jobs/page/useJob.ts';
import type { AskToSpend } from '../../features/jobs/useRunAgain.tsx';
import { buttonClasses } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { GridSkeleton } from '../../ui/grid/GridSkeleton.tsx';
import { lazily } from '../../ui/lazily.ts';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { grouped, hostWithoutWww, titleCase } from '../../ui/text/wording.ts';
import { useAskToSpend } from '../buying/usePaid.ts';

const ReportInAddress = lazily(() => import('../ReportInAddress.tsx'), 'ReportInAddress');

const LiveView = lazily(() => import('../../features/jobs/live/LiveView.tsx'), 'LiveView');
const PagesTab = lazily(() => import('../../features/jobs/page/tables/PagesTab.tsx'), 'PagesTab');
const LinksTab = lazily(() => import('../../features/jobs/page/tables/LinksTab.tsx'), 'LinksTab');
const StructureTab = lazily(() => import('../../features/jobs/structure/StructureTab.tsx'), 'StructureTab');

const NOT_FOUND = 'Audit not found';

export function JobPage() {
  const { jobId = '' } = useParams();
  const found = useJob(jobId);
  const [search] = useSearchParams();
  const host = found.state === 'there' ? hostWithoutWww(found.job.host) : '';
  usePageTitle(host ? `Audit of ${host}` : found.state === 'missing' ? NOT_FOUND : 'Audit');
  return (
    <>
      {found.state === 'loading' && <PageSkeleton />}
      {found.state === 'missing' && <Missing />}
      {found.state === 'failed' && (
        <ErrorPanel
          title="Failed to load the audit"
          text={textOf(found.error, 'The server sent an unexpected response.')}
          onRetry={found.retry}
        />
      )}
      {found.state === 'there' && <Shown key={jobId} job={found.job} />}
      {search.has('report') && (
        <Suspense fallback={null}>
          <ReportInAddress />
        </Suspense>
      )}
    </>
  );
}

function Shown({ job }: { job: JobView }) {
  const alone = useMemo(() => [job], [job]);
  const running = groupOf(job.status) === 'processing';
  const Ask = useAskToSpend();
  const was = useRef(running);
  useEffect(() => {
    // The focused element, such as the Cancel button, was removed with the progress.
    if (was.current && !running && document.activeElement === document.body)
      document.querySelector<HTMLElement>('main h1')?.focus();
    was.current = running;
  }, [running]);
  return (
    <div className="space-y-1 lg:-mt-5">
      <Overview job={job} Ask={Ask} />
      <StageAnnouncer jobs={alone} />
      {running && !job.files.includes('findings.json') ? (
        <Suspense fallback={<Skeleton className="h-[calc(100dvh-9rem)] min-h-96 w-full" />}>
          <LiveView job={job} />
        </Suspense>
      ) : (
        <JobTabs job={job} Ask={Ask} />
      )}
    </div>
  );
}

const TABS = ['findings', 'pages', 'links', 'structure', 'report', 'compare', 'files'] as const;

function JobTabs({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'findings';
  const failed = groupOf(job.status) === 'failed';
  const waiting = (coming: string, missed: string): string =>
    failed ? `The audit ended before ${missed}.` : `Still running. ${coming} here.`;
  const shown: Record<(typeof TABS)[number], ReactNode> = {
    findings: job.files.includes('findings.json') ? (
      <FindingsTab job={job} Tasks={IssueTasks} />
    ) : (
      <Nothing text={waiting('Findings will appear', 'anything was found')} />
    ),
    pages: job.files.includes('pages.csv') ? (
      <Suspense fallback={<GridSkeleton label="Loading the pages" />}>
        <PagesTab job={job} Ask={Ask} />
      </Suspense>
    ) : (
      <Nothing text={waiting('Its pages will appear', 'its pages were listed')} />
    ),
    links: job.files.includes('pages.csv') ? (
      <Suspense fallback={<GridSkeleton label="Loading the links" />}>
        <LinksTab job={job} Ask={Ask} />
      </Suspense>
    ) : (
      <Nothing text={waiting('Its links will appear', 'its links were listed')} />
    ),
    structure: job.files.includes('pages.csv') ? (
      <Suspense fallback={<GridSkeleton label="Loading the structure" />}>
        <StructureTab job={job} Ask={Ask} />
      </Suspense>
    ) : (
      <Nothing text={waiting('Its structure will appear', 'its pages were listed')} />
    ),
    report: <ReportTab job={job} waiting={waiting('The report will appear', 'its report was written')} />,
    compare: <CompareTab job={job} />,
    files: <FilesTab job={job} waiting={waiting('Its files will appear', 'a file was written')} />,
  };
  const numbers = {
    findings: job.findings,
    pages: job.files.includes('pages.csv') ? job.pages_done : null,
    links: null,
    structure: null,
    report: null,
    compare: null,
    files: job.files.length || null,
  };
  const parts = useRowsInView<HTMLDivElement>(!search.has('cause'));
  return (
    <div ref={parts} className="scroll-mt-20">
      <Tabs
        scrolls
        label="Parts of the audit"
        value={tab}
        choices={TABS.map((value) => ({ value, label: <TabLabel name={value} number={numbers[value]} /> }))}
        onChange={(value) => setSearch(value === 'findings' ? {} : { tab: value })}
        aside={tab === 'findings' && job.files.includes('findings.json') ? <FindingsTools job={job} /> : undefined}
        listClassName="print:hidden"
      >
        {shown[tab]}
      </Tabs>
    </div>
  );
}

function TabLabel({ name, number }: { name: string; number: number | null }) {
  return (
    <>
      {titleCase(name)} {number !== null && <span className="text-xs tabular-nums opacity-90">{grouped(number)}</span>}
    </>
  );
}

function Missing() {
  return (
    <Nothing title={NOT_FOUND} text="This audit doesn’t exist or was deleted.">
      <Link to={paths.home} className={buttonClasses('primary')}>
        Back to All Jobs
      </Link>
    </Nothing>
  );
}

function PageSkeleton() {
  return (
    <div role="status" className="space-y-1 lg:-mt-5">
      <span className="sr-only">Loading the audit</span>
      <Skeleton className="h-56 w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
