/**
 * The client, and the two calls made here on its service definitions instead of through it: reading the log through a
 * filter, and appending. docs/decisions/0004-eventstoredb-calls.md explains why, and which tests cover it.
 */
import type { Readable } from 'node:stream';
import { EventStoreDBClient, type RecordedEvent, type SingleNodeOptions } from '@eventstore/db-client';
import { convertGrpcRecord } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { CallBroken } from './eventStoreDbErrors.ts';
import type { EventStoreDbAddress } from './eventStoreDbUrl.ts';

/** The part of a streaming call in use, so that the transport's own types are not exposed. */
type IncomingCall<Message> = Readable & AsyncIterable<Message> & { cancel(): unknown };
export type AppendCall = IncomingCall<Streams.BatchAppendResp> & { write(message: Streams.BatchAppendReq): boolean };

const UNBOUNDED = { deadline: Number.POSITIVE_INFINITY };

export class EventStoreDbConnection extends EventStoreDBClient {
  readonly label: string;
  readonly deadlineMs: number;
  private channel: { close(): void } | null = null;
  private isEnded = false;

  constructor(address: EventStoreDbAddress) {
    // The three kinds of settings are overloads of one constructor.
    super(address.settings as SingleNodeOptions, address.channel, address.credentials);
    this.label = address.label;
    this.deadlineMs = address.deadlineMs;
    const reconnect = this.handleError;
    // It is called without being awaited, and fails if no cluster node responds: the next call reports it.
    this.handleError = (client, error) => reconnect(client, error).catch(() => undefined);
    // A former leader would respond with outdated data: a log that seems shorter than what was read before.
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

  /** As reported by the server; null if it cannot. The request has no deadline of its own. */
  async serverVersion(timeoutMs: number): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new CallBroken(`nothing came for ${timeoutMs} ms`)), timeoutMs);
    });
    const { serverVersion } = await Promise.race([this.capabilities, silence]).finally(() => clearTimeout(timer));
    return serverVersion === 'unknown' ? null : serverVersion;
  }

  /** The events returned by a read, with their sizes. */
  async *readFiltered(
    request: Streams.ReadReq,
  ): AsyncGenerator<{ readonly record: RecordedEvent; readonly bytes: number }, void, undefined> {
    const start = this.GRPCStreamCreator(streamsGrpc.StreamsClient, 'read', (client) =>
      client.read(request, ...this.callArguments({}, UNBOUNDED)),
    );
    for await (const message of this.received<Streams.ReadResp>(withErrorListener(await start()))) {
      const wire = message.getEvent()?.getEvent();
      if (wire)
        yield { record: convertGrpcRecord(wire), bytes: wire.getData().length + wire.getCustomMetadata().length };
    }
  }

  /** A call that accepts appends until it breaks. */
  async openAppends(): Promise<AppendCall> {
    const start = this.GRPCStreamCreator(streamsGrpc.StreamsClient, 'append', (client) =>
      client.batchAppend(...this.callArguments({}, UNBOUNDED)),
    );
    return withErrorListener(await start());
  }

  /**
   * The messages of a reading call; fails if none arrives for as long as a call may take. Read it to its end if that is
   * near: an abandoned call is cancelled, and servers end connections with many cancelled calls.
   */
  async *received<Message>(call: IncomingCall<Message>): AsyncGenerator<Message, void, undefined> {
    let isOver = false;
    const timer = setTimeout(
      () => call.destroy(new CallBroken(`nothing came for ${this.deadlineMs} ms`)),
      this.deadlineMs,
    );
    try {
      for await (const message of call) {
        timer.refresh();
        yield message;
      }
      isOver = true;
    } finally {
      clearTimeout(timer);
      // A call that could not be started fails once more when it is cancelled, and nobody awaits that.
      if (!isOver) void Promise.resolve(call.cancel()).catch(() => undefined);
    }
  }

  /** Ends open calls and the connection, which the client itself would leave to a timeout. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.dispose();
    this.channel?.close();
  }
}

/** Its errors reach its reader; a later one must not crash the process. */
function withErrorListener<C extends { on(event: 'error', listener: () => void): unknown }>(call: C): C {
  call.on('error', () => undefined);
  return call;
}
