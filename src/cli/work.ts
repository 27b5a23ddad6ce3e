/**
 * `npm run work -- list|retry|drop`: background work that is pending or was given up; works whether or not the server
 * is running.
 */
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import type { GivenUpDocument } from '../projections/givenUpWork.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import {
  MOST_LISTED,
  operateWork,
  operatorContext,
  type WorkAnswer,
  type WorkRequest,
  type WorkRow,
} from '../work/operate.ts';
import { WORK_RULES } from '../work/rules.ts';
import { runOnStores } from './runOnStores.ts';
import { tableOf, toSeconds } from './table.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const LISTED = 100;

const KINDS = WORK_RULES.map(({ kind }) => kind);
type Kind = WorkRequest['kind'] & string;

class NotConfirmed extends Error {}

const ask = (config: Config, request: WorkRequest): Promise<WorkAnswer> =>
  runOnStores(config, { request: { work: request }, empty: 'no work is pending' }, (stores) =>
    operateWork({ ...stores, context: () => operatorContext(stores.store) }, request),
  );

const HEADS = ['KIND', 'ITEM', 'LANE', 'OPENED', 'DUE', 'FAILED', 'LAST FAILURE', 'HELD', 'VANISHED'];

function cellsOf({ kind, itemId, lane, openedAt, dueAt, attempts, failure, held, vanishings }: WorkRow): string[] {
  return [
    kind,
    itemId,
    lane,
    toSeconds(openedAt),
    toSeconds(dueAt),
    String(attempts),
    failure ?? '-',
    held ? 'yes' : 'no',
    String(vanishings),
  ];
}

const GIVEN_UP_HEADS = ['KIND', 'ITEM', 'ABOUT', 'PART OF', 'OWNER', 'ATTEMPTS', 'REASON', 'GIVEN UP'];

function givenUpCellsOf({
  kind,
  itemId,
  about,
  partOf,
  ownerId,
  attempts,
  reason,
  givenUpAt,
}: GivenUpDocument): string[] {
  const counted = attempts === null ? '-' : String(attempts);
  return [
    kind,
    itemId,
    about ?? '-',
    partOf ?? '-',
    ownerId ?? '-',
    counted,
    reason ?? '-',
    givenUpAt === null ? '-' : toSeconds(givenUpAt),
  ];
}

type Listing = { readonly kind?: Kind; readonly json?: true; readonly limit: number; readonly givenUp?: true };

async function list(config: Config, { kind, json, limit, givenUp: isGivenUp }: Listing): Promise<void> {
  if (isGivenUp)
    return listGivenUp(config, { ...(kind === undefined ? {} : { kind }), ...(json ? { json } : {}), limit });
  const { rows, more } = await ask(config, { action: 'list', limit, ...(kind === undefined ? {} : { kind }) });
  if (json) return console.log(JSON.stringify(rows, null, 2));
  console.log(rows.length === 0 ? 'No work is pending.' : tableOf(HEADS, rows.map(cellsOf)));
  if (more) console.log(`The first ${rows.length} are shown; --limit shows more.`);
}

async function listGivenUp(config: Config, { kind, json, limit }: Omit<Listing, 'givenUp'>): Promise<void> {
  const { givenUp, more } = await ask(config, {
    action: 'list-given-up',
    limit,
    ...(kind === undefined ? {} : { kind }),
  });
  if (json) return console.log(JSON.stringify(givenUp, null, 2));
  console.log(givenUp.length === 0 ? 'No work was given up.' : tableOf(GIVEN_UP_HEADS, givenUp.map(givenUpCellsOf)));
  if (more) console.log(`The first ${givenUp.length} are shown; --limit shows more.`);
}

async function retry(config: Config, kind: Kind, itemId: string): Promise<void> {
  await ask(config, { action: 'retry', kind, itemId });
  console.log(`${kind} ${itemId} is due now, and its earlier attempts no longer count.`);
}

async function drop(config: Config, kind: Kind, itemId: string, { yes }: { readonly yes?: true }): Promise<void> {
  if (!yes) await confirm(itemId);
  await ask(config, { action: 'drop', kind, itemId });
  console.log(`${kind} ${itemId} was dropped.`);
}

/** @throws NotConfirmed */
async function confirm(itemId: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new NotConfirmed('Nothing was dropped. To drop it for good without being asked, add --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await terminal
    .question('This drops it for good. Type its id to confirm: ')
    .finally(() => terminal.close());
  if (typed.trim() !== itemId) throw new NotConfirmed('That is not its id. Nothing was done.');
}

function kindOf(text: string): Kind {
  const kind = KINDS.find((each) => each === text);
  if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${KINDS.join(', ')}.`);
  return kind;
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
    throw new InvalidArgumentError(`It is a number from 1 to ${MOST_LISTED}.`);
  return limit;
}

function programOf(): Command {
  const program = new Command('work').description(
    'Background work that is pending or was given up: audits, emails, webhook deliveries, rewritten texts, prompt trials, account exports, sequence emails, events of the payment provider, and events that were set aside.',
  );
  const ends = (command: Command): Command =>
    command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
  ends(program);
  ends(program.command('list'))
    .description('what is pending, what is due first of each kind at the front')
    .addOption(new Option('--kind <kind>', 'of one kind').argParser(kindOf))
    .option('--given-up', 'what was given up instead, the newest of each kind first')
    .option('--json', 'as JSON')
    .addOption(new Option('--limit <number>', 'how many').argParser(limitOf).default(LISTED))
    .action((options: Parameters<typeof list>[1]) => list(loadConfig(process.env), options));
  ends(program.command('retry'))
    .description('makes an item due at once, or runs one again that was given up; its earlier attempts no longer count')
    .argument('<kind>', KINDS.join(', '), kindOf)
    .argument('<item>', 'its id, as the list has it')
    .action((kind: Kind, itemId: string) => retry(loadConfig(process.env), kind, itemId));
  ends(program.command('drop'))
    .description('gives up a pending item; removes one that was given up from their list')
    .argument('<kind>', KINDS.join(', '), kindOf)
    .argument('<item>', 'its id, as the list has it')
    .option('--yes', 'without asking')
    .action((kind: Kind, itemId: string, options: { readonly yes?: true }) =>
      drop(loadConfig(process.env), kind, itemId, options),
    );
  return program;
}

try {
  await programOf().parseAsync();
} catch (error) {
  const isExpected = [ConfigError, DomainError, EventStoreError, ReadModelError, NotConfirmed].some(
    (expected) => error instanceof expected,
  );
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error((error as Error).message);
  process.exitCode = error instanceof NotConfirmed ? EXIT_BAD_INPUT : EXIT_REFUSED;
}
