/**
 * The EventStoreDB adapter during failures: answers lost after the commit, broken connections, a server that is
 * unavailable, too old, or refuses access.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type EventStore,
  InvalidAppend,
  MAX_EVENT_BYTES,
  RevisionConflict,
  StoreClosed,
  StoreUnavailable,
} from '../../../src/eventStore/eventStore.ts';
import { type EventStoreDbOptions, openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { EventStoreDbConnection } from '../../../src/eventStore/eventStoreDb/eventStoreDbConnection.ts';
import { parseEventStoreDbUrl } from '../../../src/eventStore/eventStoreDb/eventStoreDbUrl.ts';
import {
  eventsOf,
  idsOf,
  newEvent,
  newEvents,
  refusal,
  seededRandom,
  wholeLog,
  yields,
} from '../../contract/eventStoreHarness.ts';
import { FULL, runs } from '../../given/fullForm.ts';
import { startProcess } from '../../given/product/processes.ts';
import { createCertificate } from '../../servers/certificate.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

type ServerOptions = Parameters<typeof startEventStoreDbServer>[0];

async function serverWith(options: ServerOptions = {}): Promise<EventStoreDbServer> {
  const server = await startEventStoreDbServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function storeAt(url: string, options: Partial<EventStoreDbOptions> = {}): Promise<EventStore> {
  const store = await openEventStoreDb({ url, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Of each of 20 concurrent callers. */
const ROUNDS = FULL ? 50 : 8;

describe('lost answers', () => {
  it(`nothing is lost or duplicated when 30 % of ${20 * ROUNDS} answers are lost after the commit, with 20 concurrent callers`, async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 60_000 });
    const random = seededRandom(11);
    const lost = new Set<string>();
    server.faults.dropAnswersWhen(() => random() < 0.3);
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let round = 0; round < ROUNDS; round++) {
          const event = newEvent('Counted', { writer, round });
          lost.add(event.id);
          const { revision } = await store.append(`writer-${writer}`, [event], {
            expected: round === 0 ? 'no_stream' : BigInt(round - 1),
          });
          expect(revision).toBe(BigInt(round));
        }
      }),
    );
    server.faults.dropAnswersWhen(undefined);
    expect(server.faults.counts.lostAnswers).toBeGreaterThan(5 * ROUNDS);
    const log = await wholeLog(store);
    expect(idsOf(log).toSorted()).toEqual([...lost].toSorted());
    for (let writer = 0; writer < 20; writer++) {
      expect((await eventsOf(store, `writer-${writer}`)).map((event) => event.data)).toEqual(
        Array.from({ length: ROUNDS }, (_, round) => ({ writer, round })),
      );
    }
  }, 120_000);

  it('concurrent appends keep their order when requests and answers are lost', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 60_000 });
    const random = seededRandom(3);
    server.faults.dropAnswersWhen(() => random() < 0.05);
    const ids: string[] = [];
    for (let round = 0; round < 10; round++) {
      const events = newEvents(60);
      ids.push(...idsOf(events));
      const appends = events.map((event, index) =>
        store.append(`thing-${index}`, [event], { expected: round === 0 ? 'no_stream' : BigInt(round - 1) }),
      );
      await yields(Math.floor(random() * 10));
      if (round % 2 === 0) server.faults.dropRequestBeforeCommit(1);
      else server.faults.resetConnections();
      await Promise.all(appends);
    }
    expect(server.faults.counts.lostAnswers).toBeGreaterThan(10);
    expect(idsOf(await wholeLog(store))).toEqual(ids);
  }, 120_000);

  it('an append without an exact revision is looked up before it is sent again', async () => {
    const server = await serverWith({ recentIds: 0 });
    const store = await storeAt(server.url);
    await store.append('thing-1', newEvents(3), { expected: 'any' });
    for (let round = 0; round < 2; round++) {
      server.faults.dropAnswerAfterCommit(2);
      const events = newEvents(2);
      const result = await store.append('thing-1', events, { expected: 'any' });
      expect(
        (await eventsOf(store, 'thing-1'))
          .filter((event) => event.revision > result.revision - 2n)
          .map((event) => event.id),
      ).toEqual(idsOf(events));
    }
    expect(await eventsOf(store, 'thing-1')).toHaveLength(7);
  });

  it('a request that was lost before the commit is sent again', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    server.faults.dropRequestBeforeCommit(2);
    expect((await store.append('thing-1', newEvents(2), { expected: 'no_stream' })).revision).toBe(1n);
    expect(await wholeLog(store)).toHaveLength(2);
  });

  it('silence ends with the deadline, and the retry finds what was written', async () => {
    const server = await serverWith();
    const store = await storeAt(`${server.url}&defaultDeadline=300`);
    server.faults.dropAnswerAfterCommit(1, 'silence');
    expect((await store.append('thing-1', newEvents(2), { expected: 'no_stream' })).revision).toBe(1n);
    expect(await wholeLog(store)).toHaveLength(2);
  });

  it('a server that took too long to say that it has written is asked again, and nothing is written twice', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    for (const expected of ['no_stream', 1n, 'any'] as const) {
      server.faults.dropAnswerAfterCommit(1, 'timeout');
      await store.append('thing-1', newEvents(2), { expected });
    }
    expect(server.faults.counts.lostAnswers).toBe(3);
    expect(await wholeLog(store)).toHaveLength(6);
  });

  it('a deletion and a truncation whose answers were lost are done once', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    for (const stream of ['a-1', 'b-1']) await store.append(stream, newEvents(4), { expected: 'no_stream' });
    server.faults.dropAnswerAfterCommit(2);
    await store.truncate('a-1', 2n);
    await store.delete('b-1', { expected: 3n });
    expect(await eventsOf(store, 'a-1')).toHaveLength(2);
    expect(await store.read('b-1')).toEqual({ status: 'deleted' });
  });

  it('concurrent writes of others are a conflict, not a repetition', async () => {
    const server = await serverWith();
    const [store, other] = [await storeAt(server.url), await storeAt(server.url)];
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    server.faults.dropRequestBeforeCommit(1);
    const [mine, theirs] = await Promise.allSettled([
      store.append('thing-1', newEvents(1), { expected: 0n }),
      other.append('thing-1', newEvents(2), { expected: 0n }),
    ]);
    // Whichever came first, never both, and never a part.
    expect([mine.status, theirs.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await eventsOf(store, 'thing-1')).toHaveLength(mine.status === 'fulfilled' ? 2 : 3);
  });
});

