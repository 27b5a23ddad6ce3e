/**
 * Webhooks, in two groups of competing consumers: one turns what happened into deliveries, one makes the first try of each at once. What is to be
 * tried again stands in the log with its time; each worker looks for what is due on a timer, so that a restart forgets nothing.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandContext } from '../commands/context.ts';
import { announce } from '../commands/webhookDeliveries.ts';
import type { WebhookEvent } from '../domain/webhooks/events.ts';
import type { Delivery, EventStore, RecordedEvent } from '../eventStore/eventStore.ts';

export type WebhookWorkerDeps = {
  readonly store: EventStore;
  readonly context: () => CommandContext;
  /** Event types that are told to somebody. */
  readonly types: readonly string[];
  /** Null: there is nothing to tell any more. Throws when it should be asked again. */
  readonly describe: (event: RecordedEvent) => Promise<{ readonly userId: string; readonly event: WebhookEvent; readonly data: object } | null>;
  readonly tryDelivery: (deliveryId: string, signal: AbortSignal) => Promise<void>;
  /** Null when it is gone. */
  readonly ownerOf: (deliveryId: string) => Promise<string | null>;
  /** What is due now, the longest due first. */
  readonly listDue: () => AsyncIterable<Due>;
  readonly everyMs: number;
  readonly log: { error(fields: object, text: string): void };
};

export type WebhookWorker = {
  /** One look for what is due, now. */
  sweep(): Promise<void>;
  /** Takes nothing new and breaks off what is being sent. */
  stop(): Promise<void>;
};

export type Due = { readonly deliveryId: string; readonly userId: string };

/** Tries at once in this process. A receiver that hangs holds one of them for its time limit. */
const PARALLEL = 32;
/** Of one user, so that whose receivers hang waits for themselves alone, and nobody's receiver is overrun. */
const PARALLEL_OF_A_USER = 4;
const RESTART_MS = 1_000;

export function startWebhookWorker(deps: WebhookWorkerDeps): WebhookWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  const runningOf = new Map<string, number>();

  /** Nothing, when its user has as many under way as they may: it stays due, and is found by a later look. */
  async function attempt({ deliveryId, userId }: Due): Promise<void> {
    const own = runningOf.get(userId) ?? 0;
    if (running.has(deliveryId) || own >= PARALLEL_OF_A_USER || signal.aborted) return;
    runningOf.set(userId, own + 1);
    const work = deps
      .tryDelivery(deliveryId, signal)
      .catch((error: unknown) => deps.log.error({ deliveryId, err: error }, 'a webhook delivery broke off; it is tried again'))
      .finally(() => {
        running.delete(deliveryId);
        const left = (runningOf.get(userId) ?? 1) - 1;
        if (left === 0) runningOf.delete(userId);
        else runningOf.set(userId, left);
      });
    running.set(deliveryId, work);
    while (running.size >= PARALLEL) await Promise.race(running.values());
  }

  async function tell(delivery: Delivery): Promise<void> {
    const { event } = delivery;
    try {
      const facts = await deps.describe(event);
      if (facts) {
        const { at } = event.metadata;
        await announce(deps.context(), { userId: facts.userId, causeId: event.id, at, message: { event: facts.event, createdAt: at, data: facts.data } });
      }
      await delivery.ack();
    } catch (error) {
      if (signal.aborted) return delivery.defer(0);
      deps.log.error({ err: error, type: event.type }, 'webhooks could not be told of an event; it is tried again');
      await delivery.retry(String(error));
    }
  }

  /** A claim in the delivery's own stream sees to it that it is sent once, so the store need not wait for the receiver. */
  async function first(delivery: Delivery): Promise<void> {
    const { deliveryId } = delivery.event.data as { deliveryId: string };
    const userId = await deps.ownerOf(deliveryId);
    if (userId !== null) await attempt({ deliveryId, userId });
    await delivery.ack();
  }

  async function consume(group: string, types: readonly string[], take: (delivery: Delivery) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const delivery of deps.store.consume({ group, filter: { types }, signal })) await take(delivery);
      } catch (error) {
        if (signal.aborted) return;
        deps.log.error({ err: error, group }, 'the webhook worker lost its store; it goes on as soon as it can');
        await wait(RESTART_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  let sweeping: Promise<void> = Promise.resolve();
  const sweep = (): Promise<void> => {
    sweeping = sweeping.then(async () => {
      if (signal.aborted) return;
      try {
        for await (const due of deps.listDue()) await attempt(due);
        await Promise.all(running.values());
      } catch (error) {
        if (!signal.aborted) deps.log.error({ err: error }, 'what is due of the webhooks could not be listed; it is tried again');
      }
    });
    return sweeping;
  };

  const loops = [consume('webhooks', deps.types, tell), consume('webhook-tries', ['WebhookQueued', 'WebhookRequeued'], first)];
  let busy = false;
  const tick = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    await sweep();
    busy = false;
  };
  const timer = setInterval(() => void tick(), deps.everyMs);
  timer.unref();
  return {
    sweep,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([...loops, sweeping, ...running.values()]);
    },
  };
}
