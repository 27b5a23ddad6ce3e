/**
 * A request beyond a limit is answered before anything looks at it: on every route of every group, on pages, files,
 * probes and upgrades. The routes are taken from the groups that the app composes, so that new ones are covered, too.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JSON_LIMITS } from '../../../src/http/request/json.ts';
import { HEAD_LIMITS } from '../../../src/http/request/requestHead.ts';
import type { RouteGroup } from '../../../src/http/routing/routeGroup.ts';
import { routeGroups } from '../../../src/http/server/app.ts';
import { createProbeApp } from '../../../src/http/server/probeApp.ts';
import { createServer, type HttpServer } from '../../../src/http/server/server.ts';
import { paymentsOf, WEBHOOK_SECRET } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { type RawRequest, raw, sendRaw, UPGRADE } from '../../given/product/rawRequest.ts';

const payments = paymentsOf({ url: 'http://127.0.0.1:1', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' });

/** Whatever got beyond the limits. */
const reached: string[] = [];

/** The group as it is, but its access rule, the first to look at a request, only says that one came. */
const watched = (group: RouteGroup): RouteGroup => ({
  ...group,
  access: {
    holds: group.access.holds,
    callerOf: async ({ method, path }) => {
      reached.push(`${method} ${path}`);
      throw new Error('reached');
    },
  },
});

const [own, ...others] = routeGroups({ payments });
const groups = [watched(own), ...others.map(watched)] as const;

let app: TestApp;
let webDir: string;
let probeServer: HttpServer;
let probeUrl: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>App</title>');
  writeFileSync(join(webDir, 'assets', 'app-1234.js'), 'console.log(1)');
  app = await startTestApp({
    app: { groups },
    deps: { payments },
    config: { webDir },
    rateLimits: { delivery: { points: 1e6, seconds: 60 } },
  });
  const probing = createServer();
  probing.handle(createProbeApp({ ...app.deps, config: { metricsToken: null } }, () => false));
  probeUrl = `http://127.0.0.1:${await probing.listen(0, '127.0.0.1')}`;
  probeServer = probing;
});
afterAll(async () => {
  await probeServer.stop();
  await app.close();
  rmSync(webDir, { recursive: true });
});

const routes = groups.flatMap((group) =>
  group.routes.map((route) => ({ group, route, path: `${group.prefix}${route.path.replaceAll(/\{\w+\}/g, 'x')}` })),
);

const { pathBytes, queryBytes, parameters, headers, headerBytes, cookies } = HEAD_LIMITS;

/** Beyond a limit by one, or ambiguous; what the path is made to, and the answer. */
const HEADS: readonly (readonly [what: string, status: number, of: (path: string) => Omit<RawRequest, 'method'>])[] = [
  ['too many parameters', 400, (path) => ({ target: `${path}?${'a&'.repeat(parameters + 1)}` })],
  ['a long query', 414, (path) => ({ target: `${path}?${'x'.repeat(queryBytes + 1)}` })],
  ['many parameters in a long query', 414, (path) => ({ target: `${path}?${'a&'.repeat(7_000)}` })],
  ['a long path', 414, (path) => ({ target: `${path}/${'x'.repeat(pathBytes)}` })],
  ['an endless host', 400, (path) => ({ target: `http://${'a'.repeat(7_000)}${'%E4%B8%80'.repeat(900)}${path}` })],
  ['malformed UTF-8 in the path', 400, (path) => ({ target: `${path}%ff` })],
  ['a malformed byte in the path', 400, (path) => ({ target: `${path}\xff` })],
  ['half of a surrogate pair in the path', 400, (path) => ({ target: `${path}%ED%A0%80` })],
  ['malformed UTF-8 in the query', 400, (path) => ({ target: `${path}?a=%C3` })],
  ['malformed UTF-8 in the name of a parameter', 400, (path) => ({ target: `${path}?%ff=a` })],
  ['a long header', 431, (path) => ({ target: path, headers: [`X-Long: ${'x'.repeat(headerBytes + 1)}`] })],
  ['a long cookie', 431, (path) => ({ target: path, headers: [`Cookie: a=${'x'.repeat(headerBytes)}`] })],
  ['too many cookies', 431, (path) => ({ target: path, headers: [`Cookie: ${'a=b; '.repeat(cookies + 1)}`] })],
  [
    'too many headers',
    431,
    (path) => ({ target: path, headers: Array.from({ length: headers }, (_, nth) => `X-${nth}: x`) }),
  ],
  ['two hosts', 400, (path) => ({ target: path, host: ['Host: localhost', 'Host: localhost'] })],
  ['two different hosts', 400, (path) => ({ target: path, host: ['Host: localhost', 'hOST: evil.example'] })],
  ['no host', 400, (path) => ({ target: path, host: [] })],
  [
    'two authorizations',
    400,
    (path) => ({ target: path, headers: ['Authorization: Bearer a', 'Authorization: Bearer b'] }),
  ],
  [
    'two types',
    400,
    (path) => ({ target: path, headers: ['Content-Type: application/json', 'Content-Type: text/plain'] }),
  ],
  ['a host that cannot be read', 400, (path) => ({ target: `http://[::1${path}` })],
];

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const TOO_DEEP = nested(JSON_LIMITS.depth + 1);
const MANY_KEYS = JSON.stringify(
  Object.fromEntries(Array.from({ length: JSON_LIMITS.keys + 1 }, (_, nth) => [`k${nth}`, nth])),
);
const MANY_ITEMS = JSON.stringify({ a: Array(JSON_LIMITS.items + 2).fill(0) });
const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

