/** Reading all of a log without what its streams hide: what was deleted or truncated stands in a server's log until it has been scavenged. */
import { type EventStore, type RecordedEvent, START } from './eventStore.ts';

/** Streams asked about at once. */
const PARALLEL = 16;
/** Remembered streams; one that is met again after so many others is asked about again. */
const REMEMBERED = 50_000;

/** By stream the first revision that shows; null: none does. */
type Shown = Map<string, bigint | null>;

/** The store's `readAll` with what its streams show as the reading comes by; pages may have fewer events than were asked for. */
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
      // Whoever begins anew does so to be rid of what was erased since. Other readings under way keep the map that they have.
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
