/** Before tests of built programs: a stale build would be tested in place of the source. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('../scripts/buildIfNeeded.mjs', import.meta.url))],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('The build failed.');
}
