/**
 * The Read call in its finite forms: a stream or $all, forward or backward. Its subscriptions are in
 * `subscriptions.ts`.
 */
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { callOver, type SendMessage, send } from './calls.ts';
import { asServiceError, type Context, refusalFor } from './context.ts';
import { eventMessage, streamIdentifier, streamNameOf } from './conversions.ts';
import { invalidArgument, invalidPosition, streamDeleted } from './errors.ts';
import { passesOf } from './filters.ts';
import { NEWEST, pageOfAll, pageOfAllBack, resolved, stateOf } from './reader.ts';
import { subscribeToAll, subscribeToStream } from './subscriptions.ts';

/** The number of events that the server reads at a time. */
const PAGE = 32;
const BACKWARD = 1;

export function readCall(context: Context): Pick<IStreamsServer, 'read'> {
  return {
    read: (call) => {
      const refusal = refusalFor(context, call);
      if (refusal) return call.emit('error', refusal);
      const over = callOver(call);
      const sendMessage: SendMessage<Streams.ReadResp> = (message) => send(call, message, over);
      void read(context, call.request, sendMessage, over).then(
        () => !over.aborted && call.end(),
        (error: unknown) => !over.aborted && call.emit('error', asServiceError(error)),
      );
    },
  };
}

async function read(
  context: Context,
  request: Streams.ReadReq,
  sendMessage: SendMessage<Streams.ReadResp>,
  over: AbortSignal,
): Promise<void> {
  const options = request.getOptions();
  if (!options) throw invalidArgument('The options are missing.');
  const subscription = options.hasSubscription();
  const ofStream = options.getStream();
  const ofAll = options.getAll();
  if (ofStream)
    return subscription
      ? subscribeToStream(context, options, ofStream, sendMessage, over)
      : readStream(context, options, ofStream, sendMessage);
  if (ofAll)
    return subscription
      ? subscribeToAll(context, options, ofAll, sendMessage, over)
      : readAll(context, options, ofAll, sendMessage);
  throw invalidArgument('Neither a stream nor $all.');
}

async function readStream(
  { log }: Context,
  options: Streams.ReadReq.Options,
  from: Streams.ReadReq.Options.StreamOptions,
  sendMessage: SendMessage<Streams.ReadResp>,
): Promise<void> {
  const name = streamNameOf(from.getStreamIdentifier());
  const state = stateOf(log, name);
  if (state === 'deleted') throw streamDeleted(name);
  if (state === 'missing') {
    await sendMessage(
      new streams.ReadResp().setStreamNotFound(
        new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name)),
      ),
    );
    return;
  }
  const backward = options.getReadDirection() === BACKWARD;
  let next: bigint | undefined = startOf(from, backward);
  for (let left = countOf(options); left > 0 && next !== undefined; ) {
    const limit = Math.min(left, PAGE);
    const page: ReturnType<typeof log.forward> = backward
      ? log.backward(name, next, limit)
      : log.forward(name, next, limit);
    for (const event of resolved(log, page.events, options.getResolveLinks()))
      if (!(await sendMessage(eventMessage(event)))) return;
    left -= page.events.length;
    next = page.next;
  }
}

function startOf(from: Streams.ReadReq.Options.StreamOptions, backward: boolean): bigint {
  if (from.hasStart()) return 0n;
  // Forward from the end there is nothing.
  if (from.hasEnd()) return backward ? NEWEST : NEWEST + 1n;
  return BigInt(from.getRevision());
}

async function readAll(
  { log, compiled }: Context,
  options: Streams.ReadReq.Options,
  from: Streams.ReadReq.Options.AllOptions,
  sendMessage: SendMessage<Streams.ReadResp>,
): Promise<void> {
  const backward = options.getReadDirection() === BACKWARD;
  const filter = options.getFilter();
  const passes = filter && (await passesOf(filter, compiled));
  const links = options.getResolveLinks();
  let at = from.hasStart() ? 0n : from.hasEnd() ? log.end : BigInt(from.getPosition()?.getCommitPosition() ?? 0);
  if (!log.isPosition(at)) throw invalidPosition();
  // Forward includes the position itself; backward does not.
  if (!backward) at -= 1n;
  for (let left = countOf(options); left > 0; ) {
    const page = (backward ? pageOfAllBack : pageOfAll)(log, at, {
      limit: Math.min(left, PAGE),
      window: PAGE,
      passes,
      links,
    });
    for (const event of page.events) if (!(await sendMessage(eventMessage(event)))) return;
    left -= page.events.length;
    if (page.end || page.last === undefined) return;
    at = page.last;
  }
}

function countOf(options: Streams.ReadReq.Options): number {
  return Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);
}
