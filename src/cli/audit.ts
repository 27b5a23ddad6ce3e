/**
 * `npm run audit -- <url>`: one audit from a terminal, or a recheck of an earlier audit's findings. Progress on stderr,
 * the report on stdout.
 */
import { setMaxListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type AuditResult, audit } from '../audit/audit.ts';
import { CHECKS } from '../audit/checks/index.ts';
import type { CrawlEnv, CrawlProgress } from '../audit/crawl/crawlEnv.ts';
import { asksToWait } from '../audit/crawl/pace.ts';
import { normaliseSubmission } from '../audit/crawl/url.ts';
import { createParserPool } from '../audit/facts/parse/parserPool.ts';
import { compareRuns } from '../audit/report/compare.ts';
import { comparisonText } from '../audit/report/comparisonText.ts';
import { findingsCsv } from '../audit/report/findingsCsv.ts';
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import { findingsDocument, findingsJson } from '../audit/report/findingsJson.ts';
import { oneLine } from '../audit/report/markdown.ts';
import { type HtmlReportInput, reportHtml } from '../audit/report/reportHtml.ts';
import { type ReportInput, reportMarkdown } from '../audit/report/reportMarkdown.ts';
import { sarif } from '../audit/report/sarif.ts';
import { terminalReport } from '../audit/report/terminalReport.ts';
import { verificationText } from '../audit/report/verificationText.ts';
import { verifyFindings } from '../audit/verify.ts';
import { createRulesAnalyst, firstSteps } from '../integrations/analyst/rules.ts';
import { createFetcher } from '../integrations/fetcher/httpFetcher.ts';
import { createRenderer } from '../integrations/renderer/chromiumRenderer.ts';
import type { CrawlSettings } from '../model/crawlSettings.ts';
import {
  FOLDER_PROBLEM,
  folderOf,
  isPattern,
  PATTERN_PROBLEM,
  PATTERNS_MAX,
  settingsOf,
  TOO_MANY_PATTERNS,
} from '../model/crawlSettingsRules.ts';
import { IMPACTS, type Impact } from '../model/findings.ts';
import { userAgent, version } from '../start/version.ts';
import { analystInputOf } from '../workers/evaluation.ts';

const EXIT_FOUND = 1;
const EXIT_BAD_INPUT = 2;
/** An audit without a score is no success, nor is a recheck that could not check anything. */
const EXIT_NOTHING = 2;
const MAX_BYTES = 500 * 1024 * 1024;

class BadInput extends Error {}

type Options = {
  readonly json?: boolean;
  readonly md?: boolean;
  readonly html?: string;
  readonly sarif?: string;
  readonly csv?: string;
  readonly save?: string;
  readonly compare?: string;
  readonly verify?: string;
  readonly only: readonly string[];
  readonly render?: boolean;
  readonly asOthers: boolean;
  readonly pages: number;
  readonly folder?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly sitemapOnly?: boolean;
  readonly seconds: number;
  readonly failOn?: Impact;
  readonly allowHost: readonly string[];
};

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 5000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 5000.');
  return number;
}

function several(value: string, all: readonly string[]): readonly string[] {
  return [...all, value];
}

function folder(text: string): string {
  const path = folderOf(text);
  if (path === null) throw new InvalidArgumentError(FOLDER_PROBLEM);
  return path;
}

function pattern(text: string, all: readonly string[]): readonly string[] {
  if (!isPattern(text)) throw new InvalidArgumentError(PATTERN_PROBLEM);
  if (all.length >= PATTERNS_MAX) throw new InvalidArgumentError(TOO_MANY_PATTERNS);
  return [...all, text];
}

/** Options that only a complete audit supports. */
const REPORTS = ['md', 'html', 'save', 'csv', 'sarif', 'compare', 'failOn'] as const;
const SETTINGS = ['folder', 'include', 'exclude', 'sitemapOnly'] as const;

