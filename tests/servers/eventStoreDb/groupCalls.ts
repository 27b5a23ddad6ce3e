/** The calls of persistent subscriptions. */
import { randomUUID } from 'node:crypto';
import type { IPersistentSubscriptionsServer } from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import type * as Persistent from '@eventstore/db-client/generated/persistent_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import { callOver } from './calls.ts';
import { asServiceError, type Context, turnedAway, unary } from './context.ts';
import { empty, originalOf, type Resolved, recorded, streamNameOf, uuidOf } from './conversions.ts';
import { invalidArgument } from './errors.ts';
import type { Consumer, Group, NackAction } from './group.ts';
import { infoOf } from './groupInfo.ts';
import { ALL, settingsOf, sourceOf } from './groupSettings.ts';

type ReadCall = Parameters<IPersistentSubscriptionsServer['read']>[0];

/** By the numbers of the wire. Stopping is as good as skipping: the real server does no more either. */
const NACKS: readonly NackAction[] = ['retry', 'park', 'retry', 'skip', 'skip'];

export function groupCalls(context: Context): IPersistentSubscriptionsServer {
  const { groups } = context;
  return {
    create: unary(context, (request: Persistent.CreateReq) => {
      groups.create(settingsOf(required(request.getOptions())));
      return new persistent.CreateResp();
    }),
    update: unary(context, (request: Persistent.UpdateReq) => {
      const options = required(request.getOptions());
      const before = groups.get(sourceOf(options), options.getGroupName());
      groups.update(settingsOf(options, before.settings));
      return new persistent.UpdateResp();
    }),
    delete: unary(context, (request: Persistent.DeleteReq) => {
      const options = required(request.getOptions());
      groups.delete(sourceOf(options), options.getGroupName());
      return new persistent.DeleteResp();
    }),
    getInfo: unary(context, (request: Persistent.GetInfoReq) => {
      const options = required(request.getOptions());
      return new persistent.GetInfoResp().setSubscriptionInfo(infoOf(groups.get(sourceOf(options), options.getGroupName())));
    }),
    replayParked: unary(context, (request: Persistent.ReplayParkedReq) => {
      const options = required(request.getOptions());
      groups.get(sourceOf(options), options.getGroupName()).replayParked(options.hasStopAt() ? BigInt(options.getStopAt()) : null);
      return new persistent.ReplayParkedResp();
    }),
    list: unary(context, (request: Persistent.ListReq) => {
      const of = request.getOptions()?.getListForStream();
      const source = of && (of.hasAll() ? ALL : streamNameOf(of.getStream()));
      const listed = groups.all.filter((group) => source === undefined || group.settings.source === source);
      return new persistent.ListResp().setSubscriptionsList(listed.map(infoOf));
    }),
    restartSubsystem: unary(context, () => {
      groups.restart();
      return empty();
    }),
    read: (call) => {
      const refusal = turnedAway(context, call);
      if (refusal) return call.emit('error', refusal);
      consume(context, call);
    },
  };
}

/** The first message says whose consumer this is; the rest are acks and nacks. */
function consume(context: Context, call: ReadCall): void {
  const over = callOver(call);
  let joined: { group: Group; consumer: Consumer } | undefined;
  const fail = (error: ServiceError): void => {
    if (!over.aborted) call.emit('error', error);
  };
  over.addEventListener('abort', () => joined?.group.remove(joined.consumer), { once: true });
  call.on('error', () => {});
  call.on('data', (request: Persistent.ReadReq) => {
    try {
      const options = request.getOptions();
      if (options) joined ??= join(context, call, options, fail);
      if (joined) settle(joined.group, request);
    } catch (error) {
      fail(asServiceError(error));
    }
  });
  call.on('end', () => {
    joined?.group.remove(joined.consumer);
    if (!over.aborted) call.end();
  });
}

function join(
  context: Context,
  call: ReadCall,
  options: Persistent.ReadReq.Options,
  fail: (error: ServiceError) => void,
): { group: Group; consumer: Consumer } {
  const source = sourceOf(options);
  const group = context.groups.get(source, options.getGroupName());
  const held: Consumer['held'] = new Map();
  const consumer: Consumer = {
    name: String(call.metadata.get('connection-name')[0] ?? '<unknown>'),
    from: call.getPeer(),
    slots: options.getBufferSize(),
    held,
    get free() {
      return this.slots - held.size;
    },
    total: 0,
    // What is in its hands is bounded by its slots, and so is what waits in the connection.
    give: (message, retryCount) => void call.write(eventMessage(message, retryCount)),
    drop: fail,
  };
  const id = `${source}::${options.getGroupName()}`;
  call.write(
    new persistent.ReadResp().setSubscriptionConfirmation(new persistent.ReadResp.SubscriptionConfirmation().setSubscriptionId(`${id}/${randomUUID()}`)),
  );
  group.add(consumer);
  return { group, consumer };
}

function settle(group: Group, request: Persistent.ReadReq): void {
  const ack = request.getAck();
  if (ack) group.ack(ack.getIdsList().map(uuidOf));
  const nack = request.getNack();
  if (nack) group.nack(nack.getIdsList().map(uuidOf), NACKS[nack.getAction()] ?? 'skip', nack.getReason());
}

function eventMessage(message: Resolved, retryCount: number): Persistent.ReadResp {
  const { event, link } = message;
  const { position } = originalOf(message);
  const { ReadEvent } = persistent.ReadResp;
  const read = new ReadEvent().setRetryCount(retryCount).setCommitPosition(String(position));
  if (event) read.setEvent(recorded(new ReadEvent.RecordedEvent(), event, position));
  if (link) read.setLink(recorded(new ReadEvent.RecordedEvent(), link, position));
  return new persistent.ReadResp().setEvent(read);
}

function required<T>(options: T | undefined): T {
  if (!options) throw invalidArgument('The options are missing.');
  return options;
}
