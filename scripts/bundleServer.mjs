// The server and its programs as few files: to find and read some 1,600 modules one by one takes longer than all else
// that a start does.
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('../src', import.meta.url));
const out = fileURLToPath(new URL('../dist/src', import.meta.url));
/** What is started or imported by its path: programs, threads, and the helpers of a user's own reports. */
const entries = [
  'main.ts',
  ...readdirSync(`${source}/cli`).flatMap((name) => (name.endsWith('.ts') ? [`cli/${name}`] : [])),
  'audit/facts/parse/parserWorker.ts',
  'reports/dailySums.ts',
  'workers/judging/judgeWorker.ts',
];
/** What is compiled for this machine, reads files beside itself, or is there only in development. */
const external = ['better-sqlite3', '@node-rs/argon2', '@resvg/resvg-js', 'playwright-core', 'tsx'];

/** A module that looks for files from where it is finds them as if it were not bundled. */
const ownUrls = {
  name: 'own URLs',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(source, path).replaceAll('\\', '/').replace(/\.ts$/, '.js');
      const url = `new URL(${JSON.stringify(file)}, import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/src/') + '/dist/src/'.length)).href`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/**
 * Writes `dist/src/`, or another folder whose path ends so. `also`: names and files of more programs.
 * @throws when a module is missing
 */
export async function bundleServer({ folder = out, also = {} } = {}) {
  await build({
    entryPoints: Object.fromEntries([
      ...entries.map((entry) => [entry.replace(/\.ts$/, ''), `${source}/${entry}`]),
      ...Object.entries(also),
    ]),
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    external,
    plugins: [ownUrls],
    // Packages that are CommonJS ask for Node's own modules in their way.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