const BODIES: readonly (readonly [what: string, body: string, encoding?: string])[] = [
  ['a deep body', TOO_DEEP],
  ['a much deeper one', '['.repeat(50_000)],
  ['too many keys', MANY_KEYS],
  ['too many items', MANY_ITEMS],
  ['a deep body in gzip', latin1(gzipSync(TOO_DEEP)), 'gzip'],
  ['too many keys in gzip', latin1(gzipSync(MANY_KEYS)), 'gzip'],
  ['too many keys in deflate', latin1(deflateSync(MANY_KEYS)), 'deflate'],
  ['too many items in br', latin1(brotliCompressSync(MANY_ITEMS)), 'br'],
  ['half of a surrogate pair in a value', String.raw`{"a":[{"b":"x\ud800y"}]}`],
  ['half of a surrogate pair in a key', String.raw`{"\udc00":1}`],
  ['the same in gzip', latin1(gzipSync(String.raw`{"\udc00":1}`)), 'gzip'],
  ['malformed UTF-8', '{"a":"\xff"}'],
  ['an encoded surrogate', '{"a":"\xed\xa0\x80"}'],
];

describe('a request beyond a limit', () => {
  it('finds the groups', () => {
    expect(groups.length).toBeGreaterThan(1);
    expect(routes.length).toBeGreaterThan(150);
  });

  for (const { prefix } of groups) {
    it(`reaches nothing of ${prefix}, by its head`, async () => {
      for (const { group, route, path } of routes.filter(({ group }) => group.prefix === prefix)) {
        // The time of a delivery is judged first only if nothing is wrong with its head.
        const body = route.method === 'GET' ? {} : { body: '{}' };
        for (const [what, status, of] of HEADS) {
          const answer = await raw(app.url, { method: route.method, ...body, ...of(path) });
          expect([route.method, path, what, answer.status, answer.body?.success]).toEqual([
            route.method,
            path,
            what,
            status,
            false,
          ]);
          expect(answer.body?.code, group.prefix).not.toBe('WEBHOOK_REFUSED');
        }
      }
      expect(reached.splice(0)).toEqual([]);
    });

    it(`reaches nothing of ${prefix}, by its body`, async () => {
      const taking = routes.filter(({ group, route }) => group.prefix === prefix && route.method !== 'GET');
      expect(taking.length).toBeGreaterThan(0);
      for (const { group, route, path } of taking) {
        const bodies = group.bodies.kind === 'raw' ? BODIES.slice(0, 2) : BODIES;
        for (const [what, body, encoding] of bodies) {
          const answer = await raw(app.url, {
            method: route.method,
            target: path,
            body,
            headers: [
              'Content-Type: application/json',
              ...signed(group, body),
              ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]),
            ],
          });
          expect([route.method, path, what, answer.status, answer.body?.success]).toEqual([
            route.method,
            path,
            what,
            400,
            false,
          ]);
          expect(answer.body?.code).toMatch(/^(BODY_TOO_COMPLEX|INVALID_JSON)$/);
        }
      }
      expect(reached.splice(0)).toEqual([]);
    });
  }

  it('gets beyond them otherwise', async () => {
    for (const { group, route, path } of routes) {
      const body =
        route.method === 'GET'
          ? {}
          : { body: '{}', headers: ['Content-Type: application/json', ...signed(group, '{}')] };
      await raw(app.url, { method: route.method, target: path, ...body });
    }
    expect(reached.splice(0)).toEqual(routes.map(({ route }) => `${route.method} ${route.path}`));
  });

  it('as a signed delivery is judged by its bytes and its depth, not by its keys or texts', async () => {
    const [delivery] = routes.filter(({ group }) => group.deliveries);
    expect(delivery).toBeDefined();
    for (const body of [MANY_KEYS, MANY_ITEMS, String.raw`{"\ud800":"\udc00"}`, nested(JSON_LIMITS.depth)]) {
      const headers = signed(delivery!.group, body);
      await raw(app.url, { method: 'POST', target: delivery!.path, body, headers });
    }
    expect(reached.splice(0)).toHaveLength(4);
  });

  it.each([
    '/',
    '/login',
    '/assets/app-1234.js',
    '/shared/x',
    '/share/x/preview.png',
    '/api/docs',
    '/api/openapi.json',
    '/healthz',
    '/readyz',
    '/metrics',
    '/actions',
    '/nowhere',
  ])('reaches nothing at %s', async (path) => {
    for (const [what, status, of] of HEADS)
      expect([what, (await raw(app.url, of(path))).status]).toEqual([what, status]);
  });

  it('reaches nothing of a process that only serves probes', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/nowhere']) {
      for (const [what, status, of] of HEADS)
        expect([path, what, (await raw(probeUrl, of(path))).status]).toEqual([path, what, status]);
    }
  });

  it('is not upgraded', async () => {
    for (const [what, status, of] of HEADS) {
      const request = of('/api/v1/realtime');
      const upgrade = [...UPGRADE, `Origin: ${app.url}`, ...(request.headers ?? [])];
      const bytes = [
        `GET ${request.target} HTTP/1.1`,
        ...(request.host ?? ['Host: localhost']),
        ...upgrade,
        '',
        '',
      ].join('\r\n');
      const answer = await sendRaw(app.url, bytes);
      expect([what, answer.status, answer.body?.success]).toEqual([what, status, false]);
    }
    expect(app.realtime.size).toBe(0);
  });
});

