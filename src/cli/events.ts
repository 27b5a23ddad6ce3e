/** `npm run events -- export`: exports the log as rows for analysis tools. Read-only, also next to a running server. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_TYPES } from '../domain/eventTypes.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import {
  type Bound,
  type Exported,
  ExportRefused,
  type ExportRequest,
  exportEvents,
  isWhole,
  PART_ROWS,
} from '../reports/events/exportEvents.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../reports/events/exportTargets.ts';
import type { Pace } from '../reports/events/pace.ts';
import { createPseudonyms } from '../reports/events/pseudonyms.ts';
import { isDay } from '../reports/params.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { DamagedKeyFile } from '../start/secrets/readKeyFile.ts';
import { keptSecret, readSecret } from '../start/secrets/shareSecret.ts';
import { BadInput } from './logAt.ts';
import { namedLog, openForReading } from './readableLog.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_INTERRUPTED = 130;

const KEY_FILE = 'pseudonym-key';

type Options = {
  readonly format: ExportFormat;
  readonly out: string;
  readonly log?: string;
  readonly from?: Bound;
  readonly to?: Bound;
  readonly types?: readonly string[];
  readonly streams?: readonly string[];
  readonly anonymise?: true;
  readonly pseudonymKeyFile?: string;
  readonly partRows: number;
  readonly resume?: true;
};

/** The characters of a day. */
const DAY = 10;

/** A date, a time, or a log position. */
function boundOf(text: string): Bound {
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') };
  // UTC unless a zone is given, as everywhere in the log.
  const utc = /T/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text;
  const time = isDay(text.slice(0, DAY)) && /^.{10}(T.*)?$/.test(text) ? new Date(utc) : null;
  if (time === null || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'A day (2026-03-01), a time (2026-03-01T12:00:00Z) or a position of the log (00000000000000001200).',
    );
  return { at: time.toISOString() };
}

function isReversed(from: Bound | null, to: Bound | null): boolean {
  if (from === null || to === null) return false;
  if ('at' in from) return 'at' in to && from.at >= to.at;
  return 'position' in to && from.position >= to.position;
}

/** For an option that may be repeated or comma-separated. */
const listed = (text: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  ...text.split(',').filter((part) => part !== ''),
];

