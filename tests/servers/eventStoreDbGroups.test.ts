import { connect, createServer, type Socket } from 'node:net';
import {
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  type PersistentSubscriptionToAll,
  type PersistentSubscriptionToAllSettings,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { afterwards, all, events, givenClient, givenClientAgain, givenServer, once, refusal, take, typesOf } from '../given/eventStoreDbServer.ts';

const PARKED = '$persistentsubscription-$all::workers-parked';
/** By stream: the type of a group's checkpoints has no `$` in this version. */
const OWN = { filter: streamNameFilter({ prefixes: ['s-'] }) };

function settings(changes: Partial<PersistentSubscriptionToAllSettings> = {}): PersistentSubscriptionToAllSettings {
  return persistentSubscriptionToAllSettingsFromDefaults({ startFrom: START, ...changes });
}

async function givenGroup(client: EventStoreDBClient, changes?: Partial<PersistentSubscriptionToAllSettings>): Promise<void> {
  await client.createPersistentSubscriptionToAll('workers', settings(changes), OWN);
}

function consume(client: EventStoreDBClient, bufferSize = 10): PersistentSubscriptionToAll {
  const subscription = client.subscribeToPersistentSubscriptionToAll('workers', { bufferSize });
  subscription.on('error', () => {});
  return subscription;
}

/** Resolves when the group's numbers are as expected: acks are not answered, so they are asked for. */
async function untilStats(client: EventStoreDBClient, expected: object): Promise<void> {
  for (;;) {
    const { stats } = await client.getPersistentSubscriptionToAllInfo('workers');
    if (Object.entries(expected).every(([name, value]) => stats[name as keyof typeof stats] === value)) return;
  }
}

describe('a group', () => {
  it('is created once, listed, changed and deleted', async () => {
    const { client } = await givenServer();
    await givenGroup(client, { maxRetryCount: 3 });
    expect(await refusal(givenGroup(client))).toMatchObject({ type: 'persistent-subscription-exists', groupName: 'workers', streamName: '$all' });
    await client.createPersistentSubscriptionToStream('s-1', 'readers', persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: 3n }));
    expect((await client.listAllPersistentSubscriptions()).map(({ eventSource, groupName }) => [eventSource, groupName])).toEqual([
      ['$all', 'workers'],
      ['s-1', 'readers'],
    ]);
    expect(await client.listPersistentSubscriptionsToStream('s-1')).toMatchObject([{ settings: { startFrom: 3n } }]);
    expect(await client.listPersistentSubscriptionsToAll()).toMatchObject([{ groupName: 'workers', settings: { startFrom: START, maxRetryCount: 3 } }]);
    await client.updatePersistentSubscriptionToAll('workers', settings({ maxRetryCount: 5 }));
    expect(await client.getPersistentSubscriptionToAllInfo('workers')).toMatchObject({ settings: { maxRetryCount: 5 } });
    await client.deletePersistentSubscriptionToAll('workers');
    for (const missing of [
      client.deletePersistentSubscriptionToAll('workers'),
      client.getPersistentSubscriptionToAllInfo('workers'),
      client.replayParkedMessagesToAll('workers'),
      client.updatePersistentSubscriptionToAll('workers', settings()),
      all(client.subscribeToPersistentSubscriptionToAll('workers')),
    ]) {
      expect(await refusal(missing)).toMatchObject({ type: 'persistent-subscription-does-not-exist', groupName: 'workers' });
    }
  });

  it('with settings that cannot be is refused', async () => {
    const { client } = await givenServer();
    expect(await refusal(givenGroup(client, { readBatchSize: 20, historyBufferSize: 20 }))).toMatchObject({ type: 'persistent-subscription-failed' });
  });

  it('tells its consumers when it is changed or deleted, and takes no more of them than it may', async () => {
    const { client } = await givenServer();
    await givenGroup(client, { maxSubscriberCount: 1 });
    const first = client.subscribeToPersistentSubscriptionToAll('workers');
    const ending = refusal(all(first));
    await once(first, 'confirmation');
    expect(await refusal(all(client.subscribeToPersistentSubscriptionToAll('workers')))).toMatchObject({ type: 'maximum-subscribers-reached' });
    await client.deletePersistentSubscriptionToAll('workers');
    expect(await ending).toMatchObject({ type: 'persistent-subscription-dropped' });
  });

  it.each([
    ['the start', START, ['A', 'B', 'C']],
    ['the end', END, ['C']],
  ] as const)('from %s', async (_name, startFrom, expected) => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    await givenGroup(client, { startFrom });
    await client.appendToStream('s-1', events('C'));
    expect(typesOf(await take(consume(client), expected.length))).toEqual(expected);
  });

  it('from a position, inclusive, with a filter that an update keeps', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    const { position } = await client.appendToStream('s-1', events('B'));
    await client.createPersistentSubscriptionToAll('workers', settings({ startFrom: position! }), { filter: eventTypeFilter({ prefixes: ['B', 'C'] }) });
    await client.updatePersistentSubscriptionToAll('workers', settings({ startFrom: position! }));
    await client.appendToStream('s-1', events('D', 'C'));
    expect(typesOf(await take(consume(client), 2))).toEqual(['B', 'C']);
  });

  it('of a stream hands out the stream', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B', 'C'));
    await client.appendToStream('s-2', events('X'));
    await client.createPersistentSubscriptionToStream('s-1', 'readers', persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: 1n }));
    const subscription = client.subscribeToPersistentSubscriptionToStream('s-1', 'readers');
    const [b, c] = await take(subscription, 2);
    expect(typesOf([b!, c!])).toEqual(['B', 'C']);
    await subscription.nack('park', 'bad', c!);
    await subscription.ack(b!);
    await client.appendToStream('s-1', events('D'));
    expect(typesOf(await take(subscription, 1))).toEqual(['D']);
    const [parked] = await all(client.readStream('$persistentsubscription-s-1::readers-parked', { resolveLinkTos: true }));
    expect(parked).toMatchObject({ event: { type: 'C' }, link: { metadata: { subscriptionEventNumber: 2 } } });
    await client.replayParkedMessagesToStream('s-1', 'readers');
    expect(typesOf(await take(subscription, 1))).toEqual(['C']);
  });
});

