/** Misbehaving servers: each request ends with a named failure or a bounded response, and the next one works. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { FetchOptions, FetchResult } from '../../../src/model/fetching.ts';
import { type HostileServer, startHostileServer } from '../../servers/hostileServer.ts';

const MEGABYTE = 1024 * 1024;
/** Long enough for a busy machine to send headers, short enough for a test. */
const SHORT = 400;

let server: HostileServer;
let fetcher: ClosableFetcher;

beforeAll(async () => {
  server = await startHostileServer();
  fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'HostileTest/1.0' });
});

afterAll(async () => {
  await fetcher.close();
  await server.close();
});

const get = (path: string, options: FetchOptions = {}): Promise<FetchResult> => fetcher(server.origin + path, options);
const text = (result: FetchResult): string => (result.ok ? new TextDecoder().decode(result.body) : '');

afterEach(async () => {
  expect(await get('/ok')).toMatchObject({ ok: true, status: 200 });
});

describe('redirects', () => {
  test('H2: five redirects are followed and reported', async () => {
    const result = await get('/chain?n=5');
    expect(result).toMatchObject({
      ok: true,
      url: `${server.origin}/chain?n=0`,
      requestedUrl: `${server.origin}/chain?n=5`,
    });
    expect(result.hops.map(({ status, location }) => [status, location])).toEqual(
      [5, 4, 3, 2, 1].map((n) => [302, `/chain?n=${n - 1}`]),
    );
  });

  test.each([
    ['H2: a chain of twenty', '/chain?n=20', 'too_many_redirects'],
    ['H2: one more than allowed', '/chain?n=6', 'too_many_redirects'],
    ['H2: a redirect to itself', '/loop', 'redirect_loop'],
    ['H2: a loop of two', '/loop-a', 'redirect_loop'],
    ['H3: a target of 64 kB', '/location-huge', 'bad_response'],
    ['H3: a target of 10 kB', '/location-long', 'bad_redirect'],
    ['H3: a target of 9 kB once escaped', '/location-long-escaped', 'bad_redirect'],
    ['H3: an empty target', '/location-empty', 'bad_redirect'],
    ['H3: a target that is not a URL', '/location-bad', 'bad_redirect'],
    ['H3: a target with credentials', '/location-userinfo', 'blocked'],
    ['H3: two targets', '/location-two', 'bad_redirect'],
  ])('%s: %s is %s', async (_name, path, failure) => {
    const asked = server.asked.length;
    expect(await get(path)).toMatchObject({ ok: false, failure });
    expect(server.asked.length - asked).toBeLessThanOrEqual(6);
  });

  test('H3: an escaped line break stays part of the path', async () => {
    const result = await get('/location-crlf');
    expect(result).toMatchObject({ ok: true, status: 404, url: `${server.origin}/ok%0d%0aX-Injected:%201` });
    expect(server.asked.at(-1)).toBe('/ok%0d%0aX-Injected:%201');
  });

  test('a UTF-8 target is read as browsers read it', async () => {
    expect(await get('/location-utf8')).toMatchObject({ url: `${server.origin}/caf%C3%A9` });
  });

  test('a redirect without a target is a response', async () => {
    expect(await get('/no-location')).toMatchObject({ ok: true, status: 302, hops: [] });
  });

  test('if no redirects are allowed, the redirect itself is the response', async () => {
    expect(await get('/redirect?to=/ok', { maxRedirects: 0 })).toMatchObject({ ok: true, status: 302, hops: [] });
  });

  test('the time limit covers all redirects together', async () => {
    expect(await get('/redirect?to=/hang', { timeoutMs: SHORT })).toMatchObject({
      ok: false,
      failure: 'timeout',
      url: `${server.origin}/hang`,
      hops: [{ status: 302 }],
    });
  });
});

