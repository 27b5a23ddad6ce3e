/** `npm run audit -- <url>`: one audit from a terminal. Progress on stderr, the report on stdout. */
import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type AuditResult, audit } from './audit/audit.ts';
import type { Impact } from './audit/checks/check.ts';
import { CHECKS } from './audit/checks/index.ts';
import { normaliseSubmission } from './audit/crawl/url.ts';
import { createParserPool } from './audit/facts/parserPool.ts';
import { findingsJson } from './audit/report/findingsJson.ts';
import { oneLine } from './audit/report/markdown.ts';
import { reportMarkdown } from './audit/report/reportMarkdown.ts';
import { plainSummary } from './audit/report/summaryMarkdown.ts';
import { terminalReport } from './audit/report/terminalReport.ts';
import { createFetcher } from './integrations/fetcher/httpFetcher.ts';
import { userAgent } from './version.ts';

const EXIT_FOUND = 1;
const EXIT_BAD_INPUT = 2;
/** An audit of nothing is no success. */
const EXIT_NOTHING = 2;
const MAX_BYTES = 500 * 1024 * 1024;

type Options = {
  readonly json?: boolean;
  readonly md?: boolean;
  readonly pages: number;
  readonly seconds: number;
  readonly failOn?: Impact;
  readonly allowHost: readonly string[];
};

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 5000) throw new InvalidArgumentError('It must be a whole number from 1 to 5000.');
  return number;
}

const program = new Command('audit')
  .description('Audits a website and prints the report.')
  .argument('<url>', 'address of the site, such as example.com')
  .addOption(new Option('--json', 'print the findings as JSON').conflicts('md'))
  .option('--md', 'print the report as markdown')
  .option('--pages <number>', 'pages to audit at most', wholeNumber, 50)
  .option('--seconds <number>', 'seconds the crawl may take', wholeNumber, 180)
  .addOption(new Option('--fail-on <impact>', 'exit with code 1 when a fault of this impact or worse is found').choices(['high', 'medium', 'low']))
  .option(
    '--allow-host <host:port>',
    'a host of your own network that may be audited, besides those of AUDIT_ALLOW_HOSTS; may be given several times',
    (host: string, all: string[]) => [...all, host],
    [],
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

async function main(): Promise<number> {
  program.parse();
  const submission = normaliseSubmission(program.args[0] ?? '');
  if (!submission.ok) {
    process.stderr.write(`${submission.reason}\n`);
    return EXIT_BAD_INPUT;
  }
  const options = program.opts<Options>();
  const result = await run(submission.url, options);
  process.stdout.write(render(submission, result, options));
  if (result.score.pages === 0) process.stderr.write(`${whyNothing(result)}\n`);
  if (options.failOn !== undefined && isFound(result, options.failOn)) return EXIT_FOUND;
  return result.score.pages > 0 ? 0 : EXIT_NOTHING;
}

async function run(url: string, options: Options): Promise<AuditResult> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const fetcher = createFetcher({ allowHosts: [...options.allowHost, ...(process.env.AUDIT_ALLOW_HOSTS ?? '').split(',')], userAgent: userAgent() });
  const pool = createParserPool({ threads: 2 });
  const progress = process.stderr.isTTY ? (text: string) => process.stderr.write(`\r\u001b[2K${text}`) : () => undefined;
  try {
    progress('looking at robots.txt and sitemaps');
    return await audit(
      url,
      {
        maxPages: options.pages,
        maxMs: options.seconds * 1000,
        maxBytes: MAX_BYTES,
        concurrency: 4,
        onProgress: ({ pagesDone, pagesKnown }) => progress(`${pagesDone} of ${pagesKnown} known pages`),
      },
      {
        fetch: fetcher,
        parse: pool.parse,
        now: Date.now,
        sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
        userAgent: userAgent(),
        signal: stop.signal,
      },
    );
  } finally {
    progress('');
    await Promise.all([pool.close(), fetcher.close()]);
  }
}

function render({ url, host }: { readonly url: string; readonly host: string }, result: AuditResult, options: Options): string {
  const input = { url, host, generatedAt: new Date().toISOString(), checks: CHECKS, ...result };
  if (options.json === true) return findingsJson(input);
  if (options.md === true) return reportMarkdown({ ...input, analysis: { text: plainSummary(input), by: 'Built-in summary' } });
  return terminalReport(url, result);
}

function whyNothing({ crawl }: AuditResult): string {
  const start = crawl.pages[0];
  const reason =
    start?.outcome.message ??
    (start?.outcome.status == null ? 'the site did not answer' : `the start page answers with status ${start.outcome.status} and no HTML`);
  const redirected = [start?.outcome, crawl.discovery.robots.outcome].some((outcome) => outcome && outcome.hops.length > 0);
  const refused = start?.outcome.failure === 'blocked' && !redirected ? howToAllow(start.outcome.requestedUrl) : '';
  return `No page could be audited: ${refused === '' ? oneLine(reason) : oneLine(reason).replace(/\.$/, '')}${refused}`;
}

/** Only for the address that was asked for: where a site redirects to is not for it to open. */
function howToAllow(url: string): string {
  return `; allow it with \`--allow-host ${oneLine(new URL(url).host)}\``;
}

function isFound({ findings }: AuditResult, impact: Impact): boolean {
  const counted: readonly Impact[] = impact === 'high' ? ['high'] : impact === 'medium' ? ['high', 'medium'] : ['high', 'medium', 'low'];
  return findings.some((finding) => !finding.hint && counted.includes(finding.impact));
}

process.exitCode = await main();
