// Builds when there is no build yet, or a source is newer than it: `npm start` needs no separate step.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const outputs = ['dist/src/main.js', 'dist/web/index.html'].map(path);

function newest(file) {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(file).map((name) => newest(`${file}/${name}`)));
}

const sources = [
  'src',
  'web',
  'scripts/build.mjs',
  'scripts/bundleServer.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
  .map(path)
  .filter(existsSync);
const built = outputs.every(existsSync) ? Math.min(...outputs.map((file) => statSync(file).mtimeMs)) : 0;
// An installation without its sources (a container image) runs what it was built with.
if (existsSync(path('src')) && (built === 0 || sources.some((file) => newest(file) > built))) {
  process.stderr.write('Building (once after each change) …\n');
  const { status } = spawnSync(process.execPath, [path('scripts/build.mjs')], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
