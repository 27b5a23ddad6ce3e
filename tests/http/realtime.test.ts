import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ServerMessage } from '../../src/http/contract/realtime.ts';
import { CLOSE } from '../../src/model/socket.ts';
import { createLiveProgress } from '../../src/start/liveProgress.ts';
import { actionItem, givenAnalysis, givenJob, givenRunning } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../given/product/http.ts';
import { type Message, openSocket, type TestSocket } from '../given/product/socket.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { preparedReadModels } from '../given/stores/readModels.ts';

let app: TestApp;
let user: TestUser;
let other: TestUser;
async function start(options: TestAppOptions = {}): Promise<void> {
  await app?.close();
  app = await startTestApp(options);
  await app.signUp({ email: 'admin@example.com' });
  [user, other] = [await app.signUp(), await app.signUp()];
}
beforeEach(() => start());
afterEach(() => app.close());

const connected = async (who: TestUser = user): Promise<TestSocket> => (await openSocket(app.url)).logIn(who.token);
const events = (socket: TestSocket): Message[] => socket.messages.filter((message) => message.type === 'event');
const isEvent =
  (eventType: string, id?: string) =>
  (message: Message): boolean =>
    message.type === 'event' &&
    message.eventType === eventType &&
    (id === undefined || (message.new ?? message.old).id === id);

/** Once this is answered, everything sent before it has arrived. */
async function settled(socket: TestSocket): Promise<void> {
  const pongs = socket.messages.filter((message) => message.type === 'pong').length;
  socket.send({ type: 'ping' });
  await socket.next(
    (message) =>
      message.type === 'pong' && socket.messages.filter((one) => one.type === 'pong').indexOf(message) >= pongs,
  );
}

describe('the upgrade', () => {
  const refused = (options: Parameters<typeof openSocket>[1]) =>
    expect(openSocket(app.url, options)).rejects.toThrow(/Unexpected server response: (403|404)/);

  it('is for pages of this origin only', async () => {
    const { port } = new URL(app.url);
    for (const origin of [
      'https://evil.example',
      'null',
      null,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://evil.example/127.0.0.1:${port}`,
      'file://',
    ]) {
      await refused({ origin });
    }
    await (await openSocket(app.url, { origin: app.url })).close();
  });

  it('accepts its own host where the address is plain http, and not where it is https', async () => {
    const local = app.url.replace('127.0.0.1', 'localhost');
    await (await openSocket(local, { origin: local })).close();
    await start({ config: { appUrl: 'https://seo.example.com' } });
    await refused({ origin: app.url });
    await (await openSocket(app.url, { origin: 'https://seo.example.com' })).close();
    await refused({ origin: 'https://seo.example.com.evil.example' });
    await refused({ origin: 'http://seo.example.com' });
  });

  it('leaves room for others, however many silent sockets one address opens', async () => {
    await start({ config: { trustProxy: true }, realtime: { unauthenticatedOfAddress: 3 } });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `198.51.100.9, ${address}` } });
    for (let nth = 0; nth < 3; nth += 1) await openSocket(app.url, from('203.0.113.1'));
    await expect(openSocket(app.url, from('203.0.113.1'))).rejects.toThrow('Unexpected server response: 429');
    // A client that authenticates makes room for the next.
    const known = [
      await openSocket(app.url, from('203.0.113.2')),
      await openSocket(app.url, from('203.0.113.2')),
      await openSocket(app.url, from('203.0.113.2')),
    ];
    for (const socket of known) await socket.logIn(user.token);
    await openSocket(app.url, from('203.0.113.2'));
  });

  it('counts as a request of its address', async () => {
    await start({ rateLimits: { address: { points: 5, seconds: 60 } } });
    // Three sign-ups came before.
    for (let nth = 0; nth < 2; nth += 1) await (await openSocket(app.url)).close();
    await expect(openSocket(app.url)).rejects.toThrow('Unexpected server response: 429');
    expect((await app.call('GET', '/api/v1/status')).status).toBe(429);
  });

  it('has one path only', async () => {
    await refused({ path: '/api/v1/other' });
    await refused({ path: '/' });
  });

  it('never compresses messages, even if a client offers it', async () => {
    const socket = await openSocket(app.url);
    expect(socket.ws.extensions).toBe('');
    await socket.close();
  });
});

