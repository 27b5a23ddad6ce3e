/**
 * Copying a whole log from one store to another, through the port alone. The target becomes what the source shows: the
 * same events in the same order, with their ids, data and metadata. Nothing else may write to either meanwhile.
 */
import { type LogDigest, lineOfTexts, newDigest, textOf } from './copyDigest.ts';
import {
  type AllRead,
  type EventStore,
  EventStoreError,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  type RecordedText,
  type ScanOptions,
  StreamDeleted,
  UnreadableEvent,
} from './eventStore.ts';
import { readLog } from './logReader.ts';
import { type SerialisedEvent, serialiseEvent } from './newEvents.ts';

type CopyProgress = {
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Number done in this phase. */
  readonly events: number;
  /** Position of the last one, in the source; in the target while verifying. */
  readonly position: Position;
};

export type CopyOptions = {
  readonly from: EventStore;
  /** Closed if an append fails, so that it does not resend appends that come later in the log. */
  readonly to: EventStore;
  /**
   * Streams that may have been permanently deleted when this event was written. Those that the source reports as
   * deleted are made unwritable in the target too, although they have no events to copy.
   */
  readonly closes?: (event: RecordedEvent) => readonly string[];
  /** Called about every 1,000 events. */
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
};

export type CopyResult = {
  readonly source: LogDigest;
  readonly target: LogDigest;
  /** Events written by this call, without those of an earlier one. */
  readonly copied: number;
  /**
   * Streams of this call whose first events are gone in the source: complete in order and content, but numbered from 0
   * in the target.
   */
  readonly renumbered: number;
  /** Streams permanently deleted in the target by this call, because the source reports them as deleted. */
  readonly deleted: number;
};

/** The target is not a prefix of the source, or did not become equal; the message says where. */
export class CopyRefused extends EventStoreError {
  constructor(message: string) {
    super('COPY_REFUSED', message);
  }
}

/** One append stays well under a store's request limit. */
const RUN_EVENTS = 200;
const RUN_CHARACTERS = 256 * 1024;
/**
 * Batches in flight: while one is answered, another is read. No more runs in total than SQLite commits as one group, so
 * that no later one is committed after a failure.
 */
const BATCHES = 4;
const BATCH_RUNS = 125;
const BATCH_CHARACTERS = 1024 * 1024;
/** Streams checked and closed concurrently. */
const PARALLEL = 16;
const REPORT_EVERY = 1_000;

/**
 * Resumes wherever an earlier call was interrupted: it first compares what the target contains.
 * @throws CopyRefused; UnreadableEvent; the stores' errors; the signal's reason
 */
export async function copyLog(options: CopyOptions): Promise<CopyResult> {
  const copy = begin(options);
  await compare(copy);
  await append(copy);
  await closeAll(copy);
  const target = await digestOf(copy);
  const result = {
    source: copy.digest.end(),
    target,
    copied: copy.copied,
    renumbered: copy.renumbered,
    deleted: copy.deleted,
  };
  if (result.source.events !== target.events || result.source.sha256 !== target.sha256)
    throw new CopyRefused(unequal(result));
  if ((await copy.source.peek()) !== null)
    throw new CopyRefused('The source was written to while it was copied. Stop what uses it, and run this again.');
  return result;
}

type Copy = ReturnType<typeof begin>;

function begin(options: CopyOptions) {
  const { from, to, signal } = options;
  const reported = { phase: '', events: 0 };
  const report = (phase: CopyProgress['phase'], events: number, at: { readonly position: () => Position }): void => {
    if (reported.phase === phase && events - reported.events < REPORT_EVERY) return;
    Object.assign(reported, { phase, events });
    options.onProgress?.({ phase, events, position: at.position() });
  };
  const counts = { copied: 0, renumbered: 0, deleted: 0 };
  const source = readLog(from, from.readAll, signal);
  return {
    options,
    report,
    source,
    target: readTarget(to, signal),
    digest: newDigest(),
    toClose: new Set<string>(),
    ...counts,
  };
}

/** Up to the end of the target, which has to be a prefix of the source. */
async function compare(copy: Copy): Promise<void> {
  const { options, source, target, digest } = copy;
  for (let theirs = await target.peek(); theirs !== null; theirs = await target.peek()) {
    const ours = await source.peek();
    const own = ours === null ? null : textOf(ours);
    const line = own === null ? '' : lineOfTexts(own);
    // With a part of the data moved to the metadata, the line could be the same.
    if (ours !== null && own?.dataJson.length === theirs.dataJson.length && line === lineOfTexts(theirs)) {
      source.take();
      target.take();
      digest.add(line);
      noteClosed(copy, ours);
      copy.report('comparing', digest.events(), source);
    } else if (await isDeleted(options.from, theirs.stream)) {
      // Copied by an earlier call, and deleted in the source since.
      await close(copy, theirs.stream);
    } else {
      throw new CopyRefused(difference(digest.events(), ours, theirs));
    }
  }
}

async function append(copy: Copy): Promise<void> {
  const underWay: { readonly batch: readonly Run[]; readonly written: Promise<unknown> }[] = [];
  try {
    for (let isLast = false; !isLast || underWay.length > 0; ) {
      const batch: readonly Run[] = isLast ? [] : await nextBatch(copy);
      isLast ||= batch.length === 0;
      if (!isLast) underWay.push({ batch, written: appendBatch(copy, batch) });
      if (!isLast && underWay.length < BATCHES) continue;
      await underWay[0]?.written;
      for (const run of underWay.shift()?.batch ?? []) appended(copy, run);
      copy.report('copying', copy.copied, copy.source);
    }
  } finally {
    await Promise.allSettled(underWay.map(({ written }) => written));
  }
}

