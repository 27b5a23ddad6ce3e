/** One call of a consumer group: what the server handed to it and is not settled yet. When the call ends, the server gives all of that to others. */

import type * as Persistent from '@eventstore/db-client/generated/persistent_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { LeaseLost } from './eventStore.ts';
import type { DuplexCall, EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken } from './eventStoreDbErrors.ts';
import { uuidOf, type WireRecord } from './eventStoreDbEvents.ts';
import { empty } from './eventStoreDbRequests.ts';

/** `id`: by which it is settled. `record` is absent when what a link pointed to is gone. `isKeptBack`: for later, no longer in the consumer's hands. */
export type Incoming = { readonly id: string; readonly record: WireRecord | undefined; isKeptBack: boolean };

export type Lane = {
  /** Came, and was not taken yet. */
  readonly waiting: readonly Incoming[];
  /** Taken and not settled, by id. */
  readonly held: ReadonlyMap<string, Incoming>;
  readonly take: () => Incoming | undefined;
  readonly hasRoom: () => boolean;
  /** Nothing is held, and nothing is being told. */
  readonly isIdle: () => boolean;
  /** Why it is over, once it is. */
  readonly failure: () => Error | null;
  /** The next three fail with LeaseLost when it is no longer held, or the call is over. */
  readonly ack: (incoming: Incoming) => Promise<void>;
  readonly giveBack: (incoming: Incoming) => Promise<void>;
  readonly park: (incoming: Incoming, reason: string) => Promise<void>;
  /** Lets go of everything; resolves when the server knows. */
  readonly end: () => Promise<void>;
};

/** How long the server may take to see that the call is over before it is cut off, ms. */
const LINGER_MS = 200;
const NACK = { park: 1, retry: 2 } as const;

type Call = DuplexCall<Persistent.ReadReq, Persistent.ReadResp>;

/** `size`: most events that the server hands to it before one is settled. */
export async function openLane(connection: EventStoreDbConnection, group: string, size: number, changed: () => void): Promise<Lane> {
  const call: Call = await connection.openGroup();
  const waiting: Incoming[] = [];
  const held = new Map<string, Incoming>();
  let telling = 0;
  let failure: Error | null = null;
  let ending: Promise<void> | null = null;
  const over = new Promise<void>((resolve) => {
    const fail = (error: Error) => {
      failure ??= error;
      held.clear();
      waiting.length = 0;
      resolve();
      changed();
    };
    call.on('error', fail);
    call.on('end', () => fail(new CallBroken('the consumer group ended the call')));
    call.on('close', () => fail(new CallBroken('the consumer group ended the call')));
  });
  call.on('data', (message: Persistent.ReadResp) => {
    const wire = message.getEvent();
    const original = wire?.getLink() ?? wire?.getEvent();
    if (original === undefined || ending !== null) return;
    waiting.push({ id: uuidOf(original.getId()), record: wire?.getEvent(), isKeptBack: false });
    changed();
  });

  /** There is no answer: once it is written to the connection, only the loss of that can undo it. */
  async function settle(incoming: Incoming, request: Persistent.ReadReq): Promise<void> {
    if (failure !== null || ending !== null || held.get(incoming.id) !== incoming) throw new LeaseLost();
    held.delete(incoming.id);
    telling += 1;
    const written = new Promise<boolean>((resolve) => call.write(request, () => resolve(true)));
    const isWritten = await Promise.race([written, over.then(() => false)]);
    telling -= 1;
    if (!isWritten) throw new LeaseLost();
  }

  call.write(groupRequest(group, size));
  return {
    waiting,
    held,
    take() {
      const incoming = waiting.shift();
      if (incoming !== undefined) held.set(incoming.id, incoming);
      return incoming;
    },
    hasRoom: () => failure === null && ending === null && waiting.length + held.size < size,
    isIdle: () => held.size === 0 && telling === 0,
    failure: () => failure,
    ack: (incoming) => settle(incoming, ackRequest(incoming.id)),
    giveBack: (incoming) => settle(incoming, nackRequest(incoming.id, NACK.retry, '')),
    park: (incoming, reason) => settle(incoming, nackRequest(incoming.id, NACK.park, reason)),
    end() {
      ending ??= endCall(call, over);
      return ending;
    },
  };
}

/** Ends its own side first, so that what was written before arrives. */
async function endCall(call: Call, over: Promise<void>): Promise<void> {
  call.end();
  const timer = setTimeout(() => call.cancel(), LINGER_MS);
  await over;
  clearTimeout(timer);
}

function groupRequest(group: string, size: number): Persistent.ReadReq {
  const options = new persistent.ReadReq.Options().setAll(empty()).setGroupName(group).setBufferSize(size);
  return new persistent.ReadReq().setOptions(options.setUuidOption(new persistent.ReadReq.Options.UUIDOption().setString(empty())));
}

function ackRequest(id: string): Persistent.ReadReq {
  return new persistent.ReadReq().setAck(new persistent.ReadReq.Ack().setIdsList([uuid(id)]));
}

function nackRequest(id: string, action: (typeof NACK)[keyof typeof NACK], reason: string): Persistent.ReadReq {
  return new persistent.ReadReq().setNack(
    new persistent.ReadReq.Nack()
      .setIdsList([uuid(id)])
      .setAction(action)
      .setReason(reason),
  );
}

function uuid(id: string): Shared.UUID {
  return new shared.UUID().setString(id);
}
