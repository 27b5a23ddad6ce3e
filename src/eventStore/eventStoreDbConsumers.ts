/**
 * Competing consumers: a persistent subscription to $all by the group's name. The lease is the connection: what a call that ends was given
 * goes to another consumer at once, and the server finds a process that stands still by its silence. Failures are counted by this process.
 */
import { fullJitter } from './backoff.ts';
import { type Alarm, firstOf, iterable } from './bell.ts';
import { type ConsumerOptions, type Delivery, EventStoreError, LeaseLost, type RecordedEvent } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf, toStoreError } from './eventStoreDbErrors.ts';
import { passes, toRecordedEvent } from './eventStoreDbEvents.ts';
import { asItStands, createGroup, parkedReason } from './eventStoreDbGroup.ts';
import type { Incoming, Lane } from './eventStoreDbLane.ts';
import { createLanes, type Lanes } from './eventStoreDbLanes.ts';
import { type Patience, pause } from './eventStoreDbPatience.ts';
import type { StreamReader } from './eventStoreDbStreams.ts';
import type { StoreLog } from './eventStoreDbSubscribe.ts';

export type ConsumerSource = {
  readonly connection: EventStoreDbConnection;
  readonly reader: StreamReader;
  readonly patience: Patience;
  readonly now: () => number;
  readonly alarm: Alarm;
  readonly random: () => number;
  readonly log: StoreLog | undefined;
};

export type Consumers = {
  readonly consume: (options: ConsumerOptions) => AsyncIterable<Delivery>;
  /** Lets go of all that is held. */
  readonly close: () => Promise<void>;
};

/** `failures`: how often an event failed here, by its id. */
type Group = { filter: string; consumers: number; readonly failures: Map<string, number> };
type Work = { readonly source: ConsumerSource; readonly options: ConsumerOptions; readonly group: Group; readonly lanes: Lanes };

const DEFAULT_MAX_ATTEMPTS = 12;
const MAX_REASON_CHARACTERS = 2_000;
const MAX_COUNTED = 10_000;

export function createConsumers(source: ConsumerSource): Consumers {
  const groups = new Map<string, Group>();
  const open = new Set<Lanes>();

  async function* consumer(options: ConsumerOptions, signal: AbortSignal): AsyncGenerator<Delivery, void, undefined> {
    const group = join(groups, options);
    const lanes = createLanes(source.connection, options.group);
    open.add(lanes);
    try {
      yield* deliveries({ source, options, group, lanes }, signal);
    } finally {
      group.consumers -= 1;
      await lanes.retire();
      // What is in hand can still be settled; closing the store ends it.
      if (lanes.isEmpty()) open.delete(lanes);
    }
  }

  return {
    consume: (options) => iterable((signal) => consumer(options, AbortSignal.any([signal, source.patience.closing])), options.signal),
    async close() {
      await Promise.all([...open].map((lanes) => lanes.close()));
    },
  };
}

async function* deliveries(work: Work, signal: AbortSignal): AsyncGenerator<Delivery, void, undefined> {
  const { source, options, lanes } = work;
  let failures = 0;
  let isCreated = false;
  while (!signal.aborted) {
    try {
      lanes.setAsking(true);
      const taken = lanes.take();
      if (taken === null) {
        if (!isCreated) await createGroup(source.connection, options);
        isCreated = true;
        await lanes.ensure();
        if (!lanes.hasNews()) await firstOf([lanes.changed.listen], signal);
        continue;
      }
      const delivery = await toDelivery(work, taken.lane, taken.incoming);
      failures = 0;
      if (delivery === null) continue;
      if (signal.aborted) return await delivery.defer(0).catch(() => undefined);
      lanes.setAsking(false);
      yield delivery;
    } catch (error) {
      if (signal.aborted) return;
      const fate = fateOf(error);
      if (fate !== 'away' && fate !== 'missing') throw toStoreError(error, source.patience.label);
      isCreated = false;
      source.log?.warn(
        { store: source.patience.label, group: options.group, reason: (error as Error).message },
        'A consumer group broke off; what was in hand goes to others',
      );
      await pause(source.patience, failures, signal);
      failures += 1;
    }
  }
}

