import {
  BACKWARDS,
  binaryEvent,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  FORWARDS,
  jsonEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import {
  all,
  events,
  givenClientAgain,
  givenServer,
  refusal,
  take,
  typesOf,
  users,
} from '../given/stores/eventStoreDbServer.ts';

const HUGE = 2n ** 60n;
/** With any credentials, the client uses the call for single appends. */
const CREDENTIALS = { credentials: { username: 'somebody', password: 'something' } };

async function revisionsOf(client: EventStoreDBClient, stream: string): Promise<(bigint | undefined)[]> {
  return (await all(client.readStream(stream))).map(({ event }) => event?.revision);
}

describe('appending', () => {
  it('returns the written events, with positions like byte offsets', async () => {
    const { client } = await givenServer({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const json = jsonEvent({ type: 'Json', data: { text: 'ü\u2028🙂', nothing: null }, metadata: { causedBy: 'x' } });
    const binary = binaryEvent({
      type: 'Binary',
      data: Uint8Array.from([0, 255, 128]),
      metadata: Uint8Array.from([1]),
    });

    const answer = await client.appendToStream('größe-1', [json, binary], { expectedRevision: 'no_stream' });

    const [first, second] = await all(client.readStream('größe-1'));
    expect(first?.event).toMatchObject({
      id: json.id,
      streamId: 'größe-1',
      revision: 0n,
      type: 'Json',
      data: json.data,
      metadata: json.metadata,
      isJson: true,
    });
    expect(first?.event?.created).toEqual(new Date('2026-01-02T03:04:05.678Z'));
    expect(second?.event).toMatchObject({ id: binary.id, revision: 1n, type: 'Binary', isJson: false });
    expect(Buffer.from((second?.event?.data ?? []) as Uint8Array)).toEqual(Buffer.from([0, 255, 128]));
    const [one, two] = [first?.event?.position, second?.event?.position];
    expect(answer).toEqual({ success: true, nextExpectedRevision: 1n, position: two });
    expect(one?.commit).toBe(one?.prepare);
    expect(one?.commit).toBeGreaterThan(0n);
    expect((two?.commit ?? 0n) - (one?.commit ?? 0n)).toBeGreaterThan(1n);
  });

  it.each([
    ['no_stream', 'no_stream', true],
    ['no_stream', 'any', true],
    ['no_stream', 'stream_exists', false],
    ['no_stream', 0n, false],
    [1n, 'no_stream', false],
    [1n, 'any', true],
    [1n, 'stream_exists', true],
    [1n, 0n, false],
    [1n, 1n, true],
    [1n, 2n, false],
  ] as const)('on a stream at %s, expected %s: %s', async (actual, expectedRevision, goes) => {
    const { client } = await givenServer();
    for (const [stream, how] of [
      ['s-1', {}],
      ['s-2', CREDENTIALS],
    ] as const) {
      if (actual !== 'no_stream') await client.appendToStream(stream, events('A', 'B'));
      const append = client.appendToStream(stream, events('C'), { expectedRevision, ...how });
      if (goes)
        expect(await append).toMatchObject({ success: true, nextExpectedRevision: actual === 'no_stream' ? 0n : 2n });
      else expect(await refusal(append)).toMatchObject({ type: 'wrong-expected-version', actualVersion: actual });
    }
  });

  it('accepts an empty append', async () => {
    const { server, client } = await givenServer();
    const before = server.stats.events;
    expect(await client.appendToStream('s-1', [])).toMatchObject({ success: true });
    expect(await refusal(all(client.readStream('s-1')))).toMatchObject({ type: 'stream-not-found' });
    expect(server.stats.events).toBe(before);
  });

  it('refuses more than 1 MiB in one append, and keeps the connection usable', async () => {
    const { server, client } = await givenServer();
    const before = server.stats.events;
    const half = (): ReturnType<typeof jsonEvent> => jsonEvent({ type: 'Half', data: 'x'.repeat(600_000) });
    expect(
      await refusal(client.appendToStream('s-1', jsonEvent({ type: 'Large', data: 'x'.repeat(1_100_000) }))),
    ).toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_048_576,
    });
    expect(await refusal(client.appendToStream('s-1', [half(), half()]))).toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
    expect(await refusal(client.appendToStream('s-1', [half(), half()], CREDENTIALS))).toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
    expect(server.stats.events).toBe(before);
    expect((await client.appendToStream('s-1', half())).success).toBe(true);
  });

  it('refuses a batch as soon as its parts are too large together', async () => {
    const { server, client } = await givenServer({ maxAppendBytes: 10_000 });
    const before = server.stats.events;
    const many = Array.from({ length: 30 }, (_, n) =>
      jsonEvent({ type: 'Part', data: { n, text: 'x'.repeat(1_000) } }),
    );
    expect(await refusal(client.appendToStream('s-1', many, { batchAppendSize: 1_000 }))).toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
    expect(server.stats.events).toBe(before);
    expect((await client.appendToStream('s-1', many.slice(0, 2))).success).toBe(true);
  });

  it('collects all parts of a batch before writing', async () => {
    const { client } = await givenServer({ maxAppendBytes: 64 * 1024 * 1024 });
    const many = Array.from({ length: 400 }, (_, n) =>
      jsonEvent({ type: 'Part', data: { n, text: 'x'.repeat(1_000) } }),
    );
    await client.appendToStream('s-1', many, { batchAppendSize: 20_000 });
    expect(
      (await all(client.readStream('s-1'))).map(({ event }) => (event?.data as { n: number } | undefined)?.n),
    ).toEqual(many.map((_, n) => n));
  });
});

describe('repeating an append', () => {
  it('with the same ids at the same old revision returns the same answer without writing', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A'));
    const again = events('B', 'C');
    const first = await client.appendToStream('s-1', again, { expectedRevision: 0n });
    await client.appendToStream('s-1', events('D'), { expectedRevision: 2n });
    const before = server.stats.events;
    expect(await client.appendToStream('s-1', again, { expectedRevision: 0n })).toEqual(first);
    expect(await client.appendToStream('s-1', again, { expectedRevision: 0n, ...CREDENTIALS })).toEqual(first);
    expect(server.stats.events).toBe(before);
    await server.stop();
    await server.start();
    const later = await givenClientAgain(server.url);
    expect(await later.appendToStream('s-1', again, { expectedRevision: 0n })).toEqual(first);
  });

  it('with the same ids and another payload keeps the first', async () => {
    const { client } = await givenServer();
    const [event] = events('A');
    await client.appendToStream('s-1', event!, { expectedRevision: 'no_stream' });
    await client.appendToStream('s-1', { ...event!, type: 'Other' }, { expectedRevision: 'no_stream' });
    expect(typesOf(await all(client.readStream('s-1')))).toEqual(['A']);
  });

  it('with the same id at the current revision writes it again', async () => {
    const { client } = await givenServer();
    const again = events('A');
    await client.appendToStream('s-1', again, { expectedRevision: 'no_stream' });
    await client.appendToStream('s-1', again, { expectedRevision: 0n });
    expect(await revisionsOf(client, 's-1')).toEqual([0n, 1n]);
  });

  it('only in part is refused', async () => {
    const { client } = await givenServer();
    const [a, b, c] = events('A', 'B', 'C');
    await client.appendToStream('s-1', [a!, b!], { expectedRevision: 'no_stream' });
    expect(await refusal(client.appendToStream('s-1', [a!, c!], { expectedRevision: 'no_stream' }))).toMatchObject({
      actualVersion: 1n,
    });
    expect(await refusal(client.appendToStream('s-1', [a!, b!, c!], { expectedRevision: 'no_stream' }))).toMatchObject({
      actualVersion: 1n,
    });
    expect(await refusal(client.appendToStream('s-1', [a!, c!], { expectedRevision: 'any' }))).toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  it('in another stream writes another event', async () => {
    const { client } = await givenServer();
    const again = events('A');
    await client.appendToStream('s-1', again);
    await client.appendToStream('s-2', again);
    expect(users(await all(client.readAll()))).toHaveLength(2);
  });

  it('with any revision is recognized as long as the server remembers the ids', async () => {
    const { server, client } = await givenServer({ recentIds: 2 });
    const again = events('A');
    const first = await client.appendToStream('s-1', again);
    expect(await client.appendToStream('s-1', again)).toEqual(first);
    await client.appendToStream('s-2', events('B', 'C'));
    await client.appendToStream('s-1', again);
    expect(await revisionsOf(client, 's-1')).toEqual([0n, 1n]);
    expect(server.faults.counts.writes).toBe(4);
  });
});

describe('reading a stream', () => {
  it('works forward, backward, from the middle, and with a limit', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B', 'C', 'D'));
    const read = async (options: Parameters<EventStoreDBClient['readStream']>[1]): Promise<unknown[]> =>
      typesOf(await all(client.readStream('s-1', options)));
    expect(await read({})).toEqual(['A', 'B', 'C', 'D']);
    expect(await read({ fromRevision: 1n, maxCount: 2 })).toEqual(['B', 'C']);
    expect(await read({ direction: BACKWARDS, fromRevision: END })).toEqual(['D', 'C', 'B', 'A']);
    expect(await read({ direction: BACKWARDS, fromRevision: 2n, maxCount: 2 })).toEqual(['C', 'B']);
    expect(await read({ direction: BACKWARDS, fromRevision: 99n, maxCount: 1 })).toEqual(['D']);
    expect(await read({ fromRevision: 4n })).toEqual([]);
    expect(await read({ fromRevision: END })).toEqual([]);
    expect(await refusal(all(client.readStream('s-2')))).toMatchObject({ type: 'stream-not-found', streamName: 's-2' });
  });

  it('of 1,001 events neither skips nor repeats any in either direction', async () => {
    const { client } = await givenServer({ maxAppendBytes: 16 * 1024 * 1024 });
    await client.appendToStream(
      's-1',
      Array.from({ length: 1_001 }, () => jsonEvent({ type: 'A', data: {} })),
    );
    const revisions = Array.from({ length: 1_001 }, (_, n) => BigInt(n));
    expect(await revisionsOf(client, 's-1')).toEqual(revisions);
    const back = await all(client.readStream('s-1', { direction: BACKWARDS, fromRevision: END }));
    expect(back.map(({ event }) => event?.revision)).toEqual(revisions.toReversed());
  });

  it('with links returns their targets, or only the link', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    const link = (n: number): ReturnType<typeof binaryEvent> =>
      binaryEvent({ type: '$>', data: Buffer.from(`${n}@s-1`) });
    await client.appendToStream('links', [link(1), link(7)]);
    const [found, dead] = await all(client.readStream('links', { resolveLinkTos: true }));
    expect(found).toMatchObject({
      event: { streamId: 's-1', revision: 1n, type: 'B' },
      link: { streamId: 'links', revision: 0n, type: '$>' },
    });
    // Both have the position of the link.
    expect(found?.event?.position).toEqual(found?.link?.position);
    expect(dead).toMatchObject({ link: { streamId: 'links', revision: 1n } });
    expect(dead?.event).toBeUndefined();
    const [unresolved] = await all(client.readStream('links'));
    expect(unresolved?.link).toBeUndefined();
    expect(unresolved?.event?.type).toBe('$>');
  });
});

