/** Route guards. The server checks again on every call; this only spares users pages that would not work. */

import { useDeferredValue } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { selectAuth } from '../features/auth/authSlice.ts';
import { isOwnPath, nextOf } from '../features/auth/campaign.ts';
import { lazily } from '../ui/lazily.ts';
import { paths } from '../ui/paths.ts';
import { Loading } from '../ui/Spinner.tsx';

const SignedInArea = lazily(() => import('./SignedInArea.tsx'), 'SignedInArea');

/** Redirects visitors to log in and then back here, unless they have just logged out. */
export function SignedInOnly() {
  const { phase, loggedOut } = useSelector(selectAuth);
  const location = useLocation();
  // A page takes long to render: deferred rendering stays responsive to keys and clicks.
  const ready = useDeferredValue(true, false);
  if (phase === 'authenticated') return ready ? <SignedInArea /> : <Loading />;
  return (
    <Navigate to={paths.login} replace state={loggedOut ? null : { from: `${location.pathname}${location.search}` }} />
  );
}

export function VisitorsOnly() {
  const { phase, profile } = useSelector(selectAuth);
  const location = useLocation();
  if (phase !== 'authenticated') return <Outlet />;
  const from = destination(location.state, location.search);
  // An admin without the required second factor is asked to set it up first.
  return <Navigate to={profile?.mfa === 'required' ? paths.admin : from} replace state={{ from }} />;
}

function destination(state: unknown, search: string): string {
  const from = (state as { from?: unknown } | null)?.from;
  return isOwnPath(from) ? from : (nextOf(new URLSearchParams(search)) ?? paths.home);
}
