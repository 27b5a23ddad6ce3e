import type {
  GivenUpResponse,
  RetryAllRequest,
  RetryAllResponse,
} from '../../../../src/http/contract/admin/givenUp.ts';
import type {
  MonitoringResponse,
  MonitoringView,
  ParkedRetryRequest,
  ParkedRetryResponse,
  ResendMailRequest,
  SystemMailsResponse,
  SystemResponse,
  SystemView,
  SystemWebhooksResponse,
  WorkItemRequest,
  WorkItemsResponse,
} from '../../../../src/http/contract/admin/system.ts';
import { api } from '../../../api/api.ts';

const SYSTEM = '/api/v1/admin/system';

export const systemApi = api
  .enhanceEndpoints({
    addTagTypes: ['AdminGivenUp', 'AdminMails', 'AdminMonitoring', 'AdminSystem', 'AdminWebhooks', 'AdminWork'],
  })
  .injectEndpoints({
    endpoints: (build) => ({
      getMonitoring: build.query<MonitoringView, void>({
        query: () => ({ path: '/api/v1/admin/active-monitoring' }),
        transformResponse: (response: MonitoringResponse) => response.data,
        providesTags: ['AdminMonitoring'],
      }),
      getSystem: build.query<SystemView, void>({
        query: () => ({ path: SYSTEM }),
        transformResponse: (response: SystemResponse) => response.data,
        providesTags: ['AdminSystem'],
      }),
      retryParked: build.mutation<ParkedRetryResponse, ParkedRetryRequest>({
        query: (body) => ({ path: `${SYSTEM}/parked/retry`, method: 'POST', body }),
        // On an error it was no longer parked, so the list is stale too.
        invalidatesTags: ['AdminSystem'],
      }),
      listWork: build.query<WorkItemsResponse, { readonly kind: string; readonly cursor?: string }>({
        query: ({ kind, cursor }) => ({ path: `${SYSTEM}/work`, query: { kind, cursor } }),
        providesTags: ['AdminWork'],
      }),
      retryWork: build.mutation<unknown, WorkItemRequest>({
        query: (body) => ({ path: `${SYSTEM}/work/retry`, method: 'POST', body }),
        invalidatesTags: ['AdminSystem', 'AdminWork'],
      }),
      dropWork: build.mutation<unknown, WorkItemRequest>({
        query: (body) => ({ path: `${SYSTEM}/work/drop`, method: 'POST', body }),
        invalidatesTags: ['AdminSystem', 'AdminWork', 'AdminGivenUp'],
      }),
      listGivenUp: build.query<GivenUpResponse, { readonly kind: string; readonly cursor?: string }>({
        query: ({ kind, cursor }) => ({ path: `${SYSTEM}/given-up`, query: { kind, cursor } }),
        providesTags: ['AdminGivenUp'],
      }),
      retryGivenUp: build.mutation<unknown, WorkItemRequest>({
        query: (body) => ({ path: `${SYSTEM}/given-up/retry`, method: 'POST', body }),
        // On an error the list may be stale.
        invalidatesTags: ['AdminSystem', 'AdminWork', 'AdminGivenUp', 'AdminMails', 'AdminWebhooks'],
      }),
      retryAllGivenUp: build.mutation<RetryAllResponse, RetryAllRequest>({
        query: (body) => ({ path: `${SYSTEM}/given-up/retry-all`, method: 'POST', body }),
        invalidatesTags: ['AdminSystem', 'AdminWork', 'AdminGivenUp', 'AdminMails', 'AdminWebhooks'],
      }),
      dropGivenUp: build.mutation<unknown, WorkItemRequest>({
        query: (body) => ({ path: `${SYSTEM}/given-up/drop`, method: 'POST', body }),
        invalidatesTags: ['AdminSystem', 'AdminGivenUp'],
      }),
      listMails: build.query<SystemMailsResponse, void>({
        query: () => ({ path: `${SYSTEM}/mails` }),
        providesTags: ['AdminMails'],
      }),
      resendMail: build.mutation<unknown, ResendMailRequest>({
        query: (body) => ({ path: `${SYSTEM}/mails/resend`, method: 'POST', body }),
        // On an error the list is stale.
        invalidatesTags: ['AdminMails', 'AdminSystem', 'AdminWork', 'AdminGivenUp'],
      }),
      listFailedWebhooks: build.query<SystemWebhooksResponse, void>({
        query: () => ({ path: `${SYSTEM}/webhooks` }),
        providesTags: ['AdminWebhooks'],
      }),
    }),
  });

export const {
  useGetMonitoringQuery,
  useGetSystemQuery,
  useRetryParkedMutation,
  useListWorkQuery,
  useRetryWorkMutation,
  useDropWorkMutation,
  useListGivenUpQuery,
  useRetryGivenUpMutation,
  useRetryAllGivenUpMutation,
  useDropGivenUpMutation,
  useListMailsQuery,
  useResendMailMutation,
  useListFailedWebhooksQuery,
} = systemApi;
