/**
 * The version that installations upgrade from, built from this repository's own history: a stand-in for a log would
 * only show what its author thought of.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The last commit of the release before this one. Move it when a release is cut. */
/** Its packages are installed with ours: `@koa/bodyparser` and `rate-limiter-flexible` are there for it alone. */
const FORMER = '5733f99926e4713927c208f0033611bc2a58a76d';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Within the project, so that packages are found. */
const folder = fileURLToPath(new URL(`../../../node_modules/.cache/former/${FORMER.slice(0, 12)}`, import.meta.url));

/** False, with a message, in a copy without that commit, such as a shallow clone. */
export function formerVersionAvailable(): boolean {
  if (existsSync(`${folder}/dist/src/main.js`)) return true;
  if (spawnSync('git', ['cat-file', '-e', `${FORMER}^{commit}`], { cwd: root }).status === 0) return true;
  process.stderr.write(
    `skipped: the former version (commit ${FORMER.slice(0, 12)}) is not in this copy of the repository\n`,
  );
  return false;
}

/** The entry file of the former version's server, without the web app; built on the first call. */
export function formerServer(): string {
  const entry = `${folder}/dist/src/main.js`;
  if (existsSync(entry)) return entry;
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  try {
    const sources = execFileSync('git', ['archive', FORMER, 'src', 'scripts', 'package.json', 'tsconfig.json'], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    execFileSync('tar', ['-x', '-C', making], { input: sources });
    execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `(await import('${making}/scripts/bundleServer.mjs')).bundleServer()`,
    ]);
    // Only a whole build has the name that is looked for.
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return entry;
}