describe('existing ids', () => {
  it('are known to a process that did not write them', async () => {
    const server = await serverWith();
    const first = await storeAt(server.url);
    const [a, b] = [newEvent('Made', { n: 1 }), newEvent('Made', { n: 2 })];
    const result = await first.append('thing-1', [a, b], { expected: 'no_stream' });
    const second = await storeAt(server.url);
    expect(await second.append('thing-1', [a, b], { expected: 'no_stream' })).toEqual(result);
    const third = await storeAt(server.url);
    expect(
      await refusal(third.append('thing-1', [a, { ...b, data: { n: 3 } }], { expected: 'no_stream' })),
    ).toMatchObject({ actual: 1n });
    expect(await refusal(third.append('thing-1', [{ ...b, data: { n: 3 } }], { expected: 0n }))).toBeInstanceOf(
      RevisionConflict,
    );
    // At the new revision the server would write it again, so a process that has read the stream does not send it.
    const fourth = await storeAt(server.url);
    await fourth.read('thing-1');
    expect(await refusal(fourth.append('thing-1', [a], { expected: 1n }))).toBeInstanceOf(InvalidAppend);
    expect(await eventsOf(fourth, 'thing-1')).toHaveLength(2);
  });
});

describe('a stream softly deleted with other tools', () => {
  it('is missing, continues where it ended when it is written again, and can be deleted for good', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    const client = EventStoreDBClient.connectionString(server.url);
    const deleteSoftly = async () => void (await client.deleteStream('thing-1'));
    await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
    await deleteSoftly();
    for (const one of [store, await storeAt(server.url)])
      expect(await one.read('thing-1')).toEqual({ status: 'missing' });
    const events = newEvents(2);
    const appended = await store.append('thing-1', events, { expected: 'no_stream' });
    expect(appended.revision).toBe(4n);
    expect(await (await storeAt(server.url)).append('thing-1', events, { expected: 'no_stream' })).toEqual(appended);
    expect(await store.read('thing-1')).toMatchObject({ revision: 4n, events: events.map(({ id }) => ({ id })) });
    await deleteSoftly();
    await store.delete('thing-1');
    expect(await store.read('thing-1')).toEqual({ status: 'deleted' });
    await client.dispose();
  });
});

