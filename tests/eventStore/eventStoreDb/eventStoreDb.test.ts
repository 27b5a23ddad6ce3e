/**
 * The contract suite on the EventStoreDB adapter: on the protocol's test server, and on a real one when
 * TEST_EVENTSTORE_URL names it.
 */
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { describeEventStore } from '../../contract/eventStore.ts';
import { type EventStoreFactory, newEvent, yields } from '../../contract/eventStoreHarness.ts';
import { scopedEventStore } from '../../given/stores/scopedEventStore.ts';
import { startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

/** As compose.yaml sets it. */
const MAX_APPEND_BYTES = 4 * 1024 * 1024;

const onTestServer: EventStoreFactory = async ({ lastRevision } = {}) => {
  const firstRevisions = lastRevision === undefined ? undefined : { [lastRevision.stream]: lastRevision.revision };
  const server = await startEventStoreDbServer({
    maxAppendBytes: MAX_APPEND_BYTES,
    ...(firstRevisions && { firstRevisions }),
  });
  const open = () => openEventStoreDb({ url: server.url });
  const store = await open();
  if (lastRevision !== undefined) {
    await store.append(lastRevision.stream, [newEvent()], { expected: 'no_stream' });
    await store.truncate(lastRevision.stream, lastRevision.revision + 1n);
    server.scavenge();
  }
  const stores: EventStore[] = [store];
  return {
    store,
    // The server runs in this process, so everything in flight arrives within a number of event loop turns.
    idle: () => yields(300),
    erase: async () => {
      server.scavenge();
    },
    reopen: async () => {
      const before = stores.at(-1);
      const again = await open();
      stores.push(again);
      // The connections break, as when a process is killed, and it does not come back.
      server.faults.resetConnections();
      await before?.close();
      return again;
    },
    end: async () => {
      for (const one of stores) await one.close();
      await server.close();
    },
  };
};

const ofTheServer = "files and processes are the server's own";
const readAhead =
  'the transport reads ahead within bounds: tests/eventStore/eventStoreDb/eventStoreDbSubscriptions.test.ts';
const exceptions = {
  ES35: readAhead,
  'a subscription that is behind passes over what was deleted meanwhile': readAhead,
  ES51: ofTheServer,
  ES52: ofTheServer,
  ES53: ofTheServer,
};

describeEventStore('EventStoreDB protocol server', onTestServer, { exceptions });

/** Each case has its own part of the log. The server needs MaxAppendSize of 4 MiB, and no other writers meanwhile. */
const onRealServer =
  (url: string): EventStoreFactory =>
  async () => {
    const open = () => openEventStoreDb({ url });
    const prefix = `contract-${randomUUID()}-`;
    let current = await open();
    const from = await current.head();
    const stores = [current];
    return {
      store: scopedEventStore(current, prefix, from),
      // As long as a number of its answers takes.
      idle: async () => {
        for (let answer = 0; answer < 25; answer++) await current.head();
      },
      erase: async () => undefined,
      reopen: async () => {
        await current.close();
        current = await open();
        stores.push(current);
        return scopedEventStore(current, prefix, from);
      },
      end: async () => {
        for (const one of stores) await one.close();
      },
    };
  };

const unscavenged = 'what was deleted stays in the log until an administrator has the server scavenged';
const shared = "the log is not the test's own: its head moves by what the server writes";
const onReal = {
  ...exceptions,
  ES08: 'no test can bring a stream there by appending',
  ES14: 'the prefix of the case makes the longest name too long',
  ES29: shared,
  ES30: unscavenged,
  ES31: unscavenged,
  ES32: shared,
  ES47: unscavenged,
  ES49: unscavenged,
  'a filtered subscription reports its progress through events that it hides, and hears nothing twice': shared,
};

const realServer = process.env.TEST_EVENTSTORE_URL;
if (realServer !== undefined && realServer !== '')
  describeEventStore('EventStoreDB server', onRealServer(realServer), { exceptions: onReal });
else
  describe.skip('event store contract: EventStoreDB server (TEST_EVENTSTORE_URL names none)', () =>
    void it('runs', () => undefined));
