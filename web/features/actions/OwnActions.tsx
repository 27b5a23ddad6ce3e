import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { type ReactNode, useCallback, useContext, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import type { ActionsResponse, ActionView } from '../../../src/http/contract/actions.ts';
import { updateArrived } from '../../api/connection.ts';
import { asFailure, textOf } from '../../api/failure.ts';
import { LiveChannels, type RowEvent, useRefetchOnChange } from '../../api/live.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Toasts } from '../../ui/overlay/Toasts.tsx';
import { paths } from '../../ui/paths.ts';
import { ActionsDashboard } from './ActionsDashboard.tsx';
import { ActionsSkeleton } from './ActionsSkeleton.tsx';
import { type AnalysisKey, actionsApi, useGetActionsQuery } from './actionsApi.ts';
import { GenerateSummary } from './GenerateSummary.tsx';
import { patchOf, withPending } from './pending.ts';
import { useActionWork } from './useActionWork.ts';

interface OwnActionsProps {
  /** Changes when the audit's items may have changed, which refetches them. Undefined until known. */
  version: string | undefined;
  /** Shown instead of an empty list until the audit is done. */
  waiting: ReactNode;
  /** The audited site, for exports and prompts. */
  site: string;
  /** Renders the control that unlocks all `total` items of a preview; nothing when it cannot be unlocked. */
  unlock?: ((jobId: string, total: number) => ReactNode) | undefined;
}

/** The action items of the audit named by the address, for its owner. */
export function OwnActions({ version, waiting, site, unlock }: OwnActionsProps) {
  const [search] = useSearchParams();
  const jobId = search.get('jobId');
  const domain = search.get('domain');
  const timestamp = search.get('timestamp');
  const key = useMemo(() => ({ jobId, domain, timestamp }), [jobId, domain, timestamp]);
  const query = useGetActionsQuery(key);
  const { currentData: data, error, isFetching, startedTimeStamp, refetch } = query;
  // The first render is deferred, so that the page stays responsive.
  const there = useDeferredValue(data !== undefined);
  useRefetchOnChange(version, query);
  if (!data || !there) {
    if (!error || data) return <ActionsSkeleton />;
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
  if (!data.jobId) return <NoAnalyses />;
  if (data.actions.length === 0 && waiting) return waiting;
  return (
    <Toasts>
      {/* Remounted for another audit, as pending changes belong to the previous one. */}
      <Board
        key={data.jobId}
        jobId={data.jobId}
        analysis={key}
        data={data}
        askedAt={startedTimeStamp ?? 0}
        refresh={refetch}
        refreshing={isFetching}
        site={site}
        unlock={unlock}
      />
    </Toasts>
  );
}

interface BoardProps {
  jobId: string;
  analysis: AnalysisKey;
  data: ActionsResponse;
  askedAt: number;
  refresh: () => void;
  refreshing: boolean;
  site: string;
  unlock: OwnActionsProps['unlock'];
}

function Board({ jobId, analysis, data, askedAt, refresh, refreshing, site, unlock }: BoardProps) {
  const dispatch = useDispatch();
  const changed = useCallback(() => void dispatch(actionsApi.util.invalidateTags(['Actions'])), [dispatch]);
  const { work, pending } = useActionWork({ jobId, askedAt, refresh, refreshing });
  useLiveRows(jobId, analysis, data.position, changed);
  const actions = useMemo(() => withPending(data.actions, pending), [data.actions, pending]);
  return (
    <ActionsDashboard
      mode="own"
      site={site}
      actions={actions}
      executiveSummary={data.executiveSummary}
      analyst={data.analyst}
      summaryButton={<GenerateSummary jobId={jobId} there={data.executiveSummary !== null} />}
      isPreview={data.isFreemiumPreview}
      totalActions={data.totalActionsAvailable}
      unlockButton={data.isFreemiumPreview ? unlock?.(jobId, data.totalActionsAvailable) : undefined}
      work={work}
    />
  );
}

type ApiState = Parameters<ReturnType<typeof actionsApi.endpoints.getActions.select>>[0];

/** Rows changed elsewhere are patched at once, then refetched. */
function useLiveRows(jobId: string, analysis: AnalysisKey, position: string, changed: () => void): void {
  const channels = useContext(LiveChannels);
  const dispatch = useDispatch<ThunkDispatch<ApiState, unknown, UnknownAction>>();
  const shown = useRef(position);
  useEffect(() => {
    shown.current = position;
  }, [position]);
  useEffect(
    () =>
      channels.follow({
        name: `actions:${jobId}`,
        position: async () => shown.current,
        apply: (events) => {
          dispatch(patchRows(analysis, events));
          dispatch(updateArrived(Date.now()));
          changed();
        },
        reload: changed,
      }),
    [channels, jobId, analysis, dispatch, changed],
  );
}

function patchRows(analysis: AnalysisKey, events: readonly RowEvent[]) {
  return actionsApi.util.updateQueryData('getActions', analysis, (draft) => {
    const shown = new Map(draft.actions.map((action: ActionView) => [action.id, action]));
    for (const { new: row, position } of events) {
      // The fetched rows already include what is not newer.
      const action = position > draft.position ? shown.get(String(row?.id)) : undefined;
      if (action && row) Object.assign(action, patchOf(row));
    }
  });
}

function NoAnalyses() {
  return (
    <div className="panel px-4 py-12 text-center">
      <h2 className="text-lg">No SEO Analyses Found</h2>
      <p className="mt-1 text-muted">It may have been deleted, or you haven’t run one yet.</p>
      <Link to={paths.home} className={buttonClasses('primary', 'mt-4')}>
        Go to Dashboard
      </Link>
    </div>
  );
}
