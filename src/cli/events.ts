/** `npm run events -- export`: exports the log as rows for analysis tools. Read-only, also next to a running server. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { BOUND_TEXT, type Bound, boundOf, isReversed, unknownTypes } from '../reports/events/eventRange.ts';
import {
  type Exported,
  ExportRefused,
  type ExportRequest,
  exportEvents,
  isWhole,
  PART_ROWS,
} from '../reports/events/exportEvents.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../reports/events/exportTargets.ts';
import type { Pace } from '../reports/events/pace.ts';
import type { Pseudonyms } from '../reports/events/pseudonyms.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { pseudonymsOf } from '../start/secrets/pseudonymSecret.ts';
import { DamagedKeyFile } from '../start/secrets/readKeyFile.ts';
import { BadInput } from './logAt.ts';
import { namedLog, openForReading } from './readableLog.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_INTERRUPTED = 130;

type Options = {
  readonly format: ExportFormat;
  readonly out: string;
  readonly log?: string;
  readonly from?: Bound;
  readonly to?: Bound;
  readonly types?: readonly string[];
  readonly streams?: readonly string[];
  readonly anonymise?: true;
  readonly partRows: number;
  readonly resume?: true;
};

/** @throws InvalidArgumentError */
function typedBound(text: string): Bound {
  const bound = boundOf(text);
  if (bound === null) throw new InvalidArgumentError(BOUND_TEXT);
  return bound;
}

/** For an option that may be repeated or comma-separated. */
const listed = (text: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  ...text.split(',').filter((part) => part !== ''),
];

function typesOf(text: string, former: readonly string[] = []): readonly string[] {
  const types = listed(text, former);
  const unknown = unknownTypes(types);
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
  .option('--from <time or position>', 'events of that time and later, or after that position', typedBound)
  .option(
    '--to <time or position>',
    'events before that time, or up to that position; default: what is there now',
    typedBound,
  )
  .option('--types <types>', 'only these types of events, comma-separated', typesOf)
  .option('--streams <prefixes>', 'only streams with these prefixes, comma-separated: job-,billing-', listed)
  .option(
    '--anonymise',
    'no personal data: ids and hosts become pseudonyms that can still be joined, names and texts are removed. Their key: PSEUDONYM_SECRET, or the file pseudonym-key in DATA_DIR, made on first use',
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
  const pseudonyms = options.anonymise ? installationPseudonyms(config) : null;
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

/** Those of the server, so that all exports join. @throws BadInput, DamagedKeyFile */
function installationPseudonyms(config: Config): Pseudonyms {
  if (config.PSEUDONYM_SECRET === undefined && !config.servers && !existsSync(config.DATA_DIR))
    throw new BadInput(
      `There is no folder ${config.DATA_DIR} for the key of the pseudonyms. Set DATA_DIR, or PSEUDONYM_SECRET.`,
    );
  const pseudonyms = pseudonymsOf(config);
  if (pseudonyms === null)
    throw new BadInput(
      '--anonymise: with servers, set PSEUDONYM_SECRET, the same as in every http process. Create one and keep it: openssl rand -base64 48',
    );
  return pseudonyms;
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