describe('an unavailable server', () => {
  it('fails calls within a time limit, and serves them again automatically when it is back', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 150 });
    await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
    await server.stop();
    const calls = [
      () => store.append('thing-1', newEvents(1), { expected: 1n }),
      () => store.read('thing-1'),
      () => store.readAll(),
      () => store.head(),
      () => store.truncate('thing-1', 1n),
      () => store.delete('thing-1'),
    ];
    for (const error of await Promise.all(calls.map((call) => refusal(call())))) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toContain(`127.0.0.1:${server.port}`);
    }
    await server.start();
    expect((await store.append('thing-1', newEvents(1), { expected: 1n })).revision).toBe(2n);
    expect(await eventsOf(store, 'thing-1')).toHaveLength(3);
  });

  it('answers a waiting call when it is back', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 30_000 });
    await server.stop();
    const appended = store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    const read = store.read('thing-1');
    await server.start();
    expect((await appended).revision).toBe(0n);
    await read;
  });

  it('is retried after refusals', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    server.faults.refuse(3);
    expect((await store.append('thing-1', newEvents(1), { expected: 'no_stream' })).revision).toBe(0n);
    server.faults.refuse(2);
    expect(await eventsOf(store, 'thing-1')).toHaveLength(1);
  });

  it('breaks connections in the middle at the cost of a retry only', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 60_000 });
    const random = seededRandom(5);
    const rounds = runs(60);
    for (let round = 0; round < rounds; round++) {
      const appended = store.append('thing-1', newEvents(10), {
        expected: round === 0 ? 'no_stream' : BigInt(round * 10 - 1),
      });
      const read = store.read('thing-1');
      await yields(Math.floor(random() * 12));
      server.faults.resetConnections();
      expect((await appended).revision).toBe(BigInt(round * 10 + 9));
      const seen = await read;
      expect(seen.status === 'found' ? seen.events.length % 10 : 0).toBe(0);
    }
    expect(await wholeLog(store)).toHaveLength(10 * rounds);
  });

  it('does not delay closing', async () => {
    const server = await serverWith();
    const store = await openEventStoreDb({ url: server.url, retryForMs: 600_000 });
    await server.stop();
    const appended = refusal(store.append('thing-1', newEvents(1), { expected: 'no_stream' }));
    const read = refusal(store.read('thing-1'));
    await store.close();
    expect(await appended).toBeInstanceOf(StoreUnavailable);
    expect(await read).toBeInstanceOf(StoreUnavailable);
    expect(await refusal(store.read('thing-1'))).toBeInstanceOf(StoreClosed);
  });
});

