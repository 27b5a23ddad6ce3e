/** Who is here: asked once at the start, and again when another tab logs in or out. */
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/api.ts';
import { asFailure } from '../../api/failure.ts';
import { systemApi } from '../../api/system.ts';
import { accessToken, clearTokens, onTokensChangedElsewhere } from '../../api/tokens.ts';
import { authApi } from './authApi.ts';
import { type AuthState, startedSignedOut } from './authSlice.ts';

interface Store {
  readonly dispatch: ThunkDispatch<{ auth: AuthState }, unknown, UnknownAction>;
  readonly getState: () => { readonly auth: AuthState };
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 30_000;

/** Status first, then the stored token's profile. Resolves when it is known who is here. */
export async function startSession(store: Store): Promise<void> {
  await store.dispatch(systemApi.endpoints.getStatus.initiate());
  await readProfile(store, FIRST_RETRY_MS);
}

async function readProfile(store: Store, retry: number): Promise<void> {
  const token = accessToken();
  if (!token) return void store.dispatch(startedSignedOut());
  const { error } = await store.dispatch(authApi.endpoints.getProfile.initiate(undefined, { forceRefetch: true, subscribe: false }));
  if (!error) return;
  if (store.getState().auth.phase === 'loading') store.dispatch(startedSignedOut());
  const { status } = asFailure(error);
  if (status !== 0 && status < 500) {
    if (accessToken() === token) clearTokens();
    return;
  }
  // No answer says nothing about the token: it stays, and is tried again until the server is back or somebody logs in.
  setTimeout(() => {
    if (accessToken() === token && store.getState().auth.phase === 'unauthenticated') void readProfile(store, Math.min(retry * 2, LAST_RETRY_MS));
  }, retry);
}

/** Keeps this tab's session in step with the other tabs'. Returns how to stop. */
export function followOtherTabs(store: Store): () => void {
  return onTokensChangedElsewhere((token) => {
    if (token === null) {
      if (store.getState().auth.phase === 'authenticated') store.dispatch(sessionEnded());
      return;
    }
    void readProfile(store, FIRST_RETRY_MS);
  });
}
