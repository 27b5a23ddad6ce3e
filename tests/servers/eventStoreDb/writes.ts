/** The calls that write: Append, BatchAppend, Delete and Tombstone. */
import { setTimeout as after } from 'node:timers/promises';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import wellKnownEmpty from 'google-protobuf/google/protobuf/empty_pb.js';
import { callOver } from './calls.ts';
import { asServiceError, breakConnection, type Context, isBroken, refusalFor, unary } from './context.ts';
import { empty, expectedOf, proposedOf, streamIdentifier, streamNameOf, uuidOf } from './conversions.ts';
import {
  batchError,
  batchNotReady,
  batchTimeout,
  deadlineExceeded,
  invalidArgument,
  notLeader,
  streamDeleted,
  tooLarge,
  wrongRevision,
} from './errors.ts';
import { type ProposedEvent, sizeOf } from './records.ts';
import type { Expected, WriteAnswer } from './writer.ts';

type Caller = { readonly metadata: Metadata; getPeer(): string };
type Outcome = WriteAnswer | 'lost' | 'late';
type BatchOutcome = Outcome | 'notReady';

/** Every write goes through here, and gets its faults. */
async function settle(
  context: Context,
  call: Caller,
  write: () => WriteAnswer,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const fate = context.faults.nextWrite();
  if (fate.before) await fate.before;
  if (context.over.aborted) return 'lost';
  if (fate.loseRequest) {
    breakConnection(context, call);
    return 'lost';
  }
  if (Date.now() > deadline) return 'late';
  const answer = write();
  await context.log.flushed();
  if (fate.loseAnswer === 'timeout') return 'late';
  if (fate.loseAnswer) {
    if (fate.loseAnswer === 'reset') breakConnection(context, call);
    return 'lost';
  }
  if (fate.answerDelayMs > 0) await after(fate.answerDelayMs);
  return answer;
}

export function writeCalls(context: Context): Pick<IStreamsServer, 'append' | 'batchAppend' | 'delete' | 'tombstone'> {
  return {
    append: (call, callback) => {
      const refusal = refusalFor(context, call);
      if (refusal) return callback(refusal);
      let options: Streams.AppendReq.Options | undefined;
      const events: ProposedEvent[] = [];
      call.on('data', (message: Streams.AppendReq) => {
        options ??= message.getOptions();
        const proposed = message.getProposedMessage();
        if (proposed) events.push(proposedOf(proposed));
      });
      call.on('end', async () => {
        // An aborted call ends, too, and is marked as canceled one turn later; half an append counts as none.
        await new Promise(setImmediate);
        if (call.cancelled) return;
        await appendAll(context, call, options, events).then(
          (response) => response && callback(null, response),
          (error: unknown) => callback(asServiceError(error)),
        );
      });
    },
    batchAppend: (call) => {
      const refusal = refusalFor(context, call);
      if (refusal) return call.emit('error', refusal);
      new BatchAppends(context, call).run();
    },
    delete: unary(context, async (request: Streams.DeleteReq, call) => {
      const options = required(request.getOptions());
      const name = streamNameOf(options.getStreamIdentifier());
      const expected = expectedOf(options, options.getRevision());
      const answer = await settle(context, call, () => context.writer.delete(name, expected));
      const position = positionOrThrow(context, 'Delete', name, expected, answer);
      if (position === 'lost') return null;
      return new streams.DeleteResp().setPosition(place(new streams.DeleteResp.Position(), position));
    }),
    tombstone: unary(context, async (request: Streams.TombstoneReq, call) => {
      const options = required(request.getOptions());
      const name = streamNameOf(options.getStreamIdentifier());
      const expected = expectedOf(options, options.getRevision());
      const answer = await settle(context, call, () => context.writer.tombstone(name, expected));
      const position = positionOrThrow(context, 'Tombstone', name, expected, answer);
      if (position === 'lost') return null;
      return new streams.TombstoneResp().setPosition(place(new streams.TombstoneResp.Position(), position));
    }),
  };
}

async function appendAll(
  context: Context,
  call: Caller,
  options: Streams.AppendReq.Options | undefined,
  events: ProposedEvent[],
) {
  const given = required(options);
  const name = streamNameOf(given.getStreamIdentifier());
  const expected = expectedOf(given, given.getRevision());
  const answer = await settle(context, call, () => context.writer.append(name, events, expected));
  if (answer === 'lost') return null;
  if (answer !== 'late' && answer.kind === 'wrongRevision')
    return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(expected, answer.current));
  if (answer === 'late' || answer.kind !== 'written') throw refusalOf(context, 'Append', name, expected, answer);
  const success = new streams.AppendResp.Success();
  if (answer.revision < 0n) success.setNoStream(empty());
  else success.setCurrentRevision(String(answer.revision));
  if (answer.position === undefined) success.setNoPosition(empty());
  else success.setPosition(place(new streams.AppendResp.Position(), answer.position));
  return new streams.AppendResp().setSuccess(success);
}

