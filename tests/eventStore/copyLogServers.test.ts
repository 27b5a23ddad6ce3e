/**
 * Copying a log to and from an EventStoreDB server: failed appends, the number of calls, and when streams are closed.
 */
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore, RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { newEvents, wholeLog } from '../contract/eventStoreHarness.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../servers/eventStoreDb.ts';

const STREAMS = 300;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0).reverse()) await end();
});

async function givenServer(): Promise<EventStoreDbServer> {
  const server = await startEventStoreDbServer();
  ends.push(() => server.close());
  return server;
}

async function givenStore({ url }: EventStoreDbServer, retryForMs?: number): Promise<EventStore> {
  const store = await openEventStoreDb({ url, ...(retryForMs !== undefined && { retryForMs }) });
  ends.push(() => store.close());
  return store;
}

/** One event in each stream, so that each is an append of its own. */
async function fill(store: EventStore, streams = STREAMS): Promise<void> {
  for (let n = 0; n < streams; n += 1) await store.append(`thing-${n}`, newEvents(1), { expected: 'no_stream' });
}

const contents = (events: readonly RecordedEvent[]) =>
  events.map(({ stream, id, type, data, metadata }) => ({ stream, id, type, data, metadata }));

it('an append without an answer ends the copy: later ones are not sent again, and the copy can be continued', async () => {
  const [source, server] = [rawEventStore(), await givenServer()];
  await fill(source);
  let elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  const to = await givenStore(server, 500);
  const from = Object.assign(Object.create(source) as EventStore, {
    async readAll({ after }: NonNullable<Parameters<EventStore['readAll']>[0]> = {}) {
      await setImmediate();
      await setImmediate();
      // The first batch has been sent by now: its time is up, and that of the others has just begun.
      if (after === '00000000000000000250') elapsed = 600;
      return source.readAll({ limit: 125, ...(after !== undefined && { after }) });
    },
  });
  const { held, release } = server.faults.holdWrites(STREAMS);
  server.faults.dropRequestBeforeCommit(STREAMS);
  const copying = copyLog({ from, to });
  await held;
  release();
  await expect(copying).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(to.head()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  const again = await givenStore(server);
  expect(await copyLog({ from: source, to: again })).toMatchObject({ copied: STREAMS });
  expect(contents(await wholeLog(again))).toEqual(contents(await wholeLog(source)));
});

it('only streams that may hide events are queried on a server', async () => {
  const server = await givenServer();
  const store = await givenStore(server);
  await fill(store, 100);
  await store.append('thing-1', newEvents(2), { expected: 0n });
  await store.truncate('thing-1', 2n);
  await store.delete('thing-2');
  const asked: string[] = [];
  const from = Object.assign(Object.create(store) as EventStore, {
    read(...input: Parameters<EventStore['read']>) {
      asked.push(input[0]);
      return store.read(...input);
    },
  });
  const to = rawEventStore();
  expect(await copyLog({ from, to })).toMatchObject({ copied: 99, renumbered: 1, deleted: 1 });
  expect(asked.sort()).toEqual(['thing-1', 'thing-2']);
  expect(await to.read('thing-2')).toEqual({ status: 'deleted' });
});

it('streams are closed once, after everything is written', async () => {
  const [source, target] = [rawEventStore(), rawEventStore()];
  await fill(source);
  await source.delete('secret-1');
  const calls: string[] = [];
  const to = Object.assign(Object.create(target) as EventStore, {
    append(...input: Parameters<EventStore['append']>) {
      calls.push('append');
      return target.append(...input);
    },
    delete(...input: Parameters<EventStore['delete']>) {
      calls.push(`delete ${input[0]}`);
      return target.delete(...input);
    },
  });
  expect(await copyLog({ from: source, to, closes: () => ['secret-1', 'open-1'] })).toMatchObject({
    copied: STREAMS,
    deleted: 1,
  });
  expect(calls).toEqual([...Array.from({ length: STREAMS }, () => 'append'), 'delete secret-1']);
});
