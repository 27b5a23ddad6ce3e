/** An installation hosted for one's own team: everyone has everything. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { actionItem, givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp({ config: { unlimited: true, freeAnalysesPerMonth: 1 } });
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

it('the status tells visitors that audits are unlimited', async () => {
  expect((await app.call('GET', '/api/v1/status')).body.data).toMatchObject({ payments: 'off', unlimited: true });
});

it('every account audits without limit, and sees all results', async () => {
  const urls = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example`);
  const { status, body } = await user.call('POST', '/api/v1/process/batch', { urls });
  expect([status, body.jobs.map((job: { access: string }) => job.access)]).toEqual([
    202,
    ['full', 'full', 'full', 'full'],
  ]);
  expect((await user.call('POST', '/api/v1/process', { url: 'https://e.example' })).body.data).toMatchObject({
    access: 'full',
  });
  expect((await user.call('GET', '/api/v1/subscription/status')).body.data).toMatchObject({
    subscription: { hasFullAccess: true, features: { actionItemsLimit: 100 } },
    usage: { used: 0 },
    balance: { paysNext: 'admin' },
  });
  expect((await user.call('GET', '/api/v1/allowance')).body.data).toEqual({ pays_next: 'admin', left: null });
});

it('shows an earlier preview in full on request, and shares it so', async () => {
  const items = Array.from({ length: 12 }, (_, nth) => actionItem(`item${nth}`));
  const { jobId } = await givenAnalysis(app, user.userId, { items, access: 'preview' });
  const share = () => user.call('POST', '/share/create', { jobId, shareMode: 'full' });
  expect(await share()).toMatchObject({ status: 403, body: { error: 'Unlock this audit to share all of it.' } });
  expect(await user.call('POST', `/api/v1/jobs/${jobId}/unlock`)).toMatchObject({
    status: 200,
    body: { data: { access: 'full' } },
  });
  expect((await user.call('GET', `/actions?jobId=${jobId}`)).body).toMatchObject({
    isFreemiumPreview: false,
    actionsShown: 12,
  });
  expect((await share()).status).toBe(201);
});

it('opens the features of all plans', async () => {
  expect((await user.call('POST', '/api/v1/api-keys', { name: 'Key', scope: 'write' })).status).toBe(201);
  expect(
    (await user.call('POST', '/api/v1/webhooks', { url: 'https://8.8.8.8/hook', events: ['job.completed'] })).status,
  ).toBe(201);
});