describe('reading $all', () => {
  it('has one order that includes system events; forward is inclusive of the position, backward exclusive', async () => {
    const { client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    await client.appendToStream('s-2', events('C'));
    const forward = await all(client.readAll());
    expect(typesOf(users(forward))).toEqual(['A', 'B', 'C']);
    expect(forward.length).toBeGreaterThan(3);
    const backward = await all(client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(backward.map(({ event }) => event?.position)).toEqual(
      forward.map(({ event }) => event?.position).toReversed(),
    );
    const b = forward.find(({ event }) => event?.type === 'B')?.event?.position;
    expect(typesOf(await all(client.readAll({ fromPosition: b!, maxCount: 2 })))).toEqual(['B', 'C']);
    expect(typesOf(await all(client.readAll({ fromPosition: b!, direction: BACKWARDS, maxCount: 1 })))).toEqual(['A']);
    expect(await all(client.readAll({ fromPosition: END, direction: FORWARDS }))).toEqual([]);
  });

  it('from the middle of a record is refused', async () => {
    const { client } = await givenServer();
    const { position } = await client.appendToStream('s-1', events('A', 'B'));
    const between = { commit: (position?.commit ?? 0n) - 1n, prepare: (position?.commit ?? 0n) - 1n };
    expect(await refusal(all(client.readAll({ fromPosition: between })))).toMatchObject({ code: 3 });
  });

  it('supports 64-bit numbers', async () => {
    const { client } = await givenServer({ firstPosition: HUGE, firstRevisions: { 's-1': HUGE } });
    const answer = await client.appendToStream('s-1', events('A', 'B'), { expectedRevision: 'no_stream' });
    expect(answer.nextExpectedRevision).toBe(HUGE + 1n);
    expect(answer.position?.commit).toBeGreaterThan(HUGE);
    expect(
      (await client.appendToStream('s-1', events('C'), { expectedRevision: HUGE + 1n })).nextExpectedRevision,
    ).toBe(HUGE + 2n);
    expect(await revisionsOf(client, 's-1')).toEqual([HUGE, HUGE + 1n, HUGE + 2n]);
    const [b] = await all(client.readAll({ fromPosition: answer.position!, maxCount: 1 }));
    expect(b?.event).toMatchObject({ type: 'B', revision: HUGE + 1n, position: answer.position });
  });
});

describe('filters', () => {
  it('cost a pattern in each call, as the server compiles it again, and nothing for prefixes', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'AB', 'B'));
    const subscribed = async (filter: Filter) =>
      typesOf(await take(client.subscribeToAll({ fromPosition: START, filter }), 2));
    expect(await subscribed(eventTypeFilter({ prefixes: ['A'] }))).toEqual(['A', 'AB']);
    expect(await subscribed(streamNameFilter({ prefixes: ['s-'] }))).toEqual(['A', 'AB']);
    expect(server.stats.patternCharacters).toBe(0);
    for (const times of [1, 2]) {
      expect(await subscribed(eventTypeFilter({ regex: '^(?:A|B)$' }))).toEqual(['A', 'B']);
      expect(server.stats.patternCharacters).toBe(9 * times);
    }
  });
});

