/**
 * The user's own webhooks: endpoints, turning them on and off, test messages, the delivery log. Managed only with a
 * session, never with a key.
 */
import * as z from 'zod';
import { forgetDelivery, redeliver, sendTest } from '../../commands/webhooks/webhookDeliveries.ts';
import { addWebhook, removeWebhook, rotateWebhookSecret, switchWebhook } from '../../commands/webhooks/webhooks.ts';
import { MAX_WEBHOOKS } from '../../domain/webhooks/webhooks.ts';
import { deliveriesOf, listDeliveries } from '../../projections/webhookDeliveries.ts';
import { getWebhook, listWebhooks, newWebhook, type WebhookDocument } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { keepIfOpen } from '../auth/keepIfOpen.ts';
import { requireFeature, requirePrograms } from '../auth/planFeature.ts';
import { mayAsOwner } from '../auth/policy.ts';
import {
  AddWebhookRequest,
  AddWebhookResponse,
  DeliveriesQuery,
  DeliveriesResponse,
  QueuedDeliveryResponse,
  RemoveWebhookResponse,
  RotateWebhookSecretRequest,
  RotateWebhookSecretResponse,
  SwitchWebhookRequest,
  WebhookResponse,
  WebhooksResponse,
} from '../contract/webhooks.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { API } from '../request/apiPrefix.ts';
import { alreadyShown, HttpError, invalidInput } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { justAddedWebhook } from '../routing/justMade.ts';
import { route } from '../routing/route.ts';

const EndpointParams = z.object({ endpointId: z.string().min(1).max(64) });
const DELIVERIES_PAGE = 20;

/** @throws HttpError WEBHOOK_NOT_FOUND, also for another user's; NOT_SHOWN_YET */
async function ownWebhook(deps: HttpDeps, userId: string, endpointId: string): Promise<WebhookDocument> {
  const webhook =
    (await getWebhook(deps.readModels, endpointId)) ?? (await justAddedWebhook(deps, { userId, endpointId }));
  if (!webhook || !mayAsOwner({ userId }, 'read', { kind: 'webhook', ownerId: webhook.data.userId })) {
    throw new HttpError('WEBHOOK_NOT_FOUND', 'There is no such webhook.', { details: { anothers: webhook !== null } });
  }
  return webhook.data;
}

export const getWebhooks = route({
  method: 'GET',
  path: '/webhooks',
  access: 'user',
  sessionOnly: true,
  summary: 'List your webhooks, oldest first',
  response: WebhooksResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: await listWebhooks(deps.readModels, caller.userId),
    limit: MAX_WEBHOOKS,
  }),
});

const onlyShownBefore = (endpointId: string): string =>
  `This has been done, and a signing secret is shown only once. Give the webhook a new one (POST ${API}/webhooks/${endpointId}/secret), or remove it (DELETE ${API}/webhooks/${endpointId}).`;

export const postWebhook = route({
  method: 'POST',
  path: '/webhooks',
  access: 'user',
  sessionOnly: true,
  shownOnce: ({ data }) => onlyShownBefore(data.id),
  summary: 'Add a webhook; its signing secret is shown only in this response',
  body: AddWebhookRequest,
  example: { url: 'https://hooks.example.com/', events: ['job.completed'] },
  response: AddWebhookResponse,
  status: 201,
  refusals: ['TOO_MANY_WEBHOOKS', 'FEATURE_ACCESS_DENIED', 'SESSION_ENDED'],
  handler: async (request) => {
    const { deps, caller, body, command, log } = request;
    const { userId } = caller;
    await requireFeature(deps, userId, 'api_access');
    const verdict = deps.vetWebhookUrl(body.url);
    if (!verdict.ok) throw invalidInput([{ path: 'url', message: verdict.error }]);
    const events = [...new Set(body.events)];
    const { endpointId, made, position } = await addWebhook(command, {
      userId,
      url: verdict.url,
      events,
      newToken: deps.newToken,
    });
    if (!made) throw alreadyShown(onlyShownBefore(endpointId));
    await keepIfOpen(request, () => removeWebhook(command, { userId, endpointId }));
    log().info({ event: 'webhook_added', userId, endpointId }, 'a webhook was added');
    const answer = { success: true as const, secret: made.secret, data: newWebhook(made.added) };
    return afterWrite(deps, { position, answer }, (shown) => getWebhook(shown, endpointId));
  },
});

export const putWebhook = route({
  method: 'PUT',
  path: '/webhooks/{endpointId}',
  access: 'user',
  sessionOnly: true,
  summary: 'Switch a webhook on or off; events while it is off are not sent later',
  params: EndpointParams,
  body: SwitchWebhookRequest,
  example: { active: false },
  response: WebhookResponse,
  refusals: ['WEBHOOK_NOT_FOUND', 'SESSION_ENDED'],
  answerMayLag: true,
  handler: async (request) => {
    const { deps, caller, params, body, command } = request;
    const named = { userId: caller.userId, endpointId: params.endpointId };
    const { position } = await switchWebhook(
      command,
      body.active ? { ...named, on: true } : { ...named, on: false, reason: 'owner' },
    );
    if (body.active) await keepIfOpen(request, () => switchWebhook(command, { ...named, on: false, reason: 'owner' }));
    const { endpointId } = params;
    return afterWrite(deps, { position, made: { ids: { endpointId }, location: '/webhooks' } }, async (readModels) => ({
      success: true as const,
      data: await ownWebhook({ ...deps, readModels }, caller.userId, endpointId),
    }));
  },
});

