import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  ann = await app.signUp({ email: 'ann@example.com' });
});
afterEach(() => app.close());

const put = (by: TestUser, of: { readonly userId: string }, isAdmin: boolean) =>
  by.call('PUT', `/api/v1/admin/users/${of.userId}/admin-right`, { admin: isAdmin });
const isAdmin = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/profile')).body.profile.is_admin;

describe('the right to administer', () => {
  it('is granted and withdrawn by an admin, whom the log names as the actor', async () => {
    expect(await put(admin, ann, true)).toMatchObject({
      status: 200,
      body: { success: true, data: { user_id: ann.userId, is_admin: true } },
    });
    expect(await isAdmin(ann)).toBe(true);
    expect(await put(admin, ann, false)).toMatchObject({ status: 200, body: { data: { is_admin: false } } });
    expect(await isAdmin(ann)).toBe(false);
    const changes = (await app.store.readAll()).events.filter(
      ({ type, stream }) => type.startsWith('AccountAdmin') && stream === `account-${ann.userId}`,
    );
    expect(changes.map(({ type, data, metadata }) => [type, data, metadata.actor])).toMatchObject(
      ['AccountAdminGranted', 'AccountAdminRevoked'].map((type) => [
        type,
        { reason: 'admin' },
        { kind: 'admin', id: admin.userId, onBehalfOf: ann.userId },
      ]),
    );
  });

  it('opens nothing once it is withdrawn, even before the read models know', async () => {
    await put(admin, ann, true);
    const behind = Object.assign(Object.create(app.readModels) as typeof app.readModels, {
      reached: async () => false,
    });
    await put(admin, ann, false);
    const isStillAdmin = { ...(await app.readModels.get<object>('accounts', ann.userId))?.data, is_admin: true };
    const get = async (model: string, id: string) =>
      model === 'accounts' && id === ann.userId
        ? { id, position: '0'.repeat(20), data: isStillAdmin }
        : app.readModels.get(model, id);
    const stale = await startTestApp({
      stores: app,
      deps: { readModels: Object.assign(behind, { get }) as typeof app.readModels },
    });
    try {
      const answer = await stale.call('PUT', `/api/v1/admin/users/${admin.userId}/admin-right`, {
        token: ann.token,
        body: { admin: false },
      });
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'Access denied. Admin privileges required.', code: 'FORBIDDEN' },
      });
    } finally {
      await stale.server.stop(() => stale.realtime.close());
    }
  });

  it('cannot be given up by its holder, and the last admin keeps it', async () => {
    await put(admin, ann, true);
    expect(await put(admin, admin, false)).toMatchObject({ status: 409, body: { code: 'OWN_ADMIN_RIGHT' } });
    expect(await put(ann, admin, false)).toMatchObject({ status: 200 });
    expect(await put(ann, ann, false)).toMatchObject({ status: 409 });
    expect(await put(admin, ann, false)).toMatchObject({ status: 403 });
  });

  it('cannot be given to an unconfirmed address or an unknown user', async () => {
    const unconfirmed = await app.signUp({ confirmed: false });
    expect(await put(admin, unconfirmed, true)).toMatchObject({ status: 409, body: { code: 'EMAIL_UNCONFIRMED' } });
    for (const given of [true, false])
      expect(await put(admin, { userId: 'nobody' }, given)).toMatchObject({
        status: 404,
        body: { code: 'ACCOUNT_NOT_FOUND' },
      });
  });
});

describe('the right of the account in ADMIN_EMAIL', () => {
  it('cannot be withdrawn, and the error names the setting', async () => {
    await app.close();
    app = await startTestApp({ config: { adminEmail: 'admin@example.com' } });
    admin = await app.signUp({ email: 'admin@example.com', confirmed: false });
    await app.given(`account-${admin.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: admin.userId, reason: 'configured' },
    });
    ann = await app.signUp({ email: 'ann@example.com' });
    await put(admin, ann, true);
    expect(await put(ann, admin, false)).toMatchObject({
      status: 409,
      body: { code: 'ADMIN_CONFIGURED', error: expect.stringContaining('ADMIN_EMAIL') },
    });
    expect(await isAdmin(admin)).toBe(true);
  });
});
