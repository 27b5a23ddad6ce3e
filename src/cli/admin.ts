/** `npm run admin -- <command>`: what an operator does for accounts, and reads of all; while the server runs or not. */
import { Command } from 'commander';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { ConfigError } from '../start/config.ts';
import { addGrantCredits } from './admin/grantCredits.ts';
import { addJobs, addUsers } from './admin/lists.ts';
import { addGrant, addResetMfa, addRevoke } from './admin/rights.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;

/** Each adds one command. */
const COMMANDS: readonly ((program: Command) => Command)[] = [addGrantCredits, addGrant, addRevoke, addResetMfa, addUsers, addJobs];

function programOf(): Command {
  const program = new Command('admin').description('What an operator does for accounts, and reads of all.');
  const ends = (command: Command): Command => command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
  ends(program);
  for (const add of COMMANDS) ends(add(program));
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
