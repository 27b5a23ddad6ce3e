import { Suspense, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { connectionChanged, updateArrived } from '../api/connection.ts';
import type { ChannelList, RowEvent } from '../api/live.ts';
import { workChanged } from '../api/pendingWork.ts';
import { keepRenewed } from '../api/renewal.ts';
import { sessionEnded } from '../api/sessionEnded.ts';
import { readStatus, selectStatus } from '../api/system.ts';
import { patchSubscription, reloadSubscription } from '../features/account/subscription/subscriptionApi.ts';
import { reloadJobs } from '../features/jobs/jobsApi.ts';
import { loadJobs, patchJobRows, selectJobsPosition } from '../features/jobs/jobsLive.ts';
import { refusalDismissed, selectReady, selectRefusal } from '../features/jobs/jobsSlice.ts';
import { usePolling } from '../features/jobs/usePolling.ts';
import { lazily } from '../ui/lazily.ts';
import { startRealtime } from './realtime.ts';
import type { UserStore } from './userData.ts';

const ReadyModal = lazily(() => import('../features/jobs/ReadyModal.tsx'), 'ReadyModal');
const Refused = lazily(() => import('./buying/Refused.tsx'), 'Refused');

/** Everything that runs or may open on every page while a user is logged in. */
export function LiveSession({ store, channels }: { store: UserStore; channels: ChannelList }) {
  const dispatch = useDispatch();
  const ready = useSelector(selectReady);
  const refusal = useSelector(selectRefusal);
  useEffect(() => startLive(store, channels), [store, channels]);
  const known = useSelector(selectStatus) !== null;
  useEffect(() => {
    // The server did not respond when the page was opened.
    if (!known) void readStatus(dispatch);
  }, [known, dispatch]);
  usePolling();
  return (
    <Suspense fallback={null}>
      {ready.length > 0 && <ReadyModal />}
      {refusal && <Refused refusal={refusal} onClose={() => dispatch(refusalDismissed())} />}
    </Suspense>
  );
}

/** Subscribes from the beginning, so that the server sends everything it has. */
const BEGINNING = '0'.repeat(20);

function startLive(store: UserStore, more: ChannelList): () => void {
  const { dispatch, getState } = store;
  const list = dispatch(loadJobs());
  const endSession = (): void => void dispatch(sessionEnded());
  const seen = (apply: (events: readonly RowEvent[]) => void) => (events: readonly RowEvent[]) => {
    apply(events);
    dispatch(updateArrived(Date.now()));
  };
  const position = async (): Promise<string | null> => {
    await list;
    if (selectJobsPosition(getState()) === null) await dispatch(reloadJobs());
    return selectJobsPosition(getState());
  };
  const stopRealtime = startRealtime({
    channels: [
      {
        name: 'jobs',
        position,
        apply: seen((events) => void dispatch(patchJobRows(events))),
        reload: () => void dispatch(reloadJobs()),
      },
      { name: 'reworks', position, apply: workChanged, reload: workChanged },
      {
        name: 'billing',
        position: async () => BEGINNING,
        apply: (events) => void dispatch(patchSubscription(events)),
        reload: () => void dispatch(reloadSubscription()),
      },
    ],
    more,
    onState: (state) => void dispatch(connectionChanged(state)),
    onSessionEnded: endSession,
  });
  const stopRenewal = keepRenewed(endSession);
  return () => {
    stopRealtime();
    stopRenewal();
    list.unsubscribe();
    dispatch(connectionChanged('connecting'));
  };
}
