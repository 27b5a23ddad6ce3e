/**
 * A process of its own on an EventStoreDB server: `node --import tsx eventStoreDbChild.ts <url> hold|leave`.
 * `hold` takes one event as a worker does, says `took <position>`, and tries to acknowledge it each 20 ms: `acked`, or `lost` and the end.
 * `leave` uses everything, closes, and says `closed`: nothing may keep it alive then.
 * Where no server is, it says `away` after half a second of trying.
 */
import { writeSync } from 'node:fs';
import type { Delivery } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb.ts';

const [, , url = '', mode] = process.argv;
const store = await openEventStoreDb({ url, connectTimeoutMs: 500 }).catch((error: Error) => {
  say(`away ${error.message}`);
  process.exit(0);
});
const GROUP = { group: 'workers', filter: { types: ['ThingHappened'] } };

if (mode === 'leave') await leave();
else for await (const delivery of store.consume(GROUP)) await hold(delivery);

async function hold(delivery: Delivery): Promise<void> {
  say(`took ${delivery.event.position}`);
  // A paused process does not know that it was: it goes on as if nothing had happened.
  const timer = setInterval(() => {
    delivery.extend().catch(async () => {
      clearInterval(timer);
      await delivery.ack().then(
        () => say('acked'),
        (error: Error) => say(`lost ${error.name} ${(error as { code?: string }).code}`),
      );
      process.exit(0);
    });
  }, 20);
  await new Promise(() => undefined);
}

async function leave(): Promise<void> {
  const following = (async () => {
    for await (const message of store.subscribe()) say(message.kind);
  })();
  const consuming = (async () => {
    for await (const delivery of store.consume(GROUP)) say(`took ${delivery.event.position}`);
  })();
  await store.readAll();
  await store.close();
  await Promise.all([following, consuming]);
  say('closed');
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
