/** Competing consumers on EventStoreDB beyond the contract: the lease is the connection, and processes share one group. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConsumerOptions, type Delivery, type EventStore, LeaseLost } from '../../src/eventStore/eventStore.ts';
import { type EventStoreDbOptions, openEventStoreDb } from '../../src/eventStore/eventStoreDb.ts';
import { newEvent, newEvents, refusal, turns } from '../contract/eventStoreHarness.ts';
import { manualClock } from '../given/manualClock.ts';
import { startProcess } from '../given/processes.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../servers/eventStoreDb.ts';

const CHILD = fileURLToPath(new URL('eventStoreDbChild.ts', import.meta.url));

async function serverWith(options: Parameters<typeof startEventStoreDbServer>[0] = {}): Promise<EventStoreDbServer> {
  const server = await startEventStoreDbServer({ maxAppendBytes: 16 * 1024 * 1024, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A process, as far as the server can tell. */
async function processAt(server: EventStoreDbServer, options: Partial<EventStoreDbOptions> = {}): Promise<EventStore> {
  const store = await openEventStoreDb({ url: server.url, ...options });
  onTestFinished(() => store.close());
  return store;
}

function deliveries(store: EventStore, options: Partial<ConsumerOptions> = {}) {
  const iterator = store.consume({ group: 'workers', filter: { types: ['ThingHappened'] }, backoff: () => 5_000, ...options })[Symbol.asyncIterator]();
  return {
    async take(): Promise<Delivery> {
      const result = await iterator.next();
      if (result.done) throw new Error('The consumer has ended.');
      return result.value;
    },
    next: () => iterator.next(),
    end: () => iterator.return?.(),
  };
}

const settlements = (delivery: Delivery) => [
  () => delivery.extend(),
  () => delivery.ack(),
  () => delivery.retry('x'),
  () => delivery.defer(10),
  () => delivery.park('x'),
];

describe('the lease', () => {
  it('ends with the connection: what was in hand goes to another process at once, and cannot be settled any more', async () => {
    const server = await serverWith();
    const [one, other] = [await processAt(server), await processAt(server)];
    await one.append('thing-1', newEvents(2), { expected: 'no_stream' });
    const first = deliveries(one);
    const held = [await first.take(), await first.take()];
    server.faults.resetConnections();
    const second = deliveries(other);
    const again = [await second.take(), await second.take()];
    expect(again.map((delivery) => delivery.event.revision).toSorted()).toEqual([0n, 1n]);
    for (const delivery of held) for (const settle of settlements(delivery)) expect(await refusal(settle())).toBeInstanceOf(LeaseLost);
    for (const delivery of again) {
      expect(delivery.attempt).toBe(1);
      await delivery.ack();
    }
    // The first one goes on by itself, and counts what failed here before.
    const next = first.take();
    await other.append('thing-1', newEvents(1), { expected: 1n });
    const taken = await Promise.race([next, second.take()]);
    expect(taken.event.revision).toBe(2n);
    await taken.ack();
  });

  it('ends with the store: closing gives back what is in hand', async () => {
    const server = await serverWith();
    const leaving = await openEventStoreDb({ url: server.url });
    const staying = await processAt(server);
    await leaving.append('thing-1', newEvents(3), { expected: 'no_stream' });
    const held = deliveries(leaving);
    const [a, b] = [await held.take(), await held.take()];
    await a.ack();
    await b.defer(3_600_000);
    await leaving.close();
    expect(await held.next()).toEqual({ done: true, value: undefined });
    const left = deliveries(staying);
    const rest = [await left.take(), await left.take()];
    expect(rest.map((delivery) => delivery.event.revision).toSorted()).toEqual([1n, 2n]);
    for (const delivery of rest) await delivery.ack();
  });

  it('outlives the loop: what is in hand when a consumer stops can still be settled', async () => {
    const server = await serverWith();
    const store = await processAt(server);
    await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
    const stop = new AbortController();
    const stopping = deliveries(store, { signal: stop.signal });
    const [a, b] = [await stopping.take(), await stopping.take()];
    stop.abort();
    expect(await stopping.next()).toEqual({ done: true, value: undefined });
    const next = deliveries(store);
    expect((await next.take()).event.revision).toBe(2n);
    await a.extend();
    await a.ack();
    await b.defer(0);
    expect((await next.take()).event.revision).toBe(b.event.revision);
  });

  it('of a process that is killed, or stands still, ends; woken, that process knows', async () => {
    const server = await serverWith({ keepAliveMs: 300, keepAliveTimeoutMs: 3_000 });
    const store = await processAt(server);
    await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    const start = (name: string) => startProcess({ name, entry: CHILD, args: [server.url, 'hold'], started: /(took) \d+/ });
    const killed = start('killed');
    const paused = start('paused');
    onTestFinished(() => Promise.all([killed.kill(), paused.kill()]).then(() => undefined));
    await Promise.all([killed.started, paused.started]);
    const waiting = deliveries(store);
    const first = waiting.take();
    await killed.kill();
    const second = first.then(() => waiting.take());
    await first;
    paused.pause();
    expect([(await first).event.revision, (await second).event.revision].toSorted()).toEqual([0n, 1n]);
    paused.resume();
    await once(paused.child, 'close');
    expect(paused.output()).toContain('lost');
    expect(paused.output()).not.toContain('acked');
  });
});

