/**
 * The client, and the two calls that are made here on its service definitions instead of by it: reading the log through a filter, and appending.
 * docs/decisions/0004-eventstoredb-calls.md says why, and which tests hold it.
 */
import type { Readable } from 'node:stream';
import { EventStoreDBClient, type RecordedEvent, type SingleNodeOptions } from '@eventstore/db-client';
import { convertGrpcRecord } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { CallBroken } from './eventStoreDbErrors.ts';
import type { EventStoreDbAddress } from './eventStoreDbUrl.ts';

/** What is used of a streaming call, so that the transport's own types stay where they are. */
type IncomingCall<Message> = Readable & AsyncIterable<Message> & { cancel(): unknown };
export type AppendCall = IncomingCall<Streams.BatchAppendResp> & { write(message: Streams.BatchAppendReq): boolean };

const UNBOUNDED = { deadline: Number.POSITIVE_INFINITY };

export class EventStoreDbConnection extends EventStoreDBClient {
  readonly label: string;
  readonly deadlineMs: number;
  private channel: { close(): void } | null = null;
  private isEnded = false;

  constructor(address: EventStoreDbAddress) {
    // The three forms of settings are overloads of one constructor.
    super(address.settings as SingleNodeOptions, address.channel, address.credentials);
    this.label = address.label;
    this.deadlineMs = address.deadlineMs;
    const reconnect = this.handleError;
    // It is called without anyone waiting for it, and fails when a cluster has no node that answers: the next call tells.
    this.handleError = (client, error) => reconnect(client, error).catch(() => undefined);
    // A node that leads no longer would answer from what it knew: a log that seems shorter than what was read of it before.
    const argumentsOf = this.callArguments;
    this.callArguments = (options, callOptions) => argumentsOf({ requiresLeader: true, ...options }, callOptions);
    const channelOf = this.getChannel;
    this.getChannel = async () => {
      const channel = await channelOf();
      this.channel = channel;
      if (this.isEnded) channel.close();
      return channel;
    };
  }

  /** As the server says it; null when it cannot say. The question has no deadline of its own. */
  async serverVersion(timeoutMs: number): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new CallBroken(`nothing came for ${timeoutMs} ms`)), timeoutMs);
    });
    const { serverVersion } = await Promise.race([this.capabilities, silence]).finally(() => clearTimeout(timer));
    return serverVersion === 'unknown' ? null : serverVersion;
  }

  /** The events that a read answers with, and how large they are. */
  async *readFiltered(request: Streams.ReadReq): AsyncGenerator<{ readonly record: RecordedEvent; readonly bytes: number }, void, undefined> {
    const start = this.GRPCStreamCreator(streamsGrpc.StreamsClient, 'read', (client) => client.read(request, ...this.callArguments({}, UNBOUNDED)));
    for await (const message of this.received<Streams.ReadResp>(heard(await start()))) {
      const wire = message.getEvent()?.getEvent();
      if (wire) yield { record: convertGrpcRecord(wire), bytes: wire.getData().length + wire.getCustomMetadata().length };
    }
  }

  /** A call that takes appends until it breaks. */
  async openAppends(): Promise<AppendCall> {
    const start = this.GRPCStreamCreator(streamsGrpc.StreamsClient, 'append', (client) => client.batchAppend(...this.callArguments({}, UNBOUNDED)));
    return heard(await start());
  }

  /**
   * What comes of a reading call; fails when nothing comes for as long as a call may take. To be read to its end where that is near: a call that
   * is left is cancelled, and servers end connections on which many calls are.
   */
  async *received<Message>(call: IncomingCall<Message>): AsyncGenerator<Message, void, undefined> {
    let isOver = false;
    const timer = setTimeout(() => call.destroy(new CallBroken(`nothing came for ${this.deadlineMs} ms`)), this.deadlineMs);
    try {
      for await (const message of call) {
        timer.refresh();
        yield message;
      }
      isOver = true;
    } finally {
      clearTimeout(timer);
      // One that could not be begun fails once more when it is cancelled, which nobody waits for.
      if (!isOver) void Promise.resolve(call.cancel()).catch(() => undefined);
    }
  }

  /** Ends what is open, and the connection: the client itself would leave that to time. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.dispose();
    this.channel?.close();
  }
}

/** Its errors come to whoever reads it; one that comes later must not end the process. */
function heard<C extends { on(event: 'error', listener: () => void): unknown }>(call: C): C {
  call.on('error', () => undefined);
  return call;
}