describe('the first message', () => {
  it('opens the socket with a session’s token', async () => {
    const socket = await connected();
    expect(socket.messages[0]).toEqual({ type: 'ready' });
    await socket.close();
  });

  it('closes it without a valid token', async () => {
    for (const message of [
      { type: 'auth', token: 'wrong' },
      { type: 'auth', token: user.refreshToken },
      { type: 'subscribe', channel: 'jobs' },
      'no json',
      { type: 'other' },
      '[]',
    ]) {
      const socket = await openSocket(app.url);
      socket.send(message);
      expect((await socket.closed).code, JSON.stringify(message)).toBe(CLOSE.unauthorized);
      expect(events(socket)).toEqual([]);
    }
  });

  it('closes it if it does not arrive', async () => {
    await start({ realtime: { authMs: 20 } });
    const socket = await openSocket(app.url);
    expect((await socket.closed).code).toBe(CLOSE.unauthorized);
  });

  it('is not read from the address', async () => {
    const socket = await openSocket(app.url, { path: `/api/v1/realtime?token=${user.token}` });
    socket.send({ type: 'subscribe', channel: 'jobs' });
    expect((await socket.closed).code).toBe(CLOSE.unauthorized);
    expect(app.logLines.join('\n')).not.toContain(user.token);
  });
});

