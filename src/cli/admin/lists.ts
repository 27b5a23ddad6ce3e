/** `users` and `jobs`: short tables for terminals. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../../start/config.ts';
import { JOB_STATES, type ListAnswer, type ListRequest, MOST_ROWS, operateLists } from '../../start/operateLists.ts';
import { askOperator } from './askOperator.ts';

const ask = (list: ListRequest): Promise<ListAnswer> => askOperator(loadConfig(process.env), { list }, ({ readModels }) => operateLists(readModels, list));

const LISTED = 50;
const USERS = ['EMAIL', 'DOMAIN', 'TOTAL', 'COMPLETED', 'COMPLETION', 'TIME SAVED', 'LAST ACTIVITY'];
const JOBS = ['JOB', 'SITE', 'EMAIL', 'STATUS', 'SCORE', 'SUBMITTED'];

const limit = (): Option => new Option('--limit <number>', 'how many').argParser(limitOf).default(LISTED);

export function addUsers(program: Command): Command {
  return program
    .command('users')
    .description('users with how far they have come, those last active first')
    .option('--search <text>', 'what the address begins with')
    .addOption(limit())
    .action(async (options: { readonly search?: string; readonly limit: number }) => print(USERS, await ask({ list: 'users', ...options })));
}

export function addJobs(program: Command): Command {
  return program
    .command('jobs')
    .description('everybody’s jobs, newest first')
    .addOption(new Option('--status <status>', 'of one status').choices(JOB_STATES))
    .addOption(limit())
    .action(async (options: Omit<Extract<ListRequest, { readonly list: 'jobs' }>, 'list'>) => print(JOBS, await ask({ list: 'jobs', ...options })));
}

function print(heads: readonly string[], { rows, more }: ListAnswer): void {
  if (rows.length === 0) {
    console.log('There are none.');
    return;
  }
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log([heads, ...rows].map(lineOf).join('\n'));
  if (more) console.log(`The first ${rows.length} are shown; --limit shows more.`);
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS) throw new InvalidArgumentError(`It is a number from 1 to ${MOST_ROWS}.`);
  return limit;
}