function typesOf(text: string, former: readonly string[] = []): readonly string[] {
  const types = listed(text, former);
  const unknown = types.filter((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no type of event called ${unknown.join(', ')}. docs/events.md lists all.`);
  return types;
}

function rowsOf(text: string): number {
  const rows = Number(text);
  if (!Number.isInteger(rows) || rows < 1 || rows > 1_000_000)
    throw new InvalidArgumentError('A whole number from 1 to 1000000.');
  return rows;
}

const program = new Command('events').description('Exports the event log for other tools.');
program.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
program
  .command('export')
  .description('Writes events as rows, never with secrets. docs/analysts.md has example queries.')
  .addOption(
    new Option('--format <format>', 'parquet: a folder of numbered parts')
      .choices(EXPORT_FORMATS)
      .makeOptionMandatory(),
  )
  .requiredOption('--out <path>', 'the file, or the folder for parquet; must not exist')
  .option(
    '--log <log>',
    'file of an embedded store (a backup, for instance), or esdb:// address; default: what DATA_DIR or EVENTSTORE_URL names',
  )
  .option('--from <time or position>', 'events of that time and later, or after that position', boundOf)
  .option(
    '--to <time or position>',
    'events before that time, or up to that position; default: what is there now',
    boundOf,
  )
  .option('--types <types>', 'only these types of events, comma-separated', typesOf)
  .option('--streams <prefixes>', 'only streams with these prefixes, comma-separated: job-,billing-', listed)
  .option(
    '--anonymise',
    'no personal data: ids and hosts become pseudonyms that can still be joined, names and texts are removed',
  )
  .option(
    '--pseudonym-key-file <file>',
    `file with the key of the pseudonyms; default: ${KEY_FILE} in DATA_DIR, made on first use`,
  )
  .option('--part-rows <rows>', 'rows of a Parquet part', rowsOf, PART_ROWS)
  .option('--resume', 'resumes an export that was interrupted or killed, without gaps or duplicates')
  .action(async (options: Options) => {
    process.exitCode = await run(options, loadConfig(process.env));
  });

/** @throws BadInput, ExportRefused */
async function run(options: Options, config: Config): Promise<number> {
  const out = resolve(options.out);
  if (options.resume && isWhole(out)) {
    console.log(`${out} is complete: there is nothing left to do.`);
    return 0;
  }
  const named = namedLog(options.log, config);
  // Its files are readable only by its own user.
  process.umask(0o077);
  const { format, from = null, to = null, types = null, streams = null } = options;
  if (isReversed(from, to)) throw new BadInput('--from is not before --to.');
  const pseudonyms = options.anonymise ? createPseudonyms(pseudonymKey(options, config)) : null;
  const log = await openForReading(named);
  try {
    console.log(
      log.isCopy ? `Exporting ${named.name}, as the running server has just copied it` : `Exporting ${named.name}`,
    );
    return await writeOut({ log: named.name, format, out, from, to, types, streams, pseudonyms }, options, log.store);
  } finally {
    await log.close();
  }
}

/** @throws BadInput */
function pseudonymKey({ pseudonymKeyFile: file }: Options, { servers, DATA_DIR }: Config): string {
  if (file !== undefined) {
    const key = existsSync(file) ? readSecret(file) : null;
    if (key === null)
      throw new BadInput(
        `--pseudonym-key-file: ${file} has no key of at least 32 characters. Create one: openssl rand -base64 48`,
      );
    return key;
  }
  if (servers)
    throw new BadInput(
      '--anonymise: with servers, name the key with --pseudonym-key-file. Create one and keep it: openssl rand -base64 48',
    );
  if (!existsSync(DATA_DIR))
    throw new BadInput(
      `There is no folder ${DATA_DIR} for the key of the pseudonyms. Name one with --pseudonym-key-file.`,
    );
  return keptSecret(join(DATA_DIR, KEY_FILE), 'exports from then on have other pseudonyms.');
}

async function writeOut(
  request: ExportRequest,
  { resume = false, partRows }: { readonly resume?: boolean; readonly partRows: number },
  store: ExportStore,
) {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const began = performance.now();
  const screen = process.stderr.isTTY;
  const clear = () => screen && process.stderr.write('\r\u001b[K');
  try {
    const exported = await exportEvents(request, {
      store,
      resume,
      partRows,
      signal: stopping.signal,
      onProgress: (pace) => screen && process.stderr.write(`\r\u001b[K${progressLine(pace)}`),
    });
    clear();
    console.log(
      resultText({ ...request, anonymised: request.pseudonyms !== null }, exported, (performance.now() - began) / 1000),
    );
    return 0;
  } catch (error) {
    clear();
    if (!stopping.signal.aborted) throw error;
    console.error('Interrupted. The same command with --resume continues from here.');
    return EXIT_INTERRUPTED;
  }
}

type ExportStore = Parameters<typeof exportEvents>[1]['store'];

function progressLine({ done, events, secondsLeft }: Pace): string {
  const left =
    secondsLeft === null
      ? ''
      : `, about ${secondsLeft < 90 ? `${secondsLeft} s` : `${Math.round(secondsLeft / 60)} min`} left`;
  return `exporting ${Math.floor(done * 100)}% (${events.toLocaleString('en-US')} events${left})`;
}

function resultText(
  { out, anonymised }: { readonly out: string; readonly anonymised: boolean },
  { events, unreadable, next }: Exported,
  seconds: number,
) {
  const lines = [
    `${out}: ${events} ${events === 1 ? 'event' : 'events'} in ${seconds.toFixed(1)} s. Continue later with --from ${next}.`,
  ];
  if (unreadable > 0)
    lines.push(
      `${unreadable} of them were written by a later version or are damaged; they are included without their data.`,
    );
  lines.push(
    anonymised
      ? 'Without personal data. Anyone with the pseudonym key can re-identify known ids. Store it separately.'
      : 'It contains personal data: delete it when you no longer need it.',
  );
  return lines.join('\n');
}

// The delays of a store that waits for its server do not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  await program.parseAsync();
} catch (error) {
  const isBadInput = error instanceof BadInput || error instanceof ConfigError || error instanceof DamagedKeyFile;
  if (
    !(
      isBadInput ||
      error instanceof ExportRefused ||
      error instanceof EventStoreError ||
      (error instanceof Error && 'syscall' in error)
    )
  )
    throw error;
  console.error(error.message);
  process.exitCode = isBadInput ? EXIT_BAD_INPUT : EXIT_REFUSED;
} finally {
  clearInterval(alive);
}
