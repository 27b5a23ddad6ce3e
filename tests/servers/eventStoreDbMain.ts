/**
 * The EventStoreDB test server in its own process: `tsx tests/servers/eventStoreDbMain.ts --port 2113 --file
 * /tmp/log.jsonl`. Prints `ready esdb://…`.
 */
import { parseArgs } from 'node:util';
import { startEventStoreDbServer } from './eventStoreDb.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, file: { type: 'string' } },
});

const server = await startEventStoreDbServer({
  ...(values.port && { port: Number(values.port) }),
  ...(values.file && { file: values.file }),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
process.stdout.write(`ready ${server.url}\n`);
