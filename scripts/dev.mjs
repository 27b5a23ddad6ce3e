// Development: the server restarts and the web app reloads on each change. Stops both on Ctrl-C.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const start = (name, args) =>
  spawn(fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)), args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });

const children = [
  start('tsx', ['watch', '--clear-screen=false', 'src/main.ts']),
  start('vite', ['--config', 'web/vite.config.ts']),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
