/**
 * Plants known faults, one at a time, in a copy of the last commit, and shows that the tests find each:
 * `npm run faults`, of one area `npm run faults -- --area domain`, a single one `npm run faults -- --only <id>`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PREFIX = 'seo-audit-faults-';
const copy = join(tmpdir(), `${PREFIX}${process.pid}`);
/** For one run of the tests; a planted fault may make them wait for ever. */
const LIMIT_MS = 10 * 60_000;
let running: ChildProcess | undefined;

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  git('worktree', 'prune');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Copies of runs that were killed before they could remove them. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length)))) remove(join(tmpdir(), name));
}

function stop(): void {
  try {
    if (running?.pid) process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/**
 * The tests see the built program as it was before any fault: another build for each would take longer than the tests.
 */
function makeCopy(): void {
  git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD');
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  if (
    spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] }).status !==
    0
  )
    throw new Error('The build failed.');
  const later = new Date(Date.now() + 24 * 60 * 60_000);
  for (const output of ['dist/src/main.js', 'dist/web/index.html']) utimesSync(join(copy, output), later, later);
}

type Result = { readonly status: string; readonly fullName: string };

/** What became of each test, in the copy; of a file that cannot be loaded there is none. `options`: of Vitest. */
async function runTests(files: readonly string[], ...options: readonly string[]): Promise<readonly Result[]> {
  const report = join(copy, 'dist/tests.json');
  rmSync(report, { force: true });
  const args = [
    ...options,
    '--reporter=json',
    `--outputFile=${report}`,
    `--experimental.fsModuleCachePath=${join(copy, 'dist/cache')}`,
  ];
  const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...args], {
    cwd: copy,
    detached: true,
    stdio: 'ignore',
  });
  running = tests;
  const timer = setTimeout(stop, LIMIT_MS);
  await new Promise((resolve) => tests.on('close', resolve));
  clearTimeout(timer);
  running = undefined;
  const ran: readonly { readonly assertionResults: readonly Result[] }[] = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8')).testResults
    : [];
  return ran.flatMap(({ assertionResults }) => assertionResults);
}

async function isFound({ id, what, file, find, replace, tests }: Fault): Promise<boolean> {
  const path = join(copy, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = text.split(find).length - 1;
  if (found !== 1) {
    console.log(`STALE      ${id}: its text occurs ${found} times in ${file}`);
    return false;
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const results = await runTests(tests, '--bail', '1');
  writeFileSync(path, text);
  const finder = results.find(({ status }) => status === 'failed')?.fullName;
  if (finder === undefined) {
    console.log(`NOT FOUND  ${id}: ${what}${results.length === 0 ? ' (no test was run)' : ''}`);
    return false;
  }
  // It is the fault that fails the test: without it the same test passes.
  const again = await runTests(tests, '--testNamePattern', `^${finder.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  const isCause = again.some(({ status, fullName }) => status === 'passed' && fullName === finder);
  console.log(isCause ? `found      ${id}: ${finder}` : `NOT FOUND  ${id}: without it, too, fails ${finder}`);
  return isCause;
}

const { area, only } = parseArgs({ options: { area: { type: 'string' }, only: { type: 'string' } } }).values;
const faults = Object.entries(FAULTS).flatMap(([name, list]) =>
  list.filter(({ id }) => (area ?? name) === name && (only ?? id) === id),
);
if (faults.length === 0) throw new Error(`No such fault. Areas: ${Object.keys(FAULTS).join(', ')}.`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
process.on('exit', () => {
  stop();
  remove(copy);
});
removeLeftOver();
if (git('status', '--porcelain') !== '')
  console.log('Faults are planted in the last commit: changes since are not part of it.');
makeCopy();
let count = 0;
for (const fault of faults) if (await isFound(fault)) count += 1;
console.log(`${count} of ${faults.length} faults found`);
process.exitCode = count === faults.length ? 0 : 1;