describe('opening', () => {
  const failing = (url: string, connectTimeoutMs = 100) => refusal(openEventStoreDb({ url, connectTimeoutMs }));

  it('names the unavailable server without its password', async () => {
    const server = await serverWith();
    await server.stop();
    const error = await failing(`esdb://someone:s3cret@127.0.0.1:${server.port}?tls=false`);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toContain(`127.0.0.1:${server.port}`);
    expect(error.message).not.toMatch(/someone|s3cret/);
  });

  it.each([
    [
      'a single node',
      (port: number) => `esdb://127.0.0.1:${port}?tls=false`,
      /connect ECONNREFUSED [\d.:]+\. Is it running, and is the address right/,
    ],
    [
      'a cluster',
      (port: number) => `esdb+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=1`,
      /[a-z\d]\. Is it running, and/,
    ],
  ])('says what is wrong with %s in whole sentences', async (_, urlOf, wording) => {
    const server = await serverWith();
    await server.stop();
    const { message } = await failing(urlOf(server.port));
    expect(message).toMatch(wording);
    expect(message).not.toMatch(/Resolution note:\s*(?:Is it|$)|\.\.|\. \./);
  });

  it('says what went wrong later in whole sentences, too', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { retryForMs: 0 });
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    await server.stop();
    for (const call of [
      () => store.read('thing-1'),
      () => store.readAll(),
      () => store.append('thing-1', newEvents(1), { expected: 0n }),
    ])
      expect((await refusal(call())).message).toMatch(
        /^The event store at [\d.:]+ does not answer: (?!.*Resolution note:\s*\.?$).*[^.]\.$/,
      );
  });

  it('waits for a server that is about to start', async () => {
    const server = await serverWith();
    await server.stop();
    const opening = openEventStoreDb({ url: server.url, connectTimeoutMs: 20_000 });
    await server.start();
    await (await opening).close();
  });

  it('refuses a server that is too old', async () => {
    const server = await serverWith();
    for (const version of ['22.6.0', '21.10.8', '20.10.4', '5.0.11', 'unknown']) {
      server.faults.pretendVersion(version);
      const error = await failing(server.url, 10_000);
      expect(error.code).toBe('STORE_TOO_OLD');
      expect(error.message).toContain('22.10 or later is needed');
    }
    for (const version of ['22.10.0', '24.10.4']) {
      server.faults.pretendVersion(version);
      await (await openEventStoreDb({ url: server.url })).close();
    }
  });

  it('uses TLS with the credentials of the address, and explains wrong ones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'event-store-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
    const tls = createCertificate({ names: ['localhost'], from, to });
    const file = join(folder, 'ca file.pem');
    writeFileSync(file, tls.cert);
    const server = await serverWith({ tls, credentials: { username: 'workbench', password: 'p:a/s@s%' } });
    const url = `${server.url}&tlsCaFile=${encodeURIComponent(file)}`;
    const store = await storeAt(url);
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    expect(await eventsOf(store, 'thing-1')).toHaveLength(1);
    const denied = await failing(url.replace(encodeURIComponent('p:a/s@s%'), 'wr0ng'), 10_000);
    expect(denied.code).toBe('STORE_ACCESS_DENIED');
    expect(denied.message).toContain(`localhost:${server.port}`);
    expect(denied.message).not.toMatch(/wr0ng|workbench/);
    // An untrusted certificate, and a server that requires TLS, called without.
    expect(await failing(server.url)).toBeInstanceOf(StoreUnavailable);
    expect(await failing(`esdb://localhost:${server.port}?tls=false`)).toBeInstanceOf(StoreUnavailable);
  });

  it('explains an invalid address, without its credentials', async () => {
    const bad = [
      'http://someone:s3cret@host',
      'esdb://someone:s3cret@',
      'esdb://someone:s3cret@host:99999',
      'esdb://someone:s3cret@host?unknownOption=1',
      'esdb://someone:s3cret@host?tls=maybe',
      'esdb://someone:s3cret@host?tlsVerifyCert=false',
      'esdb://someone:s3cret@host?tlsCaFile=/no/such/file',
      'esdb://someone:s3cret@host?userCertFile=/no/such/file',
      'esdb://someone:s3cret@host?defaultDeadline=soon',
      'esdb://someone:s3cret@a,b?nodePreference=nobody',
      'esdb://someone:%zz@host',
    ];
    for (const url of bad) {
      const error = await failing(url);
      expect(error.code, url).toBe('INVALID_STORE_URL');
      expect(error.message).not.toMatch(/someone|s3cret|%zz/);
    }
  });

  it('switches to the leader when its node no longer leads, for every kind of call', async () => {
    const [before, after] = [await serverWith(), await serverWith()];
    const store = await storeAt(before.url);
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    before.faults.follow({ host: '127.0.0.1', port: after.port });
    const other = await storeAt(after.url);
    await other.append('thing-1', newEvents(3), { expected: 'no_stream' });
    expect(await store.head()).toBe(await other.head());
    expect(await store.read('thing-1')).toMatchObject({ revision: 2n });
    await store.append('thing-1', newEvents(1), { expected: 2n });
    const reopened = await storeAt(before.url);
    for await (const message of reopened.subscribe()) if (message.kind === 'caughtUp') break;
    await reopened.delete('thing-1', { expected: 3n });
    expect(await other.read('thing-1')).toEqual({ status: 'deleted' });
  });

  it('appends that were under way go to the new leader, in their order and once', async () => {
    const [before, after] = [await serverWith(), await serverWith()];
    const store = await storeAt(before.url);
    // The call that carries appends is open.
    await store.append('first-1', newEvents(1), { expected: 'no_stream' });
    before.faults.follow({ host: '127.0.0.1', port: after.port });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.append(`thing-${n}`, newEvents(2), { expected: 'no_stream' })),
    );
    expect(answers.every(({ revision }) => revision === 1n)).toBe(true);
    const log = await wholeLog(await storeAt(after.url));
    expect(log.map((event) => event.stream)).toEqual(
      Array.from({ length: 20 }, (_, n) => [`thing-${n}`, `thing-${n}`]).flat(),
    );
  });

  it('finds a cluster by its gossip', async () => {
    const server = await serverWith();
    const gone = await serverWith();
    await gone.stop();
    for (const url of [
      `esdb+discover://127.0.0.1:${server.port}?tls=false`,
      `esdb://127.0.0.1:${gone.port},127.0.0.1:${server.port}?tls=false&discoveryInterval=10`,
    ]) {
      const store = await openEventStoreDb({ url });
      await store.append('thing-1', newEvents(1), { expected: 'any' });
      await store.close();
    }
    const nobody = await failing(
      `esdb+discover://127.0.0.1:${gone.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`,
    );
    expect(nobody).toBeInstanceOf(StoreUnavailable);
  });
});

