/**
 * Reading a whole log without the events hidden by its streams: deleted or truncated events stay in a server's log
 * until it has been scavenged.
 */
import { type EventStore, type RecordedEvent, START } from './eventStore.ts';

/** Streams checked concurrently. */
const PARALLEL = 16;
/** Remembered streams; one that recurs after this many others is checked again. */
const REMEMBERED = 50_000;

/** By stream, the first visible revision; null: none. */
type Shown = Map<string, bigint | null>;

/**
 * The store's `readAll`, limited to what the streams show at the time of reading; pages may have fewer events than
 * requested.
 */
export function shownEvents(store: EventStore): Pick<EventStore, 'readAll' | 'head'> {
  let remembered: Shown = new Map();

  async function ask(stream: string, shown: Shown): Promise<void> {
    const read = await store.read(stream, { limit: 1 });
    shown.set(stream, read.status === 'found' ? (read.events[0]?.revision ?? read.revision + 1n) : null);
  }

  async function askAll(streams: ReadonlySet<string>, shown: Shown): Promise<void> {
    const waiting = streams.values();
    const lane = async (): Promise<void> => {
      for (const stream of waiting) await ask(stream, shown);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, streams.size) }, lane));
  }

  return {
    head: () => store.head(),
    async readAll(options) {
      const page = await store.readAll(options);
      // A caller that starts over wants to exclude everything erased since. Other reads in progress keep their map.
      if ((options?.after ?? START) === START || remembered.size > REMEMBERED) remembered = new Map();
      const shown = remembered;
      await askAll(new Set(page.events.map(({ stream }) => stream).filter((stream) => !shown.has(stream))), shown);
      return { ...page, events: page.events.filter((event) => isShown(event, shown)) };
    },
  };
}

function isShown({ stream, revision }: RecordedEvent, shown: Shown): boolean {
  const from = shown.get(stream) ?? null;
  return from !== null && revision >= from;
}
