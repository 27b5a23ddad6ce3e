/**
 * Subscriptions on EventStoreDB beyond the contract: broken connections, an unavailable server, read-ahead, and
 * progress where the filter hides everything.
 */
import { expect, it, onTestFinished } from 'vitest';
import type { EventStore, SubscriptionMessage } from '../../../src/eventStore/eventStore.ts';
import { type EventStoreDbOptions, openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import {
  caughtUp,
  collect,
  eventsIn,
  idsOf,
  newEvent,
  newEvents,
  positionsOf,
  refusal,
  seededRandom,
  wholeLog,
  yields,
} from '../../contract/eventStoreHarness.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

async function started(
  options: Partial<EventStoreDbOptions> = {},
): Promise<{ server: EventStoreDbServer; store: EventStore }> {
  const server = await startEventStoreDbServer({ maxAppendBytes: 16 * 1024 * 1024 });
  onTestFinished(() => server.close());
  const store = await openEventStoreDb({ url: server.url, ...options });
  onTestFinished(() => store.close());
  return { server, store };
}

async function fill(store: EventStore, stream: string, count: number, bytes: number): Promise<void> {
  for (let written = 0; written < count; written += 500) {
    const events = newEvents(Math.min(500, count - written)).map((event) => ({
      ...event,
      data: { text: 'x'.repeat(bytes) },
    }));
    await store.append(stream, events, { expected: 'any' });
  }
}

it('a subscriber cut off at random points misses nothing, and receives it in order', async () => {
  const { server, store } = await started();
  const random = seededRandom(21);
  let isWriting = true;
  let stop = new AbortController();
  const writing = (async () => {
    for (let round = 0; round < 400; round++) {
      await store.append(`thing-${round % 5}`, newEvents(1 + (round % 3), random() < 0.5 ? 'Even' : 'Odd'), {
        expected: 'any',
      });
      await yields(Math.floor(random() * 6));
    }
    await store.append('last-1', newEvents(1, 'Even'), { expected: 'no_stream' });
    isWriting = false;
    // Waiting for more would never end.
    stop.abort();
  })();
  const heard: string[] = [];
  let after: string | undefined;
  let cuts = 0;
  while (!eventsHeard(heard, await lastPosition(store), isWriting)) {
    // Each round ends after a few messages: by leaving, by an abort, or with the connection broken.
    let left = 1 + Math.floor(random() * 5);
    stop = new AbortController();
    if (!isWriting) left = Number.POSITIVE_INFINITY;
    const how = random();
    for await (const message of store.subscribe({
      batchSize: 3,
      signal: stop.signal,
      ...(after === undefined ? {} : { after }),
    })) {
      for (const event of eventsIn([message])) heard.push(event.position);
      after = message.kind === 'events' ? message.events.at(-1)?.position : message.position;
      left -= 1;
      if (left === 0 && how < 0.05) server.faults.resetConnections();
      else if (left <= 0 && how < 0.5) stop.abort();
      else if (left <= 0) break;
      if (message.kind === 'caughtUp' && !isWriting) break;
    }
    cuts += 1;
  }
  await writing;
  // How many fit into the time of the writing depends on the machine.
  expect(cuts).toBeGreaterThan(40);
  expect(heard).toEqual(positionsOf(await wholeLog(store)));
});

async function lastPosition(store: EventStore): Promise<string | undefined> {
  return (await store.readAll({ direction: 'backward', limit: 1 })).events[0]?.position;
}

function eventsHeard(heard: readonly string[], last: string | undefined, isWriting: boolean): boolean {
  return !isWriting && heard.at(-1) === last;
}

it('a subscription continues after its connection broke, and after the server was unavailable, without loss', async () => {
  const warnings: { details: object; text: string }[] = [];
  const warn = (details: object, text: string) => void warnings.push({ details, text });
  const { server, store } = await started({ retryForMs: 50, log: { info: warn, warn, error: warn } });
  await store.append('thing-1', newEvents(5), { expected: 'no_stream' });
  const messages: SubscriptionMessage[] = [];
  const done = (async () => {
    for await (const message of store.subscribe({ filter: { types: ['ThingHappened', 'Last'] } })) {
      messages.push(message);
      if (eventsIn([message]).some((event) => event.type === 'Last')) return;
    }
  })();
  const append = async (events: ReturnType<typeof newEvents>) => {
    for (;;) {
      try {
        return await store.append('thing-1', events, { expected: 'any' });
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      }
    }
  };
  await append(newEvents(3));
  while (eventsIn(messages).length === 0) await yields();
  server.faults.resetConnections();
  await append(newEvents(3));
  await server.stop();
  const waiting = append(newEvents(2));
  await yields(200);
  await server.start();
  await waiting;
  await append([newEvent('Last')]);
  await done;
  expect(idsOf(eventsIn(messages))).toEqual(idsOf(await wholeLog(store)));
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings[0]).toMatchObject({
    details: { store: `127.0.0.1:${server.port}` },
    text: expect.stringContaining('continues after its position'),
  });
});

