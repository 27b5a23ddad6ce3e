/**
 * One persistent subscription: competing consumers, each message in one hand at a time, at least once, in no promised order. What is not
 * settled when a consumer goes, or when its time is up, is handed out again.
 */
import type { ServiceError } from '@grpc/grpc-js';
import { originalOf, type Resolved } from './conversions.ts';
import { groupError } from './errors.ts';
import { passesOf } from './filters.ts';
import { ALL, type GroupSettings } from './groupSettings.ts';
import { type Choose, chooser } from './groupStrategies.ts';
import { GroupStreams } from './groupStreams.ts';
import type { EventLog } from './log.ts';
import { type Passes, pageOfAll, resolved } from './reader.ts';
import type { Writer } from './writer.ts';

type Message = {
  readonly resolved: Resolved;
  readonly place: bigint;
  readonly retryCount: number;
  /** Its number among all that was looked at, and the place before it; null for what was parked and is back. */
  readonly order: { readonly sequence: number; readonly before: bigint | null } | null;
};

export type Consumer = {
  readonly name: string;
  readonly from: string;
  readonly slots: number;
  readonly held: Map<string, Message>;
  readonly free: number;
  total: number;
  give(message: Resolved, retryCount: number): void;
  drop(error: ServiceError): void;
};

type Outstanding = { readonly message: Message; readonly due: number };

export type NackAction = 'park' | 'retry' | 'skip';

export class Group {
  readonly settings: GroupSettings;
  readonly consumers: Consumer[] = [];
  readonly streams: GroupStreams;
  private readonly log: EventLog;
  private readonly passes: Passes | undefined;
  private readonly choose: Choose<Consumer>;
  private readonly retries: Message[] = [];
  private readonly buffer: Message[] = [];
  private readonly outstanding = new Map<string, Outstanding>();
  /** Everything up to here was looked at; null when nothing was. */
  private seen: bigint | null;
  private sequence = 0;
  private atEnd = false;
  private checkpointed: { place: bigint | null; sequence: number; at: number };
  private handedOut = 0;
  private closed = false;

  constructor(log: EventLog, writer: Writer, settings: GroupSettings) {
    this.log = log;
    this.settings = settings;
    this.streams = new GroupStreams(log, writer, settings);
    this.passes = settings.filter ? passesOf(settings.filter) : undefined;
    this.choose = chooser(settings.strategy);
    const place = this.streams.loadCheckpoint();
    this.checkpointed = { place, sequence: 0, at: log.now() };
    this.seen = place ?? this.start();
  }

  private start(): bigint | null {
    const { startFrom, source } = this.settings;
    if (startFrom === 'end') return source === ALL ? this.log.head : this.log.lastRevision(source);
    return startFrom - 1n;
  }

  add(consumer: Consumer): void {
    const { maxSubscriberCount, source, group } = this.settings;
    if (maxSubscriberCount > 0 && this.consumers.length >= maxSubscriberCount) throw groupError('maximum-subscribers-reached', source, group);
    this.consumers.push(consumer);
    this.pump();
  }

  /** What it held goes to the others at once. */
  remove(consumer: Consumer): void {
    const at = this.consumers.indexOf(consumer);
    if (at < 0) return;
    this.consumers.splice(at, 1);
    for (const [id, message] of consumer.held) if (this.outstanding.get(id)?.message === message) this.again(id, message);
    this.pump();
  }

  ack(ids: readonly string[]): void {
    if (this.closed) return;
    for (const id of ids) this.settle(id);
    this.mark(false);
    this.pump();
  }

  nack(ids: readonly string[], action: NackAction, reason: string): void {
    if (this.closed) return;
    for (const id of ids) {
      const message = this.outstanding.get(id)?.message;
      if (message && action === 'retry') this.retryOrPark(id, message);
      else if (message && action === 'park') this.streams.park(message.resolved, `Client explicitly NAK'ed message.\n${reason}`);
      if (action !== 'retry') this.settle(id);
    }
    this.mark(false);
    this.pump();
  }

  /** Puts what is parked behind the retries; it counts as neither acknowledged nor not, so a restart forgets it. */
  replayParked(stopAt: bigint | null): void {
    const back = this.streams.takeParked(stopAt);
    this.retries.push(...back.map((each) => ({ resolved: each, place: originalOf(each).revision, retryCount: 0, order: null })));
    this.pump();
  }

  /** Time has passed: what was held too long is handed out again, and the checkpoint may be due. */
  tick(): void {
    const now = this.log.now();
    for (const [id, { message, due }] of this.outstanding) if (due <= now) this.retryOrPark(id, message);
    this.mark(true);
    this.pump();
  }

  /** Hands out as much as the consumers take. */
  pump(): void {
    if (this.closed) return;
    this.fill();
    while (this.handOut()) this.fill();
  }

  /** Ends it for its consumers; what they held is only in memory. */
  shutdown(error: ServiceError): void {
    this.closed = true;
    for (const consumer of this.consumers.splice(0)) consumer.drop(error);
  }

  /** The server is gone: nothing is written any more. */
  close(): void {
    this.closed = true;
  }

  private settle(id: string): void {
    this.outstanding.delete(id);
    for (const consumer of this.consumers) consumer.held.delete(id);
  }