describe('hidden events', () => {
  it.each([
    ['$tb', { truncateBefore: 2 }, ['C', 'D']],
    ['$maxCount', { maxCount: 1 }, ['D']],
  ] as const)(
    'are hidden in their stream by %s, and removed from $all by a scavenge',
    async (_name, metadata, left) => {
      const { server, client } = await givenServer();
      await client.appendToStream('s-1', events('A', 'B', 'C', 'D'));
      await client.setStreamMetadata('s-1', metadata);
      expect(typesOf(await all(client.readStream('s-1')))).toEqual(left);
      expect(typesOf(await all(client.readStream('s-1', { direction: BACKWARDS, fromRevision: END })))).toEqual(
        left.toReversed(),
      );
      expect(typesOf(users(await all(client.readAll())))).toEqual(['A', 'B', 'C', 'D']);
      expect(server.scavenge()).toBe(4 - left.length);
      expect(typesOf(users(await all(client.readAll())))).toEqual(left);
      expect((await client.appendToStream('s-1', events('E'), { expectedRevision: 3n })).nextExpectedRevision).toBe(4n);
    },
  );

  it('are hidden by $maxAge as time passes', async () => {
    let now = Date.UTC(2026, 0, 1);
    const { client } = await givenServer({ now: () => now });
    await client.setStreamMetadata('s-1', { maxAge: 60 });
    await client.appendToStream('s-1', events('A'));
    now += 61_000;
    await client.appendToStream('s-1', events('B'));
    expect(typesOf(await all(client.readStream('s-1')))).toEqual(['B']);
  });

  it('leave a fully truncated stream empty, not missing', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    await client.setStreamMetadata('s-1', { truncateBefore: 2 });
    expect(await all(client.readStream('s-1'))).toEqual([]);
    server.scavenge();
    // The last event stays, because the numbering depends on it.
    expect(typesOf(users(await all(client.readAll())))).toEqual(['B']);
  });

  it('leave a position that can still be read from after a scavenge', async () => {
    const { server, client } = await givenServer();
    const { position } = await client.appendToStream('s-1', events('A'));
    await client.appendToStream('s-1', events('B'));
    await client.setStreamMetadata('s-1', { maxCount: 1 });
    server.scavenge();
    expect(typesOf(users(await all(client.readAll({ fromPosition: position! }))))).toEqual(['B']);
  });

  it('include all but the newest metadata', async () => {
    const { client } = await givenServer();
    await client.setStreamMetadata('s-1', { maxCount: 3 });
    await client.setStreamMetadata('s-1', { maxCount: 5, own: 'thing' });
    expect(await all(client.readStream('$$s-1'))).toHaveLength(1);
    expect((await client.getStreamMetadata('s-1')).metadata).toEqual({ maxCount: 5, own: 'thing' });
  });
});