it('a slow consumer buffers a bounded part of the log, in the server and in transit', async () => {
  const { server, store } = await started();
  await fill(store, 'thing-1', 8_000, 2_000);
  const before = server.stats.bytesSent;
  const iterator = store.subscribe({ batchSize: 10 })[Symbol.asyncIterator]();
  expect(eventsIn([(await iterator.next()).value as SubscriptionMessage])).toHaveLength(10);
  await yields(600);
  // Of 17 MB: the flow control's windows and a batch.
  expect(server.stats.bytesSent - before).toBeLessThan(1_500_000);
  let count = 10;
  for (;;) {
    const message = (await iterator.next()).value as SubscriptionMessage;
    if (message.kind === 'caughtUp') break;
    expect(eventsIn([message]).length).toBeLessThanOrEqual(10);
    count += eventsIn([message]).length;
  }
  expect(count).toBe(8_000);
  await iterator.return?.();
});

it('a subscription skips deleted and scavenged events beyond the part in transit', async () => {
  const { server, store } = await started();
  await fill(store, 'thing-1', 5_000, 2_000);
  await fill(store, 'thing-2', 10, 10);
  const iterator = store.subscribe({ batchSize: 3 })[Symbol.asyncIterator]();
  await iterator.next();
  await store.delete('thing-1');
  server.scavenge();
  const rest: SubscriptionMessage[] = [];
  while (!caughtUp(rest)) rest.push((await iterator.next()).value as SubscriptionMessage);
  await iterator.return?.();
  const streams = eventsIn(rest).map((event) => event.stream);
  expect(streams.filter((stream) => stream === 'thing-1').length).toBeLessThan(1_500);
  expect(streams.slice(-10)).toEqual(Array(10).fill('thing-2'));
});

it('a subscription reports its position through every event that the filter hides, the server’s own events included', async () => {
  const { store } = await started();
  await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
  for (const filter of [
    { types: ['Rare'] },
    { streamPrefixes: ['rare-'] },
    { types: ['ThingHappened'], streamPrefixes: ['rare-'] },
    { types: [] },
  ]) {
    const iterator = store.subscribe({ filter })[Symbol.asyncIterator]();
    const received = async (): Promise<string> => {
      const message = (await iterator.next()).value as SubscriptionMessage;
      expect(message.kind).not.toBe('events');
      return message.kind === 'events' ? '' : message.position;
    };
    while ((await received()) !== (await store.head()));
    for (let round = 0; round < 3; round++) {
      const { position } = await store.append('thing-1', newEvents(1), { expected: 'any' });
      let place = await received();
      while (place < position) place = await received();
      expect(place).toBe(position);
    }
    // A truncation is an event of the server.
    const { revision } = await store.append('thing-1', newEvents(1), { expected: 'any' });
    await store.truncate('thing-1', revision);
    const head = await store.head();
    while ((await received()) < head);
    await iterator.return?.();
  }
});

it.each(['23.10.0', '24.10.0'])(
  'a subscription continues after a position whose event was scavenged, without loss (%s)',
  async (version) => {
    const { server, store } = await started();
    server.faults.pretendVersion(version);
    await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    const { position } = await store.append('gone-1', newEvents(1), { expected: 'no_stream' });
    await store.append('thing-1', newEvents(2), { expected: 1n });
    await store.delete('gone-1');
    server.scavenge();
    const messages = await collect(store, { after: position }, caughtUp);
    expect(eventsIn(messages).map((event) => event.revision)).toEqual([2n, 3n]);
    const filtered = await collect(store, { after: position, filter: { types: ['Other'] } }, caughtUp);
    expect(filtered.at(-1)).toEqual({ kind: 'caughtUp', position: await store.head() });
  },
);

it('a subscription catches up with a server that does not report it', async () => {
  const { server, store } = await started();
  server.faults.pretendVersion('22.10.0');
  await store.append('thing-1', [newEvent('Rare'), ...newEvents(40)], { expected: 'no_stream' });
  const head = await store.head();
  const messages = await collect(store, { filter: { types: ['Rare'] } }, caughtUp);
  expect(eventsIn(messages)).toHaveLength(1);
  expect(messages.at(-1)).toEqual({ kind: 'caughtUp', position: head });
});

it('a subscription ends with a clear error at an invalid position, or one that the log never had', async () => {
  const { store } = await started();
  expect(await refusal(collect(store, { after: '00000000000000000007' }, () => false))).toMatchObject({
    code: 'INVALID_POSITION',
  });
  expect(await refusal((async () => collect(store, { after: 'nonsense' }, () => false))())).toMatchObject({
    code: 'INVALID_POSITION',
  });
});
