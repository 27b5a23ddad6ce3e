/**
 * The single boundary between the log and the product, for every store: written events are validated, stamped with
 * their version and the hash of their predecessor, and events read are upcast to the current format.
 */
import { currentEvent, problemsOf, stamped } from '../domain/stored/current.ts';
import { type ChainOptions, withChain } from './chain/withChain.ts';
import {
  type AllRead,
  type EventStore,
  MalformedEvent,
  type NewEvent,
  type RecordedEvent,
  type ScannedEvent,
  type StreamRead,
  type SubscriptionMessage,
} from './eventStore.ts';

type LogReads = Pick<EventStore, 'head' | 'readAll' | 'scan'>;

/**
 * The store, with typed events. An adapter is a plain object of functions, so that its other functions are preserved.
 */
export function withStoredEvents<Store extends EventStore>(
  store: Store,
  { closes = () => [] }: Partial<ChainOptions> = {},
): Store {
  const chained = withChain(store, { closes });
  return {
    ...chained,
    append: async (stream, events, options) => chained.append(stream, events.map(checked), options),
    read: async (stream, options) => currentStream(await chained.read(stream, options)),
    ...currentReads(store),
    subscribe: (options) => currentMessages(store.subscribe(options)),
  } satisfies EventStore;
}

/** Its reading alone, with events of earlier versions in the current shape. */
export function currentReads({ head, readAll, scan }: LogReads): LogReads {
  return {
    head,
    readAll: async (options) => currentPage(await readAll(options)),
    ...(scan ? { scan: async (options) => currentPage(await scan(options)) } : {}),
  };
}

/** @throws MalformedEvent */
function checked(event: NewEvent): NewEvent {
  const problems = problemsOf(event);
  if (problems.length > 0) throw new MalformedEvent(event.type, problems);
  return stamped(event);
}

function current<Event extends RecordedEvent | ScannedEvent>(events: readonly Event[]): readonly Event[] {
  return events.map(currentEvent);
}

function currentStream(read: StreamRead): StreamRead {
  return read.status === 'found' ? { ...read, events: current(read.events) } : read;
}

function currentPage<Event extends RecordedEvent | ScannedEvent>(read: AllRead<Event>): AllRead<Event> {
  return { ...read, events: current(read.events) };
}

async function* currentMessages(messages: AsyncIterable<SubscriptionMessage>): AsyncGenerator<SubscriptionMessage> {
  for await (const message of messages)
    yield message.kind === 'events' ? { ...message, events: current(message.events) } : message;
}