describe('compression', () => {
  test.each([
    ['H6: a gzip bomb of 10 MB', '/gzip-bomb?members=1', 'too_large'],
    ['H6: a gzip bomb of 10 GB', '/gzip-bomb?members=1000', 'too_large'],
    ['H6: a brotli bomb', '/brotli-bomb', 'too_large'],
    ['H6: forty encodings', '/stacked?n=40', 'bad_encoding'],
    ['H6: a wrong encoding', '/wrong-encoding', 'bad_encoding'],
    ['H6: truncated gzip', '/truncated-gzip', 'bad_encoding'],
    ['an encoding that was not requested', '/zstd', 'bad_encoding'],
  ])('%s: %s is %s', async (_name, path, failure) => {
    const before = process.resourceUsage().maxRSS;
    expect(await get(path)).toMatchObject({ ok: false, failure });
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(50 * MEGABYTE);
  });

  test('H6: of truncated gzip, what came is read where a part will do', async () => {
    const result = await get('/truncated-gzip', { cut: true });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(text(result)).toMatch(/^cut short cut/);
  });

  test('a bomb is an error even if bodies may be truncated', async () => {
    expect(await get('/gzip-bomb', { cut: true })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('two encodings are decoded', async () => {
    expect(text(await get('/stacked?n=2'))).toBe('inside');
  });

  test('an unknown encoding is ignored', async () => {
    expect(text(await get('/odd-encoding'))).toBe('plain text');
  });
});

describe('bodies in single bytes', () => {
  test('are given up when they are very many', async () => {
    expect(await get('/pieces')).toMatchObject({
      ok: false,
      failure: 'bad_response',
      message: 'The answer arrives in too many tiny pieces.',
    });
  });

  test('are given up even if bodies may be truncated', async () => {
    expect(await get('/pieces', { cut: true })).toMatchObject({ ok: false, failure: 'bad_response' });
  });

  test('are given up in a redirect, whose body nobody reads', async () => {
    expect(await get('/pieces-moved')).toMatchObject({ ok: false, failure: 'bad_response' });
  });

  test('are read when they are few', async () => {
    expect(text(await get('/pieces?pieces=3000'))).toBe('a'.repeat(3000));
  });
});

describe('interim answers', () => {
  test('without end are given up', async () => {
    expect(await get('/interim')).toMatchObject({
      ok: false,
      failure: 'bad_response',
      message: 'The server sends interim answers only.',
    });
  });

  test('are passed over when they are few', async () => {
    expect(text(await get('/interim?interim=2'))).toBe('inside');
  });
});

describe('endless bodies', () => {
  test('H7: an endless body is too large', async () => {
    expect(await get('/endless', { maxBytes: MEGABYTE })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('H7: or it is truncated at exactly the limit', async () => {
    const result = await get('/endless', { maxBytes: 100_000, cut: true });
    expect(result).toMatchObject({ ok: true, truncated: true, transferBytes: 100_000 });
    expect(result.ok && result.body.length).toBe(100_000);
  });

  test('H14: an announced size over the limit is not downloaded', async () => {
    expect(await get('/huge-announced', { timeoutMs: SHORT })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('a body of exactly the limit is complete', async () => {
    const whole = await get('/ok');
    const size = whole.ok ? whole.body.length : 0;
    expect(await get('/ok', { maxBytes: size })).toMatchObject({ ok: true, truncated: false });
    expect(await get('/ok', { maxBytes: size - 1 })).toMatchObject({ ok: false, failure: 'too_large' });
  });
});

describe('slow servers', () => {
  test.each([
    ['H8: a body in slow drips', '/drip-body'],
    ['H9: headers in slow drips', '/drip-header'],
    ['H10: no response', '/hang'],
  ])('%s: %s ends in a timeout', async (_name, path) => {
    expect(await get(path, { timeoutMs: SHORT })).toMatchObject({ ok: false, failure: 'timeout' });
  });

  test('headers have their own time limit', async () => {
    const impatient = createFetcher({ allowHosts: [server.host], userAgent: 'HostileTest/1.0', headersMs: SHORT });
    expect(await impatient(`${server.origin}/drip-header`, { timeoutMs: 60_000 })).toMatchObject({
      ok: false,
      failure: 'timeout',
    });
    await impatient.close();
  });

  test('a caller can abort the request', async () => {
    const controller = new AbortController();
    const running = get('/hang', { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ok: false, failure: 'aborted' });
    expect(await get('/ok', { signal: controller.signal })).toMatchObject({ ok: false, failure: 'aborted' });
  });

  test('closing the fetcher ends pending requests', async () => {
    const closing = createFetcher({ allowHosts: [server.host], userAgent: 'HostileTest/1.0' });
    const running = closing(`${server.origin}/hang`);
    await closing.close();
    expect(await running).toMatchObject({ ok: false });
  });
});

describe('broken HTTP', () => {
  test.each([
    ['H11: headers of 64 kB', '/headers-large', 'bad_response'],
    ['H11: ten thousand headers', '/headers-many', 'bad_response'],
    ['H11: endless headers', '/headers-endless', 'bad_response'],
    ['H12: reset at once', '/reset', 'reset'],
    ['H12: reset in the body', '/reset-mid-body', 'reset'],
    ['H12: less than announced', '/length-too-long', 'reset'],
    ['H12: bad chunks', '/bad-chunks', 'bad_response'],
    ['H12: HTTP/0.9', '/http09', 'bad_response'],
    ['garbage', '/garbage', 'bad_response'],
    ['another protocol', '/switch', 'bad_response'],
  ])('%s: %s is %s', async (_name, path, failure) => {
    expect(await get(path, { timeoutMs: 5000 })).toMatchObject({ ok: false, failure });
  });

  test('H12: more than announced is cut at the announced length', async () => {
    const result = await get('/length-too-short');
    if (result.ok) expect(text(result)).toBe('mu');
    else expect(['bad_response', 'reset']).toContain(result.failure);
  });

  test('H20: a flood of cookies is reported and never sent back', async () => {
    const result = await get('/cookies');
    expect(result.ok && result.headers['set-cookie']?.length).toBe(300);
  });

  test('an error message never contains an internal address', async () => {
    const result = await fetcher('http://10.0.0.1/');
    expect(JSON.stringify({ ...result, url: '', requestedUrl: '' })).not.toContain('10.0.0.1');
  });
});

describe('unusual content is returned unchanged', () => {
  test.each(['/nuls', '/utf16', '/png', '/empty'])('H15: %s', async (path) => {
    expect(await get(path)).toMatchObject({ ok: true, status: 200, truncated: false });
  });
});

describe('HEAD', () => {
  test('has no body, whatever its headers announce', async () => {
    expect(await get('/empty', { method: 'HEAD' })).toMatchObject({ ok: true, status: 200, body: new Uint8Array() });
  });
});
