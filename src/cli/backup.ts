/**
 * `npm run backup -- --to <folder>`: a verified copy of the embedded event log and the key files beside it, whether or
 * not the server is running.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { requestBackup } from '../eventStore/folderRequests.ts';
import { openSqliteEventStore } from '../eventStore/sqlite/sqlite.ts';
import { checkBackup } from '../eventStore/sqlite/sqliteBackup.ts';
import { withStoredEvents } from '../eventStore/storedEvents.ts';
import { ConfigError, loadConfig } from '../start/config.ts';
import { placesOf } from '../start/identity/places.ts';
import { clearIdentity, hasAccount, type Logged, readLogged } from '../start/identity/settleIdentity.ts';
import { lastBackupFile } from '../start/monitor/lastBackup.ts';
import { partOf, removeEndedParts, removePart } from '../start/partFiles.ts';
import { copyKeyFiles } from '../start/secrets/keyFiles.ts';
import { MFA_FILE } from '../start/secrets/mfaSecret.ts';
import { SHARE_FILE } from '../start/secrets/shareSecret.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;

const program = new Command('backup')
  .description(
    'Copies the event log to a file in a folder and checks the copy, and the key files to a folder beside it. Everything else is rebuilt from the log.',
  )
  .requiredOption('--to <folder>', 'folder for the copies; made where absent')
  .option('--keys <folder>', 'another folder for the key files, to keep them apart from the log')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

/** @throws ConfigError, EventStoreError */
async function main(): Promise<number> {
  program.parse();
  const config = loadConfig(process.env);
  const { servers, DATA_DIR } = config;
  if (servers) {
    console.error('The events are in EventStoreDB: back them up there, see docs/operations.md.');
    return EXIT_REFUSED;
  }
  const file = join(DATA_DIR, 'events.db');
  if (!existsSync(file)) {
    console.error(`There is no event log in ${DATA_DIR}: nothing to back up.`);
    return EXIT_REFUSED;
  }
  // It holds email addresses and password hashes.
  process.umask(0o077);
  const { to, keys = to } = program.opts<{ readonly to: string; readonly keys?: string }>();
  const folder = resolve(to);
  mkdirSync(folder, { recursive: true });
  const name = `events-${new Date().toISOString().replaceAll(':', '-')}`;
  const target = join(folder, `${name}.db`);
  const part = partOf(target);
  removeEndedParts(folder);
  removeEndedParts(resolve(keys));
  removeEndedParts(DATA_DIR);
  try {
    // Created here, so that only this user can read it, whichever process fills it.
    writeFileSync(part, '', { flag: 'wx' });
    if (!(await requestBackup(DATA_DIR, part))) await copyOf(file, part);
    const { id: installationId, fingerprints } = await loggedBy(part, { file, dataDir: DATA_DIR });
    const { events, head, bytes } = checkBackup(part);
    // Before the copy gets its name: what looks complete is.
    const keyFolder = join(resolve(keys), `${name}.keys`);
    const copied = copyKeyFiles(DATA_DIR, partOf(keyFolder));
    if (copied.length > 0) renameSync(partOf(keyFolder), keyFolder);
    renameSync(part, target);
    noteBackup(DATA_DIR, { events, bytes, ...(installationId === null ? {} : { installationId }) });
    console.log(`${target}\n${events} events up to ${head}, ${(bytes / 1024 / 1024).toFixed(1)} MB, sound.`);
    if (copied.length > 0)
      console.log(`${keyFolder}\n${copied.join(', ')}: whoever has them and the log can read its secrets.`);
    for (const { key, name, setting } of KEYS) {
      if (fingerprints[key].length === 0 || copied.includes(name) || config[setting] !== undefined) continue;
      console.error(
        `Not in this backup: the key that ${WHAT_DEPENDS[key]} depend on. ${join(DATA_DIR, name)} is missing, and ${setting} is not set.`,
      );
    }
    return 0;
  } finally {
    removePart(part);
    removePart(partOf(join(resolve(keys), `${name}.keys`)));
  }
}

/** Keys that events depend on: the file or the setting that has each of them. */
const KEYS = [
  { key: 'shares', name: SHARE_FILE, setting: 'SHARE_SECRET' },
  { key: 'second_factors', name: MFA_FILE, setting: 'MFA_SECRET' },
] as const;
const WHAT_DEPENDS = { shares: 'shared links', second_factors: 'second factors' } as const;

/**
 * What the copied log says of its installation; its id is null if the log has no event. A copy of a log that is
 * missing, or of another installation, would take the place of a good one. @throws InstallationMismatch
 */
async function loggedBy(
  copy: string,
  { file, dataDir }: { readonly file: string; readonly dataDir: string },
): Promise<Logged> {
  const store = openSqliteEventStore({ file: copy });
  try {
    const log = withStoredEvents(store);
    const logged = await readLogged(log);
    // The read models are the server's alone while it runs.
    await clearIdentity({
      logName: file,
      logged: async () => logged,
      hasAccount: (account) => hasAccount(log, account),
      places: placesOf(dataDir, null),
      keys: {},
      beginAnew: undefined,
      isStart: false,
    });
    return logged;
  } finally {
    await store.close();
  }
}

/** For the system page, and for a start that finds no log. The copy is valid even if this fails. */
function noteBackup(
  dataDir: string,
  noted: { readonly events: number; readonly bytes: number; readonly installationId?: string },
): void {
  try {
    writeFileSync(lastBackupFile(dataDir), `${JSON.stringify({ at: new Date().toISOString(), ...noted })}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    console.error(`The backup was made, but its time could not be recorded in ${dataDir}: ${(error as Error).message}`);
  }
}

async function copyOf(file: string, target: string): Promise<void> {
  const store = openSqliteEventStore({ file });
  try {
    await store.backup(target);
  } finally {
    await store.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (
    !(error instanceof ConfigError || error instanceof EventStoreError || (error instanceof Error && 'code' in error))
  )
    throw error;
  console.error(error.message);
  process.exitCode = EXIT_REFUSED;
}
