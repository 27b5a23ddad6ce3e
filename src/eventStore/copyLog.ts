/**
 * Copying a whole log from one store to another, through the port alone. The target becomes what the source shows: the same events in the same
 * order, with their ids, data and metadata. Nothing but this may write to either meanwhile.
 */
import { createHash } from 'node:crypto';
import { type EventStore, EventStoreError, type ExpectedRevision, type Position, type RecordedEvent, StreamDeleted } from './eventStore.ts';
import { type LogReader, readLog } from './logReader.ts';

type CopyProgress = {
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Done in this phase. */
  readonly events: number;
  /** Of the last of them, in the source; in the target while verifying. */
  readonly position: Position;
};

export type CopyOptions = {
  readonly from: EventStore;
  readonly to: EventStore;
  /**
   * Streams that may have been deleted for good when this event was written. Those of them that the source says are deleted can never be
   * written at the target either, although nothing of them is left to be copied.
   */
  readonly closes?: (event: RecordedEvent) => readonly string[];
  /** Every 1,000 events or so. */
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
};

/** Number of events, and SHA-256 (hex) over stream, id, type, data and metadata of all of them in order. */
type LogDigest = { readonly events: number; readonly sha256: string };

export type CopyResult = {
  readonly source: LogDigest;
  readonly target: LogDigest;
  /** Events written by this call; what an earlier one had written is not counted. */
  readonly copied: number;
  /** Streams, of this call, whose first events are gone at the source: whole in order and content, numbered from 0 at the target. */
  readonly renumbered: number;
  /** Streams deleted for good at the target by this call, because the source says so. */
  readonly deleted: number;
};

/** The target is not the beginning of the source, or did not become the same; the message says where. */
export class CopyRefused extends EventStoreError {
  constructor(message: string) {
    super('COPY_REFUSED', message);
  }
}

/** One append stays well under what a store takes in one request. */
const RUN_EVENTS = 200;
const RUN_CHARACTERS = 256 * 1024;
/** So many appends are on their way at once. */
const BATCH_RUNS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Streams looked at and closed at once. */
const PARALLEL = 16;
const REPORT_EVERY = 1_000;

/**
 * Goes on where an earlier call was broken off, at whatever point: it first compares what the target holds.
 * @throws CopyRefused; what the stores throw; the signal's reason
 */
export async function copyLog(options: CopyOptions): Promise<CopyResult> {
  const copy = begin(options);
  await compare(copy);
  await append(copy);
  await closeDeleted(copy);
  const target = await digestOf(copy);
  const result = { source: copy.digest.end(), target, copied: copy.copied, renumbered: copy.renumbered, deleted: copy.deleted };
  if (result.source.events !== target.events || result.source.sha256 !== target.sha256) throw new CopyRefused(unequal(result));
  if ((await copy.source.peek()) !== null) throw new CopyRefused('The source was written to while it was copied. Stop what uses it, and run this again.');
  return result;
}

type Copy = ReturnType<typeof begin>;

function begin(options: CopyOptions) {
  const { from, to, signal } = options;
  const reported = { phase: '', events: 0 };
  const report = (phase: CopyProgress['phase'], events: number, at: LogReader): void => {
    if (reported.phase === phase && events - reported.events < REPORT_EVERY) return;
    Object.assign(reported, { phase, events });
    options.onProgress?.({ phase, events, position: at.position() });
  };
  return { options, report, source: readLog(from, signal), target: readLog(to, signal), digest: newDigest(), copied: 0, renumbered: 0, deleted: 0 };
}

/** Up to the end of the target, which has to be the beginning of the source. */
async function compare(copy: Copy): Promise<void> {
  const { options, source, target, digest } = copy;
  for (let theirs = await target.peek(); theirs !== null; theirs = await target.peek()) {
    const ours = await source.peek();
    const line = ours === null ? null : lineOf(ours);
    if (ours !== null && line === lineOf(theirs)) {
      source.take();
      target.take();
      digest.add(line);
      await closeAll(copy, closedWith(copy, ours));
      copy.report('comparing', digest.events(), source);
    } else if (await isDeleted(options.from, theirs.stream)) {
      // Copied by an earlier call, deleted at the source since.
      await close(copy, theirs.stream);
    } else {
      throw new CopyRefused(difference(digest.events(), ours, theirs));
    }
  }
}

/** While one batch is written, the next one is read. */
async function append(copy: Copy): Promise<void> {
  let next = nextBatch(copy);
  for (let batch = await next; batch.length > 0; batch = await next) {
    const writing = appendBatch(copy, batch);
    next = nextBatch(copy);
    // The first failure is reported; the other side ends, too.
    await Promise.all([writing, next]).finally(() => Promise.allSettled([writing, next]));
    const closed: string[] = [];
    for (const { events, lines, base, expected } of batch) {
      copy.copied += events.length;
      if (expected === 'no_stream' && base > 0n) copy.renumbered += 1;
      if (expected === 'no_stream') copy.target.isWhole(events[0]?.stream ?? '');
      for (const line of lines) copy.digest.add(line);
      for (const event of events) closed.push(...closedWith(copy, event));
    }
    await closeAll(copy, closed);
    await closeDeleted(copy);
    copy.report('copying', copy.copied, copy.source);
  }
}

