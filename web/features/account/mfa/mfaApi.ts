/** Two-factor authentication of the logged-in user. */
import type { MfaConfirmResponse, MfaEnrolResponse, MfaResponse, MfaView } from '../../../../src/http/contract/mfa.ts';
import { api } from '../../../api/api.ts';

const mfaApi = api.enhanceEndpoints({ addTagTypes: ['Mfa'] }).injectEndpoints({
  endpoints: (build) => ({
    getMfa: build.query<MfaView, void>({
      query: () => ({ path: '/api/v1/auth/mfa' }),
      transformResponse: (response: MfaResponse) => response.data,
      providesTags: ['Mfa'],
    }),
    enrolMfa: build.mutation<MfaEnrolResponse['data'], { readonly password?: string }>({
      query: (body) => ({ path: '/api/v1/auth/mfa/enrol', method: 'POST', body }),
      transformResponse: (response: MfaEnrolResponse) => response.data,
    }),
    confirmMfa: build.mutation<readonly string[], { readonly code: string }>({
      query: (body) => ({ path: '/api/v1/auth/mfa/confirm', method: 'POST', body }),
      transformResponse: (response: MfaConfirmResponse) => response.data.recovery_codes,
      invalidatesTags: (_, error) => (error ? [] : ['Mfa', 'Sessions']),
    }),
    removeMfa: build.mutation<unknown, { readonly password?: string }>({
      query: (body) => ({ path: '/api/v1/auth/mfa/remove', method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa']),
    }),
  }),
});

export const { useGetMfaQuery, useEnrolMfaMutation, useConfirmMfaMutation, useRemoveMfaMutation } = mfaApi;
