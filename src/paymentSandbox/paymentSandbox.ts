/**
 * A payment provider of our own for trials and tests: it speaks Stripe's API to the `stripe` library, keeps its books
 * in a file, and moves no money.
 */
import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { collect, endAllOf, settled as settledInvoice, subscriptionDue } from './billing/lifecycle.ts';
import { scheduleDue } from './billing/schedules.ts';
import { type ContextDeps, need, type SandboxContext } from './books/context.ts';
import type { Due, Store } from './books/store.ts';
import { openStore } from './books/store.ts';
import { settledSession } from './hosted/completeSession.ts';
import { hostedPage } from './hosted/pages.ts';
import { expire } from './hosted/sessions.ts';
import { finishSlow } from './payments/attempt.ts';
import { DEFAULT_PRICES, type SeedPrice, seedPrices } from './payments/seed.ts';
import { ROUTES } from './routes.ts';
import { createApi } from './server/api.ts';
import { control } from './server/control.ts';
import { createEngine } from './server/engine.ts';
import { createFaults } from './server/faults.ts';
import { createHttpServer, type HttpDeps, listen } from './server/httpServer.ts';
import { createDeliverer, type Timers } from './webhooks/deliverer.ts';
import { newEndpoint } from './webhooks/routes.ts';

export type PaymentSandboxOptions = {
  /** The folder of `payments.db`. */
  readonly dataDir: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Default 127.0.0.1: it is not meant to serve others. */
  readonly host?: string;
  /** Default: generated at the first start and kept. */
  readonly secretKey?: string;
  readonly prices?: readonly SeedPrice[];
  /**
   * Origins whose pages may call with the publishable key and frame the bank's challenge: `http://localhost:3000`.
   * Default: any may call, none may frame.
   */
  readonly origins?: readonly string[];
  /** Endpoints that receive all events, besides those created through the API. Default secret: that of `keysOf`. */
  readonly webhooks?: readonly { readonly url: string; readonly secret?: string }[];
  /** What happens when no attempt to charge a renewal succeeded. Default: the subscription is canceled. */
  readonly afterLastTry?: ContextDeps['afterLastTry'];
  /** ms since 1970. */
  readonly clock?: () => number;
  readonly timers?: Timers;
  /** The part of an id after its prefix. */
  readonly ids?: (prefix: string) => string;
  /** From 0 up to 1: decides which cases a fault strikes. */
  readonly random?: () => number;
  readonly log?: (line: string) => void;
};

export type PaymentSandbox = {
  /** Includes the actual port, without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Signs events unless the endpoint has a secret of its own. */
  readonly webhookSecret: string;
  /** Idempotent. */
  close(): Promise<void>;
};

/** How often to check for due items while there are no requests. */
const TICK_MS = 1_000;

const TIMERS: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

const unguessable = (): string => randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '0');

/** The keys derived from a secret key, so that a caller who has it needs nothing else. */
export function keysOf(secretKey: string): {
  readonly secret: string;
  readonly publishable: string;
  readonly webhook: string;
} {
  const derived = (name: string): string =>
    createHash('sha256').update(`${name}:${secretKey}`).digest('hex').slice(0, 32);
  return {
    secret: secretKey,
    publishable: `pk_sandbox_${derived('publishable')}`,
    webhook: `whsec_${derived('webhook')}`,
  };
}

function keptNote(store: Store, name: string, make: () => string): string {
  const kept = store.note(name) ?? make();
  store.setNote(name, kept);
  return kept;
}

function fallDue(context: SandboxContext, { kind, id }: Due): void {
  if (kind === 'slow_payment') finishSlow(context, id);
  else if (kind === 'invoice') collect(context, need(context, kind, id));
  else if (kind === 'subscription') subscriptionDue(context, need(context, kind, id));
  else if (kind === 'checkout_session') expire(context, need(context, kind, id));
  else if (kind === 'subscription_schedule') scheduleDue(context, need(context, kind, id));
}

/** Notifies whatever a payment was for of its end. */
function settled(context: SandboxContext, intent: Stripe.PaymentIntent): void {
  settledInvoice(context, intent);
  settledSession(context, intent);
}

function seedWebhooks(
  store: Store,
  webhooks: readonly { readonly url: string; readonly secret: string }[],
  now: number,
): void {
  for (const [index, { url, secret }] of webhooks.entries()) {
    const id = `we_given${index}`;
    store.put(
      'webhook_endpoint',
      newEndpoint({ id, url, secret, events: ['*'], created: store.get('webhook_endpoint', id)?.created ?? now }),
    );
  }
}

/** Checks periodically for due items. Returns a function that stops it. */
function runTimers(timers: Timers, tick: () => void): () => void {
  let cancel = timers.after(TICK_MS, function again() {
    tick();
    cancel = timers.after(TICK_MS, again);
  });
  return () => cancel();
}

/** @throws when the port is taken (EADDRINUSE) */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const {
    dataDir,
    host = '127.0.0.1',
    clock = Date.now,
    timers = TIMERS,
    ids = unguessable,
    random = Math.random,
    log = () => undefined,
  } = options;
  const store = openStore(dataDir);
  const keys = keysOf(options.secretKey ?? keptNote(store, 'secret_key', () => `sk_sandbox_${unguessable()}`));
  let http: HttpDeps | undefined;
  const server = createHttpServer(() => {
    if (!http) throw new Error('the sandbox has not started yet');
    return http;
  });
  const port = await listen(server, options.port, host).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const faults = createFaults(random);
  const deliverer = createDeliverer({ store, clock, timers, random, faults, log });
  const engine = createEngine({
    store,
    clock,
    url,
    ids,
    afterLastTry: options.afterLastTry ?? 'cancel',
    deliver: deliverer.enqueue,
    settled,
    leaves: endAllOf,
    fallDue,
  });
  seedPrices(store, options.prices ?? DEFAULT_PRICES, engine.now());
  seedWebhooks(
    store,
    (options.webhooks ?? []).map(({ url: to, secret = keys.webhook }) => ({ url: to, secret })),
    engine.now(),
  );
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void timers.after(ms, resolve));
  http = {
    api: createApi({ engine, store, routes: ROUTES, keys, ids, clock, faults, wait, log, written: deliverer.nudge }),
    control: (method, path, body) => control(method, path, body, { engine, faults, deliverer }),
    page: (request) => {
      const answer = engine.work({ id: null, idempotencyKey: null }, (context) => hostedPage(context, request));
      deliverer.nudge();
      return answer;
    },
    secretKey: keys.secret,
    origins: options.origins ?? null,
    log,
  };
  deliverer.nudge();
  const endTime = runTimers(timers, () => {
    engine.work({ id: null, idempotencyKey: null }, () => null);
    deliverer.nudge();
  });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    endTime();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([ended, deliverer.close()]);
    store.close();
  };
  return {
    url,
    secretKey: keys.secret,
    publishableKey: keys.publishable,
    webhookSecret: keys.webhook,
    close: () => (closed ??= close()),
  };
}
