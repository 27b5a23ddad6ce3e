import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../given/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('sign-up', () => {
  it('opens an account with a session', async () => {
    const answer = await app.call('POST', '/api/v1/auth/signup-first', { body: { email: 'Ann@Example.com', password: PASSWORD, name: 'Ann' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ success: true, profile: { name: 'Ann', plan: 'free', credits: 0, funds: 0 }, stripe_customer_id: null });
    expect(answer.body.token).toBe(answer.body.session.access_token);
  });
});
