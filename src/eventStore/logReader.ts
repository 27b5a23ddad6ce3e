/** Reads a log as its streams show it: without deleted or truncated events that remain until the store cleans up. */
import {
  type AllRead,
  type EventStore,
  type Position,
  type RecordedEvent,
  type ScanOptions,
  START,
} from './eventStore.ts';

/** What is needed of an event to know whether its stream shows it. */
type Placed = Pick<RecordedEvent, 'stream' | 'revision' | 'position'>;

export type LogReader<Event extends Placed = RecordedEvent> = {
  /** The next event, null at the end of the log. Reads the log again once it was at its end. */
  peek(): Promise<Event | null>;
  /** Moves past the event last peeked at. */
  take(): void;
  /** Position of the last event taken. */
  position(): Position;
  /** The first revision that the event's stream still shows. For the event last peeked at. */
  firstRevision(event: Event): bigint;
  /** Permanently deleted streams encountered since the last call. */
  takeDeleted(): readonly string[];
  /** Reads again what the stream shows. */
  forget(stream: string): void;
};

/** Each page takes two calls to a server. It ends earlier if its events are large. */
const PAGE = 4_000;
/** Streams checked concurrently. */
const PARALLEL = 16;
/** Remembered streams; one that recurs after this many others is checked again. */
const REMEMBERED = 50_000;

type Shown = { readonly from: bigint } | 'hidden';
const WHOLE: Shown = { from: 0n };

/**
 * `read`: in which form the store's events are read.
 * @throws the signal's reason
 */
export function readLog<Event extends Placed>(
  store: EventStore,
  read: (options: ScanOptions) => Promise<AllRead<Event>>,
  signal?: AbortSignal,
): LogReader<Event> {
  const shown = new Map<string, Shown>();
  /**
   * The only streams to look up; null where the store cannot list them and each is looked up; undefined until it was
   * asked.
   */
  let altered: Set<string> | null | undefined;
  let deleted: string[] = [];
  let page: readonly Event[] = [];
  let index = 0;
  let next: Position = START;
  let ahead: Promise<AllRead<Event>> | null = null;
  let position: Position = START;

  async function ask(stream: string): Promise<void> {
    const start = await store.read(stream, { limit: 1 });
    if (start.status === 'deleted') deleted.push(stream);
    const first = start.status === 'found' ? (start.events[0]?.revision ?? start.revision + 1n) : null;
    shown.set(stream, first === null ? 'hidden' : { from: first });
  }

  async function askAll(streams: ReadonlySet<string>): Promise<void> {
    const waiting = streams.values();
    const lane = async (): Promise<void> => {
      for (const stream of waiting) await ask(stream);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, streams.size) }, lane));
  }

  /** The events after `after`, with what must be known about their streams. */
  async function load(after: Position): Promise<AllRead<Event>> {
    signal?.throwIfAborted();
    if (altered === undefined) altered = (await store.alteredStreams?.()) ?? null;
    const found = await read({ after, limit: PAGE });
    if (shown.size > REMEMBERED) shown.clear();
    await askAll(new Set(found.events.map((event) => event.stream).filter((stream) => stateOf(stream) === undefined)));
    return found;
  }

  /** False at the end of the log. The next page is read while one is processed. */
  async function nextPage(): Promise<boolean> {
    const found = await (ahead ?? load(next));
    next = found.next;
    page = found.events;
    index = 0;
    ahead = found.end ? null : load(next);
    // Its consumer handles a failure.
    ahead?.catch(() => undefined);
    return page.length > 0 || !found.end;
  }

  const stateOf = (stream: string): Shown | undefined => (altered && !altered.has(stream) ? WHOLE : shown.get(stream));

  const isShown = (event: Event): boolean => {
    const stream = stateOf(event.stream);
    return stream !== undefined && stream !== 'hidden' && event.revision >= stream.from;
  };

  return {
    async peek() {
      for (;;) {
        for (let event = page[index]; event !== undefined; event = page[index]) {
          if (stateOf(event.stream) === undefined) await ask(event.stream);
          if (isShown(event)) return event;
          index += 1;
        }
        if (!(await nextPage())) return null;
      }
    },
    take() {
      position = page[index]?.position ?? position;
      index += 1;
    },
    position: () => position,
    firstRevision(event) {
      const stream = stateOf(event.stream);
      return stream === undefined || stream === 'hidden' ? event.revision : stream.from;
    },
    takeDeleted() {
      const met = deleted;
      deleted = [];
      return met;
    },
    forget(stream) {
      shown.delete(stream);
      altered?.add(stream);
    },
  };
}