/** Null for what is not to be handed out: another's event, one that the server's filter let through, or one whose stream was deleted. */
async function toDelivery(work: Work, lane: Lane, incoming: Incoming): Promise<Delivery | null> {
  const handed = toRecordedEvent(incoming.record);
  try {
    const event = handed !== null && passes(handed, work.options.filter) ? await asItStands(work.source.reader, handed) : null;
    if (event !== null) return deliveryOf(work, lane, incoming, event);
  } catch (error) {
    await lane.giveBack(incoming).catch(() => undefined);
    throw error;
  }
  await lane.ack(incoming).catch(() => undefined);
  return null;
}

function deliveryOf({ source, options, group, lanes }: Work, lane: Lane, incoming: Incoming, event: RecordedEvent): Delivery {
  const { maxAttempts = DEFAULT_MAX_ATTEMPTS, backoff = fullJitter(source.random) } = options;
  const attempt = 1 + (group.failures.get(event.id) ?? 0);

  /** While it is the consumer's; once. */
  async function settle(how: () => Promise<void>): Promise<void> {
    if (incoming.isKeptBack) throw new LeaseLost();
    try {
      await how();
    } finally {
      lanes.settled(lane);
    }
  }

  function park(reason: string): Promise<void> {
    group.failures.delete(event.id);
    return lane.park(incoming, parkedReason(attempt, reason.slice(0, MAX_REASON_CHARACTERS)));
  }

  /** Nobody else is given it meanwhile: the server knows no delay. */
  async function keepBack(delayMs: number): Promise<void> {
    if (lane.held.get(incoming.id) !== incoming) throw new LeaseLost();
    if (delayMs <= 0) return lane.giveBack(incoming);
    incoming.isKeptBack = true;
    const due = Math.ceil(source.now() + delayMs);
    const wake = () => {
      if (source.now() < due) return void source.alarm(due - source.now(), wake);
      const given = lane.giveBack(incoming).catch(() => undefined);
      return void given.then(() => lanes.settled(lane));
    };
    source.alarm(delayMs, wake);
  }

  async function retry(reason: string): Promise<void> {
    if (attempt >= maxAttempts) return park(reason);
    count(group.failures, event.id, attempt);
    return keepBack(backoff(attempt));
  }

  return {
    event,
    attempt,
    ack: () =>
      settle(() => {
        group.failures.delete(event.id);
        return lane.ack(incoming);
      }),
    retry: (reason) => settle(() => retry(reason)),
    defer: (delayMs) => settle(() => keepBack(delayMs)),
    park: (reason) => settle(() => park(reason)),
    async extend() {
      if (incoming.isKeptBack || lane.held.get(incoming.id) !== incoming) throw new LeaseLost();
    },
  };
}

function count(failures: Map<string, number>, id: string, attempt: number): void {
  failures.delete(id);
  failures.set(id, attempt);
  for (const oldest of failures.keys()) {
    if (failures.size <= MAX_COUNTED) break;
    failures.delete(oldest);
  }
}

/** All consumers of a group want the same events: what one passes over, no other would be given. */
function join(groups: Map<string, Group>, options: ConsumerOptions): Group {
  const filter = JSON.stringify([options.filter.types ?? null, options.filter.streamPrefixes ?? null]);
  const group = groups.get(options.group) ?? { filter, consumers: 0, failures: new Map<string, number>() };
  if (group.consumers > 0 && group.filter !== filter) {
    throw new EventStoreError('GROUP_FILTER_DIFFERS', `Another consumer of the group ${options.group} has a different filter.`);
  }
  group.filter = filter;
  group.consumers += 1;
  groups.set(options.group, group);
  return group;
}
