/** What one connection can make the server do before anything else gets its turn. */
import { connect } from 'node:net';
import { Duplex, PassThrough, Readable } from 'node:stream';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { createServer, type HttpServer, LIMITS } from '../../../src/http/server/server.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { sendRaw } from '../../given/product/rawRequest.ts';

let server: HttpServer | null = null;
let app: TestApp | null = null;
afterEach(async () => {
  await server?.stop();
  await app?.close();
  server = null;
  app = null;
});

/** What was received until the connection was closed. One that is reset may lose what was on its way. */
function untilClosed(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
    socket.write(bytes);
  });
}

const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

describe('requests sent without waiting for their answers', () => {
  async function serve(handler: Koa.Middleware): Promise<string> {
    const created = createServer({ drainMs: 0 });
    const koa = new Koa();
    koa.use(handler);
    created.handle(koa);
    server = created;
    return `http://127.0.0.1:${await created.listen(0, '127.0.0.1')}`;
  }

  it('are answered in their order while they are few', async () => {
    let nth = 0;
    const url = await serve((ctx) => {
      nth += 1;
      ctx.body = `answer ${nth}.`;
    });
    const few = LIMITS.pipelined - 1;
    const { text } = await sendRaw(url, GET.repeat(few) + GET.replace('Host: a', 'Host: a\r\nConnection: close'));
    expect(text.match(/answer \d+\./g)).toEqual(Array.from({ length: few + 1 }, (_, index) => `answer ${index + 1}.`));
  });

  it('end the connection when they are many, and hardly any is begun', async () => {
    let begun = 0;
    const url = await serve(async (ctx) => {
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
      ctx.body = 'x';
    });
    await untilClosed(url, GET.repeat(2_000));
    expect(begun).toBeLessThanOrEqual(LIMITS.pipelined);
  });
});

describe('what Node has read of a connection that was closed', () => {
  type Parser = { readonly constructor: { readonly kOnBody: number }; [callback: number]: (piece: Buffer) => unknown };
  const watched = new Map<Parser, (piece: Buffer) => unknown>();
  afterEach(() => {
    for (const [parser, take] of watched) parser[parser.constructor.kOnBody] = take;
    watched.clear();
  });

  /** Counts what Node's parser makes, whether or not anybody takes it. */
  async function counted(
    handler: Koa.Middleware,
  ): Promise<{ readonly url: string; readonly made: { requests: number; pieces: number } }> {
    const made = { requests: 0, pieces: 0 };
    const created = createServer({ drainMs: 0 });
    created.node.on('request', () => {
      made.requests += 1;
    });
    created.node.on('connection', ({ parser }: Duplex & { readonly parser: Parser }) => {
      const callback = parser.constructor.kOnBody;
      const take = parser[callback];
      // Parsers are used again for other connections.
      if (!take || watched.has(parser)) return;
      watched.set(parser, take);
      parser[callback] = function (this: unknown, piece) {
        made.pieces += 1;
        return take.call(this, piece);
      };
    });
    const koa = new Koa();
    koa.silent = true;
    koa.use(handler);
    created.handle(koa);
    server = created;
    return { url: `http://127.0.0.1:${await created.listen(0, '127.0.0.1')}`, made };
  }
  const answered: Koa.Middleware = (ctx) => {
    ctx.body = 'x';
  };
  const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const PIECE = '1\r\nx\r\n';
  const CONNECTIONS = 3;

  // Where a version of Node no longer honors how its parser is stopped, these counts are in the thousands.
  it('is not made into further requests', async () => {
    const { url, made } = await counted(answered);
    for (let nth = 0; nth < CONNECTIONS; nth += 1) await untilClosed(url, GET.repeat(1_500));
    expect(made.requests).toBeLessThanOrEqual(CONNECTIONS * (LIMITS.pipelined + 1));
  });

  it('is not made into requests after one that ends the connection', async () => {
    const { url, made } = await counted(answered);
    await untilClosed(url, `GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n${GET.repeat(1_500)}`);
    expect(made.requests).toBeLessThanOrEqual(LIMITS.pipelined + 1);
  });

  it.each<[string, Koa.Middleware]>([
    [
      'is read',
      async (ctx) => {
        for await (const _ of ctx.req);
      },
    ],
    ['waits to be read', (ctx) => new Promise<void>((resolve) => void ctx.res.once('close', resolve))],
    ['nobody wants', answered],
  ])('is not made into further pieces of a body that %s', async (_, handler) => {
    const { url, made } = await counted(handler);
    for (let nth = 0; nth < CONNECTIONS; nth += 1) await untilClosed(url, CHUNKED + PIECE.repeat(10_000));
    expect(made.pieces).toBeLessThanOrEqual(CONNECTIONS * 257);
  });

  it('costs later connections no piece of their bodies', async () => {
    const { url } = await counted(async (ctx) => {
      let body = '';
      for await (const piece of ctx.req) body += piece;
      ctx.body = `got ${body}.`;
    });
    for (let nth = 0; nth < CONNECTIONS; nth += 1) await untilClosed(url, CHUNKED + PIECE.repeat(10_000));
    for (let nth = 0; nth < CONNECTIONS; nth += 1)
      expect(await untilClosed(url, `${CHUNKED}${PIECE}${PIECE}0\r\n\r\n`)).toContain('got xx.');
  });

  it('is counted for each request of a long connection by itself', async () => {
    const { url, made } = await counted(answered);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    for (let nth = 0; nth < 300; nth += 1) {
      const data = new Promise((resolve) => socket.once('data', resolve));
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody');
      await data;
    }
    socket.destroy();
    expect(made).toEqual({ requests: 300, pieces: 300 });
  });
});