/** Stores write in the order in which they are asked, without waiting in between. */
async function appendBatch({ options }: Copy, batch: readonly Run[]): Promise<void> {
  const writing: Promise<void>[] = [];
  try {
    for (const run of batch) {
      options.signal?.throwIfAborted();
      writing.push(appendRun(options.to, run));
    }
  } finally {
    await Promise.allSettled(writing);
  }
  await Promise.all(writing);
}

async function nextBatch(copy: Copy): Promise<readonly Run[]> {
  const batch: Run[] = [];
  for (let characters = 0; batch.length < BATCH_RUNS && characters < BATCH_CHARACTERS; ) {
    const run = await nextRun(copy);
    if (run === null) break;
    batch.push(run);
    for (const line of run.lines) characters += line.length;
  }
  return batch;
}

/** Consecutive events of one stream. `base`: the first revision that the source still shows, which becomes 0. */
type Run = { readonly events: readonly RecordedEvent[]; readonly lines: readonly string[]; readonly base: bigint; readonly expected: ExpectedRevision };

/** As many as go into one append; null at the end of the log. */
async function nextRun({ source }: Copy): Promise<Run | null> {
  const first = await source.peek();
  if (first === null) return null;
  const base = source.firstRevision(first);
  // Exact, so that an append whose answer was lost is not written twice.
  const expected = first.revision > base ? first.revision - base - 1n : 'no_stream';
  const events: RecordedEvent[] = [];
  const lines: string[] = [];
  let characters = 0;
  for (let event: RecordedEvent | null = first; event?.stream === first.stream && events.length < RUN_EVENTS; event = await source.peek()) {
    const line = lineOf(event);
    characters += line.length;
    if (events.length > 0 && characters > RUN_CHARACTERS) break;
    events.push(event);
    lines.push(line);
    source.take();
  }
  return { events, lines, base, expected };
}

async function appendRun(to: EventStore, { events, expected }: Run): Promise<void> {
  const stream = events[0]?.stream ?? '';
  try {
    await to.append(
      stream,
      events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      { expected },
    );
  } catch (error) {
    if (error instanceof StreamDeleted) throw new CopyRefused(`Stream ${stream} is deleted for good at the target, but not at the source.`);
    throw error;
  }
}

function closedWith({ options }: Copy, event: RecordedEvent): readonly string[] {
  return options.closes?.(event) ?? [];
}

/** Those of the streams that the source says are deleted. */
async function closeAll(copy: Copy, streams: readonly string[]): Promise<void> {
  const waiting = new Set(streams).values();
  const lane = async (): Promise<void> => {
    for (const stream of waiting) if (await isDeleted(copy.options.from, stream)) await close(copy, stream);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
}

/** A source that still holds what it has deleted names those streams itself. */
async function closeDeleted(copy: Copy): Promise<void> {
  for (const stream of copy.source.takeDeleted()) await close(copy, stream);
}

async function close(copy: Copy, stream: string): Promise<void> {
  if (!(await isDeleted(copy.options.to, stream))) {
    await copy.options.to.delete(stream);
    copy.deleted += 1;
  }
  copy.target.forget(stream);
}

async function isDeleted(store: EventStore, stream: string): Promise<boolean> {
  return (await store.read(stream, { limit: 1 })).status === 'deleted';
}

async function digestOf(copy: Copy): Promise<LogDigest> {
  const target = copy.target.again();
  const digest = newDigest();
  for (let event = await target.peek(); event !== null; event = await target.peek()) {
    target.take();
    digest.add(lineOf(event));
    copy.report('verifying', digest.events(), target);
  }
  return digest.end();
}

function newDigest() {
  const hash = createHash('sha256');
  let events = 0;
  return {
    add(line: string): void {
      events += 1;
      hash.update(line).update('\n');
    },
    events: () => events,
    end: (): LogDigest => ({ events, sha256: hash.digest('hex') }),
  };
}

/** What has to be the same of an event; its numbers are the store's own. */
function lineOf({ stream, id, type, data, metadata }: RecordedEvent): string {
  return JSON.stringify([stream, id.toLowerCase(), type, data, metadata]);
}

function difference(before: number, ours: RecordedEvent | null, theirs: RecordedEvent): string {
  const named = ({ stream, type, id }: RecordedEvent) => `${type} in ${stream} (${id})`;
  const place = `its event ${before + 1} is ${named(theirs)}`;
  if (ours === null) return `The target holds more than the source: ${place}, where the source ends. Name an empty target.`;
  if (ours.id.toLowerCase() === theirs.id.toLowerCase() && ours.stream === theirs.stream)
    return `The target holds something else: ${place}, as at the source, but with another type, data or metadata. Name an empty target.`;
  return `The target holds something else: ${place}, where the source has ${named(ours)}. Name an empty target.`;
}

function unequal({ source, target }: { readonly source: LogDigest; readonly target: LogDigest }): string {
  const described = (log: LogDigest) => `${log.events} events with SHA-256 ${log.sha256}`;
  return `The logs are not equal: ${described(source)} at the source, ${described(target)} at the target. Is something else writing to one of them?`;
}
