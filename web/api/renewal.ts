/** Token renewal: on demand after a 401, and ahead of time in the background. */
import type { RefreshResponse } from '../../src/http/contract/auth.ts';
import { callApi } from './call.ts';
import { raiseSessionEvent } from './sessionEvents.ts';
import { accessToken, clearTokens, refreshToken, renewalDueAt, storeTokens } from './tokens.ts';

/** `ended`: the session is over for good and its tokens are deleted. `unreachable`: unknown; try again later. */
export type Renewal = 'renewed' | 'ended' | 'unreachable';

let running: Promise<Renewal> | null = null;

/**
 * Renews the session whose access token is `spent`, unless it was renewed already. A refresh token works once and a
 * second use ends the session, so the calls of a tab share one renewal, and tabs renew one at a time.
 */
export function renewSession(spent: string | null): Promise<Renewal> {
  running ??= withLock(() => renew(spent)).finally(() => {
    running = null;
  });
  return running;
}

async function renew(spent: string | null): Promise<Renewal> {
  if (accessToken() !== spent && accessToken() !== null) return 'renewed';
  const token = refreshToken();
  if (!token) {
    clearTokens();
    return 'ended';
  }
  const { data, failure } = await callApi(
    { path: '/api/v1/auth/refresh', method: 'POST', body: { refresh_token: token } },
    null,
  );
  // Logged out, or logged in as another user, while the request was pending.
  if (refreshToken() !== token) return accessToken() === null ? 'ended' : 'renewed';
  if (failure) {
    if (failure.status === 0 || failure.status === 429 || failure.status >= 500) return 'unreachable';
    clearTokens();
    return 'ended';
  }
  storeTokens((data as RefreshResponse).session);
  raiseSessionEvent('token_refreshed');
  return 'renewed';
}

async function withLock(work: () => Promise<Renewal>): Promise<Renewal> {
  // Locks need a secure origin. Without them two tabs may rarely collide, and one of them has to log in again.
  return 'locks' in navigator ? navigator.locks.request('auth_renewal', work) : work();
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 30_000;
/** No timer runs longer, since timers drift while a computer sleeps. */
const RECHECK_MS = 60_000;

/** Keeps the session alive until stopped; pauses while the tab is hidden. */
export function keepRenewed(onEnded: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry = FIRST_RETRY_MS;
  let stopped = false;

  const plan = (): void => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    const wait = (renewalDueAt() ?? Number.POSITIVE_INFINITY) - Date.now();
    timer =
      wait > RECHECK_MS
        ? setTimeout(plan, RECHECK_MS)
        : setTimeout(() => void renewNow(), Math.max(wait, FIRST_RETRY_MS));
  };
  const renewNow = async (): Promise<void> => {
    const outcome = await renewSession(accessToken());
    if (stopped) return;
    if (outcome === 'ended') return onEnded();
    if (outcome === 'renewed') {
      retry = FIRST_RETRY_MS;
      return plan();
    }
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(() => void renewNow(), retry);
    retry = Math.min(retry * 2, LAST_RETRY_MS);
  };

  plan();
  document.addEventListener('visibilitychange', plan);
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', plan);
  };
}
