import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { textOf } from '../../api/failure.ts';
import { OnePageView } from '../../features/jobs/onePage/OnePageView.tsx';
import { addressText } from '../../features/jobs/page/addressText.ts';
import { Nothing } from '../../features/jobs/page/Nothing.tsx';
import { useJob } from '../../features/jobs/page/useJob.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { jobPath, paths } from '../../ui/paths.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** One page of an audited site with everything that the audit kept of it. */
export function JobPagePage() {
  const { jobId = '' } = useParams();
  const [search] = useSearchParams();
  const url = search.get('url') ?? '';
  const list = listIn(useLocation().state);
  const found = useJob(jobId);
  usePageTitle(url === '' ? 'Page' : addressText(url, 60));
  return (
    <div className="space-y-4">
      <Link
        to={
          found.state === 'missing' ? paths.home : list ? `${jobPath(jobId)}${list}` : jobPath(jobId, { tab: 'pages' })
        }
        className={buttonClasses('quiet', '-ml-2 print:hidden')}
      >
        <ArrowLeft aria-hidden="true" size={14} />
        {found.state === 'missing' ? 'Back to All Jobs' : list ? 'Back to the list' : 'All pages of this audit'}
      </Link>
      {found.state === 'loading' && <Skeleton className="h-64 w-full" />}
      {found.state === 'missing' && <Nothing text="This audit doesn’t exist, or isn’t yours." />}
      {found.state === 'failed' && (
        <ErrorPanel
          title="Failed to load the audit"
          text={textOf(found.error, 'The server sent an unexpected response.')}
          onRetry={found.retry}
        />
      )}
      {found.state === 'there' && <OnePageView key={url} job={found.job} url={url} />}
    </div>
  );
}

/** The query of the list that led here, with its filters and order; null if none did. */
const listIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string' ? state.list : null;
