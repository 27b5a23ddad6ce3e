/** Attempts one delivery: claims the attempt, signs, sends, records the outcome. */
import type { Cause, ContextOf } from '../commands/context.ts';
import { handle, loadHistory, loadState } from '../commands/handle.ts';
import { handleOnce } from '../commands/handleOnce.ts';
import { webhookSecretsOf } from '../commands/webhooks/webhooks.ts';
import { type DeliveryState, deliveryDecider } from '../domain/webhooks/delivery.ts';
import { deliveryStream, type WebhookDeliveryEvent, webhooksStream } from '../domain/webhooks/events.ts';
import { webhooksDecider } from '../domain/webhooks/webhooks.ts';
import { comparePositions, type EventStore, type Position } from '../eventStore/eventStore.ts';
import { SIGNATURE_HEADER, signatureOf } from './webhookSignature.ts';

export type PostAnswer =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly message: string };

export type WebhookSenderDeps = {
  readonly store: EventStore;
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  /** Monotonic, ms. */
  readonly clock: () => number;
  /** Through the guarded fetcher. Never throws. */
  readonly post: (
    url: string,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly signal: AbortSignal;
    },
  ) => Promise<PostAnswer>;
  /** Whether the URL may be called at all; checked again at every attempt. */
  readonly vetUrl: (url: string) => { readonly ok: true } | { readonly ok: false; readonly error: string };
  /** Whether a plan lets the user's webhook of that age work; those that wait are told nothing. */
  readonly isAllowed: (of: { readonly userId: string; readonly madeAt: string }) => Promise<boolean>;
  readonly userAgent: string;
};

type Waiting = Extract<DeliveryState, { readonly status: 'waiting' }>;
type Outcome = {
  readonly ok: boolean;
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
  readonly final?: boolean;
};

/**
 * `over`: delivered, given up or deleted, at this position. `waits`: until its next attempt, or another worker holds
 * it; null: check again soon.
 */
export type DeliveryOutcome =
  | { readonly outcome: 'over'; readonly position: Position }
  | { readonly outcome: 'waits'; readonly until: string | null };

/** `askedAt`: the position in the log that requests it. `cause`: the event that does. */
export type Delivery = { readonly deliveryId: string; readonly askedAt: Position; readonly cause: Cause };

/** One attempt, if it is due or was requested since the last one ended. Checks `held` before recording it. */
export async function tryDelivery(
  deps: WebhookSenderDeps,
  { deliveryId, askedAt, cause }: Delivery,
  held: () => boolean,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const stream = deliveryStream(deliveryId);
  const loaded = await loadState(deps.store, deliveryDecider, stream);
  const { state } = loaded;
  if (state.status !== 'waiting') return { outcome: 'over', position: loaded.position };
  const at = deps.now();
  const asked = !state.trying && comparePositions(askedAt, loaded.position) > 0;
  if (state.dueAt > at && !asked) return { outcome: 'waits', until: state.dueAt };
  if (!held()) throw new Error('Another worker may have the delivery by now.');
  const begun = await handleOnce(deps.context(cause), deliveryDecider, stream, { type: 'StartTry', asked, at }, loaded);
  if (begun?.state.status !== 'waiting') return { outcome: 'waits', until: null };
  const { attempt } = begun.state;
  const outcome = await send(deps, begun.state, signal);
  // Interrupted: it is unknown whether it was delivered. The recorded attempt times out, and delivery is retried.
  signal.throwIfAborted();
  const { state: after, position } = await handle(deps.context(cause), deliveryDecider, stream, {
    type: 'RecordTry',
    attempt,
    ...outcome,
    at: deps.now(),
  });
  return after.status === 'waiting' ? { outcome: 'waits', until: after.dueAt } : { outcome: 'over', position };
}

/** Number of attempts with an outcome in the stream, across all times it was queued. */
export async function triesEnded({ store }: Pick<WebhookSenderDeps, 'store'>, deliveryId: string): Promise<number> {
  const { events } = await loadHistory(store, deliveryDecider, deliveryStream(deliveryId));
  return events.filter(({ type }) => type === ('WebhookTried' satisfies WebhookDeliveryEvent['type'])).length;
}

async function send(
  deps: WebhookSenderDeps,
  { deliveryId, endpointId, userId, event, body }: Waiting,
  signal: AbortSignal,
): Promise<Outcome> {
  const { state } = await loadState(deps.store, webhooksDecider, webhooksStream(userId));
  const endpoint = state.endpoints[endpointId];
  const secrets = endpoint ? await webhookSecretsOf(deps.store, endpointId, deps.now()) : [];
  if (!endpoint || secrets.length === 0) return never('The webhook was removed.');
  if (!endpoint.active && event !== 'test') return never('The webhook is disabled.');
  if (!(await deps.isAllowed({ userId, madeAt: endpoint.addedAt })))
    return never('No plan of yours includes webhooks at the moment.');
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
    error: ok
      ? null
      : redirected
        ? 'The receiver redirects; redirects are not followed.'
        : `The receiver answered ${answer.status}.`,
  };
}

const never = (error: string): Outcome => ({ ok: false, status: null, ms: 0, error, final: true });
