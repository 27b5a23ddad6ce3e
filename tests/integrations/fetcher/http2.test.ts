import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { FetchOptions, FetchResult } from '../../../src/model/fetching.ts';
import { createCertificate } from '../../servers/certificate.ts';

const certificate = createCertificate({
  names: ['h2.test'],
  from: new Date(Date.now() - 86_400_000),
  to: new Date(Date.now() + 86_400_000),
});

let server: Http2SecureServer;
let fetcher: ClosableFetcher;
let origin = '';
const sessions = new Set<ServerHttp2Session>();

const behaviours: Readonly<Record<string, (stream: ServerHttp2Stream) => void>> = {
  '/ok': (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('fine');
  },
  '/moved': (stream) => {
    stream.respond({ ':status': 301, location: '/ok' });
    stream.end();
  },
  '/hang': () => undefined,
  '/reset': (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  '/reset-mid-body': (stream) => {
    stream.respond({ ':status': 200, 'content-length': '1000' });
    stream.write('part');
    setImmediate(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  },
  '/goaway': (stream) => stream.session?.destroy(),
  '/endless': (stream) => {
    stream.respond({ ':status': 200 });
    const more = (): void => {
      while (!stream.destroyed && stream.write(Buffer.alloc(16_384, 'a')));
      if (!stream.destroyed) stream.once('drain', more);
    };
    more();
  },
  '/pieces': (stream) => {
    stream.respond({ ':status': 200 });
    let left = 20_000;
    const more = (): void => {
      left -= 1;
      if (left > 0 && !stream.destroyed) stream.write('x', more);
    };
    more();
  },
  '/drip': (stream) => {
    stream.respond({ ':status': 200 });
    const timer = setInterval(() => stream.write('x'), 10);
    stream.once('close', () => clearInterval(timer));
  },
  '/headers-many': (stream) => {
    stream.respond({
      ':status': 200,
      ...Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x-${index}`, 'y'])),
    });
    stream.end();
  },
};

beforeAll(async () => {
  server = createSecureServer({
    ...certificate,
    maxHeaderListPairs: 10_000,
    settings: { maxHeaderListSize: 1_000_000 },
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    behaviours[headers[':path'] ?? '']?.(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `https://h2.test:${port}`;
  fetcher = createFetcher({
    allowHosts: [`h2.test:${port}`],
    userAgent: 'H2Test/1.0',
    ca: [certificate.cert],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
});

afterAll(async () => {
  await fetcher.close();
  for (const session of sessions) session.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const get = (path: string, options: FetchOptions = {}): Promise<FetchResult> => fetcher(origin + path, options);

afterEach(async () => {
  expect(await get('/ok')).toMatchObject({ ok: true, status: 200, httpVersion: '2' });
});

describe('HTTP/2', () => {
  test('HTTP/2 is used if the server offers it', async () => {
    const result = await get('/moved');
    expect(result).toMatchObject({
      ok: true,
      httpVersion: '2',
      hops: [{ status: 301 }],
      headers: { 'content-type': ['text/html'] },
    });
    expect(result.ok && new TextDecoder().decode(result.body)).toBe('fine');
  });

  test('handles many requests at once', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => get('/ok')));
    expect(results.filter((result) => result.ok)).toHaveLength(50);
  });

  test.each([
    ['no response', '/hang', 'timeout'],
    ['a body in slow drips', '/drip', 'timeout'],
  ])('%s: %s ends in a timeout', async (_name, path, failure) => {
    expect(await get(path, { timeoutMs: 250 })).toMatchObject({ ok: false, failure });
  });

  test.each([
    ['a stream that is reset', '/reset'],
    ['a stream that is reset in the body', '/reset-mid-body'],
    ['a connection that is closed', '/goaway'],
    ['thousands of headers', '/headers-many'],
  ])('%s: %s is a failure', async (_name, path) => {
    const result = await get(path, { timeoutMs: 5000 });
    expect(result.ok).toBe(false);
    expect(['reset', 'bad_response']).toContain(result.ok || result.failure);
  });

  test('gives up a body in very many frames of one byte', async () => {
    expect(await get('/pieces')).toMatchObject({ ok: false, failure: 'bad_response' });
  });

  test('truncates an endless body', async () => {
    const result = await get('/endless', { maxBytes: 100_000, cut: true });
    expect(result).toMatchObject({ ok: true, truncated: true, transferBytes: 100_000 });
  });

  test('an aborted request ends its own stream only', async () => {
    const controller = new AbortController();
    const stopped = get('/hang', { signal: controller.signal });
    const other = get('/ok');
    controller.abort();
    expect(await stopped).toMatchObject({ ok: false, failure: 'aborted' });
    expect(await other).toMatchObject({ ok: true });
  });
});
