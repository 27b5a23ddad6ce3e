/**
 * Webhooks of the payment provider: public, since they are authenticated by their signature, and therefore read as raw
 * bytes. Each is stored and acknowledged; processing it is background work (`src/work/kinds/providerEvent.ts`).
 */
import * as z from 'zod';
import { receiveProviderEvent } from '../../commands/billing/receiveProviderEvent.ts';
import { type Payments, type ProviderEvent, WebhookRefused } from '../../integrations/payments/payments.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { API } from '../request/apiPrefix.ts';
import { HttpError, notFound } from '../request/errors.ts';
import type { IncomingRequest } from '../request/exchange.ts';
import { route } from '../routing/route.ts';
import type { RouteGroup } from '../routing/routeGroup.ts';

const MAX_BYTES = 256 * 1024;

const receiveWebhook = route({
  method: 'POST',
  path: '/webhook',
  access: 'public',
  summary: 'Takes an event of the payment provider',
  body: z.instanceof(Uint8Array),
  response: z.object({ received: z.literal(true) }),
  handler: async ({ deps, body, headers, command, log }) => {
    if (!deps.payments) throw notFound();
    const event = verified(deps.payments, body, headers['stripe-signature'], deps);
    const { outcome } = await receiveProviderEvent(
      { ...command, actor: { kind: 'system', id: 'stripe' } },
      event,
      'webhook',
    );
    deps.metrics.providerEvent(outcome);
    log().info({ event: event.eventId, type: event.type, outcome }, 'an event of the payment provider');
    return { received: true as const };
  },
});

/** @throws HttpError WEBHOOK_REFUSED */
function verified(
  payments: Payments,
  body: Uint8Array,
  signature: string | undefined,
  { metrics }: Pick<HttpDeps, 'metrics'>,
): ProviderEvent {
  try {
    return payments.readWebhook(body, signature);
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    throw refused(metrics, error.message);
  }
}

/** By its head alone, so that a flood of them costs nothing more. @throws HttpError WEBHOOK_REFUSED */
function admit(
  headers: IncomingRequest['headers'],
  { payments, metrics }: Pick<HttpDeps, 'payments' | 'metrics'>,
): void {
  if (!payments) throw notFound();
  try {
    payments.checkWebhookTime(headers['stripe-signature']);
  } catch (error) {
    throw error instanceof WebhookRefused ? refused(metrics, error.message, `. ${error.message}`) : error;
  }
}

/** `why` is for the security log, `more` for the sender. */
function refused(metrics: HttpDeps['metrics'], why: string, more = ''): HttpError {
  metrics.providerEvent('refused');
  return new HttpError('WEBHOOK_REFUSED', `The signature of this webhook was not accepted${more}`, {
    details: { why },
  });
}

export const stripeGroup: RouteGroup = {
  prefix: `${API}/stripe`,
  routes: [receiveWebhook],
  errorShape: (body) => body,
  bodies: { kind: 'raw', maxBytes: MAX_BYTES },
  // The provider sends bursts from few addresses.
  deliveries: { admit },
  access: { holds: ['public'], callerOf: async () => null },
};
