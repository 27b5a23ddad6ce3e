/**
 * A part of a shared log, as if it were a separate log: every stream name gets a prefix, and other streams are hidden.
 */
import {
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  type SubscriptionMessage,
} from '../../../src/eventStore/eventStore.ts';

/** `from`: the log's head before the part began. */
export function scopedEventStore(store: EventStore, prefix: string, from: Position): EventStore {
  // An invalid name must be refused unchanged.
  const scoped = (stream: string) => (stream === '' || stream.startsWith('$') ? stream : prefix + stream);
  const bare = <E extends RecordedEvent>(event: E): E => ({ ...event, stream: event.stream.slice(prefix.length) });
  const only = (filter: EventFilter = {}): EventFilter => ({
    ...filter,
    streamPrefixes: filter.streamPrefixes?.map(scoped) ?? [prefix],
  });
  const place = (after: Position | undefined) => (after === undefined || after === START ? from : after);

  /** The items of `iterator`, each mapped with `view`. */
  function mapped<T>(items: AsyncIterable<T>, view: (item: T) => T): AsyncIterable<T> {
    return {
      [Symbol.asyncIterator]() {
        const iterator = items[Symbol.asyncIterator]();
        return {
          async next() {
            const result = await iterator.next();
            return result.done ? result : { done: false, value: view(result.value) };
          },
          return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
        };
      },
    };
  }

  return {
    append: (stream, events, options) => store.append(scoped(stream), events, options),
    async read(stream, options) {
      const read = await store.read(scoped(stream), options);
      return read.status === 'found' ? { ...read, events: read.events.map(bare) } : read;
    },
    async readAll(options = {}) {
      const { after, direction = 'forward', filter, ...rest } = options;
      const start = direction === 'forward' ? { after: place(after) } : after === undefined ? {} : { after };
      const page = await store.readAll({ ...rest, ...start, direction, filter: only(filter) });
      return { ...page, events: page.events.map(bare) };
    },
    async head() {
      const { events } = await store.readAll({ direction: 'backward', limit: 1, filter: only() });
      return events[0]?.position ?? START;
    },
    subscribe(options = {}) {
      const after = options.after === 'end' ? 'end' : place(options.after);
      const view = (message: SubscriptionMessage): SubscriptionMessage =>
        message.kind === 'events' ? { kind: 'events', events: message.events.map(bare) } : message;
      return mapped(store.subscribe({ ...options, after, filter: only(options.filter) }), view);
    },
    truncate: (stream, before) => store.truncate(scoped(stream), before),
    delete: (stream, options) => store.delete(scoped(stream), options),
    close: () => store.close(),
  };
}
