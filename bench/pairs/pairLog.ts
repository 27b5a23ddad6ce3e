/**
 * The event logs of both pairs: appending alone and by 32 callers, and delivery to a subscription, each beside the bare
 * client or raw table.
 */
import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  START as LOG_START,
  NO_STREAM,
} from '@eventstore/db-client';
import {
  type EventStore,
  type NewEvent,
  type Position,
  type Revision,
  START,
} from '../../src/eventStore/eventStore.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { fill, progressed } from '../events.ts';
import type { RawLog } from '../log/rawLog.ts';
import { compare, type Row, rateRow, timed } from '../measure.ts';

const CALLERS = 32;

/** What is measured beside ours, doing the same with nothing of ours around it. */
export type BareLog = {
  readonly name: string;
  /** Reads the last event of the stream before each append, as commands do. */
  readonly readsFirst: boolean;
  /** One new stream, each event awaited before the next. */
  appendAlone(events: readonly NewEvent[]): Promise<void>;
  /** A new stream for each list, all at once. */
  appendTogether(lists: readonly (readonly NewEvent[])[]): Promise<void>;
  /** Reads or is told `count` events from the start, parsed. */
  deliver(count: number): Promise<void>;
  close(): Promise<void>;
};

export function bareEventStoreDb(url: string): BareLog {
  const client = EventStoreDBClient.connectionString(url);
  async function appendAll(events: readonly NewEvent[]): Promise<void> {
    const stream = `job-${randomUUID()}`;
    let expectedRevision: bigint | typeof NO_STREAM = NO_STREAM;
    for (const { id, type, data, metadata } of events) {
      if (expectedRevision !== NO_STREAM)
        for await (const _ of client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }));
      const event = jsonEvent({
        id,
        type,
        data: data as Record<string, unknown>,
        metadata: metadata as Record<string, unknown>,
      });
      expectedRevision = (await client.appendToStream(stream, event, { expectedRevision })).nextExpectedRevision;
    }
  }
  return {
    name: 'the bare client',
    readsFirst: true,
    appendAlone: appendAll,
    appendTogether: async (lists) => void (await Promise.all(lists.map(appendAll))),
    async deliver(count) {
      let left = count;
      const subscription = client.subscribeToAll({ fromPosition: LOG_START, filter: excludeSystemEvents() });
      for await (const { event } of subscription) if (event && --left === 0) break;
    },
    close: () => client.dispose(),
  };
}

export function bareTable(raw: RawLog): BareLog {
  return {
    name: 'the raw table',
    readsFirst: false,
    async appendAlone(events) {
      const stream = `job-${randomUUID()}`;
      for (const event of events) raw.appendOne(stream, event);
    },
    async appendTogether(lists) {
      const streams = lists.map(() => `job-${randomUUID()}`);
      for (let turn = 0; turn < (lists[0]?.length ?? 0); turn += 1) {
        raw.appendGroup(lists.map((list, n) => ({ stream: streams[n] ?? '', event: list[turn] as NewEvent })));
      }
    },
    async deliver() {
      raw.replay();
    },
    close: async () => raw.close(),
  };
}

const events = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, n) => progressed('0d9a6c0e-job', n));

export async function appendAll(store: EventStore, list: readonly NewEvent[], readsFirst = false): Promise<void> {
  const stream = `job-${randomUUID()}`;
  let expected: Revision | 'no_stream' = 'no_stream';
  for (const event of list) {
    if (readsFirst && expected !== 'no_stream') await store.read(stream, { direction: 'backward', limit: 1 });
    expected = (await store.append(stream, [event], { expected })).revision;
  }
}

async function deliver(store: EventStore, count: number): Promise<void> {
  let left = count;
  for await (const message of store.subscribe({ after: START })) {
    if (message.kind === 'events') left -= message.events.length;
    if (left <= 0) break;
  }
}

/** As a rebuild reads. */
const REBUILD_PAGE = 200;

/** Events of the log passed per second, read in pages; `types`: only these. */
async function readInPages(store: EventStore, events: number, types?: readonly string[]): Promise<number> {
  const ms = await timed(async () => {
    for (let after: Position = START, end = false; !end; ) {
      const page = await store.readAll({ after, limit: REBUILD_PAGE, ...(types && { filter: { types } }) });
      ({ next: after, end } = page);
    }
  });
  return (events * 1000) / ms;
}

/** A filter must not cost more than it saves: a server may have to prepare it again for each page. */
async function filterRow(pair: string, rounds: number, store: EventStore, events: number): Promise<Row> {
  const types = [...new Set(READ_MODELS.flatMap(({ handles }) => handles as readonly string[]))];
  return rateRow(
    `${pair}: read ${events.toLocaleString('en-US')} events in pages of ${REBUILD_PAGE}, as a rebuild does, through its filter of ${types.length} types vs without it`,
    await compare(
      rounds,
      () => readInPages(store, events, types),
      () => readInPages(store, events),
    ),
    0.75,
  );
}

/** `empty`: logs that hold nothing yet, for the delivery. */
export async function logRows(
  pair: string,
  rounds: number,
  store: EventStore,
  bare: BareLog,
  fast: boolean,
): Promise<readonly Row[]> {
  const [single, turns, delivered] = fast ? [1_000, 60, 20_000] : [300, 20, 10_000];
  const rate = (count: number, work: () => Promise<void>) => async () => (count * 1000) / (await timed(work));
  const { readsFirst } = bare;
  const how = readsFirst ? 'append after reading the last event, as commands do' : 'append';
  const grouped = () => Array.from({ length: CALLERS }, () => events(turns));
  // The delivery first, over a log of known length.
  await fill(store, delivered);
  const filtered = await filterRow(pair, rounds, store, delivered);
  return [
    filtered,
    rateRow(
      `${pair}: delivery to a subscription vs ${bare.name}, events`,
      await compare(
        rounds,
        rate(delivered, () => deliver(store, delivered)),
        rate(delivered, () => bare.deliver(delivered)),
      ),
      0.75,
    ),
    rateRow(
      `${pair}: ${how}, one at a time, vs ${bare.name}`,
      await compare(
        rounds,
        rate(single, () => appendAll(store, events(single), readsFirst)),
        rate(single, () => bare.appendAlone(events(single))),
      ),
      0.8,
    ),
    rateRow(
      `${pair}: ${how}, ${CALLERS} callers at once, vs ${bare.name}`,
      await compare(
        rounds,
        rate(
          CALLERS * turns,
          async () => void (await Promise.all(grouped().map((list) => appendAll(store, list, readsFirst)))),
        ),
        rate(CALLERS * turns, () => bare.appendTogether(grouped())),
      ),
      fast ? 0.6 : 0.8,
    ),
  ];
}
