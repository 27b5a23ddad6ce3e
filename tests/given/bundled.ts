/** Scripts that tests run in processes of their own. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Within the project, so that packages are found. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/bundled', import.meta.url));
const made = new Map<string, string>();

/**
 * A script (absolute path of a `.ts` file) as one file that Node runs: loading its sources one by one takes a second of
 * processor time at each start. Not for scripts that look for files beside them.
 */
export function bundled(script: string): string {
  const known = made.get(script);
  if (known !== undefined) return known;
  const options = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    write: false,
    logLevel: 'warning',
  } as const;
  const text = buildSync({ ...options, entryPoints: [script] }).outputFiles[0]?.text ?? '';
  const file = join(
    FOLDER,
    `${basename(script, '.ts')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`,
  );
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true });
    // Others may be making the same file.
    const own = `${file}.${randomUUID()}`;
    writeFileSync(own, text);
    renameSync(own, file);
  }
  made.set(script, file);
  return file;
}