/** The signature header of a delivery, where the group asks for one. */
function signed(group: RouteGroup, payload: string): string[] {
  const bytes = Buffer.from(payload, 'latin1').toString();
  return group.deliveries
    ? [`Stripe-Signature: ${Stripe.webhooks.generateTestHeaderString({ payload: bytes, secret: WEBHOOK_SECRET })}`]
    : [];
}

describe('a request at a limit', () => {
  it.each<[string, Omit<RawRequest, 'method'>]>([
    ['parameters', { target: `/healthz?${'a&'.repeat(parameters)}` }],
    ['query', { target: `/healthz?${'x'.repeat(queryBytes)}` }],
    ['a header', { target: '/healthz', headers: [`X-Long: ${'x'.repeat(headerBytes)}`] }],
    ['cookies', { target: '/healthz', headers: [`Cookie: ${Array(cookies).fill('a=b').join('; ')}`] }],
    ['headers', { target: '/healthz', headers: Array.from({ length: headers - 2 }, (_, nth) => `X-${nth}: x`) }],
    [
      'the same name twice',
      { target: '/healthz', headers: ['Accept: a/b', 'Accept: c/d', 'Cookie: a=b', 'Cookie: c=d'] },
    ],
    ['broken escapes in a query', { target: '/healthz?campaign=50%&off=%zz' }],
    ['a whole address', { target: 'http://elsewhere.example/healthz?a=b' }],
  ])('of %s is answered', async (_, request) => {
    expect((await raw(app.url, request)).status).toBe(200);
    expect((await raw(probeUrl, request)).status).toBe(200);
  });

  it('of the path is looked up', async () => {
    const target = `/${'x'.repeat(pathBytes - 1)}`;
    expect((await raw(app.url, { target })).text).toContain('<title>App</title>');
    expect(await raw(app.url, { target, headers: ['Accept: application/json'] })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('of HTTP/1.0 needs no host', async () => {
    expect((await sendRaw(app.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
    expect((await sendRaw(app.url, 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n')).status).toBe(400);
  });
});

describe('bytes that are no request', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
      'INVALID_REQUEST',
    ],
    [
      '20 kB of headers',
      `GET / HTTP/1.1\r\nHost: a\r\n${`X: ${'x'.repeat(4_000)}\r\n`.repeat(5)}\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a target of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('are answered in the shape of all errors: %s', async (_, bytes, status, code) => {
    for (const url of [app.url, probeUrl]) {
      const answer = await sendRaw(url, bytes);
      expect(answer).toMatchObject({ status, body: { success: false, code } });
      expect(answer.body?.error).toMatch(/^\w/);
      expect(answer.head).toMatch(/^Connection: close$/m);
    }
  });
});
