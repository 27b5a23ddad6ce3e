/** Servers and clients of one test, closed after it; and helpers for tests of the server. */
import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  type JSONEventData,
  jsonEvent,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { onTestFinished } from 'vitest';
import {
  type EventStoreDbOptions,
  type EventStoreDbServer,
  startEventStoreDbServer,
} from '../../servers/eventStoreDb.ts';

/** Runs after the test, the last first. */
export function afterwards(cleanup: () => Promise<unknown> | unknown): void {
  // A hook in this module would only run for the first file that loads it.
  onTestFinished(async () => void (await cleanup()));
}

export async function givenServer(
  options?: EventStoreDbOptions,
): Promise<{ server: EventStoreDbServer; client: EventStoreDBClient }> {
  const server = await startEventStoreDbServer(options);
  afterwards(() => server.close());
  return { server, client: givenClient(server.url) };
}

export function givenClient(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  afterwards(() => client.dispose());
  return client;
}

/** A client of a restarted server: the first calls may still use the broken connection. */
export async function givenClientAgain(url: string): Promise<EventStoreDBClient> {
  const client = givenClient(url);
  for (;;) {
    const answered = await all(client.readAll({ maxCount: 1 })).then(
      () => true,
      () => false,
    );
    if (answered) return client;
  }
}

/** Events of these types, in order; the data contains the index. */
export function events(...types: readonly string[]): JSONEventData[] {
  return types.map((type, n) => jsonEvent({ type, data: { n } }));
}

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const each of stream) list.push(each);
  return list;
}

const iterators = new WeakMap<object, AsyncIterator<unknown>>();

/** The next `count` of an endless stream, which stays open for more. */
export async function take<T>(stream: AsyncIterable<T>, count: number): Promise<T[]> {
  const iterator = (iterators.get(stream) as AsyncIterator<T> | undefined) ?? stream[Symbol.asyncIterator]();
  iterators.set(stream, iterator);
  const list: T[] = [];
  while (list.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    list.push(next.value);
  }
  return list;
}

/** The rejection reason of a promise. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ type: string; actualVersion?: unknown; message: string }> {
  return promise.then(
    () => {
      throw new Error('nothing was refused');
    },
    (error) => error,
  );
}

export function typesOf(list: readonly (ResolvedEvent | AllStreamResolvedEvent)[]): (string | undefined)[] {
  return list.map(({ event }) => event?.type);
}

/** Events without the system's own. */
export function users<T extends ResolvedEvent | AllStreamResolvedEvent>(list: readonly T[]): T[] {
  return list.filter(({ event, link }) => !(link ?? event)?.type.startsWith('$'));
}

/** Resolves when `emitter` has emitted `name`. */
export function once(emitter: NodeJS.EventEmitter, name: string): Promise<unknown> {
  return new Promise((resolve) => emitter.once(name, resolve));
}
