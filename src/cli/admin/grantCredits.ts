/** `npm run admin -- grant-credits <email> <credits> --reason …` */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_CREDITS } from '../../model/limits.ts';
import { loadConfig } from '../../start/config.ts';
import { type BillRequest, operateBills } from '../../start/operateBills.ts';
import { runOnStores } from '../runOnStores.ts';

type Options = { readonly reason: string; readonly id: string };

async function grantCredits(email: string, credits: number, { reason, id }: Options): Promise<void> {
  const request: BillRequest = { action: 'grant-credits', id, email, credits, reason };
  const held = await runOnStores(
    loadConfig(process.env),
    { request: { bill: request }, empty: 'it has no accounts' },
    ({ store }) => operateBills(store, request),
  ).catch((error: unknown) => {
    // A retry must not grant twice.
    console.error(`Nothing is given twice if you run it again with --id ${id}`);
    throw error;
  });
  console.log(`${email} was granted ${count(credits)} and has ${held.credits} now.`);
}

const count = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

function creditsOf(text: string): number {
  const credits = Number(text);
  if (!Number.isInteger(credits) || credits < 1 || credits > MOST_CREDITS)
    throw new InvalidArgumentError(`It is a number from 1 to ${MOST_CREDITS}.`);
  return credits;
}

function reasonOf(text: string): string {
  if (text.trim() === '' || text.length > 500) throw new InvalidArgumentError('It is a text of 1 to 500 characters.');
  return text.trim();
}

export function addGrantCredits(program: Command): Command {
  return program
    .command('grant-credits')
    .description('grants free full audits')
    .argument('<email>', 'of the account')
    .argument('<credits>', 'how many', creditsOf)
    .addOption(
      new Option('--reason <text>', 'shown in the history of the account').argParser(reasonOf).makeOptionMandatory(),
    )
    .addOption(new Option('--id <id>', 'of the grant: the same one is made once').default(randomUUID(), 'a new one'))
    .action(grantCredits);
}
