/** The identities of the user at providers of single sign-on. */
import type { IdentitiesResponse, SsoFinishRequest, SsoStartResponse } from '../../../src/http/contract/logIn.ts';
import { api } from '../../api/api.ts';
import { type ApiFailure, asFailure } from '../../api/failure.ts';

type OfOwner = { readonly id: string; readonly password: string | undefined };

const bodyOf = (password: string | undefined) => (password === undefined ? {} : { password });
const PATH = '/api/v1/auth/identities';

const identitiesApi = api.enhanceEndpoints({ addTagTypes: ['Identities'] }).injectEndpoints({
  endpoints: (build) => ({
    getIdentities: build.query<IdentitiesResponse, void>({
      query: () => ({ path: PATH }),
      providesTags: ['Identities'],
    }),
    /** `id`: the provider's. Its answer says where the browser is to go. */
    startIdentity: build.mutation<SsoStartResponse, OfOwner>({
      query: ({ id, password }) => ({
        path: `${PATH}/${encodeURIComponent(id)}/start`,
        method: 'POST',
        body: bodyOf(password),
      }),
    }),
    finishIdentity: build.mutation<unknown, { readonly provider: string; readonly body: SsoFinishRequest }>({
      query: ({ provider, body }) => ({
        path: `${PATH}/${encodeURIComponent(provider)}/finish`,
        method: 'POST',
        body,
      }),
      invalidatesTags: ['Identities'],
    }),
    removeIdentity: build.mutation<unknown, OfOwner>({
      query: ({ id, password }) => ({
        path: `${PATH}/${encodeURIComponent(id)}`,
        method: 'DELETE',
        body: bodyOf(password),
      }),
      invalidatesTags: (_, error) => (error ? [] : ['Identities']),
    }),
  }),
});

export const { useGetIdentitiesQuery, useStartIdentityMutation, useRemoveIdentityMutation } = identitiesApi;

/** With what the provider's redirect carried. */
export async function addIdentity(
  {
    dispatch,
  }: {
    readonly dispatch: (
      action: ReturnType<typeof identitiesApi.endpoints.finishIdentity.initiate>,
    ) => PromiseLike<{ readonly error?: unknown }>;
  },
  provider: string,
  body: SsoFinishRequest,
): Promise<ApiFailure | null> {
  const { error } = await dispatch(identitiesApi.endpoints.finishIdentity.initiate({ provider, body }));
  return error ? asFailure(error) : null;
}
