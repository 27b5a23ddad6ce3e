/** The user's own sessions, password, email and email preferences. */
import type {
  ChangeEmailResponse,
  MailPreferences,
  MailPreferencesResponse,
  ResendConfirmationResponse,
  SessionsResponse,
  SessionView,
} from '../../../src/http/contract/security.ts';
import { api } from '../../api/api.ts';

const securityApi = api.enhanceEndpoints({ addTagTypes: ['MailPreferences'] }).injectEndpoints({
  endpoints: (build) => ({
    getSessions: build.query<readonly SessionView[], void>({
      query: () => ({ path: '/api/v1/auth/sessions' }),
      transformResponse: (response: SessionsResponse) => response.sessions,
      providesTags: ['Sessions'],
    }),
    endSession: build.mutation<unknown, string>({
      query: (id) => ({ path: `/api/v1/auth/sessions/${encodeURIComponent(id)}`, method: 'DELETE' }),
      invalidatesTags: (_, error) => (error ? [] : ['Sessions']),
    }),
    logOutEverywhere: build.mutation<unknown, void>({
      query: () => ({ path: '/api/v1/auth/logout-everywhere', method: 'POST', body: {} }),
    }),
    changePassword: build.mutation<unknown, { readonly current_password: string; readonly password: string }>({
      query: (body) => ({ path: '/api/v1/auth/change-password', method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Sessions']),
    }),
    changeEmail: build.mutation<ChangeEmailResponse, { readonly email: string; readonly password?: string }>({
      query: (body) => ({ path: '/api/v1/auth/change-email', method: 'POST', body }),
    }),
    resendConfirmation: build.mutation<ResendConfirmationResponse, void>({
      query: () => ({ path: '/api/v1/auth/resend-confirmation', method: 'POST', body: {} }),
    }),
    getMailPreferences: build.query<MailPreferencesResponse['data'], void>({
      query: () => ({ path: '/api/v1/auth/mail-preferences' }),
      transformResponse: (response: MailPreferencesResponse) => response.data,
      providesTags: ['MailPreferences'],
    }),
    setMailPreferences: build.mutation<unknown, MailPreferences>({
      query: (body) => ({ path: '/api/v1/auth/mail-preferences', method: 'PUT', body }),
      // Optimistic; undone when the server refuses.
      async onQueryStarted(body, { dispatch, queryFulfilled }) {
        const shown = dispatch(
          securityApi.util.updateQueryData('getMailPreferences', undefined, (known) => ({ ...known, ...body })),
        );
        await queryFulfilled.catch(() => shown.undo());
      },
    }),
  }),
});

export const {
  useGetSessionsQuery,
  useEndSessionMutation,
  useLogOutEverywhereMutation,
  useChangePasswordMutation,
  useChangeEmailMutation,
  useResendConfirmationMutation,
  useGetMailPreferencesQuery,
  useSetMailPreferencesMutation,
} = securityApi;
