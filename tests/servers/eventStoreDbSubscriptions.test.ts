import {
  type AllStreamResolvedEvent,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import {
  all,
  events,
  givenClient,
  givenClientAgain,
  givenServer,
  once,
  refusal,
  take,
  typesOf,
} from '../given/stores/eventStoreDbServer.ts';

const OWN = { filter: excludeSystemEvents() };

describe('a subscription to $all', () => {
  it('starts at the beginning, at the end, or after a position', async () => {
    const { client } = await givenServer();
    const { position } = await client.appendToStream('s-1', events('A'));
    await client.appendToStream('s-1', events('B'));
    const [start, after, end] = ([START, position!, END] as const).map((fromPosition) =>
      client.subscribeToAll({ fromPosition, ...OWN }),
    );
    const caughtUp = Promise.all([once(start!, 'caughtUp'), once(after!, 'caughtUp'), once(end!, 'caughtUp')]);
    const read = Promise.all([take(start!, 3), take(after!, 2), take(end!, 1)]);
    await caughtUp;
    await client.appendToStream('s-1', events('C'));
    expect((await read).map(typesOf)).toEqual([['A', 'B', 'C'], ['B', 'C'], ['C']]);
  });

  it('is refused after an invalid position', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    expect(await refusal(all(client.subscribeToAll({ fromPosition: { commit: 3n, prepare: 3n } })))).toMatchObject({
      code: 3,
    });
  });

  it('has no gap when it goes live during writes', async () => {
    const { server, client } = await givenServer();
    const writer = givenClient(server.url);
    const write = async (name: string): Promise<void> => {
      for (let n = 0; n < 100; n += 1) await writer.appendToStream(name, jsonEvent({ type: name, data: { n } }));
    };
    const writing = Promise.all(['a', 'b', 'c', 'd'].map(write));
    const seen = await take(client.subscribeToAll({ fromPosition: START, ...OWN }), 400);
    await writing;
    const written = (await all(client.readAll())).filter(({ event }) => !event?.type.startsWith('$'));
    expect(seen.map(({ event }) => event?.position)).toEqual(written.map(({ event }) => event?.position));
  });

  it('reports once each time that it has caught up', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    const subscription = client.subscribeToAll({ fromPosition: START, ...OWN });
    let times = 0;
    subscription.on('caughtUp', () => {
      times += 1;
    });
    const caughtUp = once(subscription, 'caughtUp');
    await take(subscription, 2);
    await caughtUp;
    for (const type of ['C', 'D', 'E']) {
      await client.appendToStream('s-1', events(type));
      expect(typesOf(await take(subscription, 1))).toEqual([type]);
    }
    expect(times).toBe(1);
  });

  it.each([
    ['types by prefix', eventTypeFilter({ prefixes: ['A', 'C'] }), ['A', 'Cc']],
    ['types by expression', eventTypeFilter({ regex: '^(B|Cc)$' }), ['B', 'Cc']],
    ['streams by prefix', streamNameFilter({ prefixes: ['t-'] }), ['B']],
    ['streams by expression', streamNameFilter({ regex: '^s-' }), ['A', 'Cc']],
  ])('filters %s', async (_name, filter, expected) => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    await client.appendToStream('t-1', events('B'));
    await client.appendToStream('s-1', events('Cc'));
    expect(typesOf(await take(client.subscribeToAll({ fromPosition: START, filter }), expected.length))).toEqual(
      expected,
    );
  });

  it('reports checkpoints for filtered events, while catching up and live', async () => {
    const { server, client } = await givenServer();
    const writer = givenClient(server.url);
    for (let n = 0; n < 100; n += 1) await writer.appendToStream('s-1', events('Hidden'));
    const received: Position[] = [];
    const reached = new Map<number, () => void>();
    const checkpointReached = async (_subscription: unknown, position: Position): Promise<void> => {
      received.push(position);
      reached.get(received.length)?.();
    };
    const subscription = client.subscribeToAll({
      fromPosition: START,
      filter: eventTypeFilter({ prefixes: ['Shown'], maxSearchWindow: 10, checkpointInterval: 2, checkpointReached }),
    });
    const seen: AllStreamResolvedEvent[] = [];
    subscription.on('data', (event) => seen.push(event));
    await once(subscription, 'caughtUp');
    const catchingUp = received.length;
    expect(catchingUp).toBe(5);
    const next = new Promise<void>((resolve) => reached.set(catchingUp + 1, resolve));
    for (let n = 0; n < 20; n += 1) await writer.appendToStream('s-1', events('Hidden'));
    await next;
    const positions = (await all(writer.readAll())).map(({ event }) => event?.position?.commit);
    // Every 20 events read, including system events.
    expect(received.map(({ commit }) => positions.indexOf(commit))).toEqual([19, 39, 59, 79, 99, 119]);
    expect(seen).toEqual([]);
    // Only the events after the last checkpoint are missing.
    const resumed = client.subscribeToAll({
      fromPosition: received.at(-1)!,
      filter: eventTypeFilter({ prefixes: ['Hidden'] }),
    });
    expect(await take(resumed, 3)).toHaveLength(3);
  });

  it('of a slow reader uses no memory, and reports that it fell behind', async () => {
    const { server, client } = await givenServer({ maxAppendBytes: 16 * 1024 * 1024 });
    const writer = givenClient(server.url);
    const subscription = client.subscribeToAll({ fromPosition: END, ...OWN }, { highWaterMark: 1 });
    const fellBehind = once(subscription, 'fellBehind');
    await once(subscription.pause(), 'caughtUp');
    const batch = Array.from({ length: 200 }, (_, n) =>
      jsonEvent({ type: 'Large', data: { n, text: 'x'.repeat(5_000) } }),
    );
    for (let n = 0; n < 10; n += 1) await writer.appendToStream(`s-${n}`, batch);
    expect(server.stats.bytesSent).toBeLessThan(2_000_000);
    const seen = await take(subscription, 2_000);
    await fellBehind;
    expect(new Set(seen.map(({ event }) => event?.position?.commit)).size).toBe(2_000);
    expect(server.stats.bytesSent).toBeGreaterThan(10_000_000);
  });

  it('resolves links on request', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    await client.appendToStream('links', {
      ...jsonEvent({ type: '$>', data: {} }),
      contentType: 'application/octet-stream',
      data: Buffer.from('0@s-1'),
    });
    const filter = streamNameFilter({ prefixes: ['links'] });
    const [event] = await take(client.subscribeToAll({ fromPosition: START, resolveLinkTos: true, filter }), 1);
    expect(event).toMatchObject({ event: { streamId: 's-1', type: 'A' }, link: { streamId: 'links' } });
  });
});

