/**
 * A command of `npm run admin` in this process: for what it prints and which arguments it takes, not for how its
 * process ends.
 */
import { devNull } from 'node:os';
import { Command } from 'commander';
import { vi } from 'vitest';

/** Adds the command to a program, as `src/cli/admin/` exports it. */
type Add = (program: Command) => Command;

const parse = (add: Add, args: readonly string[]): Promise<Command> => {
  const program = new Command('admin').exitOverride();
  add(program)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return program.parseAsync(args, { from: 'user' });
};

/** What it prints. */
export async function printedBy(add: Add, args: readonly string[], dataDir: string): Promise<string> {
  let printed = '';
  vi.stubEnv('DATA_DIR', dataDir);
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => {
    printed += `${text}\n`;
  });
  try {
    await parse(add, args);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
  return printed;
}

/** The code with which commander refuses the arguments. Taken ones find no data folder, so that nothing is written. */
export async function refusalOf(add: Add, args: readonly string[]): Promise<string | null> {
  vi.stubEnv('DATA_DIR', devNull);
  try {
    await parse(add, args);
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  } finally {
    vi.unstubAllEnvs();
  }
}
