/**
 * Requests that arrive before the app is there: each gets an answer, from the app or because it did not come in time.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { createServer, LIMITS, type ServerOptions } from '../../../src/http/server/server.ts';

/** Answers with what it got. */
function echo(): Koa {
  const app = new Koa();
  app.use(async (ctx) => {
    let body = '';
    for await (const chunk of ctx.req) body += chunk;
    ctx.body = `${ctx.method} ${ctx.url} ${body}`.trim();
  });
  return app;
}

async function listening(options: ServerOptions = {}) {
  const server = createServer({ drainMs: 2_000, ...options });
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.stop());
  /** Resolves when the server has this many requests and upgrades more. */
  const arrivals = (count: number): Promise<void> =>
    new Promise((resolve) => {
      let left = count;
      const arrived = () => {
        if (--left > 0) return;
        server.node.off('request', arrived).off('upgrade', arrived);
        resolve();
      };
      server.node.prependListener('request', arrived);
      server.node.prependListener('upgrade', arrived);
    });
  const call = (options: RequestOptions = {}, body = '') =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', ...options }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { server, port, arrivals, call };
}

describe('while the process starts', () => {
  it('requests of every kind wait, and the app answers them in their order', async () => {
    const { server, port, arrivals, call } = await listening();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const arrived = arrivals(6);
    const answers = [
      call({ path: '/readyz', agent }),
      call({ path: '/a', method: 'POST', headers: { 'Content-Length': '200000' } }, 'x'.repeat(200_000)),
      call({ path: '/b', method: 'PUT', headers: { Expect: '100-continue', 'Transfer-Encoding': 'chunked' } }, 'later'),
      call({ path: '/c', method: 'HEAD' }),
    ];
    // Two on one connection, without waiting for the first answer.
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await arrived;
    server.handle(echo());
    const [ready, posted, put, head] = await Promise.all(answers);
    expect(ready).toMatchObject({ status: 200, text: 'GET /readyz' });
    expect(posted?.text).toHaveLength('POST /a '.length + 200_000);
    expect(put).toMatchObject({ status: 200, text: 'PUT /b later' });
    expect(head?.status).toBe(200);
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect([...text.matchAll(/GET \/(?:first|second)/g)].map(String)).toEqual(['GET /first', 'GET /second']);
    // The kept connection goes on.
    expect(await call({ path: '/again', agent })).toMatchObject({ status: 200, text: 'GET /again' });
  });

  it('a socket waits, too, and is taken by whoever takes upgrades then', async () => {
    const { server, port, arrivals } = await listening();
    const arrived = arrivals(1);
    const opening = connect(port, '127.0.0.1');
    onTestFinished(() => void opening.destroy());
    opening.write('GET /api/v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await arrived;
    server.node.on('upgrade', (request, socket) =>
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${request.url}`),
    );
    server.handle(echo());
    expect(String((await once(opening, 'data'))[0])).toMatch(/^HTTP\/1.1 101[\s\S]*\/api\/v1\/realtime$/);
  });

  it('a socket is answered where nobody takes upgrades', async () => {
    const { server, port, arrivals } = await listening();
    const arrived = arrivals(1);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/realtime`);
    const refused = once(socket, 'error');
    await arrived;
    server.handle(echo());
    expect(String((await refused)[0])).toContain('503');
  });

  it.each([
    ['in time', { hold: { heldMs: 20 } }, false],
    ['for more than wait at once', { hold: { most: 0 } }, false],
    ['at all, because the start fails', {}, true],
  ] as const)('the answer is 503 with Retry-After if the app does not come %s', async (_, options, fails) => {
    const { server, port, arrivals, call } = await listening(options);
    const arrived = arrivals(3);
    const answers = [
      call({ path: '/readyz' }),
      call({ path: '/api/v1/jobs', method: 'POST', headers: { 'Content-Length': '9' } }, '{"a":"b"}'),
    ];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/realtime`);
    const refused = once(socket, 'unexpected-response');
    await arrived;
    if (fails) await server.stop();
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', 'cache-control': 'no-store', connection: 'close' },
      });
      expect(JSON.parse(answer.text)).toEqual({
        success: false,
        error: 'The server is starting. Please try again shortly.',
        code: 'BUSY',
      });
    }
    const [, response] = (await refused) as [unknown, IncomingMessage];
    expect(response).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    socket.on('error', () => undefined).terminate();
  });

  it('whoever has left is not answered, and does not take the place of others', async () => {
    const { server, port, arrivals, call } = await listening({ hold: { most: 1 } });
    const [first, second] = [arrivals(1), arrivals(2)];
    const left = connect(port, '127.0.0.1');
    left.write('GET /left HTTP/1.1\r\nHost: x\r\n\r\n');
    await first;
    left.destroy();
    await new Promise((resolve) =>
      server.node.getConnections((_error, count) => (count === 0 ? resolve(null) : setImmediate(resolve))),
    );
    const answer = call({ path: '/stays' });
    await second;
    const asked: string[] = [];
    const app = echo();
    app.middleware.unshift((ctx, next) => {
      asked.push(ctx.path);
      return next();
    });
    server.handle(app);
    expect((await answer).status).toBe(200);
    expect(asked).toEqual(['/stays']);
  });

  it('waiting is limited', () => {
    expect(LIMITS.heldMs).toBeLessThan(5_000);
    expect(LIMITS.held).toBeLessThanOrEqual(1_000);
  });
});
