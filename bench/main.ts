/**
 * `npm run bench [-- --full] [--only append,replay] [--rounds 7]`: ours beside the raw limits, measured in the same
 * run. Prints the table; a complete run also writes it to docs/benchmarks.md, and a part of it to the README. Fails
 * only when something could not be measured.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { audit } from './audit/audit.ts';
import { heavy } from './audit/heavy.ts';
import { liveFeed } from './audit/liveFeed.ts';
import { adminJobs } from './http/adminJobs.ts';
import { adminUsers } from './http/adminUsers.ts';
import { assistants } from './http/assistants.ts';
import { fanOut } from './http/fanOut.ts';
import { history } from './http/history.ts';
import { http } from './http/http.ts';
import { latency } from './http/latency.ts';
import { reportRows } from './http/reportRows.ts';
import { requestCost } from './http/requestCost.ts';
import { webhooks } from './http/webhooks.ts';
import { append } from './log/append.ts';
import { asOf } from './log/asOf.ts';
import { chain } from './log/chain.ts';
import { exporting } from './log/export.ts';
import { growth } from './log/growth.ts';
import { migrate } from './log/migrate.ts';
import { replay } from './log/replay.ts';
import { verifyLog } from './log/verifyLog.ts';
import type { Figure, Row } from './measure.ts';
import { pairCommands } from './pairs/pairCommands.ts';
import { pairLogs, pairs } from './pairs/pairs.ts';
import { causes } from './readModels/causes.ts';
import { findings } from './readModels/findings.ts';
import { perEvent } from './readModels/perEvent.ts';
import { projection } from './readModels/projection.ts';
import { reports } from './readModels/reports.ts';
import { tableOf, writeReport } from './report.ts';
import { bundles } from './web/bundles.ts';
import { historyPage } from './web/historyPage.ts';
import { interactions } from './web/interactions.ts';
import { lighthouseScores } from './web/lighthouse.ts';
import { bill } from './work/bill.ts';
import { claims } from './work/claims.ts';
import { firstEvent } from './work/firstEvent.ts';
import { oneOwner } from './work/oneOwner.ts';
import { queue } from './work/queue.ts';
import { start } from './work/start.ts';
import { startPending } from './work/startPending.ts';

const FIGURES: readonly Figure[] = [
  append,
  chain,
  growth,
  bill,
  replay,
  asOf,
  verifyLog,
  reports,
  exporting,
  projection,
  perEvent,
  causes,
  claims,
  queue,
  firstEvent,
  findings,
  http,
  adminJobs,
  adminUsers,
  history,
  fanOut,
  latency,
  requestCost,
  assistants,
  reportRows,
  webhooks,
  audit,
  liveFeed,
  heavy,
  start,
  startPending,
  oneOwner,
  bundles,
  interactions,
  historyPage,
  lighthouseScores,
  migrate,
  pairLogs,
  pairs,
  pairCommands,
];

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
});
const only = values.only?.split(',');
const unknown = only?.filter((name) => !FIGURES.some((figure) => figure.name === name)) ?? [];
const rounds = Number(values.rounds);
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(`Figures: ${FIGURES.map((figure) => figure.name).join(', ')}. Rounds: a whole number.\n`);
  process.exit(2);
}

// On the project's own disk: a temporary folder may be memory, where durable writes cost nothing.
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(cache, { recursive: true });
/** How the rows that the README shows begin; docs/benchmarks.md has all. */
const IN_README = [
  'append one event',
  'submission → log → read model → websocket',
  'logged-in job list',
  'audit of ',
  'start to ready with 50,000',
];
const rows: Row[] = [];
const shown: Row[] = [];
const failed: string[] = [];
const started = Date.now();
for (const figure of FIGURES.filter(({ name }) => only === undefined || only.includes(name))) {
  const dir = mkdtempSync(join(cache, 'bench-'));
  const say = (text: string) => process.stderr.write(`${figure.name}: ${text}\n`);
  say('measuring');
  try {
    const measured = await figure.measure({ full: values.full, rounds, dir, say });
    rows.push(...measured);
    shown.push(...measured.filter(({ what }) => IN_README.some((beginning) => what.startsWith(beginning))));
  } catch (error) {
    failed.push(figure.name);
    say(`could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
const seconds = Math.round((Date.now() - started) / 1000);
process.stdout.write(`${tableOf(rows)}\n`);
if (only === undefined && failed.length === 0) writeReport(rows, shown, { rounds, full: values.full, seconds });
if (failed.length > 0) process.stderr.write(`Not measured: ${failed.join(', ')}\n`);
// A figure that failed may have left servers behind, which would keep the process.
process.exit(failed.length > 0 ? 1 : 0);
