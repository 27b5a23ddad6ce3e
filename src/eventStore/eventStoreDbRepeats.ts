/** Recognising an append that was there already: by the ids this process knows, and by what the stream holds. */
import { type AppendResult, InvalidAppend, RevisionConflict, StreamDeleted } from './eventStore.ts';
import { positionOf, uuidOf, type WireRecord } from './eventStoreDbEvents.ts';
import type { KnownIds } from './eventStoreDbKnown.ts';
import type { StreamReader, Tail } from './eventStoreDbStreams.ts';
import type { SerialisedEvent } from './newEvents.ts';
import { toPosition } from './positions.ts';

/** How far back a stream that was not read here is looked through for ids that must not be sent again. */
const LOOK_BACK = 500;

export function createRepeats(reader: StreamReader, known: KnownIds) {
  /** The events of the stream from `first` on (or from its beginning) when they are these; metadata may differ by the time of the retry. */
  async function alreadyAt(stream: string, first: bigint | 'start', events: readonly SerialisedEvent[]): Promise<AppendResult | null> {
    const read = await reader.records(stream, first, 'forward', events.length);
    if (read.status !== 'found' || read.records.length < events.length) return null;
    if (!events.every((event, index) => isSame(event, read.records[index]))) return null;
    const last = read.records.at(-1) as WireRecord;
    noteEvents(known, stream, BigInt(last.getStreamRevision()), events);
    return { revision: BigInt(last.getStreamRevision()), position: toPosition(positionOf(last)) };
  }

  /** With `any` the server promises nothing for a repetition: it is looked for in what is known, and after a lost answer in the stream itself. */
  async function repeatedAnywhere(stream: string, events: readonly SerialisedEvent[], afterLoss: boolean): Promise<AppendResult | null> {
    if (afterLoss) await learn(stream, 'end', LOOK_BACK + events.length);
    for (const event of events) {
      const revision = known.revisionOf(stream, event.id);
      if (revision === undefined) continue;
      const earlier = await alreadyAt(stream, revision, events);
      if (earlier !== null) return earlier;
      throw new InvalidAppend(`Event ${event.id} is already in stream ${stream}, at revision ${revision}.`);
    }
    return null;
  }

  /** For an exact revision: null when the events may be sent. */
  async function repeatedAfter(stream: string, events: readonly SerialisedEvent[], expected: bigint | 'no_stream'): Promise<AppendResult | null> {
    const at = expected === 'no_stream' ? -1n : expected;
    if (at >= 0n && !known.covers(stream, at)) {
      const status = await learn(stream, at, LOOK_BACK);
      if (status === 'deleted') throw new StreamDeleted(stream);
      // The server would let a deleted stream go on from its last revision.
      if (status === 'missing') throw new RevisionConflict(stream, expected, null);
    }
    const revisions = events.map((event) => known.revisionOf(stream, event.id));
    const there = revisions.findIndex((revision) => revision !== undefined && revision <= at);
    if (there >= 0) throw new InvalidAppend(`Event ${events[there]?.id} is already in stream ${stream}, at revision ${revisions[there]}.`);
    if (revisions[0] === undefined) return null;
    return recognise(stream, events, expected, null);
  }

  /** What stands where the events should go: they themselves, or a conflict. */
  async function recognise(stream: string, events: readonly SerialisedEvent[], expected: bigint | 'no_stream', actual: bigint | null): Promise<AppendResult> {
    const earlier = await alreadyAt(stream, expected === 'no_stream' ? 'start' : expected + 1n, events);
    if (earlier !== null) return earlier;
    const end: Tail = actual === null ? await reader.tail(stream) : { status: 'found', revision: actual, id: null, position: null };
    if (end.status === 'deleted') throw new StreamDeleted(stream);
    throw new RevisionConflict(stream, expected, end.status === 'found' ? end.revision : null);
  }

  async function learn(stream: string, from: bigint | 'end', count: number): Promise<'found' | 'missing' | 'deleted'> {
    const read = await reader.records(stream, from, 'backward', count);
    if (read.status !== 'found') {
      known.forget(stream);
      return read.status;
    }
    const records = read.records.toReversed();
    const [first] = records;
    if (first !== undefined) {
      known.note(
        stream,
        BigInt(first.getStreamRevision()),
        records.map((record) => uuidOf(record.getId())),
      );
    }
    return 'found';
  }

  return { alreadyAt, repeatedAnywhere, repeatedAfter, recognise };
}

/** These events are the stream's last up to `revision`. */
export function noteEvents(known: KnownIds, stream: string, revision: bigint, events: readonly SerialisedEvent[]): void {
  known.note(
    stream,
    revision - BigInt(events.length - 1),
    events.map((event) => event.id),
  );
}

function isSame(event: SerialisedEvent, record: WireRecord | undefined): boolean {
  if (record === undefined || uuidOf(record.getId()).toLowerCase() !== event.id.toLowerCase()) return false;
  return record.getMetadataMap().get('type') === event.type && Buffer.from(record.getData_asU8()).equals(Buffer.from(event.data));
}
