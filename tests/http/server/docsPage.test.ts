/** The files of the API page: large, open to everyone, and compressed once. */
import { afterEach, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../given/product/http.ts';

let app: TestApp;
const start = async (options: TestAppOptions = {}) => {
  app = await startTestApp(options);
};
afterEach(() => app.close());

const BUNDLE = '/api/docs/swagger-ui-bundle.js';
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}${path}`, { headers });

it.each([BUNDLE, '/api/docs/swagger-ui.css', '/api/docs', '/api/openapi.json'])(
  '%s is the same in every encoding, and checked by its tag',
  async (path) => {
    await start();
    const plain = await get(path, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['deflate', null],
      ['br;q=0, gzip;q=0', null],
    ] as const) {
      for (let nth = 0; nth < 2; nth += 1) {
        const answer = await get(path, { 'accept-encoding': accepted });
        expect([accepted, answer.headers.get('content-encoding'), answer.headers.get('etag')]).toEqual([
          accepted,
          encoding,
          etag,
        ]);
        expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
        expect((await answer.text()) === text).toBe(true);
      }
    }
    const again = await get(path, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect([again.status, await again.text(), again.headers.get('content-encoding')]).toEqual([304, '', null]);
  },
);

it('compressed files are sent with their length, as they are made once and not while they are sent', async () => {
  await start();
  const answer = await get(BUNDLE, { 'accept-encoding': 'gzip' });
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100_000);
  await answer.arrayBuffer();
});

it('files of the API page count as requests of their address', async () => {
  await start({ rateLimits: { address: { points: 3, seconds: 60 } } });
  for (const path of ['/api/docs', BUNDLE, '/api/openapi.json']) expect((await get(path)).status).toBe(200);
  for (const path of ['/api/docs', BUNDLE, '/api/openapi.json']) expect((await get(path)).status).toBe(429);
  expect((await get('/api/v1/status')).status).toBe(429);
});
