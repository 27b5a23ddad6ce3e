import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AdminSessionResponse } from '../../../../src/http/contract/admin/session.ts';
import { authorizedCall } from '../../../api/authorizedCall.ts';
import type { ApiAnswer } from '../../../api/call.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';

type Ask = (method: 'GET' | 'POST') => Promise<ApiAnswer>;

const REPORTED_EVERY_MS = 60_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel'] as const;

/**
 * `expired`: admin access has timed out. `no_code`: the session has not shown the second factor that the server
 * requires.
 */
export type AdminAccess = 'open' | 'expired' | 'no_code';

/**
 * While access is open, reports to the server that the admin is active; polling alone never extends the access.
 * `reopen`: a code was entered.
 */
export function useAdminSession(): { readonly access: AdminAccess; readonly reopen: () => void } {
  const dispatch = useDispatch();
  const [access, setAccess] = useState<AdminAccess>('open');
  useEffect(() => {
    if (access !== 'open') return;
    const ask: Ask = (method) =>
      authorizedCall(
        { path: '/api/v1/admin/session', method, ...(method === 'POST' ? { body: {} } : {}) },
        () => void dispatch(sessionEnded()),
      );
    return follow(ask, setAccess);
  }, [access, dispatch]);
  return { access, reopen: () => setAccess('open') };
}

/** Opening the page counts as activity. Returns a stop function. */
function follow(ask: Ask, onClosed: (access: AdminAccess) => void): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reported = Number.NEGATIVE_INFINITY;
  const read = async (method: 'GET' | 'POST'): Promise<void> => {
    const { data, failure } = await ask(method);
    if (stopped) return;
    if (failure?.code === 'ADMIN_SESSION_EXPIRED') return onClosed('expired');
    if (failure?.code === 'MFA_REQUIRED') return onClosed('no_code');
    // Any other failure is shown by the page's own calls.
    if (failure) return;
    clearTimeout(timer);
    // Asks again rather than trusting the timer: another tab may have been active.
    timer = setTimeout(() => void read('GET'), (data as AdminSessionResponse).data.seconds_left * 1_000);
  };
  const act = (): void => {
    const now = performance.now();
    if (now - reported < REPORTED_EVERY_MS) return;
    reported = now;
    void read('POST');
  };
  act();
  for (const kind of ACTIVITY) window.addEventListener(kind, act, { capture: true, passive: true });
  return () => {
    stopped = true;
    clearTimeout(timer);
    for (const kind of ACTIVITY) window.removeEventListener(kind, act, { capture: true });
  };
}
