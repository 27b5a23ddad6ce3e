/** A request's working context: the books, the time, new ids, and event emission. */
import type Stripe from 'stripe';
import { ApiError, missing } from '../server/apiError.ts';
import type { Kind, Kinds, PREFIXES, StoredEvent } from './kinds.ts';
import type { Store } from './store.ts';

/** Matches Stripe's types in the library version that this product uses. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

export type SandboxContext = {
  readonly store: Store;
  /** Seconds since 1970, by the sandbox's clock. */
  readonly now: number;
  /** Base URL of the hosted pages, without a trailing slash. */
  readonly url: string;
  readonly request: { readonly id: string | null; readonly idempotencyKey: string | null };
  /** An unguessable id with the prefix of its kind. */
  newId(prefix: string): string;
  /** Emits the event to all listeners, with the object's current state. */
  emit(type: string, object: unknown, previous?: Readonly<Record<string, unknown>>): void;
  /** Notifies whatever was being paid for that a payment ended, successfully or not. */
  settled(intent: Stripe.PaymentIntent): void;
  /** Ends everything active of a customer that is deleted. */
  leaves(customer: string): void;
  /** What happens to a subscription whose invoice was not paid at the last attempt. */
  readonly afterLastTry: 'cancel' | 'mark_unpaid';
};

export type ContextDeps = {
  readonly store: Store;
  readonly url: string;
  readonly ids: (prefix: string) => string;
  readonly afterLastTry: SandboxContext['afterLastTry'];
  /** Hands the event over for delivery. */
  readonly deliver: (event: StoredEvent) => void;
  /** Handles the consequences of a payment's end. */
  readonly settled: (context: SandboxContext, intent: Stripe.PaymentIntent) => void;
  readonly leaves: (context: SandboxContext, customer: string) => void;
};

/** As sent: until then decimals are objects of the library. */
export const onWire = <T>(object: T): T => JSON.parse(JSON.stringify(object)) as T;

/** A context for one request, or for whatever is due at `now`. */
export function createContext(
  { store, url, ids, afterLastTry, deliver, settled, leaves }: ContextDeps,
  now: number,
  request: SandboxContext['request'] = { id: null, idempotencyKey: null },
): SandboxContext {
  const context: SandboxContext = {
    store,
    now,
    url,
    request,
    newId: (prefix) => `${prefix}_${ids(prefix)}`,
    afterLastTry,
    settled: (intent) => settled(context, intent),
    leaves: (customer) => leaves(context, customer),
    emit: (type, object, previous) => {
      const event: StoredEvent = {
        id: `evt_${ids('evt')}`,
        object: 'event',
        api_version: API_VERSION,
        created: now,
        data: { object: onWire(object), ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 0,
        request: { id: request.id, idempotency_key: request.idempotencyKey },
        type,
      };
      store.put('event', event);
      deliver(event);
    },
  };
  return context;
}

const NAMES: Partial<Record<Kind, string>> = {
  checkout_session: 'checkout.session',
  portal_configuration: 'configuration',
  price: 'price',
};

/** @throws ApiError resource_missing, in Stripe's words */
export function need<K extends Kind>(context: SandboxContext, kind: K, id: string, param = 'id'): Kinds[K] {
  const found = context.store.get(kind, id);
  if (!found) throw missing(NAMES[kind] ?? kind, id, param);
  return found;
}

/** A customer that has not been deleted. @throws ApiError */
export function needCustomer(context: SandboxContext, id: string): Stripe.Customer {
  return need(context, 'customer', id, 'customer');
}

/** Changes a stored object and emits the event with its previous values. */
export function change<K extends Kind & keyof typeof PREFIXES>(
  context: SandboxContext,
  kind: K,
  object: Kinds[K] & { readonly id: string },
  changes: Partial<Kinds[K]>,
  type: string | null,
): Kinds[K] & { readonly id: string } {
  const changed = { ...object, ...changes };
  const previous = Object.fromEntries(
    Object.keys(changes)
      .filter((name) => JSON.stringify(Reflect.get(object, name)) !== JSON.stringify(Reflect.get(changed, name)))
      .map((name) => [name, Reflect.get(object, name)]),
  );
  context.store.put(kind, changed);
  if (type !== null) context.emit(type, changed, type.endsWith('.updated') ? previous : undefined);
  return changed;
}

/** Merges metadata as Stripe does: an empty value removes a key, an empty string all of them. @throws ApiError */
export function mergedMetadata(
  before: Stripe.Metadata | null,
  change: '' | Readonly<Record<string, string>> | undefined,
): Stripe.Metadata {
  if (change === undefined) return before ?? {};
  if (change === '') return {};
  const merged = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
  const bad = Object.entries(merged).find(([key, value]) => key.length > 40 || value.length > 500);
  if (bad || Object.keys(merged).length > 50) {
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: 'Metadata takes at most 50 keys of 40 characters with values of 500 characters.',
      param: 'metadata',
    });
  }
  return merged;
}
