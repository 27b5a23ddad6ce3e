/**
 * Withdrawing the right to administer ends the admin channels of open sockets by the event itself: here no clock moves,
 * and no timer comes round.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operateAdmins } from '../../../src/start/operateAdmins.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket, type TestSocket } from '../../given/product/socket.ts';

const NEVER_MS = 2_000_000_000;
const CHANNELS = ['admin:jobs', 'admin:changes'];

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
const sockets: TestSocket[] = [];
beforeEach(async () => {
  app = await startTestApp({ realtime: { pingMs: NEVER_MS, adminCheckMs: NEVER_MS } });
  [admin, ann] = [await app.signUp({ email: 'admin@example.com' }), await app.signUp({ email: 'ann@example.com' })];
  expect((await right(true)).status).toBe(200);
});
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.close()));
  await app.close();
});

const right = (isAdmin: boolean) =>
  admin.call('PUT', `/api/v1/admin/users/${ann.userId}/admin-right`, { admin: isAdmin });

async function adminSocket(of: TestUser): Promise<TestSocket> {
  const socket = await (await openSocket(app.url)).logIn(of.token);
  sockets.push(socket);
  for (const channel of CHANNELS) await socket.subscribe(channel);
  return socket;
}
/** Not by the time limit of admin access, which says ADMIN_SESSION_EXPIRED. */
const ended = (socket: TestSocket) =>
  Promise.all(
    CHANNELS.map((channel) =>
      socket.next((message) => message.type === 'error' && message.channel === channel && message.code === 'FORBIDDEN'),
    ),
  );

describe('the admin channels of all sockets of a former admin', () => {
  it('end when another admin withdraws the right, and those of others stay', async () => {
    const [first, second, other] = [await adminSocket(ann), await adminSocket(ann), await adminSocket(admin)];
    expect((await right(false)).status).toBe(200);
    await Promise.all([ended(first), ended(second)]);
    await expect(first.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    await other.subscribe('admin:changes');
    expect(other.messages.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('end when an operator withdraws it', async () => {
    const socket = await adminSocket(ann);
    expect(await operateAdmins(app.store, null, { action: 'revoke', id: 'one', email: 'ann@example.com' })).toEqual({
      changed: true,
    });
    await ended(socket);
    await expect(socket.subscribe('admin:changes')).rejects.toThrow('FORBIDDEN');
  });
});
