/** Reading all of a log without what its streams hide: what was deleted or truncated stands in a server's log until it has been scavenged. */
import type { EventStore, RecordedEvent } from './eventStore.ts';

/** Streams asked about at once. */
const PARALLEL = 16;
/** Remembered streams; one that is met again after so many others is asked about again. */
const REMEMBERED = 50_000;

/** The store's `readAll` with what its streams show as the reading comes by; pages may have fewer events than were asked for. */
export function shownEvents(store: EventStore): Pick<EventStore, 'readAll' | 'head'> {
  /** The first revision that shows; null: none does. */
  const shown = new Map<string, bigint | null>();

  async function ask(stream: string): Promise<void> {
    const read = await store.read(stream, { limit: 1 });
    shown.set(stream, read.status === 'found' ? (read.events[0]?.revision ?? read.revision + 1n) : null);
  }

  async function askAll(streams: ReadonlySet<string>): Promise<void> {
    const waiting = streams.values();
    const lane = async (): Promise<void> => {
      for (const stream of waiting) await ask(stream);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, streams.size) }, lane));
  }

  const isShown = ({ stream, revision }: RecordedEvent): boolean => {
    const from = shown.get(stream);
    return from !== undefined && from !== null && revision >= from;
  };

  return {
    head: () => store.head(),
    async readAll(options) {
      const page = await store.readAll(options);
      if (shown.size > REMEMBERED) shown.clear();
      await askAll(new Set(page.events.map(({ stream }) => stream).filter((stream) => !shown.has(stream))));
      return { ...page, events: page.events.filter(isShown) };
    },
  };
}
