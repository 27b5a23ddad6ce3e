/** `npm run admin`: what an operator does for an account and for the installation; while the server runs or not. */
import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { MOST_CREDITS } from '../domain/billing/decideMoney.ts';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { type BillAnswer, type BillRequest, operateBills } from '../start/operateBills.ts';
import { addMails } from './admin/mails.ts';
import { addParked } from './admin/parked.ts';
import { addWork } from './admin/work.ts';
import { askStores } from './askStores.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;

const ask = (config: Config, request: BillRequest): Promise<BillAnswer> =>
  askStores(config, { request: { bill: request }, empty: 'it has no accounts' }, ({ store }) => operateBills(store, request));

type Options = { readonly reason: string; readonly id: string };

async function grantCredits(email: string, credits: number, { reason, id }: Options): Promise<void> {
  const held = await ask(loadConfig(process.env), { action: 'grant-credits', id, email, credits, reason }).catch((error: unknown) => {
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
  const program = new Command('admin').description('What an operator does for an account and for the installation.');
  const ends = (command: Command): Command => command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
  ends(program);
  ends(program.command('grant-credits'))
    .description('grants analyses in full that nobody pays for')
    .argument('<email>', 'of the account')
    .argument('<credits>', 'how many', creditsOf)
    .addOption(new Option('--reason <text>', 'stands in the history of the account').argParser(reasonOf).makeOptionMandatory())
    .addOption(new Option('--id <id>', 'of the grant: the same one is made once').default(randomUUID(), 'a new one'))
    .action(grantCredits);
  for (const add of [addMails, addParked, addWork]) ends(add(program));
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
