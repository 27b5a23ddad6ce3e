import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { isOutOfMemory, startHelper } from '../../../src/audit/processes/helperProcess.ts';

const program = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const root = fileURLToPath(new URL('../../..', import.meta.url));

test('exchanges plain data and bytes', async () => {
  const helper = startHelper(program(`process.on('message', (said) => process.send(said));`), 64);
  const body = new TextEncoder().encode('<p>Tea').subarray(1, 4);
  helper.send({ body, nothing: undefined, list: [null, -0, 'ß'] });
  const [said] = await once(helper, 'message');
  expect(said).toEqual({ body, nothing: undefined, list: [null, -0, 'ß'] });
  helper.kill('SIGKILL');
});

test('a single allocation that is too large ends the helper alone', async () => {
  const helper = startHelper(program('const all = new Map(); for (let key = 0; ; key += 1) all.set(key, key);'), 32);
  const [code, signal] = await once(helper, 'exit');
  expect(isOutOfMemory(code, signal)).toBe(true);
});

test('sees nothing of the environment but the path and the time zone', async () => {
  vi.stubEnv('STRIPE_SECRET_KEY', 'secret');
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=4096');
  const helper = startHelper(program('process.send(Object.keys(process.env))'), 64);
  const [names] = await once(helper, 'message');
  vi.unstubAllEnvs();
  expect(names).not.toContain('STRIPE_SECRET_KEY');
  expect(names).not.toContain('NODE_OPTIONS');
  helper.kill('SIGKILL');
});

test.skipIf(process.platform === 'win32')('a busy helper ends when the process that started it is killed', async () => {
  const starter = `import { startHelper } from './src/audit/processes/helperProcess.ts';
    const helper = startHelper(new URL('data:text/javascript,process.send(1);for(;;);'), 64);
    helper.on('message', () => console.log(helper.pid));`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', starter], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(parent.stdout, 'data');
  const helper = Number(String(printed));
  expect(process.kill(helper, 0)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(helper, 0)).toThrow('ESRCH'), { timeout: 20_000, interval: 100 });
});

test.runIf(process.platform === 'linux')(
  'without file descriptors, none is started, and nothing else is signaled',
  async () => {
    const program = `import { closeSync, openSync } from 'node:fs';
    import { createParserPool } from './src/audit/facts/parse/parserPool.ts';
    const pool = createParserPool({ processes: 1, entry: new URL('data:text/javascript,process.on("message", () => process.send({ facts: { links: [], images: [], resources: [] } }))') });
    const page = { url: 'https://example.com/', body: new Uint8Array(1), contentType: null };
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const failed = await pool.parse(page, {}).catch(({ failure }) => failure);
    for (const each of open) closeSync(each);
    const read = await pool.parse(page, {}).then(() => 'read');
    await pool.close();
    console.log(failed, read);`;
    const shell = spawn(
      'sh',
      ['-c', 'ulimit -n 256; exec "$0" --import tsx --input-type=module --eval "$1"', process.execPath, program],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        // A group of its own: a stray signal would end it.
        detached: true,
      },
    );
    let printed = '';
    shell.stdout.on('data', (text) => {
      printed += text;
    });
    const [code, signal] = await once(shell, 'close');
    expect([printed.trim(), code, signal]).toEqual(['crashed read', 0, null]);
  },
);