describe('the jobs channel', () => {
  it('sends every change of one’s own jobs, as the API shows them', async () => {
    const socket = await connected();
    await socket.subscribe('jobs');
    const { body } = await user.call('POST', '/api/v1/process', { url: 'example.com' });
    const { id } = body.job;
    const inserted = await socket.next(isEvent('INSERT', id));
    expect(ServerMessage.parse(inserted)).toMatchObject({ channel: 'jobs', table: 'jobs', old: null });
    await givenRunning(app, id, 'crawl');
    const updated = await socket.next(
      (message) => isEvent('UPDATE', id)(message) && message.new.status === 'executing_parallel_streams',
    );
    const { eta: _, ...seen } = updated.new;
    const { eta: __, ...shown } = (await user.call('GET', `/api/v1/jobs/${id}`)).body.data;
    expect(seen).toEqual(shown);
    await user.call('POST', `/api/v1/jobs/${id}/cancel`);
    await user.call('DELETE', `/api/v1/jobs/${id}`);
    expect(await socket.next(isEvent('DELETE', id))).toMatchObject({ new: null, old: { id } });
    const positions = events(socket).map((message) => message.position);
    expect(positions).toEqual([...positions].sort());
    await socket.close();
  });

  it('sends crawl progress between the events of the log, as the API does', async () => {
    const liveProgress = createLiveProgress();
    await app.close();
    await start({ deps: { liveProgress } });
    const socket = await connected();
    await socket.subscribe('jobs');
    const { jobId } = await givenJob(app, user.userId);
    await givenRunning(app, jobId, 'crawl');
    await app.given(`job-${jobId}`, {
      type: 'JobProgressed',
      data: { jobId, step: 'crawl', pagesDone: 2, pagesKnown: 9, at: app.deps.now() },
    });
    liveProgress.report({ jobId, pagesDone: 3, pagesKnown: 60 });
    const received = await socket.next((message) => isEvent('UPDATE', jobId)(message) && message.new.pages_done === 3);
    expect(received.new).toMatchObject({ pages_known: 50 });
    const shown = async () => (await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data;
    expect(await shown()).toMatchObject({ pages_done: 3, pages_known: 50, position: received.position });
    // After a restart only the log is left, as once the pages are read.
    liveProgress.end(jobId);
    expect(await shown()).toMatchObject({ pages_done: 2, pages_known: 9 });
    liveProgress.report({ jobId, pagesDone: 3, pagesKnown: 60 });
    await app.given(`job-${jobId}`, { type: 'JobStepEnded', data: { jobId, step: 'crawl', endedAt: app.deps.now() } });
    expect(await shown()).toMatchObject({ pages_done: 2, pages_known: 9 });
  });

  it('omits from a waiting job’s row what changes with other jobs', async () => {
    const socket = await connected();
    await socket.subscribe('jobs');
    const { jobId } = await givenJob(app, user.userId);
    const submitted = await socket.next(isEvent('INSERT', jobId));
    expect(submitted.new.status).toBe('queued');
    expect(submitted.new).not.toHaveProperty('queue');
    await givenRunning(app, jobId, 'crawl');
    expect((await socket.next(isEvent('UPDATE', jobId))).new.queue).toBeNull();
  });

  it('sends nothing of another user’s jobs', async () => {
    const socket = await connected();
    await socket.subscribe('jobs');
    const { jobId } = await givenAnalysis(app, other.userId);
    await other.call('DELETE', `/api/v1/jobs/${jobId}`);
    await settled(socket);
    expect(events(socket)).toEqual([]);
    await socket.close();
  });

  it('ends on unsubscribe', async () => {
    const socket = await connected();
    await socket.subscribe('jobs');
    socket.send({ type: 'unsubscribe', channel: 'jobs' });
    await socket.subscribe('billing');
    await givenJob(app, user.userId);
    await socket.next((message) => message.channel === 'billing' && message.type === 'event');
    await settled(socket);
    expect(events(socket).filter((message) => message.channel === 'jobs')).toEqual([]);
    await socket.close();
  });
});

describe('a client after a break', () => {
  it('receives what it missed, deletions too, before anything live', async () => {
    const kept = await givenAnalysis(app, user.userId);
    const gone = await givenAnalysis(app, user.userId);
    const untouched = await givenAnalysis(app, user.userId);
    const first = await connected();
    const since = await first.subscribe('jobs');
    await first.close();
    await user.call('DELETE', `/api/v1/jobs/${gone.jobId}`);
    const fresh = await givenJob(app, user.userId);
    await app.given(`job-${kept.jobId}`, {
      type: 'JobActionsGenerated',
      data: { jobId: kept.jobId, count: 7, generatedAt: app.deps.now() },
    });
    const foreign = await givenAnalysis(app, other.userId);
    await other.call('DELETE', `/api/v1/jobs/${foreign.jobId}`);

    const second = await connected();
    const position = await second.subscribe('jobs', since);
    const missed = second.messages.slice(1, -1);
    expect(missed.map((message) => [(message.new ?? message.old).id, message.eventType === 'DELETE'])).toEqual([
      [gone.jobId, true],
      [fresh.jobId, false],
      [kept.jobId, false],
    ]);
    // As its plan has it.
    expect(missed.at(-1)?.new.action_count).toBe(2);
    expect(position >= missed.at(-1)?.position).toBe(true);
    expect(JSON.stringify(second.messages)).not.toContain(untouched.jobId);
    expect(JSON.stringify(second.messages)).not.toContain(foreign.jobId);

    await second.close();
    const third = await connected();
    await third.subscribe('jobs', position);
    expect(events(third)).toEqual([]);
    await third.close();
  });

  it('has the server’s state after any number of breaks', async () => {
    const held = new Map<string, Message>();
    let since: string | undefined;
    const take = (socket: TestSocket): void => {
      for (const message of socket.messages) {
        if (message.type === 'subscribed') since = message.position;
        if (message.type !== 'event') continue;
        const { id } = message.new ?? message.old;
        if (held.has(id) && held.get(id).position > message.position) continue;
        if (message.eventType === 'DELETE') held.delete(id);
        else held.set(id, message.new);
        if (since === undefined || message.position > since) since = message.position;
      }
    };
    const jobs: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const socket = await connected();
      await socket.subscribe('jobs', since ?? '0'.repeat(20));
      const during = Array.from({ length: 4 }, async () => jobs.push((await givenJob(app, user.userId)).jobId));
      if (round % 2 === 0) await Promise.all(during);
      socket.ws.terminate();
      await Promise.all(during);
      take(socket);
      const victim = jobs[round * 2]!;
      await app.given(`job-${victim}`, {
        type: 'JobCancelled',
        data: { jobId: victim, by: 'x', cancelledAt: app.deps.now() },
      });
      if (round % 3 === 0)
        await app.given(`job-${victim}`, {
          type: 'JobDeleted',
          data: { jobId: victim, userId: user.userId, deletedAt: app.deps.now() },
        });
    }
    const last = await connected();
    await last.subscribe('jobs', since);
    await settled(last);
    take(last);
    const { data } = (await user.call('GET', '/api/v1/jobs')).body;
    const server = [...data.active, ...data.completed]
      .map((job: { id: string; status: string; position: string }) => [job.id, job.status, job.position])
      .sort();
    expect(server.length).toBeGreaterThan(20);
    expect([...held.values()].map((job) => [job.id, job.status, job.position]).sort()).toEqual(server);
    await last.close();
  });

  it('loses nothing that happens while it catches up', async () => {
    for (let nth = 0; nth < 60; nth += 1) await givenJob(app, user.userId);
    const socket = await connected();
    socket.send({ type: 'subscribe', channel: 'jobs', since: '0'.repeat(20) });
    const during = await Promise.all(Array.from({ length: 20 }, () => givenJob(app, user.userId)));
    for (const { jobId } of during)
      await socket.next(
        (message) => message.type === 'event' && message.new?.id === jobId && message.new.status === 'queued',
      );
    await settled(socket);
    const seen = events(socket).map((message) => `${message.new.id} ${message.position}`);
    expect(new Set(events(socket).map((message) => message.new.id)).size).toBe(80);
    expect(new Set(seen).size).toBe(seen.length);
    const positions = events(socket).map((message) => message.position);
    expect(positions).toEqual([...positions].sort());
    await socket.close();
  });
});

