/**
 * `npm run replay -- --report <name>`: replays the log into one or more reports, as of now or of a past moment; also next to a running server. Writes nothing
 * to the log.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { currentEvent } from '../domain/stored/current.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { REPORT_STEPS, type ReportStep } from '../model/reports.ts';
import { REPORTS, reportNamed } from '../reports/all.ts';
import { REPORT_FORMATS, type ReportFormat } from '../reports/formats/formats.ts';
import { isDay } from '../reports/params.ts';
import type { AnyReport } from '../reports/report.ts';
import { foldSideBySide, type RunProgress, resultOf, type Until, unfolded, untilOf } from '../reports/run.ts';
import { ConfigError, loadConfig } from '../start/config.ts';
import { BadInput } from './logAt.ts';
import { isReportFile, loadReport, scaffoldReport } from './ownReport.ts';
import { namedLog, openForReading, type ReadableLog } from './readableLog.ts';
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
};

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('It is a day such as 2026-03-31.');
  return text;
}

function moment(text: string): NonNullable<Until> {
  const until = untilOf(text);
  if (until === null) throw new InvalidArgumentError('It is a day (2026-03-31, to its end), a UTC time (2026-03-31T12:00:00Z) or a position of the log.');
  return until;
}

const program = new Command('replay')
  .description('Replays the event log into a report. Writes nothing to the log, and reads beside a running server, too.')
  .option('--report <names>', 'which report, as --list names it, or a file of your own: ./mine.ts; several of one reading: revenue,usage')
  .option('--list', 'the reports there are')
  .option('--scaffold <file>', 'writes an example of a report to a new file')
  .addOption(new Option('--as-of <moment>', 'as it stood then: a day (to its end), a UTC time or a position of the log').argParser(moment))
  .addOption(new Option('--from <day>', 'first day (UTC) of the figures').argParser(day))
  .addOption(new Option('--to <day>', 'last day (UTC) of the figures').argParser(day))
  .addOption(new Option('--by <step>', 'the steps of tables over time').choices(REPORT_STEPS).default('month'))
  .addOption(new Option('--format <format>', 'csv and parquet hold one table of one report').choices(REPORT_FORMATS).default('table'))
  .option('--table <name>', 'the table for csv and parquet; default: the first')
  .option('--out <file>', 'a file, in place of the terminal; of several reports a folder, with a file for each')
  .option('--log <log>', 'file of an embedded store (a backup, for instance), or esdb:// address; default: what DATA_DIR or EVENTSTORE_URL names')
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
  const reports = await reportsOf(options.report);
  if (options.from !== undefined && options.to !== undefined && options.from > options.to)
    throw new BadInput(`--from ${options.from} is after --to ${options.to}: nothing lies between them.`);
  checkTarget(reports.length, options);
  const log = await openForReading(namedLog(options.log, loadConfig(process.env)));
  try {
    return await run(reports, log, options);
  } finally {
    await log.close();
  }
}

/** In the given order. @throws BadInput */
async function reportsOf(names: string | undefined): Promise<readonly AnyReport[]> {
  if (names === undefined) throw new BadInput('Name a report: --report <name>. --list shows which there are.');
  const reports: AnyReport[] = [];
  for (const name of names.split(',')) {
    const report = await reportOf(name.trim());
    if (reports.some((other) => other.name === report.name)) throw new BadInput(`--report: ${report.name} is named twice.`);
    reports.push(report);
  }
  return reports;
}

/** @throws BadInput */
async function reportOf(name: string): Promise<AnyReport> {
  if (isReportFile(name)) return loadReport(name);
  const report = reportNamed(name);
  if (!report) throw new BadInput(`There is no report ${name}. There are: ${REPORTS.map((each) => each.name).join(', ')}.`);
  return report;
}

async function run(reports: readonly AnyReport[], log: ReadableLog, { asOf, from, to, by, ...options }: Options): Promise<number> {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const all = reports.map((report) => unfolded(report, asOf ?? null));
  const now = new Date().toISOString();
  try {
    await foldSideBySide(all, { store: inTodaysShape(log), signal: stopping.signal, onProgress: showProgress });
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

/** Upcasts events of earlier versions to the current format. */
function inTodaysShape({ store }: ReadableLog): ReadableLog['store'] {
  return {
    head: () => store.head(),
    readAll: async (options) => {
      const page = await store.readAll(options);
      return { ...page, events: page.events.map(currentEvent) };
    },
  };
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
