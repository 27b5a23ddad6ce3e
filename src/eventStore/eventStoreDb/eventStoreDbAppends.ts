/**
 * Appends in flight: over one call that stays open, in the order requested. If the call breaks, those not confirmed are
 * resent in that order; at an exact revision the server recognizes by the ids what it had written. Without one it may
 * not: those fail instead.
 */
import { randomUUID } from 'node:crypto';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../eventStore.ts';
import type { SerialisedEvent } from '../newEvents.ts';
import type { AppendCall, EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken, fateOf } from './eventStoreDbErrors.ts';
import { type RetryPolicy, waitForCall } from './eventStoreDbRetry.ts';

/** Of the last event. `position` is null if the server does not return it. */
export type Written = { readonly revision: bigint; readonly position: bigint | null };

/** @throws the server's refusals, and connection failures */
export type SendAppend = (
  stream: string,
  events: readonly SerialisedEvent[],
  expected: ExpectedRevision,
) => Promise<Written>;

type Waiting = {
  readonly messages: readonly Streams.BatchAppendReq[];
  readonly isRepeatable: boolean;
  readonly askedAt: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
  isSent: boolean;
};

/** The events of one append are split into messages of about this size. */
const MESSAGE_CHARACTERS = 1024 * 1024;

export function createAppends(connection: EventStoreDbConnection, retryPolicy: RetryPolicy): SendAppend {
  /** Not confirmed yet, in the order requested. */
  const waiting = new Map<string, Waiting>();
  let call: AppendCall | null = null;
  let isOpening = false;
  let failures = 0;
  /**
   * Shared by everything requested in the same turn: their retries end together, so that none of them is written
   * without those before it.
   */
  let askedAt: number | null = null;

  function askedNow(): number {
    if (askedAt === null) setImmediate(() => (askedAt = null));
    askedAt ??= retryPolicy.elapsed();
    return askedAt;
  }

  function write(entry: Waiting, to: AppendCall): void {
    entry.isSent = true;
    for (const message of entry.messages) to.write(message);
  }

  async function open(): Promise<void> {
    isOpening = true;
    try {
      if (failures > 0) await waitForCall(retryPolicy, failures - 1);
      if (retryPolicy.closing.aborted && failures > 0) throw new CallBroken('it was closed meanwhile');
      const opened = await connection.openAppends();
      const end = (error: Error) => broken(opened, error);
      opened.on('data', (response) => answered(opened, response));
      opened.on('error', end);
      for (const event of ['end', 'close']) opened.on(event, () => end(new CallBroken('the server ended the call')));
      call = opened;
      isOpening = false;
      for (const entry of waiting.values()) write(entry, opened);
    } catch (error) {
      isOpening = false;
      broken(null, error as Error);
    }
  }

  function answered(from: AppendCall, response: Streams.BatchAppendResp): void {
    const id = parseUUID(response.getCorrelationId()) ?? '';
    const entry = waiting.get(id);
    if (entry === undefined || from !== call) return;
    const refusal = response.getError();
    const error = refusal && unpackToCommandError(refusal, '');
    // It is resent, and later requests must not overtake it.
    if (error && fateOf(error) === 'unavailable') {
      broken(from, error);
      return;
    }
    failures = 0;
    waiting.delete(id);
    clearTimeout(entry.timer);
    if (error) entry.reject(error);
    else entry.resolve(writtenOf(response.getSuccess()));
  }

  /** `of`: the call that broke; null if none could be opened. */
  function broken(of: AppendCall | null, error: Error): void {
    if (of !== call) return;
    call = null;
    of?.cancel();
    failures = waiting.size > 0 ? failures + 1 : 0;
    const isUnavailable = fateOf(error) === 'unavailable' && !retryPolicy.closing.aborted;
    for (const [id, entry] of waiting) {
      const hasTimeLeft = retryPolicy.elapsed() - entry.askedAt < retryPolicy.retryForMs;
      if (isUnavailable && hasTimeLeft && (entry.isRepeatable || !entry.isSent)) {
        entry.timer.refresh();
        continue;
      }
      waiting.delete(id);
      clearTimeout(entry.timer);
      entry.reject(error);
    }
    if (waiting.size > 0 && !isOpening) void open();
  }

  return (stream, events, expected) =>
    new Promise((resolve, reject) => {
      const id = randomUUID();
      const silent = () => broken(call, new CallBroken(`nothing came for ${connection.deadlineMs} ms`));
      const entry: Waiting = {
        messages: messagesOf(id, stream, events, expected),
        isRepeatable: typeof expected === 'bigint' || expected === 'no_stream',
        askedAt: askedNow(),
        timer: setTimeout(silent, connection.deadlineMs),
        resolve,
        reject,
        isSent: false,
      };
      waiting.set(id, entry);
      if (call !== null) write(entry, call);
      else if (!isOpening) void open();
    });
}

function writtenOf(success: Streams.BatchAppendResp.Success | undefined): Written {
  const position = success?.getPosition();
  return {
    revision: BigInt(success?.getCurrentRevision() ?? 0),
    position: position ? BigInt(position.getCommitPosition()) : null,
  };
}

function messagesOf(
  id: string,
  stream: string,
  events: readonly SerialisedEvent[],
  expected: ExpectedRevision,
): readonly Streams.BatchAppendReq[] {
  const begin = () => new streams.BatchAppendReq().setCorrelationId(new shared.UUID().setString(id)).setIsFinal(false);
  const first = begin().setOptions(optionsOf(stream, expected));
  const messages = [first];
  let last = first;
  let characters = 0;
  for (const event of events) {
    if (characters > 0 && characters + event.dataJson.length > MESSAGE_CHARACTERS) {
      last = begin();
      messages.push(last);
      characters = 0;
    }
    characters += event.dataJson.length + event.metadataJson.length;
    const message = new streams.BatchAppendReq.ProposedMessage().setId(new shared.UUID().setString(event.id));
    message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
    last.addProposedMessages(
      message.setData(Buffer.from(event.dataJson)).setCustomMetadata(Buffer.from(event.metadataJson)),
    );
  }
  last.setIsFinal(true);
  return messages;
}

/**
 * Without a deadline, which would be a wall-clock time: a server whose clock is ahead would reject every append. It is
 * bounded otherwise.
 */
function optionsOf(stream: string, expected: ExpectedRevision): Streams.BatchAppendReq.Options {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream)),
  );
  const empty = new shared.Empty();
  if (expected === 'any') return options.setAny(empty);
  return expected === 'no_stream' ? options.setNoStream(empty) : options.setStreamPosition(String(expected));
}
