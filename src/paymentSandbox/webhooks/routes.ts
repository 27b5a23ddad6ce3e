/** Events, and the endpoints notified of them. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { API_VERSION, type Desk, mergedMetadata, need } from '../books/desk.ts';
import type { StoredEvent } from '../books/kinds.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { clearable, LIST, metadata, text, time, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { pendingOf } from './deliverer.ts';

const DAYS_KEPT = 30;

const shown = (desk: Desk, event: StoredEvent): StoredEvent => ({ ...event, pending_webhooks: pendingOf(desk.store, event.id) });

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

const ENDPOINT = { url: text, enabled_events: z.array(text).min(1), description: clearable.optional(), metadata: metadata.optional() };

export const WEBHOOKS: readonly Route[] = [
  route({ method: 'GET', path: '/v1/events/:id', params: z.strictObject({}), run: (desk, _, id) => shown(desk, need(desk, 'event', id)) }),
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
    run: (desk, { type, types, created, delivery_success, ...paging }) => {
      const wanted = (event: StoredEvent): boolean => {
        if (type !== undefined && event.type !== type && !(type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))) return false;
        return types?.includes(event.type) ?? true;
      };
      const page = pageOf(desk, 'event', '/v1/events', paging, {
        fits: (event) =>
          wanted(event) &&
          isAt(event.created, created) &&
          event.created > desk.now - DAYS_KEPT * 86_400 &&
          (delivery_success === undefined || (pendingOf(desk.store, event.id) === 0) === delivery_success),
      });
      return { ...page, data: page.data.map((event) => shown(desk, event)) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: z.strictObject({ ...ENDPOINT, api_version: z.literal(API_VERSION).optional(), connect: yesNo.optional() }),
    run: (desk, { url, enabled_events, description, metadata: meta }) => {
      const made = newEndpoint({ id: desk.newId('we'), url: checkedUrl(url), secret: desk.newId('whsec'), events: enabled_events, created: desk.now });
      const endpoint = { ...made, description: description ?? null, metadata: mergedMetadata(null, meta) };
      desk.store.put('webhook_endpoint', endpoint);
      return endpoint;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    params: z.strictObject({}),
    run: (desk, _, id) => withoutSecret(need(desk, 'webhook_endpoint', id)),
  }),
  route({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: z.strictObject(LIST),
    run: (desk, paging) => {
      const page = pageOf(desk, 'webhook_endpoint', '/v1/webhook_endpoints', paging);
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
    run: (desk, { url, enabled_events, disabled, description, metadata: meta }, id) => {
      const endpoint = need(desk, 'webhook_endpoint', id);
      const changed: Stripe.WebhookEndpoint = {
        ...endpoint,
        metadata: mergedMetadata(endpoint.metadata, meta),
        ...(url === undefined ? {} : { url: checkedUrl(url) }),
        ...(enabled_events === undefined ? {} : { enabled_events }),
        ...(disabled === undefined ? {} : { status: disabled ? 'disabled' : 'enabled' }),
        ...(description === undefined ? {} : { description }),
      };
      desk.store.put('webhook_endpoint', changed);
      return withoutSecret(changed);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: z.strictObject({}),
    run: (desk, _, id) => {
      need(desk, 'webhook_endpoint', id);
      desk.store.remove('webhook_endpoint', id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
];
