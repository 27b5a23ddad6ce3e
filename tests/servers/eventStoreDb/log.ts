/**
 * The log of all events: one total order, positions like byte offsets, streams as views of it. Everything is decided in
 * one turn of the event loop.
 */
import type { Journal } from './journal.ts';
import { DELETED, isMetaStream, jsonOf, lengthInLog, type ProposedEvent, type StoredEvent } from './records.ts';

export type LogOptions = {
  /** Position of the first event. Default 1,048. */
  readonly firstPosition?: bigint;
  /** Revision of a stream's first event, for streams other than 0n: numbers beyond 2^53 on demand. */
  readonly firstRevisions?: Readonly<Record<string, bigint>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly journal?: Journal;
};

type StreamLimits = {
  readonly truncateBefore: bigint;
  readonly maxCount: bigint | null;
  readonly maxAgeSeconds: number | null;
};

const NO_LIMITS: StreamLimits = { truncateBefore: 0n, maxCount: null, maxAgeSeconds: null };
const META_LIMITS: StreamLimits = { truncateBefore: 0n, maxCount: 1n, maxAgeSeconds: null };

type Stream = { readonly events: StoredEvent[]; last: bigint; limits: StreamLimits };

export class EventLog {
  readonly now: () => number;
  private readonly all: StoredEvent[] = [];
  private readonly streams = new Map<string, Stream>();
  private readonly firstRevisions: Readonly<Record<string, bigint>>;
  private readonly journal: Journal | undefined;
  private readonly scavenged = new Set<bigint>();
  private readonly waiting = new Set<() => void>();
  private next: bigint;

  constructor({ firstPosition = 1_048n, firstRevisions = {}, now = Date.now, journal }: LogOptions = {}) {
    this.now = now;
    this.firstRevisions = firstRevisions;
    this.journal = journal;
    this.next = firstPosition;
    for (const { events, scavenged } of journal?.read() ?? []) {
      this.take(events);
      for (const position of scavenged) this.scavenged.add(position);
    }
  }

  /** The number of events, including system events. */
  get size(): number {
    return this.all.length;
  }

  /** Just after the last event: the 'end' of a backward read. */
  get end(): bigint {
    return this.next;
  }

  /** Position of the newest event; 0n when there is none. */
  get head(): bigint {
    return this.all.at(-1)?.position ?? 0n;
  }

  /** Revision of the last event ever, -1n when there was none, DELETED after a tombstone. */
  lastRevision(stream: string): bigint {
    return this.streams.get(stream)?.last ?? -1n;
  }

  limits(stream: string): StreamLimits {
    return isMetaStream(stream) ? META_LIMITS : (this.streams.get(stream)?.limits ?? NO_LIMITS);
  }

  isTombstoned(stream: string): boolean {
    return this.lastRevision(isMetaStream(stream) ? stream.slice(2) : stream) === DELETED;
  }

  isSoftDeleted(stream: string): boolean {
    return this.limits(stream).truncateBefore === DELETED;
  }

  /** Writes without any check, all or nothing. `revision` is that of the first event. */
  write(
    stream: string,
    proposed: readonly ProposedEvent[],
    revision = this.nextRevision(stream),
  ): readonly StoredEvent[] {
    const created = this.now();
    let position = this.next;
    const events = proposed.map((event, index) => {
      const stored: StoredEvent = { ...event, stream, revision: revision + BigInt(index), position, created };
      position += lengthInLog(stream, event);
      return stored;
    });
    this.journal?.append(events);
    this.take(events);
    for (const wake of [...this.waiting]) wake();
    return events;
  }

  /** Resolves when all writes are on disk; at once for a log in memory. */
  async flushed(): Promise<void> {
    await this.journal?.flushed();
  }

  /** The first revision of a new stream. */
  firstRevision(stream: string): bigint {
    return this.firstRevisions[stream] ?? 0n;
  }

  private nextRevision(stream: string): bigint {
    const last = this.lastRevision(stream);
    return last < 0n ? this.firstRevision(stream) : last + 1n;
  }