describe('where the client is wrapped', () => {
  it('a broken connection fails no append to another server, and raises no unhandled error', async () => {
    const [near, far] = [await serverWith(), await serverWith()];
    const [one, other] = [await storeAt(near.url), await storeAt(far.url)];
    const [heldNear, heldFar] = [near.faults.holdWrites(), far.faults.holdWrites()];
    const mine = one.append('thing-1', newEvents(1), { expected: 'no_stream' });
    const theirs = other.append('thing-1', newEvents(1), { expected: 'no_stream' });
    await Promise.all([heldNear.held, heldFar.held]);
    near.faults.resetConnections();
    heldFar.release();
    expect((await theirs).revision).toBe(0n);
    heldNear.release();
    expect((await mine).revision).toBe(0n);
    expect(far.faults.counts.writes).toBe(1);
    expect(await wholeLog(one)).toHaveLength(1);
  });

  it('a log is filtered by the server, not by the client', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    await store.append('rare-1', [newEvent('Rare')], { expected: 'no_stream' });
    await store.append(
      'thing-1',
      newEvents(400).map((event) => ({ ...event, data: { text: 'x'.repeat(2_000) } })),
      { expected: 'no_stream' },
    );
    await store.append('rare-2', [newEvent('Rare')], { expected: 'no_stream' });
    const before = server.stats.bytesSent;
    for (const filter of [{ types: ['Rare'] }, { streamPrefixes: ['rare-'] }])
      expect((await store.readAll({ filter })).events).toHaveLength(2);
    expect(server.stats.bytesSent - before).toBeLessThan(20_000);
  });

  it('types are asked for as prefixes: no call makes the server compile a pattern of them', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    await store.append('thing-1', [newEvent('Type7'), newEvent('Type77'), newEvent('Other')], {
      expected: 'no_stream',
    });
    const before = server.stats.patternCharacters;
    const types = Array.from({ length: 167 }, (_, n) => `Type${n}`);
    for (const filter of [
      { types },
      { types, streamPrefixes: ['thing-'] },
      { types: [] },
      { streamPrefixes: [] },
      { streamPrefixes: ['thing-'] },
    ]) {
      await store.readAll({ filter });
      await store.readAll({ filter, direction: 'backward' });
      for await (const message of store.subscribe({ filter })) if (message.kind === 'caughtUp') break;
    }
    await store.alteredStreams?.();
    expect(server.stats.patternCharacters).toBe(before);
    // Without a filter the server's own events are left out by a pattern, which is short.
    await store.readAll();
    expect(server.stats.patternCharacters - before).toBeLessThan(10);
  });

  it('reading has a deadline: a silent connection is not awaited', async () => {
    const server = await serverWith();
    const line = await lineTo(server.port);
    const store = await openEventStoreDb({
      url: `esdb://127.0.0.1:${line.port}?tls=false&defaultDeadline=200`,
      retryForMs: 0,
    });
    expect(await store.read('thing-1')).toEqual({ status: 'missing' });
    line.freeze();
    for (const call of [() => store.read('thing-1'), () => store.readAll(), () => store.head()]) {
      expect(await refusal(call())).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('nothing came for 200 ms'),
      });
    }
    line.end();
    await store.close();
  });

  /** A connection to the server that can stall without breaking. */
  async function lineTo(port: number) {
    const ends: Socket[] = [];
    const listener = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      for (const end of [near, far]) ends.push(end.on('error', () => undefined));
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const end = () => {
      for (const socket of ends) socket.destroy();
      listener.close();
    };
    onTestFinished(end);
    return {
      port: (listener.address() as AddressInfo).port,
      freeze: () => {
        for (const socket of ends) socket.unpipe().pause();
      },
      end,
    };
  }
});