export const rotateSecret = route({
  method: 'POST',
  path: '/webhooks/{endpointId}/secret',
  access: 'user',
  sessionOnly: true,
  shownOnce: (_, { params }) => onlyShownBefore((params as { endpointId: string }).endpointId),
  limit: 'submit',
  summary: 'Give a webhook a new signing secret; it is shown only in this response',
  params: EndpointParams,
  body: RotateWebhookSecretRequest,
  example: { former: 'a_day' },
  response: RotateWebhookSecretResponse,
  refusals: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ deps, caller, params, body, command, log }) => {
    const named = { userId: caller.userId, endpointId: params.endpointId };
    const { made } = await rotateWebhookSecret(command, {
      ...named,
      keepFormer: body.former === 'a_day',
      newToken: deps.newToken,
    });
    if (!made) throw alreadyShown(onlyShownBefore(params.endpointId));
    log().info({ event: 'webhook_secret_rotated', ...named }, 'a webhook got a new secret');
    return { success: true as const, secret: made.secret, former_until: made.formerUntil };
  },
});

export const deleteWebhook = route({
  method: 'DELETE',
  path: '/webhooks/{endpointId}',
  access: 'user',
  sessionOnly: true,
  summary: 'Remove a webhook with its secret and its log, for good',
  params: EndpointParams,
  response: RemoveWebhookResponse,
  refusals: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ deps, caller, params, command, log }) => {
    const { endpointId } = params;
    const { position: removed } = await removeWebhook(command, { userId: caller.userId, endpointId });
    const forgetDeliveries = async (readModels: ReadModels) => {
      let last = removed;
      for await (const deliveryId of deliveriesOf(readModels, endpointId))
        last = await forgetDelivery(command, { deliveryId, endpointId });
      return last;
    };
    // A follower forgets those that are not listed yet.
    const position = await afterWrite(
      deps,
      { position: removed, otherwise: () => forgetDeliveries(deps.readModels) },
      forgetDeliveries,
    );
    log().info({ event: 'webhook_removed', userId: caller.userId, endpointId }, 'a webhook was removed');
    const answer = { success: true as const, message: 'Webhook removed' };
    return afterWrite(deps, { position, answer }, (shown) =>
      Promise.all([getWebhook(shown, endpointId), listDeliveries(shown, endpointId, { limit: 1 })]),
    );
  },
});

export const testWebhook = route({
  method: 'POST',
  path: '/webhooks/{endpointId}/test',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Send a test message, even to a webhook that is off',
  params: EndpointParams,
  response: QueuedDeliveryResponse,
  status: 202,
  refusals: ['WEBHOOK_NOT_FOUND', 'FEATURE_ACCESS_DENIED'],
  handler: async ({ deps, caller, params, command }) => {
    const { created_at: madeAt } = await ownWebhook(deps, caller.userId, params.endpointId);
    await requirePrograms(deps, { userId: caller.userId, madeAt });
    const { deliveryId, position } = await sendTest(command, { userId: caller.userId, endpointId: params.endpointId });
    const answer = { success: true as const, delivery_id: deliveryId };
    return afterWrite(deps, { position, answer }, (shown) => listDeliveries(shown, params.endpointId, { limit: 1 }));
  },
});

export const getDeliveries = route({
  method: 'GET',
  path: '/webhooks/{endpointId}/deliveries',
  access: 'user',
  sessionOnly: true,
  summary: 'List the messages sent to a webhook in the last 30 days, newest first',
  params: EndpointParams,
  query: DeliveriesQuery,
  response: DeliveriesResponse,
  refusals: ['WEBHOOK_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async ({ deps, caller, params, query }) => {
    await ownWebhook(deps, caller.userId, params.endpointId);
    const page = await listDeliveries(deps.readModels, params.endpointId, {
      limit: query.limit ?? DELIVERIES_PAGE,
      ...(query.cursor ? { cursor: query.cursor } : {}),
    });
    return {
      success: true as const,
      data: page.documents.map(({ data }) => data),
      cursor: page.cursor,
    };
  },
});

export const redeliverOne = route({
  method: 'POST',
  path: '/webhooks/{endpointId}/deliveries/{deliveryId}/redeliver',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Send an ended delivery again, with the same id and body',
  params: EndpointParams.extend({ deliveryId: z.string().min(1).max(64) }),
  response: QueuedDeliveryResponse,
  status: 202,
  refusals: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_PENDING'],
  handler: async ({ deps, caller, params, command }) => {
    await ownWebhook(deps, caller.userId, params.endpointId);
    const { position } = await redeliver(command, { userId: caller.userId, ...params });
    const answer = { success: true as const, delivery_id: params.deliveryId };
    return afterWrite(deps, { position, answer }, (shown) => listDeliveries(shown, params.endpointId, { limit: 1 }));
  },
});
