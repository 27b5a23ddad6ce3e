/** One subscription call as a small buffer: what came and was not taken yet, and up to where the log has been looked through. */
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { type Bell, createBell } from './bell.ts';
import type { EventFilter, RecordedEvent } from './eventStore.ts';
import type { IncomingCall } from './eventStoreDbConnection.ts';
import { CallBroken } from './eventStoreDbErrors.ts';
import { passes, positionOf, toRecordedEvent, type WireRecord } from './eventStoreDbEvents.ts';

export type Feed = {
  readonly queue: readonly RecordedEvent[];
  /** Everything up to here has been looked at: it is in the queue, was taken, or is hidden by the filter. */
  readonly scanned: () => bigint;
  /** Tells that up to here nothing else passes the filter. */
  readonly scan: (position: bigint) => void;
  /** More has come than the buffer takes: the consumer is behind. */
  readonly isFull: () => boolean;
  /** Why no more will come, once that is so. */
  readonly failure: () => Error | null;
  readonly take: (count: number) => readonly RecordedEvent[];
  /** Rings when any of it changes. */
  readonly changed: Bell;
  readonly cancel: () => void;
};

export type FeedOptions = {
  /** What the consumer knows already. */
  readonly after: bigint;
  /** Lies before what the call tells. */
  readonly untold: WireRecord | null;
  readonly filter: EventFilter | undefined;
  /** Most events held. */
  readonly capacity: number;
  /** A position that the log had reached before the call began. */
  readonly reached: bigint;
};

export function createFeed(call: IncomingCall<Streams.ReadResp>, { after, untold, filter, capacity, reached }: FeedOptions): Feed {
  const queue: RecordedEvent[] = [];
  const changed = createBell();
  let scanned = after;
  let failure: Error | null = null;

  function scan(position: bigint): void {
    if (position > scanned) scanned = position;
  }

  function takeRecord(record: WireRecord): void {
    const position = positionOf(record);
    if (position <= scanned) return;
    scan(position);
    const event = toRecordedEvent(record);
    if (event !== null && passes(event, filter)) queue.push(event);
    if (queue.length >= capacity) call.pause();
  }

  function take(message: Streams.ReadResp): void {
    const wire = message.getEvent();
    const record = wire?.getLink() ?? wire?.getEvent();
    const checkpoint = message.getCheckpoint();
    if (record !== undefined) takeRecord(record);
    else if (checkpoint !== undefined) scan(BigInt(checkpoint.getCommitPosition()));
    // Nothing was left when it said so, and what there was then begins where the log was when the call began.
    else if (message.hasCaughtUp()) scan(reached);
    else return;
    changed.ring();
  }

  function fail(error: Error): void {
    failure ??= error;
    changed.ring();
  }

  if (untold !== null) takeRecord(untold);
  call.on('data', take);
  call.on('error', fail);
  call.on('end', () => fail(new CallBroken('the subscription ended')));
  call.on('close', () => fail(new CallBroken('the subscription ended')));
  return {
    queue,
    scanned: () => scanned,
    scan,
    isFull: () => queue.length >= capacity,
    failure: () => failure,
    take(count) {
      const taken = queue.splice(0, count);
      if (queue.length < capacity) call.resume();
      return taken;
    },
    changed,
    cancel: () => call.cancel(),
  };
}
