// Runs one of the built programs: `node scripts/run.mjs audit …`; builds first when needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [program, ...args] = process.argv.slice(2);
const built = spawnSync(process.execPath, [fileURLToPath(new URL('./buildIfNeeded.mjs', import.meta.url))], {
  // What a program prints is read by others: a build prints beside it.
  stdio: ['ignore', process.stderr, 'inherit'],
});
if (built.status !== 0) process.exit(built.status ?? 1);
process.argv.splice(
  1,
  process.argv.length - 1,
  fileURLToPath(new URL(`../dist/src/cli/${program}.js`, import.meta.url)),
  ...args,
);
await import(new URL(`../dist/src/cli/${program}.js`, import.meta.url).href);
