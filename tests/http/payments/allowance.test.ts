/** How many audits are left, as programs read it, and as assistants say it before one is used up. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 3 } });
  await app.signUp();
  user = await app.signUp();
});
afterEach(() => app.close());

const allowance = async (token: string) => (await app.call('GET', '/api/v1/allowance', { token })).body.data;

it('counts down to none, and tells a key that may only read', async () => {
  const key = await keyOf(user, 'read');
  const assistant = await connect(app, await keyOf(user));
  const asked = async () => (await assistant.refused('audit_site', { url: 'example.com' })).message;
  expect(await allowance(key)).toEqual({ pays_next: 'free_allowance', left: 3 });
  expect(await asked()).toContain('1 of your 3 free audits left');
  for (const url of ['a.example', 'b.example']) await user.call('POST', '/api/v1/process', { url });
  expect(await allowance(key)).toEqual({ pays_next: 'free_allowance', left: 1 });
  expect(await asked()).toContain('1 of your 1 free audit left');
  await user.call('POST', '/api/v1/process', { url: 'c.example' });
  expect(await allowance(key)).toEqual({ pays_next: null, left: 0 });
  expect(await assistant.refused('audit_site', { url: 'example.com' })).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
  await assistant.close();
});
