// Builds the server (esbuild → dist/src) and the web app (vite → dist/web), beside the former build, which is replaced
// at the end: a server that runs from it goes on, and so does the next start if this one is interrupted.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bundleServer } from './bundleServer.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
const run = (name, args, env = {}) => {
  const { status, error } = spawnSync(bin(name), args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Of this process: several may build at once, as when an assistant's programs are started together. */
const own = `${root}.build/${process.pid}`;
mkdirSync(own, { recursive: true });
// What builds that were interrupted left.
for (const pid of readdirSync(`${root}.build`))
  if (!isRunning(Number(pid))) rmSync(`${root}.build/${pid}`, { recursive: true, force: true });
/** Its path ends like that of the finished build, which the programs in it are found by. */
const next = `${own}/dist`;
await bundleServer({ folder: `${next}/src` });
// The sample report: the engine that was just built audits the demo site on loopback.
const sample = spawnSync(process.execPath, [`${next}/src/cli/sample.js`, `${next}/sample.json`], {
  cwd: root,
  stdio: 'inherit',
});
if (sample.status !== 0) process.exit(sample.status ?? 1);
// With any other NODE_ENV, such as that of a test run, React's development build would be packed.
run('vite', ['build', '--config', 'web/vite.config.ts', '--outDir', `${next}/web`, '--logLevel', 'warn'], {
  NODE_ENV: 'production',
});

// Packed once and well, instead of quickly for each who asks.
const assets = `${next}/web/assets`;
for (const name of readdirSync(assets).filter((file) => /\.(?:js|css)$/.test(file))) {
  const content = readFileSync(`${assets}/${name}`);
  writeFileSync(
    `${assets}/${name}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  );
  writeFileSync(`${assets}/${name}.gz`, gzipSync(content, { level: 9 }));
}

try {
  if (existsSync(`${root}dist`)) renameSync(`${root}dist`, `${own}/former`);
  renameSync(next, `${root}dist`);
} catch (error) {
  // Another build of the same sources was put there in this moment.
  if (!existsSync(`${root}dist/web/index.html`)) throw error;
}
rmSync(own, { recursive: true, force: true });
