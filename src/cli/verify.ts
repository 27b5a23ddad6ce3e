/** `npm run verify`: reads the whole event log and checks every event against the shape of its type. Writes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { type EventStore, EventStoreError } from '../eventStore/eventStore.ts';
import { type Fault, verifyLog } from '../eventStore/verifyLog.ts';
import { ConfigError, loadConfig } from '../start/config.ts';
import { BadInput, type Log, logAt } from './logAt.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_FAULTS = 3;
const EXIT_INTERRUPTED = 130;

const program = new Command('verify')
  .description('Checks every event of the log against the shape of its type. Writes nothing; an embedded log must not be in use.')
  .option('--log <log>', 'file of an embedded store (a backup, for instance), or esdb:// address; default: what DATA_DIR or EVENTSTORE_URL names')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

/** @throws BadInput, ConfigError */
function named(given: string | undefined): Log {
  if (given !== undefined) return logAt(given, '--log');
  const { servers, DATA_DIR } = loadConfig(process.env);
  return logAt(servers?.eventStoreUrl ?? join(DATA_DIR, 'events.db'), servers ? 'EVENTSTORE_URL' : 'DATA_DIR');
}

async function main(): Promise<number> {
  program.parse();
  const log = named(program.opts<{ readonly log?: string }>().log);
  if (log.file !== null && !existsSync(log.file)) throw new BadInput(`There is no event log ${log.file}.`);
  const store = await log.open();
  try {
    console.log(`Verifying ${log.name}`);
    return await verify(store);
  } finally {
    await store.close();
  }
}

async function verify(store: EventStore): Promise<number> {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const head = Number(await store.head());
  const screen = process.stderr.isTTY;
  const clear = () => screen && process.stderr.write('\r\u001b[K');
  try {
    const { events, faults } = await verifyLog({
      store,
      signal: stopping.signal,
      onFault(fault) {
        clear();
        console.log(line(fault));
      },
      onProgress({ events: done, position }) {
        if (screen) process.stderr.write(`\r\u001b[Kverifying ${Math.floor((Number(position) * 100) / Math.max(1, head))} % (${done} events)`);
      },
    });
    clear();
    console.log(faults === 0 ? `${events} events, all as they should be.` : `${events} events, ${faults} of them not as they should be.`);
    return faults === 0 ? 0 : EXIT_FAULTS;
  } catch (error) {
    clear();
    if (!stopping.signal.aborted) throw error;
    console.error('Interrupted. Nothing was changed.');
    return EXIT_INTERRUPTED;
  }
}

/** One line an event: where it stands, and each path with what belongs there. Never a value. */
function line({ position, stream, revision, type, problems }: Fault): string {
  return `${position} ${stream}@${revision} ${type}: ${problems.map(({ path, expected }) => `${path} (expected: ${expected})`).join(', ')}`;
}

// The delays of a store that waits for its server do not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BadInput || error instanceof ConfigError || error instanceof EventStoreError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof EventStoreError ? EXIT_REFUSED : EXIT_BAD_INPUT;
} finally {
  clearInterval(alive);
}
