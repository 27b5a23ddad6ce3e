/** Appending: one try of the server, what it means when it fails, and how an append that was there already is recognised. */
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { type AppendResult, type ExpectedRevision, RevisionConflict, StreamDeleted } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf } from './eventStoreDbErrors.ts';
import type { KnownIds } from './eventStoreDbKnown.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { createRepeats, noteEvents } from './eventStoreDbRepeats.ts';
import { appendRequests } from './eventStoreDbRequests.ts';
import type { StreamReader } from './eventStoreDbStreams.ts';
import type { SerialisedEvent } from './newEvents.ts';
import { toPosition } from './positions.ts';

type Append = (stream: string, events: readonly SerialisedEvent[], expected: ExpectedRevision) => Promise<AppendResult>;

type Answer =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: bigint | null }
  | { readonly kind: 'conflict'; readonly actual: bigint | null };

export type Appending = {
  readonly connection: EventStoreDbConnection;
  readonly reader: StreamReader;
  readonly known: KnownIds;
  readonly patience: Patience;
  /** The newest position seen anywhere: what lies at or before it was there before. */
  readonly seen: { position: bigint };
};

/** Not to be called for one stream while another call for it runs. */
export function createAppend({ connection, reader, known, patience, seen }: Appending): Append {
  const { alreadyAt, repeatedAnywhere, repeatedAfter, recognise } = createRepeats(reader, known);

  async function send(stream: string, events: readonly SerialisedEvent[], expected: ExpectedRevision): Promise<Answer> {
    try {
      return answerOf(await connection.sendAppend(appendRequests(stream, events, expected)));
    } catch (error) {
      if (fateOf(error) !== 'deleted') throw error;
      known.forget(stream);
      // `stream_exists` is answered alike for a stream that may be written again.
      if ((await reader.tail(stream)).status === 'deleted') throw new StreamDeleted(stream);
      return { kind: 'conflict', actual: null };
    }
  }

  async function tryOnce(stream: string, events: readonly SerialisedEvent[], expected: ExpectedRevision, tries: number): Promise<AppendResult> {
    const loose = expected === 'any' || expected === 'stream_exists';
    const earlier = loose ? await repeatedAnywhere(stream, events, tries > 0) : await repeatedAfter(stream, events, expected);
    if (earlier !== null) return earlier;
    const before = seen.position;
    const answer = await send(stream, events, expected);
    if (answer.kind === 'conflict') {
      const after = expected === 'no_stream' ? 0n : loose ? null : expected + 1n;
      const other = after !== null && answer.actual !== null && answer.actual + 1n < after + BigInt(events.length);
      if (loose || other || answer.actual === null) throw new RevisionConflict(stream, expected, answer.actual);
      return recognise(stream, events, expected, answer.actual);
    }
    const first = answer.revision - BigInt(events.length - 1);
    // Its place was there before it was sent: the server took it for a repetition, by the ids alone.
    if (answer.position === null || answer.position <= before) {
      const found = await alreadyAt(stream, first, events);
      if (found === null) throw new RevisionConflict(stream, expected, answer.revision);
      return found;
    }
    if (answer.position > seen.position) seen.position = answer.position;
    noteEvents(known, stream, answer.revision, events);
    return { revision: answer.revision, position: toPosition(answer.position) };
  }

  /** Nothing is written, so the check can be no more than a look at the stream's end. */
  async function checkOnly(stream: string, expected: ExpectedRevision): Promise<AppendResult> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') throw new StreamDeleted(stream);
    const revision = end.status === 'found' ? end.revision : null;
    if (!isAt(revision, expected)) throw new RevisionConflict(stream, expected, revision);
    return { revision: revision ?? -1n, position: toPosition(end.status === 'found' ? (end.position ?? 0n) : 0n) };
  }

  return (stream, events, expected) =>
    events.length === 0 ? checkOnly(stream, expected) : patiently(patience, (tries) => tryOnce(stream, events, expected, tries));
}

/** Whether a stream at `revision` (null: not there) is where it is expected. */
export function isAt(revision: bigint | null, expected: ExpectedRevision): boolean {
  if (expected === 'any') return true;
  if (expected === 'no_stream') return revision === null;
  if (expected === 'stream_exists') return revision !== null;
  return revision === expected;
}

function answerOf(response: Streams.AppendResp): Answer {
  const wrong = response.getWrongExpectedVersion();
  if (wrong !== undefined) return { kind: 'conflict', actual: wrong.hasCurrentRevision() ? BigInt(wrong.getCurrentRevision()) : null };
  const success = response.getSuccess();
  const position = success?.getPosition();
  return {
    kind: 'written',
    revision: BigInt(success?.getCurrentRevision() ?? 0),
    position: position === undefined ? null : BigInt(position.getCommitPosition()),
  };
}
