import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES } from '../../../src/http/routes/all.ts';
import { productGroup } from '../../../src/http/routes/productGroup.ts';
import { route } from '../../../src/http/routing/route.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { paymentsOf } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

const failing = route({
  method: 'GET',
  path: '/failing',
  access: 'public',
  summary: 'Fails',
  response: z.object({}),
  handler: async () => {
    throw new Error('on purpose');
  },
});

let app: TestApp;
let webDir: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>App</title>');
  writeFileSync(join(webDir, 'assets', 'app-1234.js'), `console.log('${'x'.repeat(3000)}')`);
  writeFileSync(join(webDir, 'assets', 'app-1234.js.br'), brotliCompressSync(`console.log('${'x'.repeat(3000)}')`));
  writeFileSync(join(webDir, 'robots.txt'), 'User-agent: *');
  app = await startTestApp({ app: { groups: [productGroup([...ROUTES, failing])] }, config: { webDir } });
});
afterAll(async () => {
  await app.close();
  rmSync(webDir, { recursive: true });
});

function expectSecure(headers: Headers): void {
  const csp = headers.get('content-security-policy') ?? '';
  expect(csp).toContain("default-src 'self'");
  for (const directive of [
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    "style-src 'self'",
  ])
    expect(csp).toContain(directive);
  expect(csp).not.toContain('unsafe');
  expect(csp).not.toContain('*');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
}

