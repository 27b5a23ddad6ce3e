/** `users` and `jobs`: short tables for terminals, or JSON. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { NOT_JUDGED, wholeScore } from '../../model/scores.ts';
import { loadConfig } from '../../start/config.ts';
import {
  JOB_STATES,
  type JobRow,
  type ListAnswer,
  type ListRequest,
  MOST_ROWS,
  operateLists,
  type UserRow,
} from '../../start/operateLists.ts';
import { runOnStores } from '../runOnStores.ts';
import { tableOf, toSeconds } from '../table.ts';

const ask = (list: ListRequest): Promise<ListAnswer> =>
  runOnStores(loadConfig(process.env), { request: { list }, empty: 'it has no accounts' }, ({ readModels }) =>
    operateLists(readModels, list),
  );

const LISTED = 50;
const USERS = ['EMAIL', 'DOMAIN', 'TOTAL', 'COMPLETED', 'COMPLETION', 'TIME SAVED', 'LAST ACTIVITY'];
const JOBS = ['JOB', 'SITE', 'EMAIL', 'STATUS', 'SCORE', 'SUBMITTED'];

const limit = (): Option => new Option('--limit <number>', 'how many').argParser(limitOf).default(LISTED);

const json = (): Option => new Option('--json', 'as JSON');

type Options<List extends ListRequest['list']> = Omit<Extract<ListRequest, { readonly list: List }>, 'list'> & {
  readonly json?: true;
};

export function addUsers(program: Command): Command {
  return program
    .command('users')
    .description('users and their progress, last active first')
    .option('--search <text>', 'start of the email address')
    .addOption(limit())
    .addOption(json())
    .action(async ({ json: asJson, ...options }: Options<'users'>) =>
      print(await ask({ list: 'users', ...options }), asJson),
    );
}

export function addJobs(program: Command): Command {
  return program
    .command('jobs')
    .description('all jobs, newest first')
    .addOption(new Option('--status <status>', 'of one status').choices(JOB_STATES))
    .addOption(limit())
    .addOption(json())
    .action(async ({ json: asJson, ...options }: Options<'jobs'>) =>
      print(await ask({ list: 'jobs', ...options }), asJson),
    );
}

function print(answer: ListAnswer, asJson: true | undefined): void {
  const { rows, more } = answer;
  if (asJson) {
    console.log(JSON.stringify({ rows, more }, null, 2));
    return;
  }
  if (rows.length === 0) {
    console.log('None.');
    return;
  }
  console.log(
    answer.list === 'users' ? tableOf(USERS, answer.rows.map(userCells)) : tableOf(JOBS, answer.rows.map(jobCells)),
  );
  if (more) console.log(`The first ${rows.length} are shown; --limit shows more.`);
}

const time = (iso: string | null): string => (iso === null ? '-' : toSeconds(iso));

function userCells({
  email,
  domain,
  totalActions,
  completedActions,
  completionPercentage,
  timeSavedMinutes,
  lastActivity,
}: UserRow): string[] {
  return [
    email,
    domain,
    String(totalActions),
    String(completedActions),
    `${completionPercentage}%`,
    `${timeSavedMinutes} min`,
    time(lastActivity),
  ];
}

function jobCells({ jobId, host, email, status, score, notJudged, submittedAt }: JobRow): string[] {
  return [
    jobId,
    host,
    email ?? '-',
    status,
    score === null ? (notJudged ? NOT_JUDGED : '-') : String(wholeScore(score)),
    time(submittedAt),
  ];
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new InvalidArgumentError(`It is a number from 1 to ${MOST_ROWS}.`);
  return limit;
}
