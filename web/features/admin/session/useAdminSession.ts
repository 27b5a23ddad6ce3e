import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AdminSessionResponse } from '../../../../src/http/contract/admin/session.ts';
import { authorizedCall } from '../../../api/authorizedCall.ts';
import type { ApiAnswer } from '../../../api/call.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';

type Ask = (method: 'GET' | 'POST') => Promise<ApiAnswer>;

const REPORTED_EVERY_MS = 60_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel'] as const;

/** Whether admin access has timed out. Until then reports to the server that the admin is active; polling alone never extends the access. */
export function useAdminSession(): boolean {
  const dispatch = useDispatch();
  const [expired, setExpired] = useState(false);
  useEffect(() => {
    if (expired) return;
    const ask: Ask = (method) =>
      authorizedCall({ path: '/api/v1/admin/session', method, ...(method === 'POST' ? { body: {} } : {}) }, () => void dispatch(sessionEnded()));
    return follow(ask, () => setExpired(true));
  }, [expired, dispatch]);
  return expired;
}

/** Opening the page counts as activity. Returns a stop function. */
function follow(ask: Ask, onExpired: () => void): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reported = Number.NEGATIVE_INFINITY;
  const read = async (method: 'GET' | 'POST'): Promise<void> => {
    const { data, failure } = await ask(method);
    if (stopped) return;
    if (failure?.code === 'ADMIN_SESSION_EXPIRED') return onExpired();
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