describe('the channel of the account’s exports', () => {
  it('reports the progress of an export, its file, and its end after a break; to its owner alone', async () => {
    const [socket, others] = [await connected(), await connected(other)];
    const position = await socket.subscribe('exports');
    await others.subscribe('exports');
    for (let nth = 0; nth < 3; nth += 1) await givenAnalysis(app, user.userId);
    const { body } = await user.call('POST', '/api/v1/account/export');
    const ready = await socket.next((message) => message.type === 'event' && message.new?.status === 'ready');
    expect(ServerMessage.parse(ready)).toMatchObject({
      channel: 'exports',
      table: 'exports',
      new: body.export,
      old: null,
    });
    expect(events(socket)[0]).toMatchObject({
      eventType: 'INSERT',
      new: { id: user.userId, status: 'pending', percent: 0 },
    });
    await socket.close();

    const back = await connected();
    await back.subscribe('exports', position);
    expect(events(back).at(-1)?.new).toEqual(body.export);
    const { fileId } = (await app.newEvents()).find(({ type }) => type === 'AccountExportRequested')?.data ?? {};
    const removed = { userId: user.userId, ask: 1, fileId, reason: 'expired', removedAt: app.deps.now() };
    await app.given(`exports-${user.userId}`, { type: 'AccountExportRemoved', data: removed });
    expect(await back.next(isEvent('DELETE', user.userId))).toMatchObject({ new: null });
    const late = await connected();
    await late.subscribe('exports', ready.position);
    expect(events(late)).toMatchObject([{ eventType: 'DELETE', old: { id: user.userId } }]);
    await settled(others);
    expect(events(others)).toEqual([]);
  });
});

