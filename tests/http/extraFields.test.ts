/**
 * One rule for all bodies and queries: what a route does not know is ignored, so that a client that sends more than
 * this server reads is understood. Taken from the routes themselves.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES } from '../../src/http/routes/all.ts';
import type { AnyRoute } from '../../src/http/routing/route.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp } from '../given/product/http.ts';
import { key } from '../given/product/routeCalls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const EXTRA = { another_field: 'x', constructor: 'x' };
/** A misspelled expiry would make a key that never ends. */
const STRICT = 'POST /api-keys';
const named = (routes: readonly AnyRoute[]) =>
  routes.map((route) => [key(route), route] as const).filter(([name]) => name !== STRICT);

describe('fields that a route does not know', () => {
  it.each(named(ROUTES.filter(({ body }) => body)))('are dropped from the body of %s', (_, { body, example }) => {
    expect(body.safeParse({ ...example, ...EXTRA })).toEqual(body.safeParse(example));
  });

  it.each(named(ROUTES.filter(({ query }) => query)))('are dropped from the query of %s', (_, { query }) => {
    const issues = (value: object) => query.safeParse(value).error?.issues;
    expect(issues(EXTRA)).toEqual(issues({}));
  });

  it.each(named(ROUTES.filter(({ body, query }) => body || query)))(
    'are refused at no depth of %s',
    (_, { body, query }) => {
      for (const schema of [body, query])
        if (schema)
          expect(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))).not.toContain(
            '"additionalProperties":false',
          );
    },
  );

  it('are refused when an API key is created', async () => {
    const user = await app.signUp();
    const wish = { name: 'A program', scope: 'read', expires_in_dayz: 7 };
    expect((await user.call('POST', '/api/v1/api-keys', wish)).body.code).toBe('INVALID_INPUT');
  });

  it('change no answer', async () => {
    const user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const { email, password } = user;
    const login = await app.call('POST', '/api/v1/auth/login', { body: { email, password, remember: true } });
    expect(login.status).toBe(200);
    const reset = await app.call('POST', '/api/v1/auth/reset-password', { body: { email, redirectTo: '/x' } });
    expect(reset).toMatchObject({ status: 200, body: { success: true } });
    const history = await user.call('GET', '/api/v1/auth/subscription/history?limit=10&_=1730000000000');
    expect(history.status).toBe(200);
    const moved = await user.call('PUT', `/actions/first/progress?jobId=${jobId}&v=2`, {
      status: 'completed',
      by: 'me',
    });
    expect(moved.status).toBe(200);
  });

  it('do not hide wrong values, nor stand for a change', async () => {
    const user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const path = `/api/v1/actions/first/progress?jobId=${jobId}`;
    expect(await user.call('PUT', path, { status: 'later', by: 'me' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', issues: [{ path: 'status' }] },
    });
    expect((await user.call('PUT', path, { by: 'me' })).status).toBe(400);
  });
});