describe('limits and foreign events', () => {
  it('an append too large for the server is refused with its reason, and the store stays usable', async () => {
    const server = await serverWith({ maxAppendBytes: 200_000 });
    const store = await storeAt(server.url);
    const large = newEvents(3).map((event) => ({ ...event, data: { text: 'x'.repeat(100_000) } }));
    const error = await refusal(store.append('thing-1', large, { expected: 'no_stream' }));
    expect(error.code).toBe('APPEND_TOO_LARGE');
    expect(error.message).toContain('MaxAppendSize');
    await store.append('thing-1', large.slice(0, 1), { expected: 'no_stream' });
  });

  it('a batch far beyond the size of one message is written whole', async () => {
    const server = await serverWith({ maxAppendBytes: 64 * 1024 * 1024 });
    const store = await storeAt(server.url);
    const events = newEvents(20).map((event) => ({ ...event, data: { text: 'y'.repeat(MAX_EVENT_BYTES - 200) } }));
    expect((await store.append('thing-1', events, { expected: 'no_stream' })).revision).toBe(19n);
    // Pages end early when their events are large, and none is omitted.
    const page = await store.readAll();
    expect(page.end).toBe(false);
    expect(page.events.length).toBeLessThan(12);
    expect(idsOf(await wholeLog(store))).toEqual(idsOf(events));
  });

  it('foreign events in the log disturb nothing', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    const stranger = EventStoreDBClient.connectionString(server.url);
    onTestFinished(() => stranger.dispose());
    const binary = {
      id: newEvent().id,
      contentType: 'application/octet-stream' as const,
      type: 'Binary',
      data: new Uint8Array([0, 255, 7]),
      metadata: undefined,
    };
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    await stranger.appendToStream('thing-1', [
      binary,
      jsonEvent({ type: 'Text', data: 'text' as never }),
      jsonEvent({ type: 'Made', data: { n: 1 } }),
    ]);
    await stranger.appendToStream('$ce-thing', [
      { ...binary, id: newEvent().id, type: '$>', data: new TextEncoder().encode('7@gone-1') },
    ]);
    const [last] = await Promise.all([store.append('thing-1', newEvents(1), { expected: 3n })]);
    const read = await store.read('thing-1');
    expect(read).toMatchObject({
      status: 'found',
      revision: 4n,
      events: [
        { revision: 0n },
        { revision: 3n, metadata: { actor: { kind: 'system', id: 'unknown' } } },
        { revision: 4n },
      ],
    });
    expect((await wholeLog(store)).map((event) => event.revision)).toEqual([0n, 3n, 4n]);
    for await (const message of store.subscribe()) {
      if (message.kind !== 'caughtUp') continue;
      expect(message.position).toBe(last?.position);
      break;
    }
  });
});

