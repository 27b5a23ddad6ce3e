/**
 * The client with its calls laid open. The client keeps the channel, finds the leader and reconnects; the calls themselves are made here,
 * because its own have no deadline (reads), drop the filter (reading the log), round numbers (metadata), tell checkpoints out of order with
 * events (subscriptions), or reject where nobody listens when a connection breaks under several appends (batches).
 */

import type { Readable } from 'node:stream';
import { EventStoreDBClient, type SingleNodeOptions } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import { CallBroken } from './eventStoreDbErrors.ts';
import type { EventStoreDbAddress } from './eventStoreDbUrl.ts';

/** What is used of a streaming call, so that the transport's own types stay where they are. */
export type IncomingCall<Message> = Readable & AsyncIterable<Message> & { cancel(): void };

export class EventStoreDbConnection extends EventStoreDBClient {
  readonly label: string;
  private readonly deadlineMs: number;
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

  /** As the server says it; null when it cannot say. */
  async serverVersion(): Promise<string | null> {
    const { serverVersion } = await this.capabilities;
    return serverVersion === 'unknown' ? null : serverVersion;
  }

  /** One append, sent once. */
  sendAppend(requests: Iterable<Streams.AppendReq>): Promise<Streams.AppendResp> {
    return this.execute(
      streamsGrpc.StreamsClient,
      'append',
      (client) =>
        new Promise((resolve, reject) => {
          const call = client.append(...this.callArguments({ deadline: this.deadlineMs }), (error, response) => (error ? reject(error) : resolve(response)));
          call.on('error', reject);
          // An append is small enough to be handed over at once: the server bounds it.
          for (const request of requests) call.write(request);
          call.end();
        }),
    );
  }

  /**
   * The messages of a read. Fails when none comes for as long as a call may take. To be read to its end where that is near: a call that is
   * left is cancelled, and servers end connections on which many calls are.
   */
  async *read(request: Streams.ReadReq): AsyncGenerator<Streams.ReadResp, void, undefined> {
    const call = await this.open(request);
    let silent = false;
    let isOver = false;
    const timer = setTimeout(() => {
      silent = true;
      call.cancel();
    }, this.deadlineMs);
    try {
      for await (const message of call) {
        timer.refresh();
        yield message;
      }
      isOver = true;
    } catch (error) {
      isOver = true;
      throw silent ? new CallBroken(`nothing came for ${this.deadlineMs} ms`) : error;
    } finally {
      clearTimeout(timer);
      if (!isOver) call.cancel();
    }
  }

  /** A call that goes on until it is cancelled. */
  async open(request: Streams.ReadReq): Promise<IncomingCall<Streams.ReadResp>> {
    const start = this.GRPCStreamCreator(streamsGrpc.StreamsClient, 'read', (client) =>
      client.read(request, ...this.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    );
    return heard(await start());
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
