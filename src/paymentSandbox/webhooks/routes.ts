/** Events, and the endpoints notified of them. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { API_VERSION, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import type { StoredEvent } from '../books/kinds.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { clearable, LIST, metadata, text, time, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { pendingOf } from './deliverer.ts';

const DAYS_KEPT = 30;

const shown = (context: SandboxContext, event: StoredEvent): StoredEvent => ({
  ...event,
  pending_webhooks: pendingOf(context.store, event.id),
});

/** The secret is returned only once, at creation. */
const withoutSecret = ({ secret: _, ...endpoint }: Stripe.WebhookEndpoint): Stripe.WebhookEndpoint => endpoint;

function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', 'url_invalid', 'url');
  return url;
}

export function newEndpoint(given: {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly created: number;
}): Stripe.WebhookEndpoint {
  return {
    id: given.id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: given.created,
    description: null,
    enabled_events: [...given.events],
    livemode: false,
    metadata: {},
    secret: given.secret,
    status: 'enabled',
    url: given.url,
  };
}

const ENDPOINT = {
  url: text,
  enabled_events: z.array(text).min(1),
  description: clearable.optional(),
  metadata: metadata.optional(),
};

export const WEBHOOKS: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/events/:id',
    params: z.strictObject({}),
    run: (context, _, id) => shown(context, need(context, 'event', id)),
  }),
  route({
    method: 'GET',
    path: '/v1/events',
    params: z.strictObject({
      ...LIST,
      type: text.optional(),
      types: z.array(text).max(20).optional(),
      created: time.optional(),
      delivery_success: yesNo.optional(),
    }),
    run: (context, { type, types, created, delivery_success, ...paging }) => {
      const wanted = (event: StoredEvent): boolean => {
        if (
          type !== undefined &&
          event.type !== type &&
          !(type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))
        )
          return false;
        return types?.includes(event.type) ?? true;
      };
      const page = pageOf(context, 'event', '/v1/events', paging, {
        fits: (event) =>
          wanted(event) &&
          isAt(event.created, created) &&
          event.created > context.now - DAYS_KEPT * 86_400 &&
          (delivery_success === undefined || (pendingOf(context.store, event.id) === 0) === delivery_success),
      });
      return { ...page, data: page.data.map((event) => shown(context, event)) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: z.strictObject({ ...ENDPOINT, api_version: z.literal(API_VERSION).optional(), connect: yesNo.optional() }),
    run: (context, { url, enabled_events, description, metadata: meta }) => {
      const made = newEndpoint({
        id: context.newId('we'),
        url: checkedUrl(url),
        secret: context.newId('whsec'),
        events: enabled_events,
        created: context.now,
      });
      const endpoint = { ...made, description: description ?? null, metadata: mergedMetadata(null, meta) };
      context.store.put('webhook_endpoint', endpoint);
      return endpoint;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    params: z.strictObject({}),
    run: (context, _, id) => withoutSecret(need(context, 'webhook_endpoint', id)),
  }),
  route({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: z.strictObject(LIST),
    run: (context, paging) => {
      const page = pageOf(context, 'webhook_endpoint', '/v1/webhook_endpoints', paging);
      return { ...page, data: page.data.map(withoutSecret) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    params: z.strictObject({
      url: text.optional(),
      enabled_events: z.array(text).min(1).optional(),
      disabled: yesNo.optional(),
      description: clearable.optional(),
      metadata: metadata.optional(),
    }),
    run: (context, { url, enabled_events, disabled, description, metadata: meta }, id) => {
      const endpoint = need(context, 'webhook_endpoint', id);
      const changed: Stripe.WebhookEndpoint = {
        ...endpoint,
        metadata: mergedMetadata(endpoint.metadata, meta),
        ...(url === undefined ? {} : { url: checkedUrl(url) }),
        ...(enabled_events === undefined ? {} : { enabled_events }),
        ...(disabled === undefined ? {} : { status: disabled ? 'disabled' : 'enabled' }),
        ...(description === undefined ? {} : { description }),
      };
      context.store.put('webhook_endpoint', changed);
      return withoutSecret(changed);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: z.strictObject({}),
    run: (context, _, id) => {
      need(context, 'webhook_endpoint', id);
      context.store.remove('webhook_endpoint', id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
];
