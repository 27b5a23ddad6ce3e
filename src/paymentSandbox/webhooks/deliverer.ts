/** Delivers events to the endpoints: signed, retried with growing delays, and resumed after a kill. */
import { createHmac } from 'node:crypto';
import type { StoredEvent } from '../books/kinds.ts';
import type { Store } from '../books/store.ts';
import type { Faults } from '../server/faults.ts';

const AT_ONCE = 8;
const PATIENCE_MS = 10_000;
const MINUTE = 60_000;
/** Delays between attempts. Stripe retries for hours in a sandbox, and so does this. */
const WAITS_MS: readonly number[] = [5_000, 30_000, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 180 * MINUTE];

export type Timers = {
  /** Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

export type DelivererDeps = {
  readonly store: Store;
  /** Real time as the receivers have it, in ms: the sandbox's clock does not affect it. */
  readonly clock: () => number;
  readonly timers: Timers;
  readonly random: () => number;
  readonly faults: Faults;
  readonly log: (line: string) => void;
};

export type Deliverer = {
  /** For all endpoints subscribed to it. Part of the transaction that wrote the event. */
  enqueue(event: StoredEvent): void;
  /** There may be something to deliver. */
  nudge(): void;
  /** Resolves when nothing is due. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

type Row = { readonly id: number; readonly event: string; readonly endpoint: string; readonly tries: number };

/** `Stripe-Signature` for these bytes at this second. */
export function signature(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Number of endpoints that have not accepted an event yet. */
export const pendingOf = (store: Store, event: string): number =>
  store.db
    .prepare<[string], { count: number }>(
      `SELECT count(*) AS count FROM deliveries WHERE event = ? AND state IN ('pending', 'failed', 'lost')`,
    )
    .get(event)?.count ?? 0;

export function createDeliverer({ store, clock, timers, random, faults, log }: DelivererDeps): Deliverer {
  const insert = store.db.prepare(`INSERT INTO deliveries (event, endpoint, due, tries, state) VALUES (?, ?, ?, 0, ?)`);
  const due = store.db.prepare<[number, number], Row>(
    `SELECT id, event, endpoint, tries FROM deliveries WHERE state = 'pending' AND due <= ? ORDER BY due, id LIMIT ?`,
  );
  const next = store.db.prepare<[], { due: number | null }>(
    `SELECT min(due) AS due FROM deliveries WHERE state = 'pending'`,
  );
  const settle = store.db.prepare('UPDATE deliveries SET state = ?, due = ?, tries = ? WHERE id = ?');
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let again = false;
  let cancel: () => void = () => undefined;

  async function send({ id, event, endpoint, tries }: Row): Promise<void> {
    const to = store.get('webhook_endpoint', endpoint);
    const payload = store.get('event', event);
    if (to?.status !== 'enabled' || !payload) {
      settle.run('failed', 0, tries, id);
      return;
    }
    const body = JSON.stringify({ ...payload, pending_webhooks: pendingOf(store, event) }, null, 2);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature(to.secret ?? '', body, Math.floor(clock() / 1_000)),
      'user-agent': 'Stripe/1.0 (sandbox)',
    };
    const failure = await fetch(to.url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)]),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok ? null : `status ${response.status}`;
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (stop.signal.aborted) return;
    if (failure === null) {
      settle.run('done', 0, tries + 1, id);
      return;
    }
    const wait = WAITS_MS[tries];
    log(`${payload.type} ${event} was not taken by ${to.url}: ${failure}${wait === undefined ? '; given up' : ''}`);
    settle.run(wait === undefined ? 'failed' : 'pending', clock() + (wait ?? 0), tries + 1, id);
  }

  async function pump(): Promise<void> {
    do {
      again = false;
      for (
        let rows = due.all(clock(), AT_ONCE);
        rows.length > 0 && !stop.signal.aborted;
        rows = due.all(clock(), AT_ONCE)
      )
        await Promise.all(rows.map(send));
    } while (again && !stop.signal.aborted);
  }

  function start(): Promise<void> {
    cancel();
    if (stop.signal.aborted) return Promise.resolve();
    if (running) {
      again = true;
      return running;
    }
    running = pump().finally(() => {
      running = null;
      if (stop.signal.aborted) return;
      const first = next.get()?.due;
      if (typeof first === 'number') cancel = timers.after(Math.max(0, first - clock()), () => void start());
    });
    return running;
  }

  return {
    enqueue: (event) => {
      for (const endpoint of store.each('webhook_endpoint', { oldestFirst: true })) {
        if (
          endpoint.status !== 'enabled' ||
          !endpoint.enabled_events.some((wanted) => wanted === '*' || wanted === event.type)
        )
          continue;
        const late = faults.strikes('webhook_delay', event.type)?.ms ?? 0;
        const shuffled = Math.floor(random() * (faults.strikes('webhook_shuffle', event.type)?.ms ?? 0));
        const state = faults.strikes('webhook_lose', event.type) ? 'lost' : 'pending';
        insert.run(event.id, endpoint.id, clock() + late + shuffled, state);
        if (faults.strikes('webhook_double', event.type))
          insert.run(event.id, endpoint.id, clock() + late + shuffled, state);
      }
    },
    nudge: () => {
      cancel();
      if (!stop.signal.aborted) cancel = timers.after(0, () => void start());
    },
    flush: start,
    close: async () => {
      stop.abort();
      cancel();
      await running;
    },
  };
}
