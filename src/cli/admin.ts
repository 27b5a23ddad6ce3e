/**
 * `npm run admin -- <command>`: operator commands for accounts and the installation; works whether or not the server is
 * running.
 */
import { Command } from 'commander';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { ConfigError } from '../start/config.ts';
import { addGrantCredits } from './admin/grantCredits.ts';
import { addJobs, addUsers } from './admin/lists.ts';
import { addMails } from './admin/mails.ts';
import { addParked } from './admin/parked.ts';
import { addGrant, addResetMfa, addRevoke } from './admin/rights.ts';
import { addWork } from './admin/work.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;

/** Each adds one command. */
const COMMANDS: readonly ((program: Command) => Command)[] = [
  addGrantCredits,
  addGrant,
  addRevoke,
  addResetMfa,
  addUsers,
  addJobs,
  addParked,
  addWork,
  addMails,
];

function programOf(): Command {
  const program = new Command('admin').description('Manages accounts and the installation.');
  const ends = (command: Command): Command =>
    command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));
  ends(program);
  for (const add of COMMANDS) ends(add(program));
  return program;
}

try {
  await programOf().parseAsync();
} catch (error) {
  const isExpected = [ConfigError, DomainError, EventStoreError, ReadModelError].some(
    (expected) => error instanceof expected,
  );
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error((error as Error).message);
  process.exitCode = EXIT_REFUSED;
}