const program = new Command('audit')
  .description('Audits a site and prints the report.')
  .argument('[url]', 'address of the site, such as example.com')
  .addOption(new Option('--json', 'print the findings as JSON').conflicts('md'))
  .option('--md', 'print the report as markdown')
  .option('--html <file>', 'write the report as one HTML file, readable offline')
  .option('--save <file>', 'write the findings as JSON, to compare a later audit with')
  .option('--csv <file>', 'write the findings as a table, one row each')
  .option('--sarif <file>', 'write the findings as SARIF 2.1.0, for code scanning in CI')
  .option('--compare <file>', 'findings of an earlier audit (--save): print what is new, fixed and remaining')
  .addOption(
    new Option(
      '--verify <file>',
      'findings of an earlier audit (--save): recheck them, on their pages only; exit code 1 when one is still there',
    ).conflicts([...REPORTS, ...SETTINGS]),
  )
  .option(
    '--only <id>',
    'with --verify: a finding or a check of that file; may be given several times. Without it: all findings',
    several,
    [],
  )
  .option('--render', 'render pages that scripts fill, with the Chromium of CHROMIUM_PATH')
  .option('--no-as-others', 'don’t request pages again as a phone and as Googlebot')
  .option('--pages <number>', 'maximum number of pages', wholeNumber, 50)
  .option('--folder <path>', 'audit only pages below this path, such as /blog/, and the address itself', folder)
  .option(
    '--include <pattern>',
    'audit only pages whose path and query match: * is anything, $ the end; may be given several times',
    pattern,
    [],
  )
  .option('--exclude <pattern>', 'audit no pages that match; may be given several times', pattern, [])
  .option('--sitemap-only', 'audit only the address itself and the pages of the sitemap; follow no links')
  .option('--seconds <number>', 'seconds the crawl may take', wholeNumber, 180)
  .addOption(
    new Option('--fail-on <impact>', 'exit with code 1 when an issue of this impact or worse is found').choices(
      IMPACTS,
    ),
  )
  .option(
    '--allow-host <host:port>',
    'a host of your own network that may be audited, besides those of AUDIT_ALLOW_HOSTS; may be given several times',
    several,
    [],
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

async function main(): Promise<number> {
  program.parse();
  const [address] = program.args;
  const options = program.opts<Options>();
  if (options.verify !== undefined) return verify(options.verify, address, options);
  if (options.only.length > 0) throw new BadInput('--only belongs to --verify: it names findings of an earlier audit.');
  if (address === undefined) throw new BadInput("error: missing required argument 'url'");
  const submission = normaliseSubmission(address);
  if (!submission.ok) throw new BadInput(submission.reason);
  const before = options.compare === undefined ? null : readFindings(options.compare);
  const former = before?.host === submission.host ? before.pages.map(({ url }) => url) : [];
  const result = await run(submission, options, former);
  const { host } = submission;
  const input = await worded({
    url: result.crawl.discovery.startUrl,
    host,
    generatedAt: new Date().toISOString(),
    checks: CHECKS,
    ...result,
  });
  writeFiles(input, options);
  process.stdout.write(render(input, options));
  if (before) process.stdout.write(comparisonText(compareRuns(before, findingsDocument(input))));
  if (result.score === null && result.notJudged === null) process.stderr.write(`${whyNothing(result)}\n`);
  if (options.failOn !== undefined && isFound(result, options.failOn)) return EXIT_FOUND;
  return result.score === null ? EXIT_NOTHING : 0;
}

async function verify(file: string, address: string | undefined, options: Options): Promise<number> {
  const document = readFindings(file);
  const submission = address === undefined ? null : normaliseSubmission(address);
  if (submission && !submission.ok) throw new BadInput(submission.reason);
  if (submission && submission.host !== document.host)
    throw new BadInput(`${file} has the findings of ${oneLine(document.host)}, not of ${submission.host}.`);
  const { only } = options;
  const known = new Set(document.findings.flatMap(({ id, checkId }) => [id, checkId]));
  const [unknown] = only.filter((id) => !known.has(id));
  if (unknown !== undefined)
    throw new BadInput(`${file} has no finding and no check with findings named "${oneLine(unknown)}".`);
  const found = await withEnv(options, (env, onProgress) =>
    verifyFindings(
      { document, only },
      { maxMs: options.seconds * 1000, askAsOthers: options.asOthers, onProgress },
      env,
    ),
  );
  process.stdout.write(options.json === true ? `${JSON.stringify(found, null, 2)}\n` : verificationText(found));
  if (found.results.some(({ state }) => state === 'still_there')) return EXIT_FOUND;
  return found.results.length > 0 && found.results.every(({ state }) => state === 'not_checked') ? EXIT_NOTHING : 0;
}

function run(
  { url, schemeGuessed }: { readonly url: string; readonly schemeGuessed?: true },
  options: Options,
  former: readonly string[],
): Promise<AuditResult> {
  const guessed = schemeGuessed ? { schemeGuessed } : {};
  return withEnv(options, (env, onProgress) =>
    audit(
      url,
      {
        maxPages: options.pages,
        settings: settingsIn(options),
        maxMs: options.seconds * 1000,
        maxBytes: MAX_BYTES,
        concurrency: 4,
        askAsOthers: options.asOthers,
        onProgress,
        former,
        ...guessed,
      },
      env,
    ),
  );
}

function settingsIn({ pages, folder, include, exclude, sitemapOnly }: Options): CrawlSettings | undefined {
  const maxPages = program.getOptionValueSource('pages') === 'default' ? undefined : pages;
  return settingsOf({ maxPages, folder, include, exclude, sitemapOnly });
}

async function withEnv<T>(
  options: Options,
  work: (env: CrawlEnv, onProgress: (progress: CrawlProgress) => void) => Promise<T>,
): Promise<T> {
  const executablePath = process.env.CHROMIUM_PATH?.trim() ?? '';
  if (options.render === true && executablePath === '')
    throw new BadInput('--render needs CHROMIUM_PATH: the path of a Chromium or Chrome.');
  const stop = new AbortController();
  // Every request in progress adds a listener, and their number is unlimited.
  setMaxListeners(0, stop.signal);
  process.once('SIGINT', () => stop.abort());
  const fetcher = createFetcher({
    allowHosts: [...options.allowHost, ...(process.env.AUDIT_ALLOW_HOSTS ?? '').split(',')],
    userAgent: userAgent(),
  });
  const renderer = options.render === true ? createRenderer({ executablePath }) : null;
  const pool = createParserPool({ processes: 2 });
  const progress = process.stderr.isTTY
    ? (text: string) => process.stderr.write(`\r\u001b[2K${text}`)
    : () => undefined;
  const env: CrawlEnv = {
    fetch: fetcher,
    parse: pool.parse,
    now: Date.now,
    sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
    userAgent: userAgent(),
    signal: stop.signal,
    ...(renderer ? { render: renderer.through(fetcher) } : {}),
  };
  try {
    progress('reading robots.txt and sitemaps');
    return await work(env, ({ pagesDone, pagesKnown }) => progress(`${pagesDone} of ${pagesKnown} known pages`));
  } finally {
    progress('');
    await Promise.all([pool.close(), fetcher.close(), renderer?.close()]);
  }
}

type Input = HtmlReportInput & ReportInput & AuditResult;

/** Adds the built-in analyst's texts; without findings there is nothing to write. */
async function worded(input: Input): Promise<Input> {
  if (input.score === null && input.notJudged === null) return input;
  const facts = analystInputOf(input, input.crawl, input);
  const analysis = await createRulesAnalyst().analyse(facts);
  return { ...input, analysis: { text: analysis.value, by: analysis.by }, firstSteps: firstSteps(facts) };
}

function render(input: Input, options: Options): string {
  if (options.json === true) return findingsJson(input);
  if (options.md === true) return reportMarkdown(input);
  return terminalReport(input.url, input);
}

/** @throws BadInput when a file cannot be written */
function writeFiles(input: Input, options: Options): void {
  const files = [
    [options.html, () => reportHtml(input)],
    [options.save, () => findingsJson(input)],
    [options.csv, () => findingsCsv(input.findings, input.checks)],
    [options.sarif, () => sarif({ ...input, version: version() })],
  ] as const;
  for (const [file, write] of files) {
    if (file === undefined) continue;
    try {
      writeFileSync(file, write());
    } catch (error) {
      throw new BadInput(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
    }
  }
}

/** @throws BadInput */
function readFindings(file: string): FindingsDocument {
  try {
    return parseFindings(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadInput(`${file}: ${code === undefined ? message : `it cannot be read (${code}).`}`);
  }
}

function whyNothing({ crawl }: AuditResult): string {
  const start = crawl.pages[0];
  const reason =
    start?.outcome.message ??
    (start?.outcome.status == null
      ? 'the site did not respond'
      : `the home page answers with status ${start.outcome.status}${asksToWait(start.outcome) ? ': the site asks to wait' : ' and no HTML'}`);
  const redirected = [start?.outcome, crawl.discovery.robots.outcome].some(
    (outcome) => outcome && outcome.hops.length > 0,
  );
  const refused = start?.outcome.failure === 'blocked' && !redirected ? howToAllow(start.outcome.requestedUrl) : '';
  return `No page could be audited: ${refused === '' ? oneLine(reason) : oneLine(reason).replace(/\.$/, '')}${refused}`;
}

/** Only for the requested address: the redirect targets of a site are not for it to allow. */
function howToAllow(url: string): string {
  return `; allow it with \`--allow-host ${oneLine(new URL(url).host)}\``;
}

function isFound({ findings }: AuditResult, impact: Impact): boolean {
  const counted: readonly Impact[] = impact === 'high' ? ['high'] : impact === 'medium' ? ['high', 'medium'] : IMPACTS;
  return findings.some((finding) => !finding.hint && counted.includes(finding.impact));
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof BadInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  return EXIT_BAD_INPUT;
});
