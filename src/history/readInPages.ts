/** A whole stream, read a page at a time: others go on in between. */
import type { EventStore, RecordedEvent, Revision, StreamRead } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';

const PAGE = 500;

/** As one read would answer. Events appended meanwhile may be there or not. */
export async function readInPages(
  store: Pick<EventStore, 'read'>,
  stream: string,
  signal?: AbortSignal,
): Promise<StreamRead> {
  const pace = createPace('request');
  const events: RecordedEvent[] = [];
  for (let from: Revision | undefined; ; ) {
    signal?.throwIfAborted();
    const read = await store.read(stream, { limit: PAGE, ...(from === undefined ? {} : { from }) });
    // Deleted in the middle of it.
    if (read.status !== 'found') return read;
    events.push(...read.events);
    const last = read.events.at(-1);
    if (!last || last.revision >= read.revision) return { ...read, events };
    from = last.revision + 1n;
    await pace.pass();
  }
}