describe('a socket of an API key', () => {
  it.each(['read', 'write'])(
    'with the scope %s opens what its routes open: audits and action items, neither the account nor the bill',
    async (scope) => {
      const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope })).body;
      const { jobId } = await givenAnalysis(app, user.userId);
      const socket = await (await openSocket(app.url)).logIn(key);
      for (const channel of ['exports', 'billing', 'admin:jobs']) {
        socket.send({ type: 'subscribe', channel });
        expect(await socket.next((message) => message.channel === channel)).toMatchObject({
          type: 'error',
          code: 'FORBIDDEN',
        });
      }
      for (const channel of ['jobs', 'reworks', `actions:${jobId}`]) await socket.subscribe(channel);
    },
  );
});

describe('the channel of a job’s action items', () => {
  const items = Array.from({ length: 10 }, (_, nth) => actionItem(`item${nth}`, { impact: nth < 2 ? 'low' : 'high' }));

  it('sends the items that changed', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items });
    const socket = await connected();
    await socket.subscribe(`actions:${jobId}`);
    await app.given(`plan-${jobId}`, {
      type: 'ActionStarted',
      data: { jobId, actionId: 'item5', startedAt: app.deps.now() },
    });
    expect(await socket.next(isEvent('UPDATE', 'item5'))).toMatchObject({
      channel: `actions:${jobId}`,
      table: 'actions',
      new: { status: 'in-progress', job_id: jobId },
    });
    await settled(socket);
    expect(events(socket)).toHaveLength(1);
    await user.call('DELETE', `/api/v1/jobs/${jobId}`);
    await socket.next(isEvent('DELETE', 'item9'));
    expect(events(socket).filter((message) => message.eventType === 'DELETE')).toHaveLength(10);
    await socket.close();
  });

  it('sends only the first eight of a preview', async () => {
    const { jobId } = await givenJob(app, user.userId, { access: 'preview' });
    const socket = await connected();
    const since = await socket.subscribe(`actions:${jobId}`);
    await app.given(`plan-${jobId}`, {
      type: 'PlanGenerated',
      data: { jobId, userId: user.userId, by: 'x', count: 10, items, generatedAt: app.deps.now() },
    });
    await app.given(`plan-${jobId}`, {
      type: 'ActionStarted',
      data: { jobId, actionId: 'item0', startedAt: app.deps.now() },
    });
    await settled(socket);
    expect(events(socket).map((message) => message.new.id)).toEqual([
      'item2',
      'item3',
      'item4',
      'item5',
      'item6',
      'item7',
      'item8',
      'item9',
    ]);
    const later = await connected();
    await later.subscribe(`actions:${jobId}`, since);
    expect(JSON.stringify(later.messages)).not.toContain('item0');
    expect(events(later)).toHaveLength(8);
    await Promise.all([socket.close(), later.close()]);
  });

  it('is open to its owner only', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items });
    const stranger = await connected(other);
    await expect(stranger.subscribe(`actions:${jobId}`)).rejects.toThrow('JOB_NOT_FOUND');
    await expect(stranger.subscribe('actions:unknown')).rejects.toThrow('JOB_NOT_FOUND');
    await expect(stranger.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    await app.given(`plan-${jobId}`, {
      type: 'ActionStarted',
      data: { jobId, actionId: 'item5', startedAt: app.deps.now() },
    });
    await settled(stranger);
    expect(events(stranger)).toEqual([]);
    await stranger.close();
  });
});