describe('sharing the work', () => {
  it('a process that is busy holds no more than it asked for', async () => {
    const server = await serverWith();
    const [busy, other] = [await processAt(server), await processAt(server)];
    await busy.append('thing-1', newEvents(12), { expected: 'no_stream' });
    const working = deliveries(busy);
    const held = await working.take();
    const rest = deliveries(other);
    const done = new Set<bigint>();
    while (done.size < 11) {
      const delivery = await rest.take();
      done.add(delivery.event.revision);
      await delivery.ack();
    }
    expect(done.has(held.event.revision)).toBe(false);
    await held.ack();
  });

  it('what is put off does not stand in the way of the rest, however much it is', async () => {
    const server = await serverWith();
    const clock = manualClock();
    const store = await processAt(server, { now: clock.now, alarm: clock.alarm });
    await store.append('busy-1', newEvents(400), { expected: 'no_stream' });
    await store.append('other-1', newEvents(1), { expected: 'no_stream' });
    const consumer = deliveries(store);
    for (let taken = 0; ; taken++) {
      const delivery = await consumer.take();
      if (delivery.event.stream === 'other-1') {
        expect(taken).toBeLessThanOrEqual(400);
        await delivery.ack();
        break;
      }
      await delivery.defer(1_000);
    }
    // Put off, not lost, and not counted.
    clock.advance(1_000);
    const revisions = new Set<bigint>();
    while (revisions.size < 400) {
      const delivery = await consumer.take();
      expect(delivery.attempt).toBe(1);
      revisions.add(delivery.event.revision);
      await delivery.ack();
    }
  });

  it('a restart of the server loses nothing', async () => {
    const server = await serverWith();
    const [one, other] = [await processAt(server, { retryForMs: 20_000 }), await processAt(server, { retryForMs: 20_000 })];
    await one.append('thing-1', newEvents(60), { expected: 'no_stream' });
    const done = new Set<string>();
    let restarts = 0;
    const stop = new AbortController();
    const work = async (store: EventStore) => {
      for await (const delivery of store.consume({ group: 'workers', filter: { types: ['ThingHappened'] }, signal: stop.signal })) {
        await turns(3);
        await delivery.ack().then(
          () => done.add(delivery.event.position),
          (error: unknown) => expect(error).toBeInstanceOf(LeaseLost),
        );
        if (done.size >= 20 * (restarts + 1) && restarts < 2) {
          restarts += 1;
          await server.stop();
          await server.start();
        }
        if (done.size === 60) stop.abort();
      }
    };
    await Promise.all([work(one), work(other)]);
    expect(done.size).toBe(60);
  });

  it('an idle server writes nothing: checkpoints of groups do not call for further ones', async () => {
    const clock = manualClock();
    const server = await serverWith({ now: clock.now });
    const store = await processAt(server);
    await store.append('thing-1', newEvents(30), { expected: 'no_stream' });
    const [a, b] = [deliveries(store), deliveries(store, { group: 'others' })];
    for (let taken = 0; taken < 30; taken++) for (const consumer of [a, b]) await (await consumer.take()).ack();
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000);
        server.tick();
        await turns(2);
      }
    };
    await pass(10);
    const before = server.stats.events;
    await pass(60);
    expect(server.stats.events).toBe(before);
  });

  it('refuses consumers of one group that want different events', async () => {
    const server = await serverWith();
    const store = await processAt(server);
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    await deliveries(store).take();
    expect(await refusal(deliveries(store, { filter: { types: ['Other'] } }).next())).toMatchObject({ code: 'GROUP_FILTER_DIFFERS' });
  });
});

