/** Provided by an adapter's test to run the contract, and small helpers of its cases. */
import { expect } from 'vitest';
import type {
  EventStore,
  EventStoreError,
  NewEvent,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionMessage,
} from '../../src/eventStore/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';

export type EventStoreHarness = {
  readonly store: EventStore;
  /** Lets everything happen in the store that needs no time to pass. */
  readonly idle: () => Promise<void>;
  /** Removes deleted events from the log, where deleting leaves that to a later clean-up. */
  readonly erase: () => Promise<void>;
  /**
   * The same data in a reopened store, as after the process ended without closing. Null: the adapter's data ends with
   * the store.
   */
  readonly reopen: (() => Promise<EventStore>) | null;
  /** Closes and removes everything. */
  readonly end: () => Promise<void>;
};

/**
 * `lastRevision`: a stream already written up to there, its events gone, for numbers that no test could reach by
 * appending.
 */
export type EventStoreFactory = (options?: {
  readonly lastRevision?: { readonly stream: string; readonly revision: bigint };
}) => Promise<EventStoreHarness>;

/** Cases that a store cannot have, or that its own tests cover, by id (or by title without one), with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

let counter = 0;

export function uuid(): string {
  counter += 1;
  return `00000000-0000-4000-8000-${counter.toString(16).padStart(12, '0')}`;
}

export function newEvent(type = 'ThingHappened', data: object = { n: counter }): NewEvent {
  return { id: uuid(), type, data, metadata: metadataAt('2026-01-01T00:00:00.000Z') };
}

export function newEvents(count: number, type = 'ThingHappened'): readonly NewEvent[] {
  return Array.from({ length: count }, () => newEvent(type));
}

export async function refusal(attempt: Promise<unknown>): Promise<EventStoreError> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as EventStoreError;
}

export async function eventsOf(store: EventStore, stream: string): Promise<readonly RecordedEvent[]> {
  const read = await store.read(stream);
  return read.status === 'found' ? read.events : [];
}

export async function wholeLog(store: EventStore, limit = 1_000): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await store.readAll({ limit, ...(after === undefined ? {} : { after }) });
    events.push(...page.events);
    after = page.next;
    if (page.end) return events;
  }
}

/** Messages of a subscription until `enough` says so. */
export async function collect(
  store: EventStore,
  options: SubscribeOptions,
  enough: (messages: readonly SubscriptionMessage[]) => boolean,
): Promise<readonly SubscriptionMessage[]> {
  const messages: SubscriptionMessage[] = [];
  for await (const message of store.subscribe(options)) {
    messages.push(message);
    if (enough(messages)) break;
  }
  return messages;
}

export function eventsIn(messages: readonly SubscriptionMessage[]): readonly RecordedEvent[] {
  return messages.flatMap((message) => (message.kind === 'events' ? message.events : []));
}

export const caughtUp = (messages: readonly SubscriptionMessage[]) => messages.at(-1)?.kind === 'caughtUp';
export const idsOf = (events: readonly { readonly id: string }[]) => events.map((event) => event.id);
export const positionsOf = (events: readonly RecordedEvent[]) => events.map((event) => event.position);

/** Lets everything happen that needs no time to pass. */
export async function yields(count = 8): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