describe('deleting', () => {
  it('softly makes a stream missing until the next write, which continues the numbering', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    expect(await refusal(client.deleteStream('s-1', { expectedRevision: 0n }))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 1n,
    });
    await client.deleteStream('s-1', { expectedRevision: 1n });
    expect(await refusal(all(client.readStream('s-1')))).toMatchObject({ type: 'stream-not-found' });
    expect(
      await refusal(client.appendToStream('s-1', events('C'), { expectedRevision: 'stream_exists' })),
    ).toMatchObject({ type: 'stream-deleted' });
    expect(await client.appendToStream('s-1', events('C'), { expectedRevision: 'no_stream' })).toMatchObject({
      nextExpectedRevision: 2n,
    });
    expect(typesOf(await all(client.readStream('s-1')))).toEqual(['C']);
    expect((await client.getStreamMetadata('s-1')).metadata).toEqual({ truncateBefore: 2 });
    expect(typesOf(users(await all(client.readAll())))).toEqual(['A', 'B', 'C']);
    expect(server.scavenge()).toBeGreaterThanOrEqual(2);
    expect(typesOf(users(await all(client.readAll())))).toEqual(['C']);
  });

  it('softly accepts a missing stream', async () => {
    const { client } = await givenServer();
    await client.deleteStream('s-1');
    expect(await client.appendToStream('s-1', events('A'), { expectedRevision: 'no_stream' })).toMatchObject({
      nextExpectedRevision: 0n,
    });
    expect(typesOf(await all(client.readStream('s-1')))).toEqual(['A']);
  });

  it('permanently prevents new writes, and a scavenge keeps only the tombstone', async () => {
    const { server, client } = await givenServer();
    await client.appendToStream('s-1', events('A', 'B'));
    await client.appendToStream('s-2', events('C'));
    expect(await refusal(client.tombstoneStream('s-1', { expectedRevision: 7n }))).toMatchObject({
      type: 'wrong-expected-version',
    });
    await client.tombstoneStream('s-1', { expectedRevision: 1n });
    expect(await refusal(all(client.readStream('s-1')))).toMatchObject({ type: 'stream-deleted', streamName: 's-1' });
    for (const how of [{}, CREDENTIALS]) {
      expect(await refusal(client.appendToStream('s-1', events('D'), how))).toMatchObject({
        type: 'stream-deleted',
        streamName: 's-1',
      });
    }
    expect(await refusal(client.tombstoneStream('s-1'))).toMatchObject({ type: 'stream-deleted' });
    expect(await refusal(client.deleteStream('s-1'))).toMatchObject({ type: 'stream-deleted' });
    expect(typesOf(users(await all(client.readAll())))).toEqual(['A', 'B', 'C']);
    server.scavenge();
    const left = (await all(client.readAll())).filter(({ event }) => event?.streamId.startsWith('s-'));
    expect(typesOf(left)).toEqual(['C', '$streamDeleted']);
  });
});
