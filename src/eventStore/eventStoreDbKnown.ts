import type { RecordedEvent } from './eventStore.ts';

/**
 * Which event ids this process has seen in which stream, from reading and appending. The server recognises a repeated append by ids in few
 * cases only (it writes the same id again at a newer revision), so the adapter never sends it one that is there already.
 */
export type KnownIds = {
  /** `ids` are those of a stream's events from `first` on, without a gap. */
  readonly note: (stream: string, first: bigint, ids: readonly string[]) => void;
  /** The same of events that were read, in either direction; with a gap nothing is noted. */
  readonly noteEvents: (stream: string, events: readonly RecordedEvent[]) => void;
  readonly revisionOf: (stream: string, id: string) => bigint | undefined;
  /** Whether the event at this revision is known. */
  readonly covers: (stream: string, revision: bigint) => boolean;
  readonly forget: (stream: string) => void;
};

type Span = { from: bigint; to: bigint; readonly ids: Map<string, bigint> };

/** The least recently used streams go first. */
const MAX_STREAMS = 2_000;
const MAX_IDS = 100_000;

export function createKnownIds(): KnownIds {
  const streams = new Map<string, Span>();
  let count = 0;

  function use(stream: string): Span | undefined {
    const span = streams.get(stream);
    if (span === undefined) return undefined;
    streams.delete(stream);
    streams.set(stream, span);
    return span;
  }

  function forget(stream: string): void {
    count -= streams.get(stream)?.ids.size ?? 0;
    streams.delete(stream);
  }

  function note(stream: string, first: bigint, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const last = first + BigInt(ids.length - 1);
    const known = use(stream);
    const joins = known !== undefined && first <= known.to + 1n && last >= known.from - 1n;
    if (!joins) forget(stream);
    const span: Span = joins ? known : { from: first, to: last, ids: new Map() };
    streams.set(stream, span);
    count -= span.ids.size;
    ids.forEach((id, index) => {
      span.ids.set(id, first + BigInt(index));
    });
    count += span.ids.size;
    if (first < span.from) span.from = first;
    if (last > span.to) span.to = last;
    for (const oldest of streams.keys()) {
      if (streams.size <= MAX_STREAMS && count <= MAX_IDS) break;
      forget(oldest);
    }
  }

  return {
    note,
    noteEvents(stream, events) {
      const [first, last] = [events[0], events.at(-1)];
      if (first === undefined || last === undefined) return;
      const forward = first.revision > last.revision ? events.toReversed() : events;
      const from = forward[0]?.revision ?? 0n;
      if (!forward.every((event, index) => event.revision === from + BigInt(index))) return;
      note(
        stream,
        from,
        forward.map((event) => event.id),
      );
    },
    revisionOf: (stream, id) => use(stream)?.ids.get(id),
    covers(stream, revision) {
      const span = use(stream);
      return span !== undefined && revision >= span.from && revision <= span.to;
    },
    forget,
  };
}