function wrongVersion(expected: Expected, current: bigint): Streams.AppendResp.WrongExpectedVersion {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0n) wrong.setCurrentNoStream(empty());
  else wrong.setCurrentRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty());
  else wrong.setExpectedRevision(String(expected));
  return wrong;
}

type Pending = { readonly options: Streams.BatchAppendReq.Options; readonly events: ProposedEvent[] };
type BatchCall = Parameters<IStreamsServer['batchAppend']>[0];

/** One BatchAppend call: appends in parts, identified by their correlation ids, answered in any order. */
class BatchAppends {
  private readonly pending = new Map<string, Pending>();
  private readonly context: Context;
  private readonly call: BatchCall;
  private readonly over: AbortSignal;
  private running = 0;
  private ended = false;

  constructor(context: Context, call: BatchCall) {
    this.context = context;
    this.call = call;
    this.over = callOver(call);
  }

  run(): void {
    this.call.on('data', (request: Streams.BatchAppendReq) => this.take(request));
    this.call.on('end', () => {
      this.ended = true;
      this.finish();
    });
    this.call.on('error', () => {});
  }

  private take(request: Streams.BatchAppendReq): void {
    if (isBroken(this.context, this.call)) return;
    const id = uuidOf(request.getCorrelationId());
    const options = request.getOptions();
    if (options) this.pending.set(id, { options, events: [] });
    const batch = this.pending.get(id);
    // The rest of a batch that was already refused.
    if (!batch) return;
    for (const message of request.getProposedMessagesList()) batch.events.push(proposedOf(message));
    // Refused as soon as it is too large, without waiting for its other parts.
    const isTooLarge = batch.events.reduce((sum, event) => sum + sizeOf(event), 0) > this.context.writer.maxAppendBytes;
    if (!request.getIsFinal() && !isTooLarge) return;
    this.pending.delete(id);
    const { leader } = this.context.faults;
    // As on a node that has just lost the leadership: the first append that it takes ends the whole call.
    if (leader) return void this.call.emit('error', notLeader(leader));
    this.running += 1;
    void this.append(request, batch).then(() => {
      this.running -= 1;
      this.finish();
    });
  }

  private async append(request: Streams.BatchAppendReq, { options, events }: Pending): Promise<void> {
    const name = streamNameOf(options.getStreamIdentifier());
    const expected = expectedOf(options, options.getStreamPosition());
    const deadline = options.getDeadline()?.toDate().getTime();
    const { writer, faults } = this.context;
    const answer: BatchOutcome = faults.refuses()
      ? 'notReady'
      : await settle(this.context, this.call, () => writer.append(name, events, expected), deadline);
    if (answer === 'lost' || this.over.aborted) return;
    const response = new streams.BatchAppendResp()
      .setCorrelationId(request.getCorrelationId())
      .setStreamIdentifier(streamIdentifier(name));
    if (answer === 'notReady') response.setError(batchNotReady());
    else if (answer === 'late') response.setError(batchTimeout());
    else if (answer.kind === 'written') response.setSuccess(batchSuccess(answer));
    else response.setError(batchError(answer, name, expected, writer.maxAppendBytes));
    this.call.write(response);
  }

  private finish(): void {
    if (this.ended && this.running === 0) this.call.end();
  }
}

function batchSuccess(answer: Extract<WriteAnswer, { kind: 'written' }>): Streams.BatchAppendResp.Success {
  const success = new streams.BatchAppendResp.Success();
  if (answer.revision < 0n) success.setNoStream(new wellKnownEmpty.Empty());
  else success.setCurrentRevision(String(answer.revision));
  if (answer.position === undefined) return success.setNoPosition(new wellKnownEmpty.Empty());
  return success.setPosition(place(new shared.AllStreamPosition(), answer.position));
}

function place<M extends { setCommitPosition(value: string): M; setPreparePosition(value: string): M }>(
  message: M,
  position: bigint,
): M {
  return message.setCommitPosition(String(position)).setPreparePosition(String(position));
}

function required<T>(options: T | undefined): T {
  if (!options) throw invalidArgument('The options are missing.');
  return options;
}

function positionOrThrow(
  context: Context,
  operation: string,
  stream: string,
  expected: Expected,
  answer: Outcome,
): bigint | 'lost' {
  if (answer === 'lost') return answer;
  if (answer === 'late' || answer.kind !== 'written') throw refusalOf(context, operation, stream, expected, answer);
  return answer.position ?? 0n;
}

function refusalOf(
  context: Context,
  operation: string,
  stream: string,
  expected: Expected,
  answer: 'late' | Exclude<WriteAnswer, { kind: 'written' }>,
): ServiceError {
  if (answer === 'late') return deadlineExceeded();
  if (answer.kind === 'deleted') return streamDeleted(stream);
  if (answer.kind === 'tooLarge') return tooLarge(context.writer.maxAppendBytes);
  return wrongRevision(operation, stream, expected, answer.current);
}
