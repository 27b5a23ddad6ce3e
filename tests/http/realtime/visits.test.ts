/** Visitors of shared links on the socket: notified when a link ends, and of nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerMessage } from '../../../src/http/contract/realtime.ts';
import { CLOSE } from '../../../src/model/socket.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../../given/product/http.ts';
import { openSocket, type TestSocket } from '../../given/product/socket.ts';

let app: TestApp;
let user: TestUser;
async function start(options: TestAppOptions = {}): Promise<void> {
  await app?.close();
  app = await startTestApp(options);
  user = await app.signUp();
}
beforeEach(() => start());
afterEach(() => app.close());

type Link = { readonly id: string; readonly token: string; readonly jobId: string };

async function share(options: { readonly expiresIn?: number } = {}): Promise<Link> {
  const { jobId } = await givenAnalysis(app, user.userId);
  const { id, shareUrl } = (await user.call('POST', '/share/create', { jobId, ...options })).body.data;
  return { id, token: shareUrl.split('/').at(-1), jobId };
}

async function visit(token: string): Promise<TestSocket> {
  const socket = await openSocket(app.url);
  socket.send({ type: 'visit', token });
  return socket;
}

async function visiting(token: string): Promise<TestSocket> {
  const socket = await visit(token);
  expect(await socket.next(() => true)).toEqual({ type: 'visiting', isPreview: false });
  return socket;
}

async function isNotified(socket: TestSocket): Promise<void> {
  expect((await socket.closed).code).toBe(CLOSE.gone);
  expect(socket.messages.at(-1)).toEqual({ type: 'ended' });
  for (const message of socket.messages) expect(ServerMessage.safeParse(message).success).toBe(true);
}

describe('a visitor is notified', () => {
  it('when the link is revoked, and not when another is', async () => {
    const [kept, revoked] = [await share(), await share()];
    const [stays, leaves] = [await visiting(kept.token), await visiting(revoked.token)];
    expect((await user.call('DELETE', `/share/${revoked.id}`)).status).toBe(200);
    await isNotified(leaves);
    stays.send({ type: 'ping' });
    await stays.next(({ type }) => type === 'pong');
    await stays.close();
  });

  it('when it expires', async () => {
    const { token } = await share({ expiresIn: 24 });
    app.advance(24 * 3_600_000 - 30);
    const socket = await visiting(token);
    app.advance(30);
    await isNotified(socket);
  });

  it('when the audit is deleted', async () => {
    const { token, jobId } = await share();
    const socket = await visiting(token);
    expect((await user.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    await isNotified(socket);
  });

  it('when the account is deleted, before anything of it is erased', async () => {
    const { token } = await share();
    const socket = await visiting(token);
    await app.given(`account-${user.userId}`, {
      type: 'AccountDeleted',
      data: { userId: user.userId, deletedAt: app.deps.now() },
    });
    await isNotified(socket);
    expect((await app.call('GET', `/api/v1/share/${token}`)).status).toBe(404);
    await isNotified(await visit(token));
  });

  it('at once, for a token that opens nothing', async () => {
    const { id, token } = await share();
    await user.call('DELETE', `/share/${id}`);
    await isNotified(await visit(token));
    await isNotified(await visit('A'.repeat(65)));
  });
});

describe('a visit', () => {
  it('opens no channel, and does not become a session', async () => {
    const { token, jobId } = await share();
    const socket = await visiting(token);
    for (const channel of ['jobs', 'billing', `actions:${jobId}`]) socket.send({ type: 'subscribe', channel });
    socket.send({ type: 'auth', token: user.token });
    socket.send({ type: 'visit', token });
    await socket.next(({ code }) => code === 'ALREADY_AUTHENTICATED');
    socket.send({ type: 'unsubscribe', channel: 'jobs' });
    await expect.poll(() => socket.messages.length).toBe(7);
    expect(socket.messages.slice(1).map(({ type, code }) => [type, code])).toEqual([
      ['error', 'INVALID_MESSAGE'],
      ['error', 'INVALID_MESSAGE'],
      ['error', 'INVALID_MESSAGE'],
      ['error', 'ALREADY_AUTHENTICATED'],
      ['error', 'ALREADY_AUTHENTICATED'],
      ['error', 'INVALID_MESSAGE'],
    ]);
    await socket.close();
  });

  it('leaves its token in no address and no log', async () => {
    const { token } = await share();
    await (await visiting(token)).close();
    expect(app.logLines.join('\n')).not.toContain(token);
  });

  it('counts as anonymous until its link is known to open, and is limited per address', async () => {
    await start({ realtime: { unauthenticatedOfAddress: 1, visitorsOfAddress: 2 } });
    const { token } = await share();
    const two = [await visiting(token), await visiting(token)];
    const third = await visit(token);
    expect((await third.closed).code).toBe(CLOSE.tooManySockets);
    await two[0]?.close();
    await (await visiting(token)).close();
    await two[1]?.close();
  });

  it('is refused to clients that try many tokens', async () => {
    await start({ rateLimits: { shareMiss: { points: 2, seconds: 60 } } });
    for (let nth = 0; nth < 2; nth += 1) await isNotified(await visit('A'.repeat(65)));
    expect((await (await visit('A'.repeat(65))).closed).code).toBe(CLOSE.tooManyMessages);
  });
});
