/** Nobody reads the banner: whoever started the process has closed its end of the pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryData } from '../given/product/builtServer.ts';
import { freePort } from '../given/product/freePort.ts';
import { BUILT_SERVER } from '../given/product/processes.ts';

it('a process whose banner cannot be written serves all the same', async () => {
  const [port, data] = [await freePort(), temporaryData()];
  const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'test', DEMO: 'false', PORT: String(port), DATA_DIR: data.dir };
  const child = spawn(process.execPath, [BUILT_SERVER], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    data.remove();
  });
  child.stdout.destroy();
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await alive())) {
    expect(child.exitCode).toBeNull();
    await wait(20);
  }
  // The banner is written right after the first answer; this lasts much longer.
  for (let request = 0; request < 300; request += 1) expect(await alive()).toBe(true);
  expect(child.exitCode).toBeNull();
});
