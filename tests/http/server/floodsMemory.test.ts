/** What many connections at once can make the server hold. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { bundled } from '../../given/bundled.ts';

const SCRIPT = fileURLToPath(new URL('./floodedServer.ts', import.meta.url));
const HEAP_MB = 64;
const CONNECTIONS = 60;

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill();
  child = null;
});

async function startWithLittleMemory(): Promise<number> {
  const started = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, bundled(SCRIPT)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child = started;
  const [port] = (await once(started.stdout, 'data')) as [Buffer];
  return Number(port.toString());
}

/** All connections send at once, and end. */
async function flood(port: number, bytes: string): Promise<void> {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await Promise.all(
    sockets.map(async (socket) => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined).resume();
      socket.write(bytes);
      await closed;
    }),
  );
}

describe('a server with little memory survives', () => {
  it.each([
    ['requests that were not waited for', 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_300)],
    [
      'bodies in single bytes',
      `POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}`,
    ],
  ])('%s, on many connections at once', async (_, bytes) => {
    const port = await startWithLittleMemory();
    await flood(port, bytes);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(200);
  });
});