describe('the billing channel and the admin channels', () => {
  it('send a user’s own usage', async () => {
    const socket = await connected();
    await socket.subscribe('billing');
    await givenJob(app, other.userId);
    await givenJob(app, user.userId);
    expect(await socket.next((message) => message.type === 'event')).toMatchObject({
      table: 'billing',
      new: { user_id: user.userId, usage: { used: 1, limit: 3 } },
    });
    expect(events(socket)).toHaveLength(1);
    await socket.close();
  });

  it('send admins all users’ jobs with their owners', async () => {
    const { body } = await app.call('POST', '/api/v1/auth/login', {
      body: { email: 'admin@example.com', password: user.password },
    });
    const socket = await (await openSocket(app.url)).logIn(body.token);
    const since = await socket.subscribe('admin:jobs');
    const { jobId } = await givenJob(app, user.userId);
    expect(await socket.next(isEvent('INSERT', jobId))).toMatchObject({
      channel: 'admin:jobs',
      table: 'jobs',
      new: { user_id: user.userId, userEmail: user.email, user_email: user.email },
    });
    const again = await (await openSocket(app.url)).logIn(body.token);
    await again.subscribe('admin:jobs', since);
    expect(events(again).map((message) => [message.new.id, message.new.userEmail])).toEqual([[jobId, user.email]]);
    await app.given(`account-${user.userId}`, {
      type: 'AccountEmailChanged',
      data: { userId: user.userId, formerEmail: user.email, email: 'new@example.com', changedAt: app.deps.now() },
    });
    await givenRunning(app, jobId, 'crawl');
    const changed = await socket.next(
      (message) => message.type === 'event' && message.new?.status === 'executing_parallel_streams',
    );
    expect(changed.new).toMatchObject({ id: jobId, userEmail: 'new@example.com', user_email: 'new@example.com' });
    const own = await connected();
    await own.subscribe('jobs', since);
    expect(events(own).map((message) => Object.keys(message.new).includes('userEmail'))).toEqual([false]);
    await own.close();
    await Promise.all([socket.close(), again.close()]);
  });
});

