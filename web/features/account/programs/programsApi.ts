/**
 * API keys and webhooks of the logged-in user. A secret exists only in the response that created it, until its dialog
 * closes.
 */
import type {
  ApiKeysResponse,
  CreateApiKeyRequest,
  CreateApiKeyResponse,
} from '../../../../src/http/contract/apiKeys.ts';
import type {
  AddWebhookRequest,
  AddWebhookResponse,
  DeliveriesResponse,
  QueuedDeliveryResponse,
  RotateWebhookSecretRequest,
  RotateWebhookSecretResponse,
  WebhookResponse,
  WebhooksResponse,
} from '../../../../src/http/contract/webhooks.ts';
import { api } from '../../../api/api.ts';
import { newKey } from '../../../api/call.ts';

const KEYS = '/api/v1/api-keys';
const WEBHOOKS = '/api/v1/webhooks';
const webhook = (id: string): string => `${WEBHOOKS}/${encodeURIComponent(id)}`;

/** `once`: its Idempotency-Key. */
type Once<Request> = Request & { readonly once: string };

const programsApi = api
  .enhanceEndpoints({ addTagTypes: ['AccountDeletion', 'ApiKeys', 'Deliveries', 'Webhooks'] })
  .injectEndpoints({
    endpoints: (build) => ({
      listApiKeys: build.query<ApiKeysResponse, void>({ query: () => ({ path: KEYS }), providesTags: ['ApiKeys'] }),
      createApiKey: build.mutation<CreateApiKeyResponse, Once<CreateApiKeyRequest>>({
        query: ({ once, ...body }) => ({ path: KEYS, method: 'POST', body, idempotencyKey: once }),
        // Also after a failure: it may be there.
        invalidatesTags: ['ApiKeys', 'AccountDeletion'],
      }),
      revokeApiKey: build.mutation<unknown, string>({
        query: (id) => ({ path: `${KEYS}/${encodeURIComponent(id)}`, method: 'DELETE', idempotencyKey: newKey() }),
        invalidatesTags: ['ApiKeys', 'AccountDeletion'],
      }),
      listWebhooks: build.query<WebhooksResponse, void>({
        query: () => ({ path: WEBHOOKS }),
        providesTags: ['Webhooks'],
      }),
      addWebhook: build.mutation<AddWebhookResponse, Once<AddWebhookRequest>>({
        query: ({ once, ...body }) => ({ path: WEBHOOKS, method: 'POST', body, idempotencyKey: once }),
        invalidatesTags: ['Webhooks', 'AccountDeletion'],
      }),
      switchWebhook: build.mutation<WebhookResponse, { id: string; active: boolean }>({
        query: ({ id, active }) => ({ path: webhook(id), method: 'PUT', body: { active }, idempotencyKey: newKey() }),
        invalidatesTags: ['Webhooks'],
      }),
      rotateWebhookSecret: build.mutation<
        RotateWebhookSecretResponse,
        Once<RotateWebhookSecretRequest> & { id: string }
      >({
        query: ({ id, once, former }) => ({
          path: `${webhook(id)}/secret`,
          method: 'POST',
          body: { former },
          idempotencyKey: once,
        }),
      }),
      removeWebhook: build.mutation<unknown, string>({
        query: (id) => ({ path: webhook(id), method: 'DELETE' }),
        invalidatesTags: ['Webhooks', 'AccountDeletion'],
      }),
      testWebhook: build.mutation<QueuedDeliveryResponse, string>({
        query: (id) => ({ path: `${webhook(id)}/test`, method: 'POST' }),
        invalidatesTags: ['Deliveries'],
      }),
      listDeliveries: build.query<DeliveriesResponse, string>({
        query: (id) => ({ path: `${webhook(id)}/deliveries` }),
        providesTags: ['Deliveries'],
      }),
      redeliver: build.mutation<QueuedDeliveryResponse, { id: string; deliveryId: string }>({
        query: ({ id, deliveryId }) => ({
          path: `${webhook(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
          method: 'POST',
        }),
        invalidatesTags: ['Deliveries'],
      }),
    }),
  });

export const {
  useListApiKeysQuery,
  useCreateApiKeyMutation,
  useRevokeApiKeyMutation,
  useListWebhooksQuery,
  useAddWebhookMutation,
  useSwitchWebhookMutation,
  useRemoveWebhookMutation,
  useRotateWebhookSecretMutation,
  useTestWebhookMutation,
  useListDeliveriesQuery,
  useRedeliverMutation,
} = programsApi;
