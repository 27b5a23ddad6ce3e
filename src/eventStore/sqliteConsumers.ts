/** Competing consumers: each of a group's deliveries is in one consumer's hands at a time. */
import { fullJitter } from './backoff.ts';
import { type Alarm, type Bell, createBell, firstOf, iterable } from './bell.ts';
import { type ConsumerOptions, type Delivery, EventStoreError, LeaseLost, type ParkedEvent } from './eventStore.ts';
import { createDeliveries, type Feed, type Lease, type LeaseTerms } from './sqliteDeliveries.ts';
import type { EventDatabase } from './sqliteFile.ts';
import type { SubscriptionSource } from './sqliteSubscribe.ts';
import type { Submit } from './sqliteWriter.ts';

export type Consumers = {
  readonly consume: (options: ConsumerOptions) => AsyncIterable<Delivery>;
  readonly listParked: (group: string, limit?: number) => readonly ParkedEvent[];
  readonly replayParked: (group: string) => Promise<number>;
  /** After a rollback. */
  readonly forget: () => void;
  /** Lets waiting consumers see that the store was closed. */
  readonly wake: () => void;
};

export type ConsumerEnvironment = {
  readonly now: () => number;
  readonly alarm: Alarm;
  readonly random: () => number;
  /** Puts the driver's errors in the port's terms. */
  readonly guarded: <T>(work: () => T) => T;
};

/** `queued`: something became due earlier than the sleeping consumers know. */
type Group = Feed & { readonly queued: Bell; filter: string; consumers: number };

const DEFAULT_LEASE_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 12;
const DEFAULT_PARKED = 100;

export function createConsumers(db: EventDatabase, submit: Submit, source: SubscriptionSource, environment: ConsumerEnvironment): Consumers {
  const { now, alarm, random, guarded } = environment;
  const deliveries = createDeliveries(db, source.readLog);
  const groups = new Map<string, Group>();
  // One process owns the file: whoever held these leases is gone.
  deliveries.giveAllBack();

  function groupOf(name: string): Group {
    let group = groups.get(name);
    if (group === undefined) {
      group = { fed: null, queued: createBell(), filter: '', consumers: 0 };
      groups.set(name, group);
    }
    return group;
  }

  async function* consumer(options: ConsumerOptions, signal: AbortSignal): AsyncGenerator<Delivery, void, undefined> {
    const { leaseMs = DEFAULT_LEASE_MS, maxAttempts = DEFAULT_MAX_ATTEMPTS, backoff = fullJitter(random) } = options;
    const terms: LeaseTerms = { group: options.group, filter: options.filter, leaseMs, maxAttempts };
    const group = join(groupOf(options.group), options);
    try {
      while (!signal.aborted && !source.isClosed()) {
        const due = guarded(() => deliveries.nextDue(terms.group));
        const behind = guarded(() => deliveries.fedTo(terms.group, group)) < source.head.committed;
        if (!behind && (due === null || due > now())) {
          await firstOf([source.changed.listen, group.queued.listen, ...(due === null ? [] : [(ring: () => void) => alarm(due - now(), ring)])], signal);
          continue;
        }
        const lease = await submit(() => deliveries.take(terms, group, now()));
        if (lease === null) continue;
        const delivery = toDelivery(lease, terms, group, backoff);
        if (source.isClosed()) return;
        if (signal.aborted) await delivery.defer(0);
        else yield delivery;
      }
    } finally {
      group.consumers -= 1;
    }
  }

  function toDelivery(lease: Lease, terms: LeaseTerms, group: Group, backoff: (attempt: number) => number): Delivery {
    /** `work` answers whether the lease was still this consumer's. */
    const settle = (work: () => boolean) =>
      submit(() => {
        if (!work()) throw new LeaseLost();
      });
    const giveBack = async (attempts: number, delayMs: number, reason: string | null) => {
      const due = Math.ceil(now() + Math.max(0, delayMs));
      await settle(() => deliveries.giveBack(lease, attempts, due, reason));
      group.queued.ring();
    };
    const park = (reason: string) => settle(() => deliveries.park(lease, reason, now()));
    return {
      event: lease.event,
      attempt: lease.attempt,
      ack: () => settle(() => deliveries.ack(lease)),
      retry: (reason) => (lease.attempt >= terms.maxAttempts ? park(reason) : giveBack(lease.attempt, backoff(lease.attempt), reason)),
      defer: (delayMs) => giveBack(lease.attempt - 1, delayMs, null),
      park,
      extend: () => settle(() => deliveries.extend(lease, now() + terms.leaseMs)),
    };
  }

  return {
    consume: (options) => iterable((signal) => consumer(options, signal), options.signal),
    listParked: (group, limit = DEFAULT_PARKED) => guarded(() => deliveries.listParked(group, limit)),
    async replayParked(name) {
      const replayed = await submit(() => deliveries.replayParked(name, now()));
      groupOf(name).queued.ring();
      return replayed;
    },
    forget() {
      for (const group of groups.values()) group.fed = null;
    },
    wake() {
      for (const group of groups.values()) group.queued.ring();
    },
  };
}

/** All consumers of a group want the same events: what one passes over, no other would be given. */
function join(group: Group, options: ConsumerOptions): Group {
  const filter = JSON.stringify([options.filter.types ?? null, options.filter.streamPrefixes ?? null]);
  if (group.consumers > 0 && group.filter !== filter) {
    throw new EventStoreError('GROUP_FILTER_DIFFERS', `Another consumer of the group ${options.group} has a different filter.`);
  }
  group.filter = filter;
  group.consumers += 1;
  return group;
}
