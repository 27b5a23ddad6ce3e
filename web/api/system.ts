import type { StatusResponse, VersionResponse } from '../../src/http/contract/status.ts';
import { api } from './api.ts';

export type SystemStatus = StatusResponse['data'];

const DEFAULT_VERSION = '1.0.0';

export const systemApi = api.injectEndpoints({
  endpoints: (build) => ({
    getStatus: build.query<SystemStatus, void>({
      query: () => ({ path: '/api/v1/status', anonymous: true }),
      transformResponse: (response: StatusResponse) => response.data,
      keepUnusedDataFor: 3600,
    }),
    getVersion: build.query<string, void>({
      query: () => ({ path: '/api/version', anonymous: true }),
      transformResponse: (response: VersionResponse) => response.version || DEFAULT_VERSION,
      keepUnusedDataFor: 3600,
    }),
  }),
});

export const { useGetStatusQuery, useGetVersionQuery } = systemApi;
export { DEFAULT_VERSION };