/**
 * Stores write in the order in which they are asked, without waiting in between. Settles once every append has settled.
 */
function appendBatch({ options }: Copy, batch: readonly Run[]): Promise<unknown> {
  const writing: Promise<void>[] = [];
  try {
    for (const run of batch) {
      options.signal?.throwIfAborted();
      writing.push(appendRun(options.to, run));
    }
  } catch (error) {
    writing.push(Promise.reject(error));
  }
  const written = Promise.all(writing).finally(() => Promise.allSettled(writing));
  // A failure is reported when its turn comes.
  written.catch(() => undefined);
  return written;
}

function appended(copy: Copy, { events, lines, base, expected }: Run): void {
  copy.copied += events.length;
  if (expected === 'no_stream' && base > 0n) copy.renumbered += 1;
  for (const line of lines) copy.digest.add(line);
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
type Run = {
  readonly stream: string;
  /** As JSON, made once for the digest and the append. */
  readonly events: readonly SerialisedEvent[];
  readonly lines: readonly string[];
  readonly base: bigint;
  readonly expected: ExpectedRevision;
};

/** As many as fit into one append; null at the end of the log. */
async function nextRun(copy: Copy): Promise<Run | null> {
  const { source } = copy;
  const first = await source.peek();
  if (first === null) return null;
  const base = source.firstRevision(first);
  // Exact, so that an append whose response was lost is not written twice.
  const expected = first.revision > base ? first.revision - base - 1n : 'no_stream';
  const events: SerialisedEvent[] = [];
  const lines: string[] = [];
  let characters = 0;
  for (
    let event: RecordedEvent | null = first;
    event?.stream === first.stream && events.length < RUN_EVENTS;
    event = await source.peek()
  ) {
    // Its data is not what is stored.
    if (event.unreadable !== undefined) throw new UnreadableEvent(event);
    const text = serialiseEvent(event);
    const line = lineOfTexts({ ...text, stream: event.stream });
    characters += line.length;
    if (events.length > 0 && characters > RUN_CHARACTERS) break;
    events.push(text);
    lines.push(line);
    noteClosed(copy, event);
    source.take();
  }
  return { stream: first.stream, events, lines, base, expected };
}

async function appendRun(to: EventStore, { stream, events, expected }: Run): Promise<void> {
  try {
    await to.append(stream, events, { expected });
  } catch (error) {
    if (error instanceof StreamDeleted)
      throw new CopyRefused(`Stream ${stream} is deleted for good at the target, but not at the source.`);
    // At once, before the store sends again what came later: with a gap, the copy could not be continued.
    to.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Closing takes several round trips, so it waits until everything is written. After an interruption, the next call does
 * it.
 */
function noteClosed({ options, toClose }: Copy, event: RecordedEvent): void {
  for (const stream of options.closes?.(event) ?? []) toClose.add(stream);
}

/** The noted streams that are deleted at the source, and those whose deleted events the source still holds. */
async function closeAll(copy: Copy): Promise<void> {
  const met = new Set(copy.source.takeDeleted());
  const waiting = new Set([...met, ...copy.toClose]).values();
  const lane = async (): Promise<void> => {
    for (const stream of waiting) {
      copy.options.signal?.throwIfAborted();
      if (met.has(stream) || (await isDeleted(copy.options.from, stream))) await close(copy, stream);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
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
  const target = readTarget(copy.options.to, copy.options.signal);
  const digest = newDigest();
  for (let event = await target.peek(); event !== null; event = await target.peek()) {
    target.take();
    digest.add(lineOfTexts(event));
    copy.report('verifying', digest.events(), target);
  }
  return digest.end();
}

/** The target, as text where it keeps that: it was written here, so it need not be parsed to be compared. */
const readTarget = (to: EventStore, signal?: AbortSignal) =>
  readLog(to, to.readTexts ?? ((options) => readAsTexts(to, options)), signal);

async function readAsTexts(store: EventStore, options: ScanOptions): Promise<AllRead<RecordedText>> {
  const read = await store.readAll(options);
  return { ...read, events: read.events.map(textOf) };
}

function difference(before: number, ours: RecordedEvent | null, theirs: RecordedText): string {
  const named = ({ stream, type, id }: Pick<RecordedEvent, 'stream' | 'type' | 'id'>) => `${type} in ${stream} (${id})`;
  const place = `its event ${before + 1} is ${named(theirs)}`;
  if (ours === null)
    return `The target holds more than the source: ${place}, where the source ends. Name an empty target.`;
  if (ours.id.toLowerCase() === theirs.id.toLowerCase() && ours.stream === theirs.stream)
    return `The target holds something else: ${place}, as at the source, but with another type, data or metadata. Name an empty target.`;
  return `The target holds something else: ${place}, where the source has ${named(ours)}. Name an empty target.`;
}

function unequal({ source, target }: { readonly source: LogDigest; readonly target: LogDigest }): string {
  const described = (log: LogDigest) => `${log.events} events with SHA-256 ${log.sha256}`;
  return `The logs are not equal: ${described(source)} at the source, ${described(target)} at the target. Is something else writing to one of them?`;
}
