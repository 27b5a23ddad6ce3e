/** Reading a log as its streams show it: without what was deleted or truncated and only still stands there until the store cleans up. */
import { type AllRead, type EventStore, type Position, type RecordedEvent, START } from './eventStore.ts';

export type LogReader = {
  /** The next event, null at the end of the log. Asks the log again once it was at its end. */
  peek(): Promise<RecordedEvent | null>;
  /** Goes past the event that was peeked at. */
  take(): void;
  /** Of the last event taken. */
  position(): Position;
  /** Of the first event that its stream still shows. For the event that was peeked at. */
  firstRevision(event: RecordedEvent): bigint;
  /** Streams that are deleted for good, met since this was asked last. */
  takeDeleted(): readonly string[];
  /** Asks again what the stream shows. */
  forget(stream: string): void;
};

const PAGE = 1_000;
/** Streams asked about at once. */
const PARALLEL = 16;
/** Remembered streams; one that is met again after so many others is asked about again. */
const REMEMBERED = 50_000;

type Shown = { readonly from: bigint } | 'hidden';
const WHOLE: Shown = { from: 0n };

/** @throws the signal's reason */
export function readLog(store: EventStore, signal?: AbortSignal): LogReader {
  const shown = new Map<string, Shown>();
  /** The only streams to look up; null where the store cannot list them and each is looked up; undefined until it was asked. */
  let altered: Set<string> | null | undefined;
  let deleted: string[] = [];
  let page: readonly RecordedEvent[] = [];
  let index = 0;
  let next: Position = START;
  let ahead: Promise<AllRead> | null = null;
  let position: Position = START;

  async function ask(stream: string): Promise<void> {
    const read = await store.read(stream, { limit: 1 });
    if (read.status === 'deleted') deleted.push(stream);
    const first = read.status === 'found' ? (read.events[0]?.revision ?? read.revision + 1n) : null;
    shown.set(stream, first === null ? 'hidden' : { from: first });
  }

  async function askAll(streams: ReadonlySet<string>): Promise<void> {
    const waiting = streams.values();
    const lane = async (): Promise<void> => {
      for (const stream of waiting) await ask(stream);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, streams.size) }, lane));
  }

  /** What comes behind `after`, with all that is to be known of its streams. */
  async function load(after: Position): Promise<AllRead> {
    signal?.throwIfAborted();
    if (altered === undefined) altered = (await store.alteredStreams?.()) ?? null;
    const read = await store.readAll({ after, limit: PAGE });
    if (shown.size > REMEMBERED) shown.clear();
    await askAll(new Set(read.events.map((event) => event.stream).filter((stream) => stateOf(stream) === undefined)));
    return read;
  }

  /** False at the end of the log. While a page is worked on, the next one is read. */
  async function nextPage(): Promise<boolean> {
    const read = await (ahead ?? load(next));
    next = read.next;
    page = read.events;
    index = 0;
    ahead = read.end ? null : load(next);
    // Whoever takes it sees to its failure.
    ahead?.catch(() => undefined);
    return page.length > 0 || !read.end;
  }

  const stateOf = (stream: string): Shown | undefined => (altered && !altered.has(stream) ? WHOLE : shown.get(stream));

  const isShown = (event: RecordedEvent): boolean => {
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
