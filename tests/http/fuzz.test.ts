/**
 * Inputs of the wrong type, depth and name: every route refuses them with 4xx, without a server error and without
 * effect.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/all.ts';
import type { AnyRoute } from '../../src/http/routing/route.ts';
import { FULL } from '../given/fullForm.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({
    rateLimits: { loginAddress: { points: 1e6, seconds: 60 }, submit: { points: 1e6, seconds: 60 } },
    config: { freeAnalysesPerMonth: 0 },
  });
  admin = await app.signUp();
  user = await app.signUp();
  await app.newEvents();
});
afterAll(() => app.close());

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

const HOSTILE: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  ['a@example.com'],
  [[]],
  null,
  0,
  -1,
  1e308,
  true,
  {},
  { toString: 'x' },
  { constructor: { prototype: { admin: true } } },
  'x'.repeat(90_000),
  '\u0000',
  '\ud800',
  "' OR 1=1 --",
];

/** Those of the body, and one that no route has. */
function fieldsOf({ body, example }: AnyRoute): readonly string[] {
  const { shape = {} } = body as { readonly shape?: object };
  return [...new Set([...Object.keys(shape), ...Object.keys(example ?? {}), 'unknownField'])];
}

describe('bodies', () => {
  for (const route of ROUTES.filter(({ body }) => body !== undefined)) {
    it(`of ${route.method} ${route.path}`, async () => {
      const fields = fieldsOf(route as AnyRoute);
      const bodies: string[] = [
        deep('[', ']', 10_000),
        `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
        '[]',
        '{"__proto__":{"is_admin":true}}',
        '{"constructor":{"prototype":{"is_admin":true}}}',
        ...HOSTILE.map((value) => JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])))),
        ...fields.flatMap((field, nth) =>
          HOSTILE.filter((_, index) => FULL || (index + nth) % 5 === 0).map((value) =>
            JSON.stringify({ [field]: value }),
          ),
        ),
        // A value may happen to be one that the field takes.
      ].filter((body) => body.length < 100_000 && !route.body?.safeParse(JSON.parse(body)).success);
      for (const raw of bodies) {
        const answer = await app.call(route.method, `/api/v1${route.path}`, { token: user.token, raw });
        expect([raw.slice(0, 80), answer.status >= 400 && answer.status < 500, answer.body?.success]).toEqual([
          raw.slice(0, 80),
          true,
          false,
        ]);
      }
      expect((await app.newEvents()).filter((event) => event.type !== 'SessionStarted')).toEqual([]);
    });
  }

  it('a body of any JSON is answered without an internal error', async () => {
    const routes = ROUTES.filter(({ body }) => body !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), fc.json({ maxDepth: 4 }), async (route, raw) => {
        // Some need only `{}`.
        fc.pre(!route.body?.safeParse(JSON.parse(raw)).success);
        const { status, body } = await app.call(route.method, `/api/v1${route.path}`, { token: user.token, raw });
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        expect(typeof body.error).toBe('string');
      }),
      { seed: 20_260_310, numRuns: FULL ? 300 : 40 },
    );
  });

  it('with an id that nothing can have', async () => {
    for (const route of ROUTES.filter(({ body }) => body !== undefined)) {
      for (const id of fieldsOf(route as AnyRoute).filter((field) => /(?:_id|Id)$/.test(field))) {
        const path = `/api/v1${route.path.replaceAll(/\{\w+\}/g, 'x')}`;
        const { status, body } = await admin.call(route.method, path, { ...(route.example as object), [id]: '\u0007' });
        // Routes that ask the payment provider have none here.
        expect([route.method, path, id, status < 500 || body.code === 'PAYMENTS_UNAVAILABLE']).toEqual([
          route.method,
          path,
          id,
          true,
        ]);
      }
    }
  });

  it('names of prototype properties never reach a prototype', async () => {
    expect(({} as { is_admin?: unknown }).is_admin).toBeUndefined();
    expect((await user.call('GET', '/api/v1/auth/profile')).body.profile.is_admin).toBe(false);
  });
});

describe('queries and paths', () => {
  it('of every kind', async () => {
    const paths = ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path }) => {
      const filled = path.replaceAll(/\{\w+\}/g, "'%20OR%201=1%20--");
      return [
        '?jobId[$gt]=',
        '?jobId=a&jobId=b',
        '?limit=abc',
        '?limit=1e9',
        '?__proto__=1',
        '?constructor=1',
        `?cursor=${'x'.repeat(600)}`,
        '?cursor=eyJhIjoxfQ',
        '?%00=1',
        '?domain[]=x',
      ].map((query) => filled + query);
    });
    for (const path of paths) {
      const answer = await user.call('GET', `/api/v1${path}`);
      // Routes that ask the payment provider have none here.
      expect([path, answer.status < 500 || answer.body.code === 'PAYMENTS_UNAVAILABLE']).toEqual([path, true]);
    }
  });

  it('with a name that nothing can have', async () => {
    for (const { method, path, example } of ROUTES.filter((route) => route.path.includes('{'))) {
      const named = `/api/v1${path.replaceAll(/\{\w+\}/g, '%07')}`;
      const { status } = await admin.call(method, named, method === 'GET' ? undefined : (example ?? {}));
      expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true]);
    }
  });

  it('accept a job only as plain text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), async (text) => {
        const { status } = await user.call('GET', `/api/v1/jobs/${encodeURIComponent(text)}/files/findings.json`);
        expect([404, 400]).toContain(status);
      }),
      { seed: 20_260_310, numRuns: FULL ? 200 : 30 },
    );
  });
});