  private retryOrPark(id: string, message: Message): void {
    const { maxRetryCount } = this.settings;
    if (message.retryCount < maxRetryCount) {
      this.again(id, message);
    } else {
      this.streams.park(message.resolved, `Reached retry count of ${maxRetryCount}`);
      this.settle(id);
    }
  }

  /** Before those that come later in the log, and before all that is new. */
  private again(id: string, message: Message): void {
    this.settle(id);
    const retried = { ...message, retryCount: message.retryCount + 1 };
    const at = message.order ? this.retries.findIndex((other) => other.order && other.place > message.place) : -1;
    if (at < 0) this.retries.push(retried);
    else this.retries.splice(at, 0, retried);
  }

  private fill(): void {
    const { historyBufferSize, readBatchSize } = this.settings;
    const place = this.seen;
    this.atEnd = this.isAtEnd();
    while (!this.atEnd && historyBufferSize - this.buffer.length - this.retries.length >= readBatchSize) {
      this.read(readBatchSize);
      this.atEnd = this.isAtEnd();
    }
    if (this.seen !== place) this.mark(false);
  }

  private isAtEnd(): boolean {
    const { source } = this.settings;
    return (this.seen ?? -1n) >= (source === ALL ? this.log.head : this.log.lastRevision(source));
  }

  private read(limit: number): void {
    const { source, resolveLinks } = this.settings;
    if (source !== ALL) {
      const page = this.log.forward(source, (this.seen ?? -1n) + 1n, limit);
      for (const each of resolved(this.log, page.events, resolveLinks)) this.take(each, originalOf(each).revision);
      if (page.next === undefined) this.seen = this.log.lastRevision(source);
      return;
    }
    const page = pageOfAll(this.log, this.seen ?? -1n, { limit, links: resolveLinks });
    for (const each of page.events) {
      const original = originalOf(each);
      if (!this.passes || this.passes(original)) this.take(each, original.position);
      else this.skip(original.position);
    }
  }

  private take(message: Resolved, place: bigint): void {
    this.sequence += 1;
    this.buffer.push({ resolved: message, place, retryCount: 0, order: { sequence: this.sequence, before: this.seen } });
    this.seen = place;
  }

  private skip(place: bigint): void {
    this.sequence += 1;
    this.seen = place;
  }

  /** One round over what waits, the retries first; true when anything was handed out. */
  private handOut(): boolean {
    let any = false;
    for (const list of [this.retries, this.buffer]) {
      for (let at = 0; at < list.length; ) {
        const message = list[at] as Message;
        const choice = this.choose(this.consumers, originalOf(message.resolved).stream);
        if (choice === 'full') return any;
        if (choice === 'wait') {
          at += 1;
          continue;
        }
        list.splice(at, 1);
        this.give(choice, message);
        any = true;
      }
    }
    return any;
  }

  private give(consumer: Consumer, message: Message): void {
    const { id } = originalOf(message.resolved);
    const { messageTimeoutMs } = this.settings;
    this.handedOut += 1;
    consumer.total += 1;
    consumer.held.set(id, message);
    const due = messageTimeoutMs > 0 ? this.log.now() + messageTimeoutMs : Number.POSITIVE_INFINITY;
    // By the id alone: while one is in hand, a second event of the same id is handed out and not watched over.
    if (!this.outstanding.has(id)) this.outstanding.set(id, { message, due });
    consumer.give(message.resolved, message.retryCount);
  }

  /** Writes the checkpoint when enough was settled since the last one, and not sooner: a restart hands the rest out again. */
  private mark(timed: boolean): void {
    const { minCheckpointCount, maxCheckpointCount, checkpointAfterMs } = this.settings;
    const lowest = this.lowestUnsettled();
    const place = lowest ? lowest.before : this.seen;
    const sequence = lowest ? lowest.sequence - 1 : this.sequence;
    const settled = sequence - this.checkpointed.sequence;
    const now = this.log.now();
    const due = settled >= maxCheckpointCount || (timed && settled >= minCheckpointCount && now - this.checkpointed.at >= checkpointAfterMs);
    if (settled <= 0 || place === null || !due) return;
    this.checkpointed = { place, sequence, at: now };
    this.streams.saveCheckpoint(place);
  }

  private lowestUnsettled(): Message['order'] {
    let lowest = this.buffer[0]?.order ?? null;
    const consider = ({ order }: Message): void => {
      if (order && (!lowest || order.sequence < lowest.sequence)) lowest = order;
    };
    for (const message of this.retries) consider(message);
    for (const { message } of this.outstanding.values()) consider(message);
    return lowest;
  }

  get stats(): GroupStats {
    return {
      live: this.atEnd,
      handedOut: this.handedOut,
      outstanding: this.outstanding.size,
      buffered: this.buffer.length,
      retries: this.retries.length,
      parked: this.streams.parkedCount,
      checkpoint: this.checkpointed.place,
      lastKnown: this.seen !== null && this.seen >= 0n ? this.seen : null,
    };
  }
}

export type GroupStats = {
  readonly live: boolean;
  readonly handedOut: number;
  readonly outstanding: number;
  readonly buffered: number;
  readonly retries: number;
  readonly parked: bigint;
  readonly checkpoint: bigint | null;
  readonly lastKnown: bigint | null;
};
