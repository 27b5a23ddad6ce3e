// Builds the server (esbuild → dist/src) and the web app (vite → dist/web).
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
await bundleServer();
// The sample report: the engine that was just built audits the demo site on loopback.
const sample = spawnSync(process.execPath, ['dist/src/cli/sample.js', 'dist/sample.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (sample.status !== 0) process.exit(sample.status ?? 1);
// With any other NODE_ENV, such as that of a test run, React's development build would be packed.
run('vite', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], { NODE_ENV: 'production' });

// Packed once and well, instead of quickly for each who asks.
const assets = new URL('../dist/web/assets/', import.meta.url);
for (const name of readdirSync(assets).filter((file) => /\.(?:js|css)$/.test(file))) {
  const content = readFileSync(new URL(name, assets));
  writeFileSync(
    new URL(`${name}.br`, assets),
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  );
  writeFileSync(new URL(`${name}.gz`, assets), gzipSync(content, { level: 9 }));
}