describe('security headers', () => {
  const paths = [
    '/',
    '/login',
    '/assets/app-1234.js',
    '/assets/missing.js',
    '/robots.txt',
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/docs',
    '/api/docs/init.js',
    '/api/openapi.json',
    '/api/v1/failing',
    '/api/nothing',
  ];
  for (const path of paths) {
    it(`are on ${path}`, async () =>
      expectSecure((await app.call('GET', path, { headers: { accept: 'text/html' } })).headers));
  }
  for (const { method, path, access } of ROUTES) {
    it(`are on ${method} ${path}, which is never cached and has its charset`, async () => {
      const user = await app.signUp();
      for (const token of [undefined, user.token]) {
        const answer = await app.call(
          method,
          `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`,
          token && access !== 'public' ? { token } : {},
        );
        expectSecure(answer.headers);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    });
  }

  it('are on a refused upgrade', async () => {
    const { port } = new URL(app.url);
    const headers = await new Promise<Headers>((resolve, reject) => {
      const upgrade = request({
        port,
        path: '/api/v1/realtime',
        headers: {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13',
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          Origin: 'https://evil.example',
        },
      });
      upgrade.on('response', (response) => {
        response.resume();
        resolve(new Headers(response.headers as Record<string, string>));
      });
      upgrade.on('error', reject);
      upgrade.end();
    });
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('require https for a year where the address is https, and nowhere else', async () => {
    expect((await app.call('GET', '/healthz')).headers.get('strict-transport-security')).toBeNull();
    const secure = await startTestApp({ config: { appUrl: 'https://seo.example.com' } });
    try {
      const { headers } = await secure.call('GET', '/healthz');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
      expect(headers.get('content-security-policy')).toContain('wss://seo.example.com');
    } finally {
      await secure.close();
    }
  });
});

describe('with payments', () => {
  const html = { headers: { accept: 'text/html' } };
  const given = async (sandboxUrl: string | null) => {
    const address = { url: sandboxUrl ?? 'http://127.0.0.1:1', secretKey: 'sk_live_1', publishableKey: 'pk_live_1' };
    return startTestApp({ config: { webDir }, deps: { payments: paymentsOf(address, { sandboxUrl }) } });
  };

  it('only the pages of the app may connect to Stripe', async () => {
    const selling = await given(null);
    try {
      const { headers } = await selling.call('GET', '/account/upgrade', html);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
      expect(policy).toContain('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;');
      expect(policy).toMatch(/connect-src 'self' ws:\/\/[\d.:]+ https:\/\/api\.stripe\.com;/);
      expect(headers.get('permissions-policy')).toContain('payment=(self "https://js.stripe.com")');
      // The browser replaces its cached headers with those of a 304.
      const kept = { ...html.headers, 'If-None-Match': headers.get('etag') ?? '' };
      expect(await conditional(`${selling.url}/account/upgrade`, kept)).toMatchObject({
        status: 304,
        headers: { 'content-security-policy': policy },
      });
      for (const path of [
        '/assets/app-1234.js',
        '/robots.txt',
        '/healthz',
        '/api/v1/status',
        '/api/nothing',
        '/api/docs',
      ]) {
        const plain = (await selling.call('GET', path, html)).headers;
        expect([path, plain.get('content-security-policy')?.includes('stripe')]).toEqual([path, false]);
        expect(plain.get('permissions-policy')).toContain('payment=()');
      }
    } finally {
      await selling.close();
    }
  });

  it('they may connect to the sandbox, which has no script', async () => {
    const selling = await given('http://127.0.0.1:12111');
    try {
      const policy = (await selling.call('GET', '/', html)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain('frame-src http://127.0.0.1:12111;');
      expect(policy).toMatch(/connect-src 'self' ws:\/\/[\d.:]+ http:\/\/127\.0\.0\.1:12111;/);
      expect(policy).toContain("script-src 'self';");
    } finally {
      await selling.close();
    }
  });
});

describe('a large answer', () => {
  it.each(['gzip', 'deflate', 'br'])('is compressed with %s for a client that accepts it', async (encoding) => {
    const { userId, token } = await app.signUp();
    await givenAnalysis(app, userId);
    const plain = await app.call('GET', '/api/v1/jobs', { token });
    expect([plain.status, plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      200,
      null,
      'Accept-Encoding',
    ]);
    const answer = await fetch(`${app.url}/api/v1/jobs`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
    });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
    expect(await answer.text()).toBe(plain.text);
  });
});

describe('the web app', () => {
  const html = { headers: { accept: 'text/html,application/xhtml+xml' } };

  it('is one page for every address of a browser', async () => {
    for (const path of ['/', '/login', '/dashboard/actions?jobId=1', '/dashboard/shares', '/no/such/page']) {
      const answer = await app.call('GET', path, html);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('never replaces an API answer, a script or another method', async () => {
    expect((await app.call('GET', '/api/v1/nothing', html)).status).toBe(404);
    expect((await app.call('GET', '/api/nothing', html)).status).toBe(404);
    expect((await app.call('GET', '/actions', html)).status).toBe(401);
    expect((await app.call('GET', '/assets/missing.js', html)).status).toBe(404);
    expect((await app.call('GET', '/favicon.ico', html)).status).toBe(404);
    expect((await app.call('GET', '/no/such/page', { headers: { accept: 'application/json' } })).status).toBe(404);
    expect((await app.call('POST', '/login', html)).status).toBe(404);
  });

  it('caches hashed files for good, compresses them, and answers 304 for unchanged ones', async () => {
    const answer = await fetch(`${app.url}/assets/app-1234.js`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.text()).toContain('console.log');
    // What is not there compressed is sent as it is: many requests for it cost no compression.
    const deflated = await fetch(`${app.url}/assets/app-1234.js`, { headers: { 'accept-encoding': 'deflate' } });
    expect(deflated.headers.get('content-encoding')).toBeNull();
    expect(await deflated.text()).toContain('console.log');
    const since = (await app.call('GET', '/robots.txt')).headers.get('last-modified')!;
    const robots = (since: string) => conditional(`${app.url}/robots.txt`, { 'If-Modified-Since': since });
    expect(await robots(since)).toMatchObject({ status: 304, text: '' });
    expect(await robots('Thu, 01 Jan 1970 00:00:00 GMT')).toMatchObject({ status: 200, text: 'User-agent: *' });
    expect((await app.call('HEAD', '/robots.txt')).status).toBe(200);
  });

  it('serves nothing outside its folder', async () => {
    for (const path of [
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%2f..%2fpackage.json',
      '/.env',
      '/assets%00',
      '/%5c..%5cetc',
    ]) {
      const { text } = await app.call('GET', path, html);
      expect([path, /root:|"name"/.test(text)]).toEqual([path, false]);
    }
  });
});

/** Without the `no-cache` that `fetch` adds. */
function conditional(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}
