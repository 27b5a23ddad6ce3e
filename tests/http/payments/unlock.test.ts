import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/commands/billing/grantCredits.ts';
import { contextOf } from '../../../src/commands/context.ts';
import { actionItem, givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

const TWELVE = Array.from({ length: 12 }, (_, nth) => actionItem(`item${nth}`, { impact: nth < 2 ? 'low' : 'high' }));

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

async function grant(credits: number): Promise<void> {
  const { store, now, newId } = app.deps;
  const ctx = contextOf({ store, now, commandId: newId(), actor: { kind: 'system', id: 'operator' } }, null);
  const { position } = await grantCredits(ctx, { userId: user.userId, credits, reason: 'A gift' });
  await app.readModels.reached(['billing'], position, 2_000);
}
const preview = () => givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });

describe('POST /jobs/{jobId}/unlock', () => {
  it('shows the items, the files and the shares of a preview in full at once', async () => {
    const { jobId } = await preview();
    const share = await user.call('POST', '/share/create', { jobId });
    const restricted = await user.call('POST', '/share/create', { jobId, shareMode: 'full' });
    expect(restricted).toMatchObject({ status: 403, body: { code: 'SHARING_RESTRICTED' } });
    await grant(1);
    expect(await user.call('POST', `/api/v1/jobs/${jobId}/unlock`)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: jobId, access: 'full' } },
    });
    const actions = await user.call('GET', `/actions?jobId=${jobId}`);
    expect(actions.body).toMatchObject({ isFreemiumPreview: false, actionsShown: 12 });
    expect((await user.call('GET', `/api/v1/jobs/${jobId}/files/action-items.md`)).body.data.content).not.toContain(
      'This preview shows',
    );
    expect((await user.call('POST', '/share/create', { jobId, shareMode: 'full' })).status).toBe(201);
    // A link shared as a preview because there was nothing more shows everything.
    const token = share.body.data.shareUrl.split('/').at(-1);
    expect((await app.call('GET', `/api/v1/share/${token}`)).body.data).toMatchObject({
      isPreview: false,
      previewMode: { actionsShown: 12 },
    });
    expect((await app.call('GET', `/api/v1/share/${token}/state`)).body).toEqual({ success: true, isPreview: false });
    expect(
      (await user.call('GET', '/share/list/all')).body.data.map(({ share_mode }: { share_mode: string }) => share_mode),
    ).toEqual(['full', 'full']);
    // A preview by choice stays one.
    const chosen = await user.call('POST', '/share/create', { jobId, shareMode: 'preview' });
    const previewToken = chosen.body.data.shareUrl.split('/').at(-1);
    expect((await app.call('GET', `/api/v1/share/${previewToken}`)).body.data).toMatchObject({ isPreview: true });
    expect((await user.call('GET', '/api/v1/auth/profile')).body.profile.credits).toBe(0);
  });

  it('happens once', async () => {
    const { jobId } = await preview();
    await grant(2);
    await user.call('POST', `/api/v1/jobs/${jobId}/unlock`);
    const again = await user.call('POST', `/api/v1/jobs/${jobId}/unlock`);
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_UNLOCKED' } });
    expect((await user.call('GET', '/api/v1/auth/profile')).body.profile.credits).toBe(1);
  });

  it('is refused when nothing pays for it; the free allowance does not', async () => {
    const { jobId } = await preview();
    expect(await user.call('POST', `/api/v1/jobs/${jobId}/unlock`)).toMatchObject({
      status: 402,
      body: { error: 'Insufficient credits', code: 'INSUFFICIENT_CREDITS', credits_required: 1, credits_available: 0 },
    });
  });

  it('is closed to API keys', async () => {
    const { jobId } = await preview();
    const key = (await user.call('POST', '/api/v1/api-keys', { name: 'Key', scope: 'write' })).body.key;
    expect(await app.call('POST', `/api/v1/jobs/${jobId}/unlock`, { token: key })).toMatchObject({
      status: 403,
      body: { code: 'SESSION_REQUIRED' },
    });
  });

  it('is sent to open pages: the job, the hidden items, the balance', async () => {
    const { jobId } = await preview();
    await grant(1);
    const socket = await (await openSocket(app.url)).logIn(user.token);
    await socket.subscribe('jobs');
    await socket.subscribe('billing');
    const since = await socket.subscribe(`actions:${jobId}`);
    await user.call('POST', `/api/v1/jobs/${jobId}/unlock`);
    for (const id of ['item0', 'item1'])
      expect(await socket.next((message) => message.table === 'actions' && message.new?.id === id)).toMatchObject({
        eventType: 'INSERT',
      });
    expect(await socket.next((message) => message.table === 'jobs' && message.new?.access === 'full')).toMatchObject({
      eventType: 'UPDATE',
    });
    await socket.next((message) => message.table === 'billing');
    // A client after a break then receives all of them.
    const later = await (await openSocket(app.url)).logIn(user.token);
    await later.subscribe(`actions:${jobId}`, since);
    await later.next((message) => message.table === 'actions' && message.new?.id === 'item1');
    expect(later.messages.filter((message) => message.table === 'actions')).toHaveLength(12);
    await Promise.all([socket.close(), later.close()]);
  });

  it('is sent to visitors of its links', async () => {
    const { jobId } = await preview();
    const token = (await user.call('POST', '/share/create', { jobId })).body.data.shareUrl.split('/').at(-1);
    await grant(1);
    const socket = await openSocket(app.url);
    socket.send({ type: 'visit', token });
    expect(await socket.next(() => true)).toEqual({ type: 'visiting', isPreview: true });
    await user.call('POST', `/api/v1/jobs/${jobId}/unlock`);
    await socket.next(({ type, isPreview }) => type === 'visiting' && isPreview === false);
    expect((await app.call('GET', `/api/v1/share/${token}`)).body.data.isPreview).toBe(false);
    await socket.close();
  });
});