  private take(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.all.push(event);
      const stream = this.streamOf(event.stream);
      stream.events.push(event);
      stream.last = event.revision;
      this.next = event.position + lengthInLog(event.stream, event);
      if (isMetaStream(event.stream)) this.streamOf(event.stream.slice(2)).limits = limitsOf(event);
    }
  }

  private streamOf(name: string): Stream {
    let stream = this.streams.get(name);
    if (!stream) {
      stream = { events: [], last: -1n, limits: NO_LIMITS };
      this.streams.set(name, stream);
    }
    return stream;
  }

  /** The readable events of a stream, whatever a scavenge has left in $all. */
  private visible(name: string): { events: readonly StoredEvent[]; first: number } {
    const stream = this.streams.get(name);
    if (!stream) return { events: [], first: 0 };
    const { truncateBefore, maxCount, maxAgeSeconds } = this.limits(name);
    const byCount = maxCount === null ? 0n : stream.last - maxCount + 1n;
    let first = indexOf(stream.events, truncateBefore > byCount ? truncateBefore : byCount, (event) => event.revision);
    if (maxAgeSeconds !== null) {
      const oldest = this.now() - maxAgeSeconds * 1000;
      while (first < stream.events.length && (stream.events[first]?.created ?? 0) < oldest) first += 1;
    }
    return { events: stream.events, first };
  }

  /** Up to `limit` events from `revision` on, itself included; `next` is undefined at the end. */
  forward(stream: string, revision: bigint, limit: number): { events: readonly StoredEvent[]; next?: bigint } {
    const { events, first } = this.visible(stream);
    const from = Math.max(
      first,
      indexOf(events, revision, (event) => event.revision),
    );
    const next = events[from + limit];
    return { events: events.slice(from, from + limit), ...(next && { next: next.revision }) };
  }

  /** The same, backward from `revision`. */
  backward(stream: string, revision: bigint, limit: number): { events: readonly StoredEvent[]; next?: bigint } {
    const { events, first } = this.visible(stream);
    const to = indexOf(events, revision + 1n, (event) => event.revision);
    const from = Math.max(first, to - limit);
    const next = from > first ? events[from - 1] : undefined;
    return { events: events.slice(from, to).reverse(), ...(next && { next: next.revision }) };
  }

  /** The readable event there. */
  at(stream: string, revision: bigint): StoredEvent | undefined {
    return this.forward(stream, revision, 1).events.find((event) => event.revision === revision);
  }

  /** The event there, hidden or not. */
  stored(stream: string, revision: bigint): StoredEvent | undefined {
    const events = this.streams.get(stream)?.events ?? [];
    const event = events[indexOf(events, revision, (each) => each.revision)];
    return event?.revision === revision ? event : undefined;
  }

  /** Index in $all of the first event at or after `position`. */
  indexFrom(position: bigint): number {
    return indexOf(this.all, position, (event) => event.position);
  }

  slice(from: number, to: number): readonly StoredEvent[] {
    return this.all.slice(Math.max(0, from), to);
  }

  /** Whether the log has assigned `position`: the real server cannot read from the middle of a record either. */
  isPosition(position: bigint): boolean {
    return (
      position === 0n ||
      position === this.next ||
      this.all[this.indexFrom(position)]?.position === position ||
      this.scavenged.has(position)
    );
  }

  /** Resolves when something is written after `position`, or `signal` aborts. */
  changed(position: bigint, signal: AbortSignal): Promise<void> {
    if (this.head > position || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /**
   * Removes the events that can no longer be read in their streams. A stream's last event stays, because the numbering
   * depends on it; of a tombstoned stream only the tombstone does.
   */
  scavenge(): number {
    const gone = new Set<StoredEvent>();
    for (const [name, stream] of this.streams) {
      if (this.isTombstoned(name)) {
        for (const event of stream.events) if (event.revision !== DELETED) gone.add(event);
      } else {
        const { events, first } = this.visible(name);
        for (const event of events.slice(0, Math.min(first, events.length - 1))) gone.add(event);
      }
    }
    for (const event of gone) this.scavenged.add(event.position);
    const kept = this.all.filter((event) => !gone.has(event));
    this.all.splice(0, this.all.length, ...kept);
    for (const stream of this.streams.values()) {
      const rest = stream.events.filter((event) => !gone.has(event));
      stream.events.splice(0, stream.events.length, ...rest);
    }
    this.journal?.rewrite(this.all, this.scavenged);
    return gone.size;
  }
}

/** Index of the first event whose number is at least `from`. */
function indexOf(events: readonly StoredEvent[], from: bigint, numberOf: (event: StoredEvent) => bigint): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(events[middle] as StoredEvent) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function limitsOf(event: StoredEvent): StreamLimits {
  const data = jsonOf(event);
  if (typeof data !== 'object' || data === null) return NO_LIMITS;
  const { $tb, $maxCount, $maxAge } = data as { $tb?: number | string; $maxCount?: number; $maxAge?: number };
  return {
    truncateBefore: $tb === undefined ? 0n : BigInt($tb),
    maxCount: $maxCount === undefined ? null : BigInt($maxCount),
    maxAgeSeconds: $maxAge ?? null,
  };
}
