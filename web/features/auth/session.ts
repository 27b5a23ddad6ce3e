/** Logging out, and identifying the user: once at start, and again when another tab logs in or out. */
import type { UnknownAction } from '@reduxjs/toolkit';
import type { LogoutResponse, ProfileResponse } from '../../../src/http/contract/auth.ts';
import { authorizedCall } from '../../api/authorizedCall.ts';
import { callApi } from '../../api/call.ts';
import { leaveFor } from '../../api/leaveFor.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';
import { onSessionEvent, raiseSessionEvent } from '../../api/sessionEvents.ts';
import { readStatus } from '../../api/system.ts';
import { accessToken, clearTokens, forgetTabsTokens, onTokensChangedElsewhere } from '../../api/tokens.ts';
import { recordAuthentication } from './analytics.ts';
import { type AuthState, loggedOut, serverMissed, signedIn, startedSignedOut } from './authSlice.ts';

export interface AuthStore {
  readonly dispatch: (action: UnknownAction) => unknown;
  readonly getState: () => { readonly auth: AuthState };
}

/**
 * Logs this browser out at once, regardless of when or how the server responds; then also at the provider of single
 * sign-on that opened the session, which leads back.
 */
export async function logOut(store: Pick<AuthStore, 'dispatch'>): Promise<void> {
  const token = accessToken();
  clearTokens();
  store.dispatch(loggedOut());
  recordAuthentication('logout', null);
  raiseSessionEvent('signed_out');
  const { data } = await callApi({ path: '/api/v1/auth/logout', method: 'POST', body: {} }, token);
  const url = (data as LogoutResponse | undefined)?.end_session_url;
  // Unless somebody has logged in again meanwhile.
  if (url !== undefined && accessToken() === null) leaveFor(url);
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 30_000;

/**
 * Loads the status, then the stored token's profile; no request without a token. Resolves when it is known who is
 * logged in.
 */
export async function startSession(store: AuthStore): Promise<void> {
  if (!accessToken()) store.dispatch(startedSignedOut());
  await readStatus(store.dispatch);
  await readProfile(store, FIRST_RETRY_MS);
  raiseSessionEvent('initial_session');
}

/** Reloads what may have changed elsewhere, such as the email through a link. */
export const refreshProfile = (store: AuthStore): Promise<void> => readProfile(store, FIRST_RETRY_MS);

async function readProfile(store: AuthStore, retry: number): Promise<void> {
  const token = accessToken();
  const undecided = (): boolean => store.getState().auth.phase === 'loading';
  if (!token) {
    if (undecided()) store.dispatch(startedSignedOut());
    return;
  }
  const { data, failure } = await authorizedCall(
    { path: '/api/v1/auth/profile' },
    () => void store.dispatch(sessionEnded()),
  );
  const answer = data as ProfileResponse | undefined;
  // Logged out meanwhile: the response is for a previous user.
  if (answer && accessToken() !== null) store.dispatch(signedIn({ user: answer.user, profile: answer.profile }));
  const missed = failure !== undefined && (failure.status === 0 || failure.status >= 500);
  if (undecided()) store.dispatch(missed ? serverMissed() : startedSignedOut());
  if (!failure || store.getState().auth.phase === 'authenticated') return;
  if (!missed) {
    // A 401 is about the tokens of now, which may be newer: the call renews them once.
    if (failure.status === 401 || accessToken() === token) clearTokens();
    return;
  }
  // No response says nothing about the token: keep it and retry until the server is back or someone logs in.
  setTimeout(() => {
    if (accessToken() === token && store.getState().auth.phase === 'unauthenticated')
      void readProfile(store, Math.min(retry * 2, LAST_RETRY_MS));
  }, retry);
}

/**
 * Keeps this tab's session in sync with other tabs, also when the browser restores the page from its cache. Returns a
 * stop function.
 */
export function followOtherTabs(store: AuthStore): () => void {
  const follow = (token: string | null): void => {
    if (token !== null) void readProfile(store, FIRST_RETRY_MS);
    else if (store.getState().auth.phase === 'authenticated') store.dispatch(sessionEnded());
  };
  const shownAgain = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) follow(accessToken());
  };
  window.addEventListener('pageshow', shownAgain);
  const stop = onTokensChangedElsewhere(follow);
  const stopEvents = onSessionEvent((event, elsewhere) => {
    if (!elsewhere) return;
    // Where storage is blocked, this is all that a tab hears of it.
    if (event === 'signed_out') forgetTabsTokens();
    if (event === 'signed_out' || event === 'user_updated') follow(accessToken());
  });
  return () => {
    stopEvents();
    window.removeEventListener('pageshow', shownAgain);
    stop();
  };
}
