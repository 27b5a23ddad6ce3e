/**
 * The single boundary between the log and the product, for every store: written events are validated, stamped with their version and the hash of their
 * predecessor, and events read are upcast to the current format.
 */
import { currentEvent, problemsOf, stamped } from '../domain/stored/current.ts';
import { type ChainOptions, withChain } from './chain/withChain.ts';
import { type AllRead, type EventStore, MalformedEvent, type NewEvent, type RecordedEvent, type StreamRead, type SubscriptionMessage } from './eventStore.ts';

/** The store, with typed events. An adapter is a plain object of functions, so that its other functions are preserved. */
export function withStoredEvents<Store extends EventStore>(store: Store, { isOnlyWriter = true, closes = () => [] }: Partial<ChainOptions> = {}): Store {
  const chained = withChain(store, { isOnlyWriter, closes });
  return {
    ...chained,
    append: async (stream, events, options) => chained.append(stream, events.map(checked), options),
    read: async (stream, options) => currentStream(await chained.read(stream, options)),
    readAll: async (options) => currentPage(await store.readAll(options)),
    subscribe: (options) => currentMessages(store.subscribe(options)),
  } satisfies EventStore;
}

/** @throws MalformedEvent */
function checked(event: NewEvent): NewEvent {
  const problems = problemsOf(event);
  if (problems.length > 0) throw new MalformedEvent(event.type, problems);
  return stamped(event);
}

function current(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.map(currentEvent);
}

function currentStream(read: StreamRead): StreamRead {
  return read.status === 'found' ? { ...read, events: current(read.events) } : read;
}

function currentPage(read: AllRead): AllRead {
  return { ...read, events: current(read.events) };
}

async function* currentMessages(messages: AsyncIterable<SubscriptionMessage>): AsyncGenerator<SubscriptionMessage> {
  for await (const message of messages) yield message.kind === 'events' ? { ...message, events: current(message.events) } : message;
}
