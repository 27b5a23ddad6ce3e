/** Tries one delivery: claims the try, signs, sends, writes down what came of it. */
import type { CommandContext } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { webhookSecretsOf } from '../commands/webhooks.ts';
import { DomainError } from '../domain/decider.ts';
import { type DeliveryState, deliveryDecider, deliveryStream } from '../domain/webhooks/delivery.ts';
import { webhooksDecider, webhooksStream } from '../domain/webhooks/webhooks.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { SIGNATURE_HEADER, signatureOf } from './webhookSignature.ts';

export type PostAnswer = { readonly ok: true; readonly status: number } | { readonly ok: false; readonly message: string };

export type WebhookSenderDeps = {
  readonly store: EventStore;
  readonly context: () => CommandContext;
  /** UTC ISO. */
  readonly now: () => string;
  /** Monotonic, ms. */
  readonly clock: () => number;
  /** Through the guarded fetcher. Never throws. */
  readonly post: (
    url: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
  ) => Promise<PostAnswer>;
  /** Whether the address may be called at all; looked at again at every try. */
  readonly vetUrl: (url: string) => { readonly ok: true } | { readonly ok: false; readonly error: string };
  readonly userAgent: string;
};

type Waiting = Extract<DeliveryState, { readonly status: 'waiting' }>;
type Outcome = { readonly ok: boolean; readonly status: number | null; readonly ms: number; readonly error: string | null; readonly final?: boolean };

/** Resolves when this try is over; what was not due, or is another worker's, is left alone. */
export async function tryDelivery(deps: WebhookSenderDeps, deliveryId: string, signal: AbortSignal): Promise<void> {
  const delivery = await claim(deps, deliveryId);
  if (!delivery) return;
  const outcome = await send(deps, delivery, signal);
  // Stopped in the middle: whether it arrived is not known. The claim runs out, and it is tried again.
  if (signal.aborted) return;
  await handle(deps.context(), deliveryDecider, deliveryStream(deliveryId), {
    type: 'RecordTry',
    attempt: delivery.attempt,
    ...outcome,
    at: deps.now(),
  });
}

async function claim({ context, now }: WebhookSenderDeps, deliveryId: string): Promise<Waiting | null> {
  try {
    const { state } = await handle(context(), deliveryDecider, deliveryStream(deliveryId), { type: 'StartTry', at: now() });
    return state.status === 'waiting' ? state : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function send(deps: WebhookSenderDeps, { deliveryId, endpointId, userId, event, body }: Waiting, signal: AbortSignal): Promise<Outcome> {
  const { state } = await loadState(deps.store, webhooksDecider, webhooksStream(userId));
  const endpoint = state.endpoints[endpointId];
  const secrets = endpoint ? await webhookSecretsOf(deps.store, endpointId, deps.now()) : [];
  if (!endpoint || secrets.length === 0) return never('The webhook was removed.');
  if (!endpoint.active && event !== 'test') return never('The webhook is disabled.');
  const verdict = deps.vetUrl(endpoint.url);
  if (!verdict.ok) return never(verdict.error);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'user-agent': deps.userAgent,
    [SIGNATURE_HEADER]: signatureOf(secrets, body, deps.now()),
    'X-SEO-Delivery': deliveryId,
    'X-SEO-Event': event,
  };
  const started = deps.clock();
  const answer = await deps.post(endpoint.url, { headers, body, signal });
  const ms = Math.round(deps.clock() - started);
  if (!answer.ok) return { ok: false, status: null, ms, error: answer.message };
  const ok = answer.status >= 200 && answer.status < 300;
  const redirected = answer.status >= 300 && answer.status < 400;
  return {
    ok,
    status: answer.status,
    ms,
    error: ok ? null : redirected ? 'The receiver redirects; redirects are not followed.' : `The receiver answered ${answer.status}.`,
  };
}

const never = (error: string): Outcome => ({ ok: false, status: null, ms: 0, error, final: true });
