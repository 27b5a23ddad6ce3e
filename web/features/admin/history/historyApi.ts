import type {
  FoundStreamsResponse,
  HistoryPage,
  HistoryQuery,
  HistoryResponse,
  HistoryStateResponse,
} from '../../../../src/http/contract/admin/history.ts';
import { api } from '../../../api/api.ts';

/** The part of a stream's history to show. `around`: the event that the address links to. */
export type HistoryRequest = Pick<HistoryQuery, 'types' | 'actor' | 'from' | 'to'> & {
  readonly stream: string;
  readonly order: 'newest' | 'oldest';
  readonly around: number | null;
};

type Place = { readonly after?: number; readonly before?: number };

export const historyPath = (stream: string, more = ''): string =>
  `/api/v1/admin/history/streams/${encodeURIComponent(stream)}${more}`;

/** Events loaded around the one that the address links to. */
const BESIDE = 20;

function placeAround({ around, order }: HistoryRequest): Place {
  if (around === null) return {};
  return order === 'newest' ? { before: around + BESIDE } : { after: Math.max(0, around - BESIDE) };
}

export const historyApi = api.injectEndpoints({
  endpoints: (build) => ({
    listHistory: build.infiniteQuery<HistoryPage, HistoryRequest, Place | null>({
      query: ({ queryArg, pageParam }) => {
        const { stream, around: _, ...asked } = queryArg;
        return { path: historyPath(stream), query: { ...asked, ...(pageParam ?? placeAround(queryArg)) } };
      },
      transformResponse: (response: HistoryResponse) => response.data,
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (page, _pages, _place, _places, { order }) =>
          order === 'newest' ? older(page) : newer(page),
        getPreviousPageParam: (page, _pages, _place, _places, { order }) =>
          order === 'newest' ? newer(page) : older(page),
      },
      // What was loaded before may have grown since.
      keepUnusedDataFor: 0,
    }),
    /** Number of the stream's last event. */
    lastEvent: build.query<number | null, string>({
      query: (stream) => ({ path: historyPath(stream), query: { limit: 1 } }),
      transformResponse: (response: HistoryResponse) => response.data.last,
      keepUnusedDataFor: 0,
    }),
    streamState: build.query<HistoryStateResponse['data'], { stream: string; at: number }>({
      query: ({ stream, at }) => ({ path: historyPath(stream, '/state'), query: { at } }),
      transformResponse: (response: HistoryStateResponse) => response.data,
    }),
    findStreams: build.query<FoundStreamsResponse['data'], string>({
      query: (q) => ({ path: '/api/v1/admin/history/find', query: { q } }),
      transformResponse: (response: FoundStreamsResponse) => response.data,
      keepUnusedDataFor: 0,
    }),
  }),
});

const older = ({ older: before }: HistoryPage): Place | null => (before === null ? null : { before });
/** Also at the newest end, where more may arrive at any moment. */
const newer = ({ newer: after, last }: HistoryPage): Place | null => (last === null ? null : { after: after ?? last });

export const { useListHistoryInfiniteQuery, useLastEventQuery, useStreamStateQuery, useFindStreamsQuery } = historyApi;
