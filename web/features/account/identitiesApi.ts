/** The user's identities at providers of single sign-on. */
import type { IdentitiesResponse, SsoStartResponse } from '../../../src/http/contract/logIn.ts';
import { api } from '../../api/api.ts';

type OfOwner = { readonly password?: string };

const pathOf = (...parts: readonly string[]): string =>
  ['/api/v1/auth/identities', ...parts.map(encodeURIComponent)].join('/');

const identitiesApi = api.enhanceEndpoints({ addTagTypes: ['Identities'] }).injectEndpoints({
  endpoints: (build) => ({
    getIdentities: build.query<IdentitiesResponse, void>({
      query: () => ({ path: pathOf() }),
      providesTags: ['Identities'],
    }),
    startIdentity: build.mutation<SsoStartResponse, OfOwner & { readonly provider: string }>({
      query: ({ provider, ...body }) => ({ path: pathOf(provider, 'start'), method: 'POST', body }),
    }),
    removeIdentity: build.mutation<unknown, OfOwner & { readonly id: string }>({
      query: ({ id, ...body }) => ({ path: pathOf(id), method: 'DELETE', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Identities']),
    }),
  }),
});

export const { useGetIdentitiesQuery, useStartIdentityMutation, useRemoveIdentityMutation } = identitiesApi;
