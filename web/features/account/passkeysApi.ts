/** The user's own passkeys. */
import type {
  PasskeyCreateOptions,
  PasskeyCreateOptionsResponse,
  PasskeyRegistration,
  PasskeysResponse,
} from '../../../src/http/contract/passkeys.ts';
import { api } from '../../api/api.ts';

const PATH = '/api/v1/auth/passkeys';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

const passkeysApi = api.enhanceEndpoints({ addTagTypes: ['Passkeys'] }).injectEndpoints({
  endpoints: (build) => ({
    listPasskeys: build.query<PasskeysResponse, void>({ query: () => ({ path: PATH }), providesTags: ['Passkeys'] }),
    askNewPasskey: build.mutation<PasskeyCreateOptions, { readonly password?: string }>({
      query: (body) => ({ path: `${PATH}/options`, method: 'POST', body }),
      transformResponse: (response: PasskeyCreateOptionsResponse) => response.options,
    }),
    addPasskey: build.mutation<unknown, { readonly name: string; readonly passkey: PasskeyRegistration }>({
      query: (body) => ({ path: PATH, method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Passkeys']),
    }),
    renamePasskey: build.mutation<unknown, { readonly id: string; readonly name: string }>({
      query: ({ id, name }) => ({ path: pathOf(id), method: 'PUT', body: { name } }),
      invalidatesTags: (_, error) => (error ? [] : ['Passkeys']),
    }),
    removePasskey: build.mutation<unknown, { readonly id: string; readonly password?: string }>({
      query: ({ id, ...body }) => ({ path: pathOf(id), method: 'DELETE', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Passkeys']),
    }),
  }),
});

export const {
  useListPasskeysQuery,
  useAskNewPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
} = passkeysApi;