describe('parked events', () => {
  it('are seen and replayed by any process, with why and after how many tries', async () => {
    const server = await serverWith();
    const [one, other] = [await processAt(server), await processAt(server)];
    await one.append('thing-1', [newEvent('ThingHappened', { n: 1 }), newEvent('ThingHappened', { n: 2 })], { expected: 'no_stream' });
    const consumer = deliveries(one, { maxAttempts: 2, backoff: () => 0 });
    await (await consumer.take()).park('by hand: "quoted"\nand a second line');
    await (await consumer.take()).retry('first');
    const failing = await consumer.take();
    expect(failing.attempt).toBe(2);
    await failing.retry('y'.repeat(3_000));
    const parked = await eventually(
      () => other.listParked('workers'),
      (list) => list.length === 2,
    );
    expect(parked.map(({ event, attempts, reason }) => [event.revision, attempts, reason])).toEqual([
      [0n, 1, 'by hand: "quoted"\nand a second line'],
      [1n, 2, 'y'.repeat(2_000)],
    ]);
    // The server tells of them with the places of its links.
    const places = (await other.readAll()).events.map((event) => event.position);
    expect(parked.map(({ event }) => event.position)).toEqual(places);
    expect(await other.listParked('nobody')).toEqual([]);
    expect(await other.replayParked('nobody')).toBe(0);
    expect(await other.replayParked('workers')).toBe(2);
    for (let replayed = 0; replayed < 2; replayed++) {
      const delivery = await consumer.take();
      expect(delivery.attempt).toBe(1);
      expect(delivery.event.position).toBe(places[Number(delivery.event.revision)]);
      await delivery.ack();
    }
    expect(await other.listParked('workers')).toEqual([]);
  });

  it('of a deleted stream are neither shown nor replayed, and stand in nobody’s way', async () => {
    const server = await serverWith();
    const store = await processAt(server);
    await store.append('gone-1', newEvents(1), { expected: 'no_stream' });
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    const consumer = deliveries(store);
    await (await consumer.take()).park('x');
    await store.delete('gone-1', { mode: 'hard' });
    server.scavenge();
    expect(await store.listParked('workers')).toEqual([]);
    expect(await store.replayParked('workers')).toBe(0);
    const next = await consumer.take();
    expect(next.event.stream).toBe('thing-1');
    await next.ack();
  });
});

it('nothing keeps a process alive after the store was closed', async () => {
  const server = await serverWith();
  const store = await processAt(server);
  await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
  const child = startProcess({ name: 'leaving', entry: CHILD, args: [server.url, 'leave'], started: /(closed)/ });
  onTestFinished(() => child.kill());
  const ended = once(child.child, 'close');
  await child.started;
  expect((await ended)[0]).toBe(0);
});

it('a process that waits for its server stays alive until it knows', async () => {
  const server = await serverWith();
  await server.stop();
  const child = startProcess({ name: 'waiting', entry: CHILD, args: [server.url, 'leave'], started: /(away)/ });
  onTestFinished(() => child.kill());
  await child.started;
  expect(child.output()).toContain(`127.0.0.1:${server.port} does not answer`);
});

async function eventually<T>(look: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
  }
}