describe('a subscription to a stream', () => {
  it('starts at the beginning, at the end, or after a revision, even of a missing stream', async () => {
    const { client } = await givenServer();
    const early = client.subscribeToStream('s-1');
    await once(early, 'caughtUp');
    await client.appendToStream('s-1', events('A', 'B'));
    await client.appendToStream('s-2', events('X'));
    const after = client.subscribeToStream('s-1', { fromRevision: 0n });
    const end = client.subscribeToStream('s-1', { fromRevision: END });
    const caughtUp = Promise.all([once(after, 'caughtUp'), once(end, 'caughtUp')]);
    const read = Promise.all([take(early, 3), take(after, 2), take(end, 1)]);
    await caughtUp;
    await client.appendToStream('s-1', events('C'));
    expect((await read).map(typesOf)).toEqual([['A', 'B', 'C'], ['B', 'C'], ['C']]);
  });

  it('ends when the stream is deleted', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    const subscription = client.subscribeToStream('s-1');
    const ending = refusal(all(subscription));
    await once(subscription, 'caughtUp');
    await client.tombstoneStream('s-1');
    expect(await ending).toMatchObject({ type: 'stream-deleted' });
    expect(await refusal(all(client.subscribeToStream('s-1')))).toMatchObject({ type: 'stream-deleted' });
  });
});

describe('a server that stops and starts', () => {
  it('ends its subscriptions, and lets them resume after their positions', async () => {
    const { server, client } = await givenServer();
    const { position } = await client.appendToStream('s-1', events('A'));
    const subscription = client.subscribeToAll({ fromPosition: START, ...OWN });
    expect(typesOf(await take(subscription, 1))).toEqual(['A']);
    const broken = refusal(take(subscription, 1));
    await server.stop();
    expect(await broken).toMatchObject({ code: 14 });
    expect(await refusal(client.appendToStream('s-1', events('B')))).toMatchObject({ code: 14 });
    await server.start();
    const later = await givenClientAgain(server.url);
    await later.appendToStream('s-1', events('B'), { expectedRevision: 0n });
    expect(typesOf(await take(later.subscribeToAll({ fromPosition: position!, ...OWN }), 1))).toEqual(['B']);
  });
});
