/** Servers that break every promise: each request ends with a stated failure or a bounded answer, and the next one is fine. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { FetchOptions, FetchResult } from '../../../src/model/fetching.ts';
import { type HostileServer, startHostileServer } from '../../servers/hostileServer.ts';

const MEGABYTE = 1024 * 1024;
/** Long enough for a busy machine to send headers, short enough for a test to wait for. */
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
  test('H2: five are followed and reported', async () => {
    const result = await get('/chain?n=5');
    expect(result).toMatchObject({ ok: true, url: `${server.origin}/chain?n=0`, requestedUrl: `${server.origin}/chain?n=5` });
    expect(result.hops.map(({ status, location }) => [status, location])).toEqual([5, 4, 3, 2, 1].map((n) => [302, `/chain?n=${n - 1}`]));
  });

  test.each([
    ['H2: a chain of twenty', '/chain?n=20', 'too_many_redirects'],
    ['H2: one more than allowed', '/chain?n=6', 'too_many_redirects'],
    ['H2: a loop to itself', '/loop', 'redirect_loop'],
    ['H2: a loop of two', '/loop-a', 'redirect_loop'],
    ['H3: a target of 64 kB', '/location-huge', 'bad_response'],
    ['H3: a target of 10 kB', '/location-long', 'bad_redirect'],
    ['H3: an empty target', '/location-empty', 'bad_redirect'],
    ['H3: a target that is no address', '/location-bad', 'bad_redirect'],
    ['H3: a target with credentials', '/location-userinfo', 'blocked'],
    ['H3: two targets', '/location-two', 'bad_redirect'],
  ])('%s: %s is %s', async (_name, path, failure) => {
    const asked = server.asked.length;
    expect(await get(path)).toMatchObject({ ok: false, failure });
    expect(server.asked.length - asked).toBeLessThanOrEqual(6);
  });

  test('H3: an escaped line break stays a part of the path', async () => {
    const result = await get('/location-crlf');
    expect(result).toMatchObject({ ok: true, status: 404, url: `${server.origin}/ok%0d%0aX-Injected:%201` });
    expect(server.asked.at(-1)).toBe('/ok%0d%0aX-Injected:%201');
  });

  test('a target in UTF-8 is read as browsers do', async () => {
    expect(await get('/location-utf8')).toMatchObject({ url: `${server.origin}/caf%C3%A9` });
  });

  test('a redirect without target is an answer', async () => {
    expect(await get('/no-location')).toMatchObject({ ok: true, status: 302, hops: [] });
  });

  test('with no redirects allowed the redirect itself is the answer', async () => {
    expect(await get('/redirect?to=/ok', { maxRedirects: 0 })).toMatchObject({ ok: true, status: 302, hops: [] });
  });

  test('the time limit holds for all redirects together', async () => {
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
    ['H6: an encoding that is not there', '/wrong-encoding', 'bad_encoding'],
    ['H6: gzip that ends early', '/truncated-gzip', 'bad_encoding'],
    ['an encoding that was not asked for', '/zstd', 'bad_encoding'],
  ])('%s: %s is %s', async (_name, path, failure) => {
    const before = process.resourceUsage().maxRSS;
    expect(await get(path)).toMatchObject({ ok: false, failure });
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(50 * MEGABYTE);
  });

  test('a bomb is no page that could be cut', async () => {
    expect(await get('/gzip-bomb', { cut: true })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('two encodings are undone', async () => {
    expect(text(await get('/stacked?n=2'))).toBe('inside');
  });

  test('a word that is no encoding is read over', async () => {
    expect(text(await get('/odd-encoding'))).toBe('plain text');
  });
});

describe('bodies without end', () => {
  test('H7: an endless body is too large', async () => {
    expect(await get('/endless', { maxBytes: MEGABYTE })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('H7: or it is cut, exactly', async () => {
    const result = await get('/endless', { maxBytes: 100_000, cut: true });
    expect(result).toMatchObject({ ok: true, truncated: true, transferBytes: 100_000 });
    expect(result.ok && result.body.length).toBe(100_000);
  });

  test('H14: an announced size over the limit is not downloaded', async () => {
    expect(await get('/huge-announced', { timeoutMs: SHORT })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  test('a body of exactly the limit is whole', async () => {
    const whole = await get('/ok');
    const size = whole.ok ? whole.body.length : 0;
    expect(await get('/ok', { maxBytes: size })).toMatchObject({ ok: true, truncated: false });
    expect(await get('/ok', { maxBytes: size - 1 })).toMatchObject({ ok: false, failure: 'too_large' });
  });
});

describe('servers that take their time', () => {
  test.each([
    ['H8: a body drop by drop', '/drip-body'],
    ['H9: headers drop by drop', '/drip-header'],
    ['H10: no answer at all', '/hang'],
    ['interim answers without end', '/endless-interim'],
  ])('%s: %s ends in a timeout', async (_name, path) => {
    expect(await get(path, { timeoutMs: SHORT })).toMatchObject({ ok: false, failure: 'timeout' });
  });

  test('headers have a limit of their own', async () => {
    const impatient = createFetcher({ allowHosts: [server.host], userAgent: 'HostileTest/1.0', headersMs: SHORT });
    expect(await impatient(`${server.origin}/drip-header`, { timeoutMs: 60_000 })).toMatchObject({ ok: false, failure: 'timeout' });
    await impatient.close();
  });

  test('a caller that loses patience stops the request', async () => {
    const controller = new AbortController();
    const running = get('/hang', { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ok: false, failure: 'aborted' });
    expect(await get('/ok', { signal: controller.signal })).toMatchObject({ ok: false, failure: 'aborted' });
  });

  test('closing the fetcher ends what is under way', async () => {
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
    ['H11: headers without end', '/headers-endless', 'bad_response'],
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

  test('a message never names an address of the inside', async () => {
    const result = await fetcher('http://10.0.0.1/');
    expect(JSON.stringify({ ...result, url: '', requestedUrl: '' })).not.toContain('10.0.0.1');
  });
});

describe('odd contents are handed over as they are', () => {
  test.each(['/nuls', '/utf16', '/png', '/empty'])('H15: %s', async (path) => {
    expect(await get(path)).toMatchObject({ ok: true, status: 200, truncated: false });
  });
});

describe('HEAD', () => {
  test('has no body, whatever is announced', async () => {
    expect(await get('/empty', { method: 'HEAD' })).toMatchObject({ ok: true, status: 200, body: new Uint8Array() });
  });
});
