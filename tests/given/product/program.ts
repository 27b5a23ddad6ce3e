/** Runs a command of the built product as a user does, to its end; returns its output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtProgram, ownFolder } from './processes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `env`: its whole environment except PATH. */
export async function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [builtProgram(name), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: ownFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
