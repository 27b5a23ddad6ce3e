/**
 * `npm run migrate -- --from <log> --to <log>`: copies the whole event log to another store, and proves that both are
 * equal.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { streamsClosedWith } from '../commands/closedStreams.ts';
import { currentEvent } from '../domain/stored/current.ts';
import { type CopyResult, copyLog } from '../eventStore/copyLog.ts';
import { type EventStore, EventStoreError } from '../eventStore/eventStore.ts';
import { withStoredEvents } from '../eventStore/storedEvents.ts';
import { sqliteReadModelsIdentity } from '../readModels/sqlite/sqliteIdentity.ts';
import { placesOf } from '../start/identity/places.ts';
import { clearIdentity, hasAccount, type Logged, readLogged } from '../start/identity/settleIdentity.ts';
import { BadInput, type Log, logAt } from './logAt.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_INTERRUPTED = 130;

const program = new Command('migrate')
  .description(
    'Copies the event log to another store. Nothing else may use either store meanwhile. After an interruption, run the same command again to continue.',
  )
  .requiredOption(
    '--from <log>',
    'file of the embedded store (./data/events.db), or esdb:// address of an EventStoreDB',
  )
  .addOption(
    new Option('--to <log>', 'the same; an empty log, or what this command began before')
      .env('EVENTSTORE_URL')
      .makeOptionMandatory(),
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

function check(from: Log, to: Log): void {
  if (from.file !== null && !existsSync(from.file)) throw new BadInput(`--from: there is no file ${from.file}.`);
  if (
    from.name === to.name ||
    (from.file !== null && to.file !== null && existsSync(to.file) && realpathSync(from.file) === realpathSync(to.file))
  )
    throw new BadInput('--from and --to are the same log.');
  const stale = to.file === null || existsSync(to.file) ? null : readModelsBeside(to.file);
  if (stale !== null)
    throw new BadInput(
      `--to: ${stale} is there and was built from another log. Move it away first; it will be rebuilt.`,
    );
}

/**
 * Positions of another log mean nothing in this one: read models built from the former would be taken as up to date.
 */
function readModelsBeside(file: string): string | null {
  const path = join(dirname(file), 'readModels.db');
  return existsSync(path) ? path : null;
}

async function main(): Promise<number> {
  program.parse();
  const options = program.opts<{ readonly from: string; readonly to: string }>();
  const [from, to] = [logAt(options.from, '--from'), logAt(options.to, '--to')];
  check(from, to);
  // Its files are readable only by its own user.
  process.umask(0o077);
  const source = await from.open();
  try {
    const log = withStoredEvents(source);
    const logged = await readLogged(log);
    for (const { file } of [from, to]) if (file !== null) await checkFolder(file, { logName: from.name, log, logged });
    const target = await to.open();
    try {
      console.log(`Copying ${from.name} to ${to.name}`);
      return await copy({ from: source, to: target }, to);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * What lies beside a log's file has to be of the installation that is copied: a log that is missing is not an empty
 * one.
 * @throws InstallationMismatch
 */
async function checkFolder(
  file: string,
  { logName, log, logged }: { readonly logName: string; readonly log: EventStore; readonly logged: Logged },
): Promise<void> {
  const dataDir = dirname(file);
  const readModels = readModelsBeside(file);
  const places = placesOf(
    dataDir,
    readModels === null ? null : { name: readModels, ...sqliteReadModelsIdentity(readModels) },
  );
  await clearIdentity({
    logName,
    logged: async () => logged,
    hasAccount: (account) => hasAccount(log, account),
    places,
    keys: {},
    beginAnew: undefined,
    isStart: false,
  });
}

async function copy(stores: { readonly from: EventStore; readonly to: EventStore }, to: Log): Promise<number> {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const head = Number(await stores.from.head());
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const screen = process.stderr.isTTY;
  try {
    const result = await copyLog({
      ...stores,
      // Events are copied as stored; only to interpret them are they upcast to the current format.
      closes: (event) => streamsClosedWith(currentEvent(event)),
      signal: stopping.signal,
      onProgress({ phase, events, position }) {
        if (!screen) return;
        const done = phase === 'verifying' ? '' : ` ${Math.floor((Number(position) * 100) / Math.max(1, head))} %`;
        process.stderr.write(`\r\u001b[K${phase}${done} (${events} events)`);
      },
    });
    if (screen) process.stderr.write('\r\u001b[K');
    console.log(report(result, seconds(), to));
    return 0;
  } catch (error) {
    if (screen) process.stderr.write('\r\u001b[K');
    if (!stopping.signal.aborted) throw error;
    console.error('Interrupted. Nothing is lost: the same command continues from here.');
    return EXIT_INTERRUPTED;
  }
}

function report({ source, target, copied, renumbered, deleted }: CopyResult, seconds: number, to: Log): string {
  const lines = [
    `Copied ${copied} events in ${seconds.toFixed(1)} s; ${target.events - copied} were there already.`,
    `  source ${source.events} events, SHA-256 ${source.sha256}`,
    `  target ${target.events} events, SHA-256 ${target.sha256}`,
    'The logs are equal.',
  ];
  if (deleted > 0) lines.push(`Deleted for good at the target, as at the source: ${deleted} streams.`);
  if (renumbered > 0)
    lines.push(
      `Streams whose first events are gone at the source: ${renumbered}. They are whole in order and content, and numbered from 0 at the target.`,
    );
  lines.push(
    to.file === null
      ? 'Next: start the processes with EVENTSTORE_URL and an empty MONGODB_URL database. They build the read models from the new log.'
      : `Next: start the server with DATA_DIR=${dirname(to.file)}. It builds the read models from the new log.`,
  );
  const stale = to.file === null || copied === 0 ? null : readModelsBeside(to.file);
  if (stale !== null) lines.push(`Remove ${stale} first: it was built from another log.`);
  return lines.join('\n');
}

// The delays of a store that waits for its server do not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BadInput || error instanceof EventStoreError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof BadInput ? EXIT_BAD_INPUT : EXIT_REFUSED;
} finally {
  clearInterval(alive);
}
