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

export const systemApi = api.enhanceEndpoints({ addTagTypes: ['AdminMails', 'AdminMonitoring', 'AdminSystem', 'AdminWork'] }).injectEndpoints({
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
      invalidatesTags: ['AdminSystem', 'AdminWork'],
    }),
    listMails: build.query<SystemMailsResponse, void>({ query: () => ({ path: `${SYSTEM}/mails` }), providesTags: ['AdminMails'] }),
    resendMail: build.mutation<unknown, ResendMailRequest>({
      query: (body) => ({ path: `${SYSTEM}/mails/resend`, method: 'POST', body }),
      // On an error the list is stale.
      invalidatesTags: ['AdminMails', 'AdminSystem', 'AdminWork'],
    }),
    listFailedWebhooks: build.query<SystemWebhooksResponse, void>({ query: () => ({ path: `${SYSTEM}/webhooks` }) }),
  }),
});

export const {
  useGetMonitoringQuery,
  useGetSystemQuery,
  useRetryParkedMutation,
  useListWorkQuery,
  useRetryWorkMutation,
  useDropWorkMutation,
  useListMailsQuery,
  useResendMailMutation,
  useListFailedWebhooksQuery,
} = systemApi;
