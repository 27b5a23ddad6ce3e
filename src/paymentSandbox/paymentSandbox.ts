/** A payment provider of our own, for trying and testing: it speaks Stripe's API to the `stripe` library, keeps its books in a file, and moves no money. */
import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { collect, endAllOf, settled as settledInvoice, subscriptionDue } from './billing/lifecycle.ts';
import { scheduleDue } from './billing/schedules.ts';
import { type Desk, type DeskDeps, need } from './books/desk.ts';
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
  /** `payments.db` stands in it. */
  readonly dataDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1: it is no server for others. */
  readonly host?: string;
  /** Default: one that is made up at the first start and kept. */
  readonly secretKey?: string;
  readonly prices?: readonly SeedPrice[];
  /** Whose pages may ask with the publishable key, and show the bank's question in a frame: `http://localhost:3000`. Default: any may ask, none may show. */
  readonly origins?: readonly string[];
  /** Who is told of everything, beside the endpoints that are made by the API. Default secret: that of `keysOf`. */
  readonly webhooks?: readonly { readonly url: string; readonly secret?: string }[];
  /** When no try to charge a renewal succeeded. Default: the subscription is canceled. */
  readonly afterLastTry?: DeskDeps['afterLastTry'];
  /** ms since 1970. */
  readonly clock?: () => number;
  readonly timers?: Timers;
  /** What stands behind the prefix of an id. */
  readonly ids?: (prefix: string) => string;
  /** From 0 up to 1: which cases a fault strikes. */
  readonly random?: () => number;
  readonly log?: (line: string) => void;
};

export type PaymentSandbox = {
  /** With the port that was taken, without a slash at the end. */
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** With which events are signed when nothing else was said. */
  readonly webhookSecret: string;
  /** Idempotent. */
  close(): Promise<void>;
};

/** How often what falls due is looked for while nobody asks. */
const TICK_MS = 1_000;

const TIMERS: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

const unguessable = (): string => randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '0');

/** What follows from a secret key, so that whoever has it needs to be told nothing more. */
export function keysOf(secretKey: string): { readonly secret: string; readonly publishable: string; readonly webhook: string } {
  const derived = (name: string): string => createHash('sha256').update(`${name}:${secretKey}`).digest('hex').slice(0, 32);
  return { secret: secretKey, publishable: `pk_sandbox_${derived('publishable')}`, webhook: `whsec_${derived('webhook')}` };
}

function keptNote(store: Store, name: string, make: () => string): string {
  const kept = store.note(name) ?? make();
  store.setNote(name, kept);
  return kept;
}

function fallDue(desk: Desk, { kind, id }: Due): void {
  if (kind === 'slow_payment') finishSlow(desk, id);
  else if (kind === 'invoice') collect(desk, need(desk, kind, id));
  else if (kind === 'subscription') subscriptionDue(desk, need(desk, kind, id));
  else if (kind === 'checkout_session') expire(desk, need(desk, kind, id));
  else if (kind === 'subscription_schedule') scheduleDue(desk, need(desk, kind, id));
}

/** What a payment was for hears of its end. */
function settled(desk: Desk, intent: Stripe.PaymentIntent): void {
  settledInvoice(desk, intent);
  settledSession(desk, intent);
}

function seedWebhooks(store: Store, webhooks: readonly { readonly url: string; readonly secret: string }[], now: number): void {
  for (const [index, { url, secret }] of webhooks.entries()) {
    const id = `we_given${index}`;
    store.put('webhook_endpoint', newEndpoint({ id, url, secret, events: ['*'], created: store.get('webhook_endpoint', id)?.created ?? now }));
  }
}

/** Looks now and then for what falls due by itself. Returns what ends it. */
function keepTime(timers: Timers, tick: () => void): () => void {
  let cancel = timers.after(TICK_MS, function again() {
    tick();
    cancel = timers.after(TICK_MS, again);
  });
  return () => cancel();
}

/** @throws when the port is taken (EADDRINUSE) */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const { dataDir, host = '127.0.0.1', clock = Date.now, timers = TIMERS, ids = unguessable, random = Math.random, log = () => undefined } = options;
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
      const answer = engine.work({ id: null, idempotencyKey: null }, (desk) => hostedPage(desk, request));
      deliverer.nudge();
      return answer;
    },
    secretKey: keys.secret,
    origins: options.origins ?? null,
    log,
  };
  deliverer.nudge();
  const endTime = keepTime(timers, () => {
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
  return { url, secretKey: keys.secret, publishableKey: keys.publishable, webhookSecret: keys.webhook, close: () => (closed ??= close()) };
}
