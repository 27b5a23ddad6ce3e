/** A refused upgrade keeps no socket, whatever its client does. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { attachRealtime } from '../../../src/http/realtime/realtime.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../given/product/http.ts';

let app: TestApp;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

const UPGRADE = [
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** Asks for an upgrade and reads the answer, but never closes its own side. */
async function askedFor(path: string, headers: readonly string[] = []) {
  const { port, hostname } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  sockets.push(socket);
  const ended = new Promise<string>((resolve) =>
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? '')),
  );
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.write(`GET ${path} HTTP/1.1\r\n${[...UPGRADE, ...headers].join('\r\n')}\r\n\r\n`);
  await once(socket, 'end');
  return { answer, socket, ended };
}

it.each<[string, string, string, TestAppOptions]>([
  ['for its path', '/elsewhere', '404 Not Found', {}],
  ['for its origin', '/api/v1/realtime', '403 Forbidden', {}],
  [
    'by the rate limit',
    '/api/v1/realtime',
    '429 Too Many Requests',
    { rateLimits: { address: { points: 0, seconds: 60 } } },
  ],
])(
  'a socket refused %s is closed by the server alone',
  async (_, path, status, options) => {
    app = await startTestApp(options);
    const { answer, socket, ended } = await askedFor(path, ['Origin: https://evil.example']);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(answer).toMatch(/"success":false.*\}$/);
    // Only a socket that the server has closed on both sides refuses what is written.
    const writing = setInterval(() => socket.write('x'), 5);
    expect(['ECONNRESET', 'EPIPE']).toContain(await ended.finally(() => clearInterval(writing)));
  },
  10_000,
);

it('a socket whose client reads nothing is closed, too', async () => {
  app = await startTestApp();
  const server = createServer();
  const realtime = attachRealtime(server, app.deps);
  const stuck = new Duplex({ read: () => undefined, write: () => undefined });
  server.emit('upgrade', { headers: {}, url: '/elsewhere', socket: {} }, stuck, Buffer.alloc(0));
  await once(stuck, 'close');
  await realtime.close();
}, 10_000);
