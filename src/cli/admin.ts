/** `npm run admin -- grant-credits|users|jobs`: what an operator gives an account, and reads of all; while the server runs or not. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import pino from 'pino';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { askServer } from '../eventStore/folderRequests.ts';
import { MOST_CREDITS } from '../model/limits.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { openStores, type Stores } from '../start/openStores.ts';
import { type BillAnswer, type BillRequest, operateBills } from '../start/operateBills.ts';
import { operateLists } from '../start/operateLists.ts';
import { addLists } from './admin/lists.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;

/** Where the stores are servers, or nobody runs here, the stores are opened; else the server that has them is asked. */
async function ask<Answer>(config: Config, request: object, operate: (stores: Stores) => Promise<Answer>): Promise<Answer> {
  if (!config.servers) {
    if (!existsSync(join(config.DATA_DIR, 'events.db'))) throw new DomainError('NO_LOG', `There is no event log in ${config.DATA_DIR}: it has no accounts.`);
    const answered = await askServer(config.DATA_DIR, request);
    if (answered) return answered.answer as Answer;
  }
  const stores = await openStores(config, pino({ level: 'silent' }));
  try {
    return await operate(stores);
  } finally {
    await stores.close();
  }
}

type Options = { readonly reason: string; readonly id: string };

async function grantCredits(email: string, credits: number, { reason, id }: Options): Promise<void> {
  const bill: BillRequest = { action: 'grant-credits', id, email, credits, reason };
  const held = await ask<BillAnswer>(loadConfig(process.env), { bill }, ({ store }) => operateBills(store, bill)).catch((error: unknown) => {
    // Whoever tries again must not give twice.
    console.error(`Nothing is given twice if you run it again with --id ${id}`);
    throw error;
  });
  console.log(`${email} was granted ${count(credits)} and has ${held.credits} now.`);
}

const count = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

function creditsOf(text: string): number {
  const credits = Number(text);
  if (!Number.isInteger(credits) || credits < 1 || credits > MOST_CREDITS) throw new InvalidArgumentError(`It is a number from 1 to ${MOST_CREDITS}.`);
  return credits;
}

function reasonOf(text: string): string {
  if (text.trim() === '' || text.length > 500) throw new InvalidArgumentError('It is a text of 1 to 500 characters.');
  return text.trim();
}

function programOf(): Command {
  const program = new Command('admin').description('What an operator does for accounts, and reads of all.');
  const ends = (command: Command): Command => command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
  ends(program);
  ends(program.command('grant-credits'))
    .description('grants analyses in full that nobody pays for')
    .argument('<email>', 'of the account')
    .argument('<credits>', 'how many', creditsOf)
    .addOption(new Option('--reason <text>', 'stands in the history of the account').argParser(reasonOf).makeOptionMandatory())
    .addOption(new Option('--id <id>', 'of the grant: the same one is made once').default(randomUUID(), 'a new one'))
    .action(grantCredits);
  addLists(program, ends, (list) => ask(loadConfig(process.env), { list }, ({ readModels }) => operateLists(readModels, list)));
  return program;
}

try {
  await programOf().parseAsync();
} catch (error) {
  const isExpected = [ConfigError, DomainError, EventStoreError, ReadModelError].some((expected) => error instanceof expected);
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error((error as Error).message);
  process.exitCode = EXIT_REFUSED;
}
