import type { LoginRequest, LoginResponse, ProfileResponse, SignupRequest, SignupResponse } from '../../../src/http/contract/auth.ts';
import { api } from '../../api/api.ts';
import { callApi } from '../../api/call.ts';
import { accessToken, clearTokens, storeTokens } from '../../api/tokens.ts';
import { loggedOut, signedIn } from './authSlice.ts';

export const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProfile: build.query<ProfileResponse, void>({
      query: () => ({ path: '/api/v1/auth/profile' }),
      async onQueryStarted(_, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => null);
        if (answer) dispatch(signedIn({ user: answer.data.user, profile: answer.data.profile }));
      },
    }),
    logIn: build.mutation<LoginResponse, LoginRequest>({
      query: (body) => ({ path: '/api/v1/auth/login', method: 'POST', body, anonymous: true }),
      onQueryStarted: (_, { dispatch, queryFulfilled }) => takeSession(queryFulfilled, dispatch),
    }),
    signUp: build.mutation<SignupResponse, SignupRequest>({
      query: (body) => ({ path: '/api/v1/auth/signup-first', method: 'POST', body, anonymous: true }),
      onQueryStarted: (_, { dispatch, queryFulfilled }) => takeSession(queryFulfilled, dispatch),
    }),
    logOut: build.mutation<null, void>({
      // Here and now this browser is logged out, whatever the server answers and however late.
      queryFn: async (_, { dispatch }) => {
        const token = accessToken();
        clearTokens();
        dispatch(loggedOut());
        await callApi({ path: '/api/v1/auth/logout', method: 'POST', body: {} }, token);
        return { data: null };
      },
    }),
  }),
});

type Dispatch = (action: ReturnType<typeof signedIn>) => unknown;

/** The old token is gone before the new one is asked for; what the screen shows on failure is the form's business. */
async function takeSession(fulfilled: Promise<{ data: LoginResponse }>, dispatch: Dispatch): Promise<void> {
  clearTokens();
  const answer = await fulfilled.catch(() => null);
  if (!answer) return;
  const { session, user_id, email, profile } = answer.data;
  storeTokens(session);
  dispatch(signedIn({ user: { id: user_id, email }, profile }));
}

export const { useLogInMutation, useSignUpMutation, useLogOutMutation } = authApi;
