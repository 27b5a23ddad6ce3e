/**
 * The error handler comes first in every configuration, so that whatever a request makes fail is answered, and answered
 * alike.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpDeps } from '../../../src/http/deps/deps.ts';
import { createApp } from '../../../src/http/server/app.ts';
import { createProbeApp } from '../../../src/http/server/probeApp.ts';
import { createServer, type HttpServer } from '../../../src/http/server/server.ts';
import { paymentsOf } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { raw, sendRaw, UPGRADE } from '../../given/product/rawRequest.ts';

const provider = { url: 'http://127.0.0.1:1', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' };
const SELLERS = {
  nothing: null,
  stripe: paymentsOf(provider, { sandboxUrl: null }),
  sandbox: paymentsOf(provider, { sandboxUrl: 'http://127.0.0.1:12111' }),
};

let plain: TestApp;
let webDir: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'web-'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>App</title>');
  plain = await startTestApp();
});
afterAll(async () => {
  await plain.close();
  rmSync(webDir, { recursive: true });
});

const appWith = (payments: HttpDeps['payments'], config: Partial<HttpDeps['config']>): Koa =>
  createApp({ ...plain.deps, payments, config: { ...plain.deps.config, ...config } });

const CONFIGURATIONS: Readonly<Record<string, () => Koa>> = {
  ...Object.fromEntries(
    Object.entries(SELLERS).flatMap(([selling, payments]) => [
      [`selling by ${selling}`, () => appWith(payments, {})],
      [`selling by ${selling}, with the web app`, () => appWith(payments, { webDir })],
      [
        `selling by ${selling}, behind a proxy, over https`,
        () => appWith(payments, { webDir, trustProxy: true, appUrl: 'https://seo.example.com' }),
      ],
    ]),
  ),
  'probes alone': () => createProbeApp(plain.deps, () => false),
};

const TARGETS = [
  'http://[::1',
  'http://',
  'http://[',
  'http://user@:99999/',
  'https://:80/',
  'http://?a',
  'http://#',
  'ftp://a/healthz',
  'HTTP://[::1/api/v1/status',
];

describe.each(Object.keys(CONFIGURATIONS))('an app %s', (name) => {
  let server: HttpServer;
  let url: string;
  let app: Koa;
  beforeAll(async () => {
    app = CONFIGURATIONS[name]!();
    const made = createServer();
    made.handle(app);
    url = `http://127.0.0.1:${await made.listen(0, '127.0.0.1')}`;
    server = made;
  });
  afterAll(() => server.stop());

  it('answers every target that cannot be read with 400', async () => {
    for (const target of TARGETS) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status } = await raw(url, { method, target });
        expect([method, target, status]).toEqual([method, target, 400]);
      }
    }
    expect((await raw(url, { method: 'OPTIONS', target: '*' })).status).toBe(404);
  });

  it('handles an error of any of its parts in one place', async () => {
    const middleware = [...app.middleware];
    for (let at = 1; at < middleware.length; at += 1) {
      app.middleware = middleware.toSpliced(at, 1, async () => {
        throw new Error('on purpose');
      });
      const failing = createServer();
      failing.handle(app);
      try {
        const port = await failing.listen(0, '127.0.0.1');
        // Some parts are passed over by what comes before them.
        const answer = await raw(`http://127.0.0.1:${port}`, {
          target: '/api/v1/nothing',
          headers: ['Accept: application/json'],
        });
        expect([500, 404]).toContain(answer.status);
        expect(answer.body).toMatchObject({ success: false, code: answer.status === 500 ? 'UNEXPECTED' : 'NOT_FOUND' });
      } finally {
        await failing.stop();
      }
    }
    app.middleware = middleware;
  });
});

it('an upgrade to a target that cannot be read is answered, too', async () => {
  for (const target of TARGETS) {
    const answer = await sendRaw(
      plain.url,
      [`GET ${target} HTTP/1.1`, 'Host: localhost', ...UPGRADE, '', ''].join('\r\n'),
    );
    expect([target, answer.status, answer.body?.success]).toEqual([target, 400, false]);
  }
  expect((await plain.call('GET', '/healthz')).status).toBe(200);
});