it('thousands of calls share one connection, and none of them is broken off', async () => {
  const server = await serverWith();
  const store = await storeAt(server.url);
  await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
  const stop = new AbortController();
  let messages = 0;
  const following = (async () => {
    for await (const message of store.subscribe({ signal: stop.signal })) messages += message.kind === 'events' ? 0 : 1;
  })();
  for (let round = 0; round < 500; round++) {
    await Promise.all([
      store.head(),
      store.head(),
      store.head(),
      store.readAll({ limit: 1 }),
      store.readAll({ direction: 'backward', limit: 1 }),
      store.read('none-1'),
    ]);
  }
  stop.abort();
  await following;
  // A second catch-up would show that the first connection was lost.
  expect(messages).toBe(1);
});

describe('consumer groups of an earlier version', () => {
  it('are deleted in the background when nobody is connected to them; other groups stay', async () => {
    const server = await serverWith();
    for (const [group, consumers] of [
      ['audits', 0],
      ['mails', 2],
      ['webhooks', 0],
      ['webhook-tries', 0],
      ['reports', 0],
    ] as const) {
      server.groups.set(group, consumers);
    }
    await storeAt(server.url);
    await storeAt(server.url, { removesOldGroups: true });
    while (server.groups.size > 2) await yields();
    expect([...server.groups.keys()]).toEqual(['mails', 'reports']);
    server.groups.set('mails', 0);
    await storeAt(server.url, { removesOldGroups: true });
    while (server.groups.size > 1) await yields();
    expect([...server.groups.keys()]).toEqual(['reports']);
  });

  it('cause no failure where there are none, or they cannot be deleted', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url, { removesOldGroups: true });
    server.groups.set('audits', 0);
    server.faults.refuse(1);
    const other = await storeAt(server.url, { removesOldGroups: true });
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    expect(await eventsOf(other, 'thing-1')).toHaveLength(1);
  });
});

describe('a call that cannot be started', () => {
  it('fails for its caller, and for nobody else', async () => {
    const server = await serverWith();
    const connection = new EventStoreDbConnection(parseEventStoreDbUrl(server.url));
    await connection.end();
    const unheard: unknown[] = [];
    const hear = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const read = connection.received(connection.readAll({ maxCount: 1 }));
    await expect(read.next()).rejects.toThrow('Channel has been shut down');
    await yields();
    expect(unheard).toEqual([]);
  });
});

describe('a process', () => {
  function childAt(server: EventStoreDbServer, started: RegExp, timeoutMs = 20_000) {
    const entry = fileURLToPath(new URL('eventStoreDbChild.ts', import.meta.url));
    const child = startProcess({ name: 'child', entry, args: [server.url, String(timeoutMs)], started });
    onTestFinished(() => child.kill());
    return child;
  }

  it('is not kept alive after the store was closed', async () => {
    const server = await serverWith();
    const store = await storeAt(server.url);
    await store.append('thing-1', newEvents(1), { expected: 'no_stream' });
    const child = childAt(server, /(closed)/);
    const ended = once(child.child, 'close');
    await child.started;
    expect([(await ended)[0], child.stderr()]).toEqual([0, '']);
  });

  it('that waits for its server stays alive until the result is known', async () => {
    const server = await serverWith();
    await server.stop();
    const child = childAt(server, /(away)/, 500);
    await child.started;
    expect(child.output()).toContain(`127.0.0.1:${server.port} does not answer`);
  });
});
