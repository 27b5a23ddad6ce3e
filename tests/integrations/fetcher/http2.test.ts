/**
 * Whether a server offers HTTP/2 is learned from a handshake; requests go over HTTP/1.1. What a server then sends over
 * HTTP/2 reaches no code: of its frames, some end the process inside HTTP/2 clients.
 */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { createCertificate } from '../../servers/certificate.ts';

const certificate = createCertificate({
  names: ['h2.test'],
  from: new Date(Date.now() - 86_400_000),
  to: new Date(Date.now() + 86_400_000),
});

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

const many = (one: Buffer): Buffer => Buffer.concat(Array<Buffer>(2_000).fill(one));

/** What a server sends once HTTP/2 has been agreed on. */
const FRAMES: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'empty data': many(frame(0, 0, 1)),
  'a ping that answers none': frame(6, 1, 0, Buffer.alloc(8)),
  'a flood of pings': many(frame(6, 0, 0, Buffer.alloc(8))),
  'a flood of settings': many(frame(4, 0, 0)),
  'a window of nothing': frame(8, 0, 0, words(0)),
  'a window that overflows': frame(8, 0, 0, words(0x7fffffff)),
  'a reset of an idle stream': frame(3, 0, 1, words(2)),
  'a push': frame(5, 4, 1, Buffer.concat([words(2), Buffer.from([0x88])])),
  'the end of everything': frame(7, 0, 0, words(0, 0)),
  garbage: Buffer.from('not HTTP/2 at all'.repeat(1_000)),
};

let protocols: readonly string[] = ['h2', 'http/1.1'];
let sent: Buffer = Buffer.alloc(0);
let agreed: (string | undefined)[] = [];
const wires = new Set<Socket>();
const escaped: unknown[] = [];
const onEscape = (error: unknown): void => void escaped.push(error);

const http = createHttp((request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`HTTP/${request.httpVersion}`),
);
const server = createServer(
  {
    ...certificate,
    ALPNCallback: ({ protocols: offered }) => {
      const protocol = protocols.find((each) => offered.includes(each));
      agreed.push(protocol);
      return protocol;
    },
  },
  (socket: TLSSocket) => {
    socket.on('error', () => undefined);
    if (socket.alpnProtocol !== 'h2') return void http.emit('connection', socket);
    socket.write(Buffer.concat([frame(4, 0, 0), sent]));
  },
);

let fetcher: ClosableFetcher;
let origin = '';
const open = (asksForHttp2 = true): ClosableFetcher =>
  createFetcher({
    allowHosts: [origin.slice('https://'.length)],
    userAgent: 'H2Test/1.0',
    ca: [certificate.cert],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    asksForHttp2,
    headersMs: 2_000,
  });

beforeAll(async () => {
  server.on('tlsClientError', () => undefined);
  server.on('connection', (wire: Socket) => {
    wire.on('error', () => undefined);
    wires.add(wire);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://h2.test:${(server.address() as AddressInfo).port}`;
  process.on('uncaughtExceptionMonitor', onEscape);
});

afterEach(async () => {
  await fetcher.close();
  protocols = ['h2', 'http/1.1'];
  sent = Buffer.alloc(0);
  agreed = [];
  expect(escaped).toEqual([]);
});

afterAll(async () => {
  process.off('uncaughtExceptionMonitor', onEscape);
  for (const wire of wires) wire.destroy();
  http.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

describe('HTTP/2', () => {
  test('is reported if the server offers it, and asked for once for each origin', async () => {
    fetcher = open();
    const results = await Promise.all(Array.from({ length: 30 }, () => fetcher(`${origin}/`)));
    for (const result of results) {
      expect(result).toMatchObject({ ok: true, httpVersion: '2', certificateEnds: expect.any(String) });
      expect(result.ok && textOf(result.body)).toBe('HTTP/1.1');
    }
    expect(agreed.filter((protocol) => protocol === 'h2')).toHaveLength(1);
  });

  test('is not reported of a server without it, and not asked for where nobody wants to know', async () => {
    protocols = ['http/1.1'];
    fetcher = open();
    expect(await fetcher(`${origin}/`)).toMatchObject({ ok: true, httpVersion: '1.1' });
    await fetcher.close();
    protocols = ['h2', 'http/1.1'];
    agreed = [];
    fetcher = open(false);
    expect(await fetcher(`${origin}/`)).toMatchObject({ ok: true, httpVersion: '1.1' });
    expect(agreed).toEqual(['http/1.1']);
  });

  test('alone is a failure that is told', async () => {
    protocols = ['h2'];
    fetcher = open();
    expect(await fetcher(`${origin}/`)).toMatchObject({ ok: false, failure: 'tls' });
  });

  test.each(Object.entries(FRAMES))('of a server that sends %s harms nothing', async (_name, frames) => {
    sent = frames;
    fetcher = open();
    const results = await Promise.all(Array.from({ length: 10 }, () => fetcher(`${origin}/`)));
    expect(results.map((result) => result.ok && result.httpVersion)).toEqual(Array(10).fill('2'));
  });
});
