/** The user's identities at providers of single sign-on. */
import type { IdentitiesResponse, SsoFinishRequest, SsoStartResponse } from '../../../src/http/contract/logIn.ts';
import { api } from '../../api/api.ts';

type OfOwner = { readonly password?: string };

const pathOf = (...parts: readonly string[]): string =>
  ['/api/v1/auth/identities', ...parts.map(encodeURIComponent)].join('/');

export const { useGetIdentitiesQuery, useStartIdentityMutation, useFinishIdentityMutation, useRemoveIdentityMutation } =
  api.enhanceEndpoints({ addTagTypes: ['Identities'] }).injectEndpoints({
    endpoints: (build) => ({
      getIdentities: build.query<IdentitiesResponse, void>({
        query: () => ({ path: pathOf() }),
        providesTags: ['Identities'],
      }),
      startIdentity: build.mutation<SsoStartResponse, OfOwner & { readonly provider: string }>({
        query: ({ provider, ...body }) => ({ path: pathOf(provider, 'start'), method: 'POST', body }),
      }),
      finishIdentity: build.mutation<unknown, { readonly provider: string; readonly answer: SsoFinishRequest }>({
        query: ({ provider, answer }) => ({ path: pathOf(provider, 'finish'), method: 'POST', body: answer }),
        invalidatesTags: (_, error) => (error ? [] : ['Identities']),
      }),
      removeIdentity: build.mutation<unknown, OfOwner & { readonly id: string }>({
        query: ({ id, ...body }) => ({ path: pathOf(id), method: 'DELETE', body }),
        invalidatesTags: (_, error) => (error ? [] : ['Identities']),
      }),
    }),
  });
