/** Logging in and signing up. Separate from the session, since a logged-in user needs none of it. */
import type {
  LoginAnswer,
  LoginRequest,
  LoginResponse,
  SignupRequest,
  SignupResponse,
} from '../../../src/http/contract/auth.ts';
import { type ApiCall, callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { raiseSessionEvent } from '../../api/sessionEvents.ts';
import { clearTokens, storeAccessToken, storeTokens } from '../../api/tokens.ts';
import { recordAuthentication } from './analytics.ts';
import { signedIn } from './authSlice.ts';
import { type AuthStore, refreshProfile } from './session.ts';

/** `challenge`: a second factor is required. */
type Entry<Response> =
  | { readonly response: Response; readonly failure?: undefined; readonly challenge?: undefined }
  | { readonly failure: ApiFailure; readonly challenge?: undefined }
  | { readonly challenge: string; readonly failure?: undefined };

export const logIn = (store: AuthStore, body: LoginRequest): Promise<Entry<LoginResponse>> =>
  enter(store, 'login', { path: '/api/v1/auth/login', method: 'POST', body });
/** `next_step` of the response is what the server wants the new user to do first. */
export const signUp = (store: AuthStore, body: SignupRequest): Promise<Entry<SignupResponse>> =>
  enter(store, 'signup', { path: '/api/v1/auth/signup-first', method: 'POST', body });

/** The old token is deleted before the request for a new one. */
export async function enter<Response extends LoginResponse>(
  store: AuthStore,
  as: 'login' | 'signup',
  call: ApiCall,
): Promise<Entry<Response>> {
  clearTokens();
  const { data, failure } = await callApi(call, null);
  if (failure) return { failure };
  const answer = data as Response | Exclude<LoginAnswer, LoginResponse>;
  if ('mfa_token' in answer) return { challenge: answer.mfa_token };
  const response = answer;
  // Agreed are the token and the user; a sign-up need not have the profile, which is read next.
  const { session } = response as Partial<LoginResponse>;
  if (session) storeTokens(session);
  else storeAccessToken(response.token);
  recordAuthentication(as, response.user_id);
  raiseSessionEvent('signed_in');
  store.dispatch(signedIn({ user: { id: response.user_id, email: response.email }, profile: response.profile }));
  void refreshProfile(store);
  return { response };
}
