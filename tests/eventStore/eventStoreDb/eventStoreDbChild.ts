/**
 * A process of its own on an EventStoreDB server: `eventStoreDbChild.ts <url> <milliseconds to connect>`. It uses
 * everything, closes, and prints `closed`: nothing may keep it alive then. Without a server, it prints `away` when the
 * time is up.
 */
import { writeSync } from 'node:fs';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';

const [, , url = '', retryPolicy = ''] = process.argv;
const store = await openEventStoreDb({ url, connectTimeoutMs: Number(retryPolicy) }).catch((error: Error) => {
  say(`away ${error.message}`);
  process.exit(0);
});
const following = (async () => {
  for await (const message of store.subscribe()) say(message.kind);
})();
await store.readAll();
await store.close();
await following;
say('closed');

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
