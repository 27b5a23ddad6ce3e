import type { buildConnector } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { createAllowList } from '../../../src/integrations/fetcher/addressGuard.ts';
import { AddressBlocked, createGuardedConnector } from '../../../src/integrations/fetcher/guardedConnector.ts';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { NameNotResolved, type ResolveHost } from '../../../src/integrations/fetcher/resolveHost.ts';
import { startHostileServer } from '../../servers/hostileServer.ts';

const answers =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function connect(
  hostname: string,
  resolve: ResolveHost,
  allowHosts: readonly string[] = [],
): Promise<Error | 'connected'> {
  const connector = createGuardedConnector({
    allow: createAllowList(allowHosts),
    resolve,
    connectMs: 200,
    asksForHttp2: true,
    ca: undefined,
    onConnected: () => undefined,
  });
  return new Promise((done) => {
    let isLater = false;
    const options: buildConnector.Options = { hostname, host: hostname, protocol: 'http:', port: '8080' };
    connector(options, (error, socket) => {
      expect(isLater).toBe(true);
      socket?.destroy();
      done(error ?? 'connected');
    });
    isLater = true;
  });
}

test.each(['[::1]:8080', '[::1]'])('an allowed IPv6 address is dialed: %s', async (entry) => {
  for (const hostname of ['::1', '[::1]'])
    expect(await connect(hostname, answers(), [entry])).not.toBeInstanceOf(AddressBlocked);
  expect(await connect('::2', answers(), [entry])).toBeInstanceOf(AddressBlocked);
});

describe('connector: literal addresses are checked up front, since they skip the lookup', () => {
  test.each([
    '127.0.0.1',
    '::1',
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '::7f00:1',
    'fd00::1',
    '0.0.0.0',
  ])('%s', async (hostname) => {
    let lookups = 0;
    const error = await connect(hostname, async () => {
      lookups++;
      return [];
    });
    expect(error).toBeInstanceOf(AddressBlocked);
    expect(lookups).toBe(0);
  });
});

describe('connector: every DNS answer is checked', () => {
  test.each([
    ['one private', ['10.0.0.1']],
    ['a public one beside a private one', ['93.184.215.14', '127.0.0.1']],
    [
      'a private one at the end of a hundred (H18)',
      [...Array.from({ length: 99 }, (_, index) => `93.184.215.${index + 1}`), '::1'],
    ],
    ['an invalid address', ['x']],
  ])('%s is refused', async (_name, addresses) => {
    expect(await connect('site.example', answers(...addresses))).toBeInstanceOf(AddressBlocked);
  });

  test('an empty answer counts as a name that was not found', async () => {
    expect(await connect('site.example', answers())).toBeInstanceOf(NameNotResolved);
  });

  test('a resolver error counts as a name that was not found', async () => {
    const error = await connect('site.example', () => Promise.reject(new Error('SERVFAIL')));
    expect(error).toBeInstanceOf(NameNotResolved);
  });

  test('H18: an unresponsive name server times out', async () => {
    const error = await connect('site.example', () => new Promise(() => undefined));
    expect(error).toMatchObject({ message: 'The name servers of the host did not answer in time.' });
  });
});

describe('connector: connects only to the addresses that were checked', () => {
  let fetcher: ClosableFetcher;
  afterEach(() => fetcher.close());

  test('H18: a name is resolved only once, so that its address cannot change after the check', async () => {
    const server = await startHostileServer();
    const host = server.host.replace('127.0.0.1', 'site.example');
    const asked: string[] = [];
    fetcher = createFetcher({
      allowHosts: [host],
      userAgent: 'PinTest/1.0',
      resolve: async (hostname) => {
        asked.push(hostname);
        return asked.length === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '127.0.0.2', family: 4 }];
      },
    });
    expect(await fetcher(`http://${host}/ok`)).toMatchObject({ ok: true, status: 200 });
    expect(asked).toEqual(['site.example']);
    expect(server.connections()).toBe(1);
    await server.close();
  });

  test('falls back to another address of the host', async () => {
    const server = await startHostileServer();
    const host = server.host.replace('127.0.0.1', 'site.example');
    fetcher = createFetcher({ allowHosts: [host], userAgent: 'PinTest/1.0', resolve: answers('::1', '127.0.0.1') });
    expect(await fetcher(`http://${host}/ok`)).toMatchObject({ ok: true });
    await server.close();
  });

  test('a name served on another port keeps its own URL', async () => {
    const server = await startHostileServer();
    const port = Number(new URL(server.origin).port);
    fetcher = createFetcher({
      allowHosts: ['site.example'],
      userAgent: 'PinTest/1.0',
      resolve: async () => [{ address: '127.0.0.1', family: 4, port }],
    });
    expect(await fetcher('http://site.example/ok')).toMatchObject({
      ok: true,
      status: 200,
      url: 'http://site.example/ok',
    });
    expect(server.connections()).toBe(1);
    await server.close();
  });

  test('a refused connection is reported as such', async () => {
    const server = await startHostileServer();
    await server.close();
    fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'PinTest/1.0' });
    expect(await fetcher(`${server.origin}/`)).toMatchObject({ ok: false, failure: 'refused' });
  });

  test('proxy settings in the environment are ignored', async () => {
    const server = await startHostileServer();
    const proxy = await startHostileServer();
    const before = { http: process.env.http_proxy, upper: process.env.HTTP_PROXY };
    process.env.http_proxy = proxy.origin;
    process.env.HTTP_PROXY = proxy.origin;
    try {
      fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'PinTest/1.0' });
      expect(await fetcher(`${server.origin}/ok`)).toMatchObject({ ok: true });
      expect(proxy.connections()).toBe(0);
    } finally {
      restore('http_proxy', before.http);
      restore('HTTP_PROXY', before.upper);
      await server.close();
      await proxy.close();
    }
  });

  test('connections are reused within an audit', async () => {
    const server = await startHostileServer({
      '/kept': ({ socket }) => {
        const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
        socket.write(reply);
        socket.on('data', () => socket.write(reply));
      },
    });
    fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'PinTest/1.0' });
    for (let count = 0; count < 10; count++) expect(await fetcher(`${server.origin}/kept`)).toMatchObject({ ok: true });
    // The client rests a connection for one turn of the event loop, so that a second one may be opened.
    expect(server.connections()).toBeLessThanOrEqual(2);
    await server.close();
  });

  test('a kept-alive connection that the server has closed is replaced', async () => {
    let requests = 0;
    const server = await startHostileServer({
      '/once': ({ socket }) => {
        requests++;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        socket.on('data', () => socket.resetAndDestroy());
      },
    });
    fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'PinTest/1.0' });
    expect(await fetcher(`${server.origin}/once`)).toMatchObject({ ok: true });
    expect(await fetcher(`${server.origin}/once`)).toMatchObject({ ok: true });
    expect(requests).toBe(2);
    await server.close();
  });
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