describe('requests sent without waiting, whose connection ends', () => {
  it('begin one at a time, and each answer that began learns of the end', async () => {
    const begun: Promise<unknown>[] = [];
    const created = createServer({ drainMs: 0 });
    const koa = new Koa();
    koa.silent = true;
    koa.use((ctx) => {
      // Never ends by itself.
      const body = new PassThrough();
      body.write('x');
      begun.push(
        new Promise((resolve) => body.once('close', resolve).on('error', () => undefined)),
        new Promise((resolve) => ctx.res.once('close', resolve)),
      );
      ctx.body = body;
    });
    created.handle(koa);
    server = created;
    const port = await created.listen(0, '127.0.0.1');
    for (const many of [10, LIMITS.pipelined + 4]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).write(GET.repeat(many));
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
      socket.destroy();
    }
    await Promise.all(begun);
    const [answers, connections] = [begun.length / 2, 2];
    expect(answers).toBeGreaterThan(0);
    expect(answers).toBeLessThanOrEqual(connections);
  });
});

describe('a request sent without waiting for an answer that ends the connection', () => {
  it.each([
    [
      'that expects permission for a body and has none',
      'GET /first HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
    ],
    ['of HTTP/1.0', 'GET /first HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n'],
    ['with a body in pieces', 'POST /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['that asks for it', 'GET /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])('never begins: after one %s', async (_, first) => {
    const begun: string[] = [];
    const closed: Promise<unknown>[] = [];
    const created = createServer({ drainMs: 0 });
    const koa = new Koa();
    koa.use((ctx) => {
      begun.push(ctx.path);
      closed.push(new Promise((resolve) => ctx.res.once('close', resolve)));
      // Of unknown length.
      ctx.body = Readable.from(['x']);
    });
    created.handle(koa);
    server = created;
    const url = `http://127.0.0.1:${await created.listen(0, '127.0.0.1')}`;
    const text = await untilClosed(url, first + GET);
    await Promise.all(closed);
    expect(begun).toEqual(['/first']);
    expect(text).toMatch(/Connection: close/i);
  });
});

describe('requests that expect something', () => {
  it.each(['x', '100-continue, y'])('%s, are counted and refused like all others', async (expectation) => {
    app = await startTestApp();
    const head = `Host: localhost\r\nExpect: ${expectation}\r\n`;
    const { status, body } = await sendRaw(
      app.url,
      `GET /healthz HTTP/1.1\r\nHost: other\r\n${head}Connection: close\r\n\r\n`,
    );
    expect([status, body?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await sendRaw(app.url, `GET /healthz HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)).status).toBe(200);
    const text = await untilClosed(app.url, `GET /healthz HTTP/1.1\r\n${head}\r\n`.repeat(500));
    expect(text.split('HTTP/1.1').length - 1).toBeLessThanOrEqual(LIMITS.pipelined);
  });
});

describe('a compressed answer', () => {
  it('causes no warning of the runtime', async () => {
    app = await startTestApp();
    const warnings: unknown[] = [];
    const noted = (warning: unknown) => void warnings.push(warning);
    process.on('warning', noted);
    const answer = await fetch(`${app.url}/api/v1/openapi.json`, { headers: { 'accept-encoding': 'br' } });
    const sample = await fetch(`${app.url}/api/v1/sample`, { headers: { 'accept-encoding': 'br' } });
    await Promise.all([answer.text(), sample.text()]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', noted);
    expect(warnings).toEqual([]);
  });
});

describe('requests with long heads sent without waiting, each answered at once', () => {
  it('end the connection when many begin in one turn of the event loop', async () => {
    let begun = 0;
    const created = createServer({ drainMs: 0 });
    const koa = new Koa();
    koa.use((ctx) => {
      begun += 1;
      ctx.body = 'x';
    });
    created.handle(koa);
    server = created;
    const READS = 32;
    const head = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX-Padding: ${'x'.repeat(12_000)}\r\n\r\n`);
    // How much of what a client sends is read in one turn is up to the system, so here the reads are given.
    const connection = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    created.node.emit('connection', connection);
    for (let read = 0; read < READS && !connection.destroyed; read += 1) {
      connection.push(head);
      // Answered before the next read, without a new turn.
      for (let tick = 0; tick < 100; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    expect(connection.destroyed).toBe(true);
    expect(begun).toBeLessThanOrEqual(LIMITS.pipelined);
  });
});

describe('a body in pieces', () => {
  const head =
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  it('of single bytes ends the connection', async () => {
    app = await startTestApp();
    await untilClosed(app.url, head + chunk(' ').repeat(50_000));
    expect((await app.call('GET', '/healthz')).status).toBe(200);
  });

  it('that nobody reads ends the connection after the answer', async () => {
    app = await startTestApp();
    const get = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
    // Taken apart to its end, it would be followed by a second answer.
    const text = await untilClosed(
      app.url,
      `${get}Transfer-Encoding: chunked\r\n\r\n${chunk('a').repeat(20_000)}0\r\n\r\n${get}Connection: close\r\n\r\n`,
    );
    expect(text.split('HTTP/1.1 200').length - 1).toBeLessThanOrEqual(1);
  });

  it('of a client’s program is read', async () => {
    app = await startTestApp();
    const body = JSON.stringify({ email: 'ann@example.com', password: 'wrong' });
    const { status } = await sendRaw(
      app.url,
      `${head}${[...body].map(chunk).join('')}${chunk(' ').repeat(150)}0\r\n\r\n`,
    );
    expect(status).toBe(401);
  });
});
