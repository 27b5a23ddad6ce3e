/** What the log says about where a submission came from. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { trustProxy: true } });
  // The first account is an admin’s.
  await app.signUp();
});
afterAll(() => app.close());

it('the network of a submitter without a plan is a short hash, and none for a private address', async () => {
  const networks: unknown[] = [];
  for (const address of ['203.0.114.7', '203.0.114.8', '10.0.0.7']) {
    const user = await app.signUp();
    const { status } = await app.call('POST', '/api/v1/process', {
      token: user.token,
      headers: { 'x-forwarded-for': address },
      body: { url: 'example.com' },
    });
    expect(status).toBe(202);
    const submitted = (await app.newEvents()).filter(({ type }) => type === 'JobSubmitted').at(-1);
    networks.push(submitted?.data.network);
  }
  expect(networks).toEqual([expect.stringMatching(/^[0-9a-f]{4}$/), networks[0], undefined]);
});
