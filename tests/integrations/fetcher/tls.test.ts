import { X509Certificate } from 'node:crypto';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { type Certificate, createCertificate } from '../../servers/certificate.ts';

const DAY = 86_400_000;
const around = { from: new Date(Date.now() - DAY), to: new Date(Date.now() + DAY) };
const good = createCertificate({ names: ['secure.test'], ...around });
const expired = createCertificate({
  names: ['secure.test'],
  from: new Date(Date.now() - 2 * DAY),
  to: new Date(Date.now() - DAY),
});
const future = createCertificate({
  names: ['secure.test'],
  from: new Date(Date.now() + DAY),
  to: new Date(Date.now() + 2 * DAY),
});
const foreign = createCertificate({ names: ['other.test'], ...around });

const closers: (() => Promise<unknown>)[] = [];
const fetchers: ClosableFetcher[] = [];

afterEach(async () => {
  for (const fetcher of fetchers.splice(0)) await fetcher.close();
});
afterAll(async () => {
  for (const close of closers) await close();
});

function track(server: { close: (done: () => void) => unknown }, sockets: Set<Socket>): void {
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
}

const DONE = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecure';
const redirectTo = (location: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

async function tlsServer(
  { cert, key }: Certificate,
  options: TlsOptions = {},
  answer: (request: string) => string = () => DONE,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTlsServer({ cert, key, ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => socket.end(answer(data.toString())));
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  track(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function tcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  track(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function get(port: number, options: { ca?: readonly string[]; headersMs?: number } = {}): ReturnType<ClosableFetcher> {
  const fetcher = createFetcher({
    allowHosts: [`secure.test:${port}`],
    userAgent: 'TlsTest/1.0',
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
  });
  fetchers.push(fetcher);
  return fetcher(`https://secure.test:${port}/`);
}

describe('TLS', () => {
  test('a trusted certificate is accepted, checked against the name and not the address', async () => {
    expect(await get(await tlsServer(good), { ca: [good.cert] })).toMatchObject({
      ok: true,
      status: 200,
      httpVersion: '1.1',
    });
  });

  test('the response says when the certificate expires', async () => {
    const certificateEnds = new Date(new X509Certificate(good.cert).validTo).toISOString();
    expect(await get(await tlsServer(good), { ca: [good.cert] })).toMatchObject({ ok: true, certificateEnds });
  });

  test('H5: from https to http and back, with every hop recorded', async () => {
    let secure = 0;
    const plain = await tcpServer((socket) =>
      socket.once('data', () => socket.end(redirectTo(`https://secure.test:${secure}/done`))),
    );
    secure = await tlsServer(good, {}, (request) =>
      request.includes('/done') ? DONE : redirectTo(`http://secure.test:${plain}/`),
    );
    const fetcher = createFetcher({
      allowHosts: ['secure.test'],
      userAgent: 'TlsTest/1.0',
      ca: [good.cert],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    fetchers.push(fetcher);
    const result = await fetcher(`https://secure.test:${secure}/`);
    expect(result).toMatchObject({ ok: true, url: `https://secure.test:${secure}/done` });
    expect(result.hops.map(({ url }) => url)).toEqual([
      `https://secure.test:${secure}/`,
      `http://secure.test:${plain}/`,
    ]);
  });

  test('a host with a trailing dot matches its certificate', async () => {
    const names: (string | false)[] = [];
    const port = await tlsServer(good, {
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    const fetcher = createFetcher({
      allowHosts: [`secure.test:${port}`],
      userAgent: 'TlsTest/1.0',
      ca: [good.cert],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    fetchers.push(fetcher);
    expect(await fetcher(`https://secure.test.:${port}/`)).toMatchObject({ ok: true, status: 200 });
    expect([...new Set(names)]).toEqual(['secure.test']);
  });

  test('an IP address is checked against the certificate, too', async () => {
    const certificate = createCertificate({ names: [], ips: ['127.0.0.1'], ...around });
    const port = await tlsServer(certificate);
    const fetcher = createFetcher({
      allowHosts: [`127.0.0.1:${port}`],
      userAgent: 'TlsTest/1.0',
      ca: [certificate.cert, good.cert],
    });
    fetchers.push(fetcher);
    expect(await fetcher(`https://127.0.0.1:${port}/`)).toMatchObject({ ok: true });
    const other = await tlsServer(good);
    const strict = createFetcher({ allowHosts: [`127.0.0.1:${other}`], userAgent: 'TlsTest/1.0', ca: [good.cert] });
    fetchers.push(strict);
    expect(await strict(`https://127.0.0.1:${other}/`)).toMatchObject({ ok: false, failure: 'tls' });
  });

  test.each([
    ['H13: expired', expired, [expired.cert], 'has expired'],
    ['H13: not valid yet', future, [future.cert], 'not valid yet'],
    ['H13: for another name', foreign, [foreign.cert], 'another name'],
    ['H13: self-signed', good, undefined, 'self-signed'],
  ] as const)('%s', async (_name, certificate, ca, words) => {
    const result = await get(await tlsServer(certificate), ca ? { ca } : {});
    expect(result).toMatchObject({ ok: false, failure: 'tls' });
    expect(result.ok || result.message).toContain(words);
  });

  test('H13: a server with only TLS 1.0', async () => {
    const port = await tlsServer(good, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await get(port, { ca: [good.cert] })).toMatchObject({ ok: false, failure: 'tls' });
  });

  test('H13: a handshake that hangs', async () => {
    expect(await get(await tcpServer(() => undefined), { headersMs: 200 })).toMatchObject({
      ok: false,
      failure: 'timeout',
    });
  });

  test('a server that speaks plain HTTP', async () => {
    const port = await tcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await get(port)).toMatchObject({ ok: false, failure: 'tls' });
  });

  test('a server that disconnects during the handshake', async () => {
    const port = await tcpServer((socket) => socket.resetAndDestroy());
    expect(await get(port)).toMatchObject({ ok: false, failure: 'reset' });
  });
});
