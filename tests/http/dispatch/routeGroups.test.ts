/**
 * Groups of routes beside the product's own: signed raw bodies, errors of another shape, the same routes with another
 * prefix.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bearerAccess } from '../../../src/http/auth/bearerAccess.ts';
import { unauthenticated } from '../../../src/http/request/errors.ts';
import { getProfile } from '../../../src/http/routes/auth.ts';
import { productGroup } from '../../../src/http/routes/productGroup.ts';
import { route } from '../../../src/http/routing/route.ts';
import type { RouteGroup } from '../../../src/http/routing/routeGroup.ts';
import { createApp } from '../../../src/http/server/app.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

const SECRET = 'whsec_toy';
const sign = (bytes: Uint8Array | string): string => createHmac('sha256', SECRET).update(bytes).digest('hex');

const received: { bytes: Uint8Array; kind: string | undefined }[] = [];
const takeEvent = route({
  method: 'POST',
  path: '/events',
  access: 'signed',
  summary: 'Takes an event as it was signed',
  body: z.instanceof(Uint8Array),
  response: z.object({ received: z.boolean() }),
  handler: async ({ body, headers }) => {
    received.push({ bytes: body, kind: headers['x-toy-kind'] });
    return { received: true };
  },
});

const inbox: RouteGroup = {
  prefix: '/inbox',
  routes: [takeEvent],
  errorShape: (body, status) => ({ error: { type: body.code.toLowerCase(), message: body.error, status } }),
  bodies: { kind: 'raw', maxBytes: 1_000 },
  access: {
    holds: ['signed'],
    async callerOf(_, { body, headers }) {
      const given = Buffer.from(headers['x-toy-signature'] ?? '');
      const expected = Buffer.from(sign(body instanceof Uint8Array ? body : ''));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw unauthenticated();
      return null;
    },
  },
};

/** The product's routes, in the dialect of other clients. */
const dialect: RouteGroup = {
  ...productGroup([getProfile]),
  prefix: '/dialect/v9',
  errorShape: ({ code, error }) => ({ error: code, error_description: error }),
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ app: { groups: [productGroup(), inbox, dialect] } });
});
afterAll(() => app.close());

const post = (raw: string, headers: Record<string, string>) => app.call('POST', '/inbox/events', { raw, headers });

describe('a group with signed raw bodies', () => {
  it('receives the exact signed bytes, and the headers', async () => {
    const raw = '{"b": 2,\n "a": "ü"}';
    const answer = await post(raw, {
      'content-type': 'application/x-anything',
      'x-toy-signature': sign(raw),
      'x-toy-kind': 'paid',
    });
    expect(answer).toMatchObject({ status: 200, body: { received: true } });
    expect(received.map(({ bytes, kind }) => [Buffer.from(bytes).toString(), kind])).toEqual([[raw, 'paid']]);
  });

  it('refuses unsigned, large or misplaced requests, each in its own shape', async () => {
    const before = received.length;
    expect(await post('{}', { 'x-toy-signature': sign('{"changed":1}') })).toMatchObject({
      status: 401,
      body: { error: { type: 'unauthenticated', status: 401 } },
    });
    expect(await post('x'.repeat(1_001), {})).toMatchObject({
      status: 413,
      body: { error: { type: 'body_too_large', status: 413 } },
    });
    expect(await app.call('POST', '/inbox/other')).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found', status: 404 } },
    });
    expect(await app.call('GET', '/inbox/events')).toMatchObject({
      status: 405,
      body: { error: { type: 'method_not_allowed', status: 405 } },
    });
    expect(received).toHaveLength(before);
  });
});

describe('a dialect', () => {
  it('answers with the same routes, and errors in its own shape', async () => {
    const user = await app.signUp();
    const [plain, translated] = [
      await user.call('GET', '/api/v1/auth/profile'),
      await user.call('GET', '/dialect/v9/auth/profile'),
    ];
    expect(translated).toMatchObject({ status: 200, body: plain.body });
    const refused = await app.call('GET', '/dialect/v9/auth/profile');
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: 'UNAUTHENTICATED', error_description: 'Authentication required' },
    ]);
    expect((await user.call('GET', '/dialect/v9/jobs')).body).toEqual({
      error: 'NOT_FOUND',
      error_description: 'Not found',
    });
  });
});

describe('a route group', () => {
  it('that cannot apply a route’s rule does not start', () => {
    const start = (group: RouteGroup) => () => createApp(app.deps, { groups: [productGroup(), group] });
    expect(start({ ...inbox, access: bearerAccess })).toThrow("POST /inbox/events: this group cannot hold 'signed'");
    expect(start({ ...inbox, routes: [getProfile] })).toThrow("cannot hold 'user'");
  });
});
