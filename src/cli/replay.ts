/**
 * `npm run replay -- --report <name>`: replays the log into one or more reports, as of now or of a past moment; also
 * next to a running server. Writes nothing to the log.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { currentReads } from '../eventStore/storedEvents.ts';
import { REPORT_STEPS, type ReportStep } from '../model/reports.ts';
import { REPORTS } from '../reports/all.ts';
import { REPORT_FORMATS, type ReportFormat } from '../reports/formats/formats.ts';
import { isDay } from '../reports/params.ts';
import type { AnyReport } from '../reports/report.ts';
import {
  type Folded,
  foldSideBySide,
  type RunProgress,
  resultOf,
  type Until,
  unfolded,
  untilOf,
} from '../reports/run.ts';
import { allowsParts } from '../reports/state/parts.ts';
import { ConfigError, loadConfig } from '../start/config.ts';
import { BadInput, type Log } from './logAt.ts';
import { reportOf, scaffoldReport } from './ownReport.ts';
import { namedLog, openForReading } from './readableLog.ts';
import { foldInThreads, threadsFor } from './replayThreads.ts';
import { checkTarget, writeReports } from './reportOutput.ts';
import { tableOf } from './table.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_INTERRUPTED = 130;

type Options = {
  readonly report?: string;
  readonly list?: true;
  readonly scaffold?: string;
  readonly asOf?: NonNullable<Until>;
  readonly from?: string;
  readonly to?: string;
  readonly by: ReportStep;
  readonly format: ReportFormat;
  readonly table?: string;
  readonly out?: string;
  readonly log?: string;
  readonly threads?: number;
};

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('It is a day such as 2026-03-31.');
  return text;
}

function moment(text: string): NonNullable<Until> {
  const until = untilOf(text);
  if (until === null)
    throw new InvalidArgumentError(
      'It is a day (2026-03-31, to its end), a UTC time (2026-03-31T12:00:00Z) or a position of the log.',
    );
  return until;
}

function count(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 99.');
  return Number(text);
}

const program = new Command('replay')
  .description('Replays the event log into a report. Writes nothing to the log; the server may be running.')
  .option(
    '--report <names>',
    'a report from --list, or a file of your own: ./mine.ts; several in one pass: revenue,usage',
  )
  .option('--list', 'list the reports')
  .option('--scaffold <file>', 'writes an example of a report to a new file')
  .addOption(
    new Option('--as-of <moment>', 'state as of a day (its end), a UTC time or a position of the log').argParser(
      moment,
    ),
  )
  .addOption(new Option('--from <day>', 'first day (UTC) of the figures').argParser(day))
  .addOption(new Option('--to <day>', 'last day (UTC) of the figures').argParser(day))
  .addOption(new Option('--by <step>', 'the steps of tables over time').choices(REPORT_STEPS).default('month'))
  .addOption(
    new Option('--format <format>', 'csv and parquet hold one table of one report')
      .choices(REPORT_FORMATS)
      .default('table'),
  )
  .option('--table <name>', 'the table for csv and parquet; default: the first')
  .option('--out <file>', 'write to a file instead of the terminal; for several reports a folder')
  .option(
    '--log <log>',
    'file of an embedded store (a backup, for instance), or esdb:// address; default: what DATA_DIR or EVENTSTORE_URL names',
  )
  .addOption(
    new Option(
      '--threads <number>',
      'threads that read a file, for reports that allow it; default: several for a long log',
    ).argParser(count),
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

/** @throws BadInput, ConfigError, EventStoreError */
async function main(): Promise<number> {
  const options = program.parse().opts<Options>();
  if (options.list) {
    console.log(
      tableOf(
        ['REPORT', 'WHAT IT ANSWERS'],
        REPORTS.map(({ name, description }) => [name, description]),
      ),
    );
    return 0;
  }
  if (options.scaffold !== undefined) {
    scaffoldReport(options.scaffold);
    console.log(`${options.scaffold} is written. Run it: npm run replay -- --report ${options.scaffold}`);
    return 0;
  }
  const names = namesIn(options.report);
  const reports = await reportsOf(names);
  if (options.from !== undefined && options.to !== undefined && options.from > options.to)
    throw new BadInput(`--from ${options.from} is after --to ${options.to}: nothing lies between them.`);
  checkTarget(reports.length, options);
  return run(reports, { log: namedLog(options.log, loadConfig(process.env)), names }, options);
}

/** @throws BadInput */
function namesIn(text: string | undefined): readonly string[] {
  if (text === undefined) throw new BadInput('Name a report: --report <name>. --list shows which there are.');
  return text.split(',').map((name) => name.trim());
}

/** In the given order. @throws BadInput */
async function reportsOf(names: readonly string[]): Promise<readonly AnyReport[]> {
  const reports: AnyReport[] = [];
  for (const name of names) {
    const report = await reportOf(name);
    if (reports.some((other) => other.name === report.name))
      throw new BadInput(`--report: ${report.name} is named twice.`);
    reports.push(report);
  }
  return reports;
}

type Source = { readonly log: Log; readonly names: readonly string[]; readonly signal: AbortSignal };

/** In several threads if that pays and all of them allow it, otherwise in one reading. */
async function fold(all: readonly Folded[], source: Source, threads: number | undefined): Promise<void> {
  const { log, signal } = source;
  const isParted = threads !== 1 && log.file !== null && allowsParts(all.map(({ report }) => report));
  const opened = await openForReading(log, isParted);
  try {
    const wanted = isParted ? (threads ?? threadsFor(await opened.store.head())) : 1;
    if (wanted === 1 || opened.release === null) {
      opened.hide();
      await foldSideBySide(all, { store: currentReads(opened.store), signal, onProgress: showProgress });
      return;
    }
    const file = await opened.release();
    if (
      await foldInThreads(all, {
        file,
        threads: wanted,
        reports: source.names,
        signal,
        onProgress: showProgress,
        onOpened: opened.hide,
      })
    )
      return;
  } finally {
    await opened.close();
  }
  await fold(all, source, 1);
}

async function run(
  reports: readonly AnyReport[],
  source: Omit<Source, 'signal'>,
  { asOf, from, to, by, threads, ...options }: Options,
): Promise<number> {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const all = reports.map((report) => unfolded(report, asOf ?? null));
  const now = new Date().toISOString();
  try {
    await fold(all, { ...source, signal: stopping.signal }, threads);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.error('Interrupted.');
    return EXIT_INTERRUPTED;
  } finally {
    clearProgress();
  }
  const params = { from: from ?? null, to: to ?? null, by };
  await writeReports(
    all.map((folded) => resultOf(folded, params, now)),
    options,
  );
  return 0;
}

const screen = process.stderr.isTTY;

function showProgress({ done, events, secondsLeft }: RunProgress): void {
  const left = secondsLeft === null ? '' : `, about ${secondsLeft} s left`;
  if (screen) process.stderr.write(`\r\u001b[K${Math.floor(done * 100)}% (${events} events)${left}`);
}

const clearProgress = (): boolean => screen && process.stderr.write('\r\u001b[K');

// The delays of a store that waits for its server do not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  process.exitCode = await main();
} catch (error) {
  const isExpected = [BadInput, ConfigError, EventStoreError].some((expected) => error instanceof expected);
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error((error as Error).message);
  process.exitCode = error instanceof BadInput || error instanceof ConfigError ? EXIT_BAD_INPUT : EXIT_REFUSED;
} finally {
  clearInterval(alive);
}
