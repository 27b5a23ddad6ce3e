import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { asFailure, textOf } from '../../api/failure.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { count } from '../../ui/wording.ts';
import { ActionDetail } from './ActionDetail.tsx';
import { ActionList } from './ActionList.tsx';
import { useGetActionsQuery } from './actionsApi.ts';
import { SummaryCard } from './SummaryCard.tsx';

interface ActionsViewProps {
  /** Changes when the items of the analysis may have: then they are asked for again. */
  version: string;
  /** Shown instead of an empty list while the analysis is not through. */
  waiting: ReactNode;
}

/** The action items of the analysis that the address names; with `actionId`, one of them. */
export function ActionsView({ version, waiting }: ActionsViewProps) {
  const [search] = useSearchParams();
  const key = { jobId: search.get('jobId'), domain: search.get('domain'), timestamp: search.get('timestamp') };
  const { currentData: data, error, isFetching, refetch } = useGetActionsQuery(key);
  const actionId = search.get('actionId');
  useFocusOfList(actionId);
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current !== version) void refetch();
    seen.current = version;
  }, [version, refetch]);

  const linkTo = (id: string | null) => ({ search: `?${withAction(search, id)}` });
  if (!data) {
    if (!error) return <ActionsSkeleton />;
    if (asFailure(error).status === 404) return <NoAnalyses />;
    return (
      <ErrorPanel
        title="Error Loading Actions"
        text={textOf(error, 'Failed to fetch actions')}
        retryLabel="Try Again"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const action = data.actions.find((each) => each.id === actionId);
  if (action) return <ActionDetail action={action} back={linkTo(null)} />;
  if (!data.jobId) return <NoAnalyses />;
  if (data.actions.length === 0 && waiting) return waiting;
  return (
    <div className="space-y-4">
      {actionId && (
        <Notice tone="attention">
          <p>The task that this address names is not among these action items.</p>
        </Notice>
      )}
      {data.executiveSummary && <SummaryCard text={data.executiveSummary} analyst={data.analyst} />}
      {data.isFreemiumPreview && data.totalActionsAvailable > data.actionsShown && (
        <PreviewNotice shown={data.actionsShown} total={data.totalActionsAvailable} />
      )}
      {data.actions.length > 0 ? (
        <ActionList actions={data.actions} linkTo={linkTo} />
      ) : (
        <p className="py-8 text-center text-muted">This analysis led to no action items.</p>
      )}
    </div>
  );
}

function PreviewNotice({ shown, total }: { shown: number; total: number }) {
  return (
    <Notice tone="info" title={`Preview: ${shown} of ${total} action items`}>
      <p>
        These are the ones with the highest impact. {count(total - shown, 'more item')} {total - shown === 1 ? 'comes' : 'come'} with full access, which is not
        available yet.
      </p>
    </Notice>
  );
}

function NoAnalyses() {
  return (
    <div className="rounded-card border border-line bg-card px-4 py-12 text-center">
      <h2 className="text-lg">No SEO Analyses Found</h2>
      <p className="mt-1 text-muted">The analysis may have been deleted, or none has been made yet.</p>
      <Link to={paths.home} className={buttonLook('primary', 'mt-4')}>
        Go to Dashboard
      </Link>
    </div>
  );
}

function ActionsSkeleton() {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading the action items</span>
      <div className="space-y-3 rounded-card border border-line bg-card p-4">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-full max-w-xl" />
        <Skeleton className="h-4 w-2/3 max-w-md" />
      </div>
      <div className="rounded-card border border-line bg-card">
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className="space-y-2 border-t border-line px-4 py-4 first:border-0">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-1/3" />
          </div>
        ))}
      </div>
    </div>
  );
}

function withAction(search: URLSearchParams, actionId: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (actionId) next.set('actionId', actionId);
  else next.delete('actionId');
  return next;
}

/** Back in the list, the keyboard stands where it left it. */
function useFocusOfList(actionId: string | null): void {
  const last = useRef(actionId);
  useEffect(() => {
    if (last.current && !actionId) document.getElementById(`action-${last.current}`)?.focus();
    last.current = actionId;
  }, [actionId]);
}