describe('a message', () => {
  it('is handed out again after a retry, with the count of them, before what is new', async () => {
    const { client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B', 'C'));
    const consumer = consume(client, 2);
    const [a, b] = await take(consumer, 2);
    expect([a?.retryCount, b?.retryCount]).toEqual([0, 0]);
    await consumer.nack('retry', 'later', a!);
    const [again] = await take(consumer, 1);
    expect(again).toMatchObject({ event: { type: 'A' }, retryCount: 1 });
    await consumer.ack(again!, b!);
    expect(typesOf(await take(consumer, 1))).toEqual(['C']);
  });

  it('is parked by a consumer: a link with the reason', async () => {
    const { server, client } = await givenServer({ now: () => Date.UTC(2026, 0, 1) });
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B'));
    const consumer = consume(client);
    const [, b] = await take(consumer, 2);
    await consumer.nack('park', 'no good', b!);
    await untilStats(client, { parkedMessageCount: 1n, outstandingMessagesCount: 1 });
    const [parked] = await all(client.readStream(PARKED, { resolveLinkTos: true }));
    expect(parked?.event).toMatchObject({ streamId: 's-1', type: 'B', revision: 1n });
    expect(parked?.link).toMatchObject({
      streamId: PARKED,
      revision: 0n,
      metadata: { reason: "Client explicitly NAK'ed message.\nno good", added: '2026-01-01T00:00:00.000Z' },
    });
    expect(server.stats.connections).toBe(1);
  });

  it('is parked by the server when its retries are used up', async () => {
    const { client } = await givenServer();
    await givenGroup(client, { maxRetryCount: 1 });
    await client.appendToStream('s-1', events('A', 'B'));
    const consumer = consume(client);
    const [a] = await take(consumer, 2);
    await consumer.nack('retry', 'one', a!);
    const [again] = await take(consumer, 1);
    await consumer.nack('retry', 'two', again!);
    await untilStats(client, { parkedMessageCount: 1n });
    const [parked] = await all(client.readStream(PARKED));
    expect(parked?.event?.metadata).toMatchObject({ reason: 'Reached retry count of 1' });
  });

  it.each(['skip', 'stop'] as const)('is done with after %s', async (action) => {
    const { client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A'));
    const consumer = consume(client);
    await consumer.nack(action, '', ...(await take(consumer, 1)));
    await untilStats(client, { outstandingMessagesCount: 0, retryBufferCount: 0, parkedMessageCount: 0n });
  });

  it('comes back from where it was parked, as a link, up to a number', async () => {
    const { client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B', 'C'));
    const consumer = consume(client);
    const given = await take(consumer, 3);
    await consumer.nack('park', 'bad', ...given);
    await untilStats(client, { parkedMessageCount: 3n });
    await client.replayParkedMessagesToAll('workers', { stopAt: 2 });
    // They leave the stream of the parked at once, whatever becomes of them.
    expect((await client.getPersistentSubscriptionToAllInfo('workers')).stats.parkedMessageCount).toBe(1n);
    expect(await all(client.readStream(PARKED))).toHaveLength(1);
    const [a, b] = await take(consumer, 2);
    expect(typesOf([a!, b!])).toEqual(['A', 'B']);
    expect(a).toMatchObject({ retryCount: 0, link: { streamId: PARKED, revision: 0n } });
    expect(a?.event?.position).toEqual(a?.link?.position);
    await consumer.ack(a!);
    await consumer.nack('park', 'bad again', b!);
    await untilStats(client, { parkedMessageCount: 2n, outstandingMessagesCount: 0 });
    const parked = await all(client.readStream(PARKED, { resolveLinkTos: true }));
    expect(typesOf(parked)).toEqual(['C', 'B']);
    await client.replayParkedMessagesToAll('workers');
    expect(typesOf(await take(consumer, 2))).toEqual(['C', 'B']);
  });

  it('is handed out again when its time is up', async () => {
    let now = 0;
    const { server, client } = await givenServer({ now: () => now, tickMs: 3_600_000 });
    await givenGroup(client, { messageTimeout: 1_000, maxRetryCount: 1 });
    await client.appendToStream('s-1', events('A'));
    const consumer = consume(client);
    await take(consumer, 1);
    now = 999;
    server.tick();
    await untilStats(client, { outstandingMessagesCount: 1, totalItems: 1n });
    now = 1_000;
    server.tick();
    expect(await take(consumer, 1)).toMatchObject([{ retryCount: 1 }]);
    now = 2_000;
    server.tick();
    await untilStats(client, { parkedMessageCount: 1n, outstandingMessagesCount: 0 });
  });
});

describe('consumers', () => {
  it('hold no more than they asked for', async () => {
    const { client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B', 'C'));
    const consumer = consume(client, 2);
    const [a] = await take(consumer, 2);
    expect(await client.getPersistentSubscriptionToAllInfo('workers')).toMatchObject({
      connections: [{ availableSlots: 0, inFlightMessages: 2 }],
      stats: { outstandingMessagesCount: 2, readBufferCount: 1 },
    });
    await consumer.ack(a!);
    expect(typesOf(await take(consumer, 1))).toEqual(['C']);
  });

  it.each([
    ['RoundRobin', [2, 2]],
    ['DispatchToSingle', [3, 1]],
  ] as const)('share by %s', async (consumerStrategyName, shares) => {
    const { client } = await givenServer();
    await givenGroup(client, { consumerStrategyName });
    const consumers = [consume(client, 3), consume(client, 3)];
    await Promise.all(consumers.map((consumer) => once(consumer, 'confirmation')));
    await client.appendToStream('s-1', events('A', 'B', 'C', 'D'));
    await untilStats(client, { outstandingMessagesCount: 4 });
    const { connections } = await client.getPersistentSubscriptionToAllInfo('workers');
    expect(connections.map(({ inFlightMessages }) => inFlightMessages)).toEqual(shares);
  });

  it('keep to their streams when they are pinned, and a full one holds up nobody else', async () => {
    const { client } = await givenServer();
    await givenGroup(client, { consumerStrategyName: 'Pinned' });
    const consumers = [consume(client, 4), consume(client, 4)];
    await Promise.all(consumers.map((consumer) => once(consumer, 'confirmation')));
    for (let n = 0; n < 8; n += 1) await client.appendToStream(`s-${n}`, events('A', 'B'));
    await untilStats(client, { outstandingMessagesCount: 8 });
    const held = await Promise.all(consumers.map((consumer) => take(consumer, 4)));
    const [one, two] = held.map((list) => new Set(list.map(({ event }) => event?.streamId)));
    expect([...one!].filter((stream) => two!.has(stream))).toEqual([]);
    expect(one!.size + two!.size).toBeLessThan(8);
  });

  it('that go leave what they held to the others at once', async () => {
    const { server, client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B'));
    const gone = givenClient(server.url);
    await take(consume(gone), 2);
    const other = consume(client);
    await once(other, 'confirmation');
    await gone.dispose();
    const given = await take(other, 2);
    expect(typesOf(given)).toEqual(['A', 'B']);
    expect(given.map(({ retryCount }) => retryCount)).toEqual([1, 1]);
  });

  it('that no longer answer are dropped', async () => {
    const { server, client } = await givenServer({ keepAliveMs: 100, keepAliveTimeoutMs: 1_500 });
    await givenGroup(client);
    await client.appendToStream('s-1', events('A'));
    const line = await givenLine(server.port);
    await take(consume(givenClient(line.url)), 1);
    const other = consume(client);
    await once(other, 'confirmation');
    line.freeze();
    expect(await take(other, 1)).toMatchObject([{ event: { type: 'A' }, retryCount: 1 }]);
  });
});

describe('a restart', () => {
  it('hands out again what was settled since the checkpoint', async () => {
    const { server, client } = await givenServer({ tickMs: 3_600_000 });
    await givenGroup(client, { checkPointLowerBound: 2, checkPointUpperBound: 4, checkPointAfter: 0 });
    await client.appendToStream('s-1', events('A', 'B', 'C', 'D', 'E', 'F'));
    const consumer = consume(client);
    const given = await take(consumer, 6);
    await consumer.ack(given[0]!, given[1]!);
    await consumer.ack(given[3]!);
    await untilStats(client, { outstandingMessagesCount: 3 });
    server.tick();
    const checkpoint = (await client.getPersistentSubscriptionToAllInfo('workers')).stats.lastCheckpointedEventPosition;
    expect(checkpoint).toEqual(given[1]?.event?.position);
    await server.stop();
    await server.start();
    const again = consume(await givenClientAgain(server.url));
    expect(typesOf(await take(again, 4))).toEqual(['C', 'D', 'E', 'F']);
  });

  it('of the subsystem drops the consumers and forgets what only memory knew', async () => {
    const { client } = await givenServer();
    await givenGroup(client);
    await client.appendToStream('s-1', events('A', 'B'));
    const consumer = client.subscribeToPersistentSubscriptionToAll('workers');
    const [a, b] = await take(consumer, 2);
    await consumer.nack('park', 'bad', a!);
    await untilStats(client, { parkedMessageCount: 1n });
    await client.replayParkedMessagesToAll('workers');
    await take(consumer, 1);
    const ending = refusal(take(consumer, 1));
    await client.restartPersistentSubscriptionSubsystem();
    expect(await ending).toMatchObject({ type: 'persistent-subscription-dropped' });
    // A was never checkpointed, so it comes again by itself; that it was replayed is forgotten.
    expect(typesOf(await take(consume(client), 2))).toEqual(['A', 'B']);
    expect(b?.retryCount).toBe(0);
  });

  it.each([
    [1, 3],
    [2, 0],
  ])('finds a checkpoint that is an event too: with a lower bound of %i, three looks at the clock write %i more', async (checkPointLowerBound, more) => {
    const { server, client } = await givenServer({ tickMs: 3_600_000 });
    await givenGroup(client, { checkPointLowerBound, checkPointAfter: 0 });
    await client.appendToStream('s-1', events('A', 'B'));
    const consumer = client.subscribeToPersistentSubscriptionToAll('workers');
    await consumer.ack(...(await take(consumer, 2)));
    await untilStats(client, { outstandingMessagesCount: 0 });
    // The first checkpoint comes with the metadata of its stream.
    for (let n = 0; n < 2; n += 1) server.tick();
    const before = server.stats.events;
    for (let n = 0; n < 3; n += 1) server.tick();
    expect(server.stats.events).toBe(before + more);
  });

  it('lets the checkpoints through a filter that goes by the type', async () => {
    const { server, client } = await givenServer({ tickMs: 3_600_000 });
    await client.createPersistentSubscriptionToAll('workers', settings({ checkPointLowerBound: 1, checkPointAfter: 0 }), {
      filter: eventTypeFilter({ regex: '^[^$]' }),
    });
    await client.appendToStream('s-1', events('A'));
    const consumer = consume(client);
    await consumer.ack(...(await take(consumer, 1)));
    await untilStats(client, { outstandingMessagesCount: 0 });
    server.tick();
    expect(await take(consumer, 1)).toMatchObject([
      { event: { type: 'SubscriptionCheckpoint', streamId: '$persistentsubscription-$all::workers-checkpoint' } },
    ]);
  });

  it('of a quiet group begins after what its filter has passed over', async () => {
    const { server, client } = await givenServer();
    await client.createPersistentSubscriptionToAll('workers', settings({ checkPointUpperBound: 10 }), { filter: eventTypeFilter({ prefixes: ['Never'] }) });
    for (let n = 0; n < 30; n += 1) await client.appendToStream('s-1', events('A'));
    await untilStats(client, { readBufferCount: 0 });
    const { stats } = await client.getPersistentSubscriptionToAllInfo('workers');
    expect(stats.lastCheckpointedEventPosition?.commit).toBeGreaterThan(0n);
    expect(server.stats.events).toBeGreaterThan(30);
  });
});

/** A line to the server that can be frozen, as a process that is stopped freezes its own. */
async function givenLine(port: number): Promise<{ url: string; freeze(): void }> {
  const ends: Socket[] = [];
  const listener = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const end of [near, far]) ends.push(end.on('error', () => {}));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  afterwards(() => {
    for (const end of ends) end.destroy();
    listener.close();
  });
  const address = listener.address();
  return {
    url: `esdb://127.0.0.1:${typeof address === 'object' ? address?.port : ''}?tls=false`,
    freeze: () => {
      for (const end of ends) end.unpipe().pause();
    },
  };
}
