/** The event store server of a run, started by the operator's command. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { newEvents, refusal, wholeLog } from '../contract/eventStoreHarness.ts';
import { bundled } from '../given/bundled.ts';
import { freePort } from '../given/product/freePort.ts';
import { startEventStoreServer } from './eventStoreServer.ts';

const SERVER = fileURLToPath(new URL('../servers/eventStoreDbMain.ts', import.meta.url));

async function given() {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [port, once] = [await freePort(), join(folder, 'once')];
  const run = `${process.execPath} ${bundled(SERVER)} --port ${port} --file ${join(folder, 'log.jsonl')}`;
  // With that file it ends by itself, once, as a node does that had to cut something off. Not with `exec`: the shell
  // stays above the server.
  const command = `if [ -e ${once} ]; then rm ${once}; exit 0; fi; ${run}; exit 1`;
  return { command, url: `esdb://127.0.0.1:${port}?tls=false`, once };
}

it('is killed with all that its command has started, started again with its log, and again after it ended by itself', async () => {
  const { once, ...command } = await given();
  const server = await startEventStoreServer(command);
  onTestFinished(() => server.close());
  const store = await server.open();
  onTestFinished(() => store.close());
  await store.append('thing-1', newEvents(2), { expected: 'no_stream' });
  await server.kill();
  expect(await refusal(store.head())).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  writeFileSync(once, '');
  await server.start();
  expect(existsSync(once)).toBe(false);
  expect(await wholeLog(store)).toHaveLength(2);
  server.pause();
  const reading = store.head();
  server.resume();
  await reading;
});

it('is not started beside another one at its address', async () => {
  const { once: _, ...command } = await given();
  const server = await startEventStoreServer(command);
  onTestFinished(() => server.close());
  await expect(startEventStoreServer(command)).rejects.toThrow('something already answers at that address');
});