describe('the channels of a former admin', () => {
  it('end on open sockets, which stay open otherwise, and cannot be opened again', async () => {
    const { body } = await app.call('POST', '/api/v1/auth/login', {
      body: { email: 'admin@example.com', password: user.password },
    });
    await app.given(`account-${user.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: user.userId, reason: 'operator' },
    });
    const socket = await connected();
    await socket.subscribe('jobs');
    await socket.subscribe('admin:jobs');
    await app.call('PUT', `/api/v1/admin/users/${user.userId}/admin-right`, {
      token: body.token,
      body: { admin: false },
    });
    expect(await socket.next(({ type }) => type === 'error')).toEqual({
      type: 'error',
      code: 'FORBIDDEN',
      channel: 'admin:jobs',
    });
    await givenJob(app, other.userId);
    const { jobId } = await givenJob(app, user.userId);
    await socket.next(isEvent('INSERT', jobId));
    expect(events(socket).map(({ channel, new: row }) => [channel, row.id])).toEqual([['jobs', jobId]]);
    await expect(socket.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    await socket.close();
  });
});

describe('a socket closes', () => {
  it('when its session is logged out', async () => {
    const [socket, same] = [await connected(), await connected()];
    const elsewhere = await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    const apart = await (await openSocket(app.url)).logIn(elsewhere.body.token);
    await socket.subscribe('jobs');
    await user.call('POST', '/api/v1/auth/logout');
    expect((await socket.closed).code).toBe(CLOSE.unauthorized);
    expect((await same.closed).code).toBe(CLOSE.unauthorized);
    await settled(apart);
    await apart.close();
  });

  it('when its session runs out, unless it was refreshed', async () => {
    await start({ realtime: { pingMs: 300 } });
    const [left, kept] = [await connected(user), await connected(other)];
    app.advance(50 * 60_000);
    await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: other.refreshToken } });
    app.advance(15 * 60_000);
    expect((await left.closed).code).toBe(CLOSE.unauthorized);
    await settled(kept);
    await kept.close();
  });

  it('when the account is deleted', async () => {
    const socket = await connected();
    await app.given(`account-${user.userId}`, {
      type: 'AccountDeleted',
      data: { userId: user.userId, deletedAt: app.deps.now() },
    });
    expect((await socket.closed).code).toBe(CLOSE.unauthorized);
  });

  it('when a user opens a sixth', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => connected()));
    const sixth = await openSocket(app.url);
    sixth.send({ type: 'auth', token: user.token });
    expect((await sixth.closed).code).toBe(CLOSE.tooManySockets);
    await five[0]!.close();
    await (await connected(other)).close();
    for (const socket of five.slice(1)) await socket.close();
  });

  it('while its account is read, and is not counted among the user’s open ones', async () => {
    const stores = { store: memoryEventStore(), readModels: await preparedReadModels() };
    let held: (() => void)[] | null = null;
    const readModels = Object.assign(Object.create(stores.readModels), {
      get: async (model: string, id: string) => {
        if (model === 'accounts' && held) await new Promise<void>((resolve) => held?.push(resolve));
        return stores.readModels.get(model, id);
      },
    });
    await start({ stores, deps: { readModels } });
    held = [];
    const leaving = await Promise.all(Array.from({ length: 5 }, () => openSocket(app.url)));
    for (const socket of leaving) socket.send({ type: 'auth', token: user.token });
    await expect.poll(() => held?.length).toBe(5);
    for (const socket of leaving) socket.ws.terminate();
    await expect.poll(() => app.realtime.size).toBe(0);
    for (const release of (held as (() => void)[]).splice(0)) release();
    held = null;
    const five = await Promise.all(Array.from({ length: 5 }, () => connected()));
    for (const socket of five) await socket.close();
  });

  it('when it sends more than twenty messages, pings or pongs a second, a message that is too long or in many pieces, or bytes', async () => {
    const busy = await connected();
    for (let nth = 0; nth < 30; nth += 1) busy.send({ type: 'pong' });
    expect((await busy.closed).code).toBe(CLOSE.tooManyMessages);
    for (const act of ['ping', 'pong'] as const) {
      const controlling = await connected();
      for (let nth = 0; nth < 30; nth += 1) controlling.ws[act]();
      expect([act, (await controlling.closed).code]).toEqual([act, CLOSE.tooManyMessages]);
    }
    const inPieces = await connected();
    for (let nth = 0; nth < 20; nth += 1) inPieces.ws.send('x', { fin: false });
    expect((await inPieces.closed).code).toBe(1008);
    const long = await connected();
    long.send({ type: 'auth', token: 'x'.repeat(65 * 1024) });
    expect((await long.closed).code).toBe(1009);
    const bytes = await connected();
    bytes.ws.send(Buffer.from('{"type":"ping"}'));
    expect((await bytes.closed).code).toBe(1003);
  });

  it('and nothing more is read from one that was refused, however much it sends', async () => {
    const MANY = 1_000;
    const SIZE = 60 * 1024;
    let taken = 0;
    const relay = createServer((client) => {
      const server = connect(Number(new URL(app.url).port), '127.0.0.1');
      client.on('error', () => server.destroy());
      server.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => {
        taken = client.bytesRead;
      });
      client.pipe(server).pipe(client);
    });
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const { port } = relay.address() as AddressInfo;
    const busy = new WebSocket(`ws://127.0.0.1:${port}/api/v1/realtime`, {
      origin: app.url,
      perMessageDeflate: false,
      headers: { host: new URL(app.url).host },
    });
    await once(busy, 'open');
    for (let nth = 0; nth < MANY; nth += 1) busy.send('x'.repeat(SIZE));
    const [code] = await once(busy, 'close');
    expect(code).toBe(CLOSE.unauthorized);
    await once(relay.close(), 'close');
    // The network itself buffers a few megabytes.
    expect(taken).toBeLessThan((MANY * SIZE) / 2);
  });

  it('when it does not answer pings', async () => {
    await start({ realtime: { pingMs: 20 } });
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/v1/realtime`, {
      origin: app.url,
      autoPong: false,
    });
    const [code] = await once(socket, 'close');
    expect(code).toBe(1006);
  });

  it('when its reader is too slow, while others get everything', async () => {
    await start({ realtime: { maxBuffered: 64 * 1024, closeMs: 50 } });
    const [slow, quick] = [await connected(user), await connected(user)];
    await Promise.all([slow.subscribe('jobs'), quick.subscribe('jobs')]);
    // Its side of the connection reads no more; the network buffers a few megabytes at most.
    (slow.ws as unknown as { _socket: { pause(): void } })._socket.pause();
    const { jobId } = await givenJob(app, user.userId, { host: `${'long.'.repeat(400)}example` });
    let count = 0;
    while (app.realtime.size === 2 && count < 20_000) {
      count += 1;
      await app.given(`job-${jobId}`, {
        type: 'JobProgressed',
        data: { jobId, step: 'crawl', pagesDone: count, pagesKnown: count, at: app.deps.now() },
      });
    }
    expect(app.realtime.size).toBe(1);
    expect(count).toBeGreaterThan(5);
    await quick.next((message) => message.type === 'event' && message.new?.pages_done === count);
    await quick.close();
    slow.ws.terminate();
  });

  it('when the server stops, with the position to resume from', async () => {
    const socket = await connected();
    const since = await socket.subscribe('jobs');
    await app.server.stop(() => app.realtime.close());
    const { code, reason } = await socket.closed;
    expect(code).toBe(1001);
    expect(reason).toMatch(/^\d{20}$/);
    expect(reason >= since).toBe(true);
    await expect(openSocket(app.url)).rejects.toThrow();
  });
});

describe('socket messages', () => {
  it('of an invalid kind are answered and change nothing', async () => {
    const socket = await connected();
    for (const message of [
      { type: 'subscribe', channel: 'everything' },
      { type: 'subscribe', channel: 'jobs', since: '12' },
      { type: 'subscribe', channel: 'jobs', extra: 1 },
      'no json',
      '{"__proto__":{"type":"ping"}}',
      { type: 'subscribe', channel: { $ne: '' } },
      String.raw`{"type":"subscribe","channel":"actions:\ud800"}`,
      `{"type":"ping","a":${'['.repeat(50)}${']'.repeat(50)}}`,
    ]) {
      socket.send(message);
    }
    await settled(socket);
    await settled(socket);
    expect(
      socket.messages
        .filter((message) => message.type === 'error')
        .every((message) => message.code === 'INVALID_MESSAGE'),
    ).toBe(true);
    expect(socket.messages.filter((message) => message.type === 'error')).toHaveLength(8);
    socket.send({ type: 'auth', token: other.token });
    expect(await socket.next((message) => message.code === 'ALREADY_AUTHENTICATED')).toBeDefined();
    await socket.close();
  });

  it('can subscribe again, within a limit', async () => {
    await start({ realtime: { subscriptions: 2, messagesPerSecond: 100 } });
    const socket = await connected();
    for (let nth = 0; nth < 5; nth += 1) await socket.subscribe('jobs');
    await socket.subscribe('billing');
    const { jobId } = await givenJob(app, user.userId);
    await expect(socket.subscribe(`actions:${jobId}`)).rejects.toThrow('TOO_MANY_SUBSCRIPTIONS');
    await settled(socket);
    expect(events(socket).filter(isEvent('INSERT', jobId))).toHaveLength(1);
    await socket.close();
  });

  it('reach all sockets of one user alike', async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => connected()));
    for (const socket of sockets) await socket.subscribe('jobs');
    const { jobId } = await givenJob(app, user.userId);
    const seen = await Promise.all(sockets.map((socket) => socket.next(isEvent('INSERT', jobId))));
    for (const message of seen) expect(message).toEqual(seen[0]);
    for (const socket of sockets) await socket.close();
  });
});
