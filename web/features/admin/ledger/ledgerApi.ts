import type { LedgerResponse, LedgerSumsResponse } from '../../../../src/http/contract/admin/ledger.ts';
import { api } from '../../../api/api.ts';
import { type LedgerRequest, queryOf } from './ledgerAddress.ts';

export const LEDGER_PATH = '/api/v1/admin/ledger';

const ledgerApi = api.injectEndpoints({
  endpoints: (build) => ({
    listLedger: build.infiniteQuery<LedgerResponse, LedgerRequest, string | null>({
      query: ({ queryArg, pageParam: cursor }) => ({ path: LEDGER_PATH, query: { ...queryOf(queryArg), cursor } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      // As of now, so it is stale when the page is reopened.
      keepUnusedDataFor: 0,
    }),
    sumLedger: build.query<LedgerSumsResponse['data'], LedgerRequest>({
      query: (asked) => ({ path: `${LEDGER_PATH}/sums`, query: queryOf(asked) }),
      transformResponse: (response: LedgerSumsResponse) => response.data,
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useListLedgerInfiniteQuery, useSumLedgerQuery } = ledgerApi;
