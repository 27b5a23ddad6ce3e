/** The product as several processes on the production stores, some of which crash in the middle of the work. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveEmail } from '../../src/commands/account/proveEmail.ts';
import { contextOf } from '../../src/commands/context.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import type { ActionsResponse, ActionView, VerifyResponse } from '../../src/http/contract/actions.ts';
import type { JobsResponse, JobView } from '../../src/http/contract/jobs.ts';
import { FULL } from '../given/fullForm.ts';
import { type ApiClient, clientOf, FINAL, signUp } from '../given/product/apiClient.ts';
import { launchBrowser } from '../given/product/browser.ts';
import { type Installation, startInstallation } from '../given/product/installation.ts';
import { runProgram } from '../given/product/program.ts';
import { openSocket, type TestSocket } from '../given/product/socket.ts';
import { available, CHROMIUM, MONGOD } from '../given/requirements.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

/** The longer batch with `npm run test:full`. */
const JOBS = FULL ? 20 : 6;
const LIMIT_MS = 100_000;

const here = available('mongod (scripts/fetchMongod.sh)', MONGOD) && available('Chromium', CHROMIUM);

describe.skipIf(!here)('several processes on the production stores', () => {
  let site: TestSite;
  let installation: Installation;
  let urls: readonly [string, string];
  let admin: ApiClient;

  beforeAll(async () => {
    site = await startTestSite(pages());
    installation = await startInstallation({
      AUDIT_ALLOW_HOSTS: site.host,
      FREE_ANALYSES_PER_MONTH: '100',
      AUDIT_MAX_PAGES: '4',
    });
    const [first, second] = await Promise.all(installation.http.map((server) => server.started));
    urls = [first?.url ?? '', second?.url ?? ''];
    // The first account becomes admin, whose audits are not counted.
    admin = await signUp(urls[1]);
  }, LIMIT_MS);
  afterAll(async () => {
    const codes = await installation?.stop();
    await site?.close();
    // Each process that was not killed stopped cleanly.
    expect(Object.values(codes ?? {}).every((code) => code === 0)).toBe(true);
  });

  it(
    `finish a batch of ${JOBS} once and correctly on every screen, although a worker, the projector and the event store are killed meanwhile`,
    async () => {
      const user = await signUp(urls[0]);
      const elsewhere = clientOf(urls[1], user.token, user.userId);
      const screens = await Promise.all([watchJobs(user, urls[0]), watchJobs(elsewhere, urls[1])]);
      const browser = await launchBrowser();
      const page = await openHome(await browser.newPage(), urls[1], user);
      const addresses = Array.from({ length: JOBS }, (_, number) => `${site.origin}/start-${number}`);
      const submitted = await user.call<{ jobs: readonly JobView[] }>(
        'POST',
        '/api/v1/process/batch',
        { urls: addresses },
        { 'idempotency-key': 'batch-of-twenty' },
      );
      expect(submitted.status).toBe(202);
      expect(submitted.body.jobs).toHaveLength(JOBS);

      await until(async () => (await jobsOf(user)).filter((job) => job.started_at !== null).length >= 2);
      await installation.workers[0].kill();
      await until(async () => (await jobsOf(user)).filter((job) => FINAL.has(job.status)).length >= 2);
      const leader = await installation.leader();
      await leader?.kill();
      const killedAt = performance.now();
      await until(async () => (await installation.leader()) !== null);
      expect(performance.now() - killedAt).toBeLessThan(15_000);
      await until(async () => (await jobsOf(user)).filter((job) => FINAL.has(job.status)).length >= JOBS / 2);
      await installation.restartEventStore();

      await until(async () => (await jobsOf(elsewhere)).filter((job) => FINAL.has(job.status)).length === JOBS);
      const jobs = await jobsOf(elsewhere);
      expect(jobs.map((job) => job.status)).toEqual(jobs.map(() => 'completed'));
      expect(jobs.map((job) => job.url).sort()).toEqual([...addresses].sort());
      for (const job of jobs) expect(await elsewhere.file(job.id, 'seo-audit-report.md')).toContain(job.url);

      for (const screen of screens) await until(async () => same(screen.rows(), jobs));
      await page.getByText('Analysis complete').first().waitFor();
      await until(async () => {
        const text = await page.locator('body').textContent();
        return new RegExp(`Completed\\s*${JOBS}`).test(text ?? '') && (text ?? '').includes(`${JOBS} of 100`);
      });
      const usage = await elsewhere.call<{ data: { usage: { used: number } } }>('GET', '/api/v1/subscription/status');
      expect(usage.body.data.usage.used).toBe(JOBS);
      await Promise.all([...screens.map((screen) => screen.close()), browser.close()]);
      await expectWholeLog(installation.eventStoreUrl, user.userId, jobs);
    },
    LIMIT_MS * 2,
  );

  it(
    'have a paused projector write nothing after another has taken over, and become its standby',
    async () => {
      // The previous test killed one.
      const other = installation.startMore('projector');
      await other.ready();
      const leader = await installation.leader();
      if (!leader) throw new Error('Nobody leads.');
      leader.pause();
      const user = await untilDefined(async () => signUp(urls[0]).catch(() => undefined));
      const job = await user.submit(`${site.origin}/start-50`);
      await user.waitForJob(job.id, (now) => FINAL.has(now.status), LIMIT_MS);
      leader.resume();
      await until(async () => {
        const answer = await fetch(`${(await leader.started).url}/readyz`);
        return (await answer.text()).includes('standby');
      });
      expect((await user.job(job.id)).status).toBe('completed');
      expect(leader.output()).toContain('the lease was lost');
    },
    LIMIT_MS,
  );

  it(
    'end the admin channels of a former admin in every process, whether another admin or the operator’s command withdraws the right',
    async () => {
      const stores = { EVENTSTORE_URL: installation.eventStoreUrl, MONGODB_URL: installation.mongoUrl };
      const email = 'second-admin@example.com';
      const second = await signUp(urls[0], email);
      await confirmEmail(installation.eventStoreUrl, second.userId, email);
      const right = (isAdmin: boolean) =>
        admin.call('PUT', `/api/v1/admin/users/${second.userId}/admin-right`, { admin: isAdmin });
      const withdraw = [
        async () => void expect((await right(false)).status).toBe(200),
        async () =>
          void expect(await runProgram('admin', ['revoke', email], stores)).toEqual({
            code: 0,
            output: `${email} is no longer an admin.\n`,
          }),
      ];
      for (const withdrawn of withdraw) {
        expect((await right(true)).status).toBe(200);
        const sockets = await Promise.all(urls.map(async (url) => (await openSocket(url)).logIn(second.token)));
        for (const socket of sockets) await socket.subscribe('admin:jobs');
        await withdrawn();
        // The code says that it was the event, and not the regular check of admin sessions (ADMIN_SESSION_EXPIRED).
        for (const socket of sockets)
          expect(await socket.next(({ type }) => type === 'error')).toEqual({
            type: 'error',
            code: 'FORBIDDEN',
            channel: 'admin:jobs',
          });
        await Promise.all(sockets.map((socket) => socket.close()));
      }
    },
    LIMIT_MS,
  );

  it(
    'notify clients of one process of changes through another, and send positions when they stop',
    async () => {
      const user = await signUp(urls[1]);
      const socket = await openSocket(urls[0]).then((opened) => opened.logIn(user.token));
      await socket.subscribe('jobs');
      const job = await user.submit(`${site.origin}/start-60`);
      await socket.next(
        (message) => message.type === 'event' && message.new?.id === job.id && message.new.status === 'completed',
      );
      await expectActionRows(user, job.id, socket);
      const began = performance.now();
      expect(await installation.http[0].stop()).toBe(0);
      expect(performance.now() - began).toBeLessThan(15_000);
      const { code, reason } = await socket.closed;
      expect(code).toBe(1001);
      expect(reason).toMatch(/\d{20}/);
      // The session and its jobs are known in the other process as well.
      expect(await jobsOf(user)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'move a page count on a socket while another process reads the pages, with one event in the log',
    async () => {
      const url = urls[1];
      const user = await signUp(url);
      const socket = await openSocket(url).then((opened) => opened.logIn(user.token));
      await socket.subscribe('jobs');
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      // Longer than between two reports; the last page waits until the ones before have been seen.
      for (const path of ['/a', '/b', '/c'])
        site.pages[path] = (_, response) =>
          void (path === '/c' ? released : wait(1_200)).then(() =>
            response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(path)),
          );
      const job = await user.submit(`${site.origin}/start-70`);
      const counts = (pages: number) =>
        socket.next(
          (message) => message.type === 'event' && message.new?.id === job.id && message.new.pages_done === pages,
        );
      expect((await counts(1)).new).toMatchObject({ status: 'executing_parallel_streams', pages_known: 4 });
      const { new: moved } = await socket.next(
        (message) => message.type === 'event' && message.new?.id === job.id && message.new.pages_done > 1,
      );
      expect(moved).toMatchObject({ status: 'executing_parallel_streams' });
      expect((await user.job(job.id)).pages_done).toBe(moved.pages_done);
      release();
      expect((await user.waitForJob(job.id, (now) => FINAL.has(now.status), LIMIT_MS)).pages_done).toBe(4);
      await socket.close();
      const store = await openEventStoreDb({ url: installation.eventStoreUrl });
      const types = (await eventsOf(store, `job-${job.id}`)).map((event) => event.type);
      await store.close();
      expect(types.filter((type) => type === 'JobProgressed')).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it('report health and metrics for each role', async () => {
    const servers = [installation.http[1], installation.workers[1], ...installation.projectors].filter(
      (server) => server.state() === 'running',
    );
    expect(servers.length).toBeGreaterThan(2);
    for (const server of servers) {
      const { url } = await server.started;
      expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' });
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const figures = await (await fetch(`${url}/metrics`)).text();
      expect(figures).toContain('projection_lag_events{model="jobs"}');
    }
    const { url } = await installation.workers[1].started;
    expect((await fetch(`${url}/api/v1/jobs`)).status).toBe(404);
  });
});

const html = (title: string): string =>
  `<!doctype html><html lang="en"><head><title>${title} of the fixture shop</title></head><body><h1>${title}</h1><p>Some words about ${title}.</p><a href="/a">A</a> <a href="/b">B</a> <a href="/c">C</a></body></html>`;

/** As if the link in the email had been opened. */
async function confirmEmail(eventStoreUrl: string, userId: string, email: string): Promise<void> {
  const store = await openEventStoreDb({ url: eventStoreUrl });
  const now = (): string => new Date().toISOString();
  await proveEmail(contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'user', id: userId } }, null), {
    userId,
    email,
  });
  await store.close();
}

/** Small pages that take a moment each, so that something is running at any time. */
function pages(): Parameters<typeof startTestSite>[0] {
  return {
    '/robots.txt': { status: 404 },
    '/sitemap.xml': { status: 404 },
    '/llms.txt': { status: 404 },
    '*': (request, response) => {
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(`Page ${request.url}`)),
        60,
      );
    },
  };
}

/** An item changed through one process is reported by the process that the socket is connected to. */
async function expectActionRows(user: ApiClient, jobId: string, socket: TestSocket): Promise<void> {
  await socket.subscribe(`actions:${jobId}`);
  const { actions } = (await user.call<ActionsResponse>('GET', `/api/v1/actions?jobId=${jobId}`)).body;
  const id = actions[0]?.id ?? '';
  const actionRow = (fits: (row: ActionView) => boolean) =>
    socket.next((message) => message.type === 'event' && message.table === 'actions' && fits(message.new));
  const moved = await user.call('PUT', `/api/v1/actions/${id}/progress?jobId=${jobId}`, {
    status: 'in-progress',
    notes: 'From the other one.',
  });
  expect(moved.status).toBe(200);
  await actionRow((row) => row.id === id && row.status === 'in-progress' && row.notes === 'From the other one.');
  // A process without workers can fetch sites, too.
  const verified = await user.call<VerifyResponse>('POST', `/api/v1/actions/${id}/verify?jobId=${jobId}`);
  expect(verified.status).toBe(200);
  // On a busy machine it takes longer than the request waits; the row comes either way.
  if (!verified.body.pending) expect(verified.body.verification).toMatchObject({ outcome: 'still_failing' });
  await actionRow((row) => row.id === id && row.last_verification?.outcome === 'still_failing');
}

async function jobsOf(user: ApiClient): Promise<readonly JobView[]> {
  // During a short outage of the stores, requests are answered 503, as the API documents; the next attempt finds them.
  for (;;) {
    const answer = await user.call<JobsResponse>('GET', '/api/v1/jobs?limit=100').catch(() => null);
    if (answer?.status === 200) return [...answer.body.data.active, ...answer.body.data.completed];
    if (answer && answer.status !== 503)
      throw new Error(`The list of jobs: ${answer.status} ${JSON.stringify(answer.body)}`);
    await wait(100);
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not come to be within ${LIMIT_MS} ms: ${holds}`);
    await wait(100);
  }
}

async function untilDefined<T>(get: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await until(async () => {
    found = await get();
    return found !== undefined;
  });
  return found as T;
}

type Screen = { rows(): ReadonlyMap<string, JobView>; close(): Promise<void> };

/** A socket client's state: the list at first, then each change, as in the web app. */
async function watchJobs(user: ApiClient, url: string): Promise<Screen> {
  const rows = new Map<string, JobView>();
  let socket: TestSocket;
  let since: string | undefined;
  let closing = false;
  let taken = 0;
  const connect = async (): Promise<void> => {
    socket = await openSocket(url).then((opened) => opened.logIn(user.token));
    taken = 0;
    const drain = (): void => {
      for (const message of socket.messages.slice(taken)) {
        taken += 1;
        if (message.type !== 'event') continue;
        const row = message.new as JobView | null;
        if (row && (rows.get(row.id)?.position ?? '') <= row.position) rows.set(row.id, row);
        since = message.position;
      }
    };
    socket.ws.on('message', drain);
    socket.ws.once('close', () => {
      if (!closing)
        void until(() =>
          connect().then(
            () => true,
            () => false,
          ),
        );
    });
    since = await socket.subscribe('jobs', since);
    drain();
  };
  await connect();
  return {
    rows: () => rows,
    close: async () => {
      closing = true;
      await socket.close();
    },
  };
}

function same(rows: ReadonlyMap<string, JobView>, jobs: readonly JobView[]): boolean {
  const bare = ({ eta: _, ...job }: JobView) => JSON.stringify(job);
  return jobs.every((job) => {
    const row = rows.get(job.id);
    return row !== undefined && bare(row) === bare(job);
  });
}

async function openHome(page: Page, url: string, user: ApiClient): Promise<Page> {
  await page.goto(`${url}/auth/login`);
  await page.evaluate(`localStorage.setItem('auth_token', ${JSON.stringify(user.token)})`);
  await page.goto(`${url}/`);
  return page;
}

/** Each report once, each reservation ended once, every stream numbered without a gap. */
async function expectWholeLog(url: string, userId: string, jobs: readonly JobView[]): Promise<void> {
  const store = await openEventStoreDb({ url });
  try {
    for (const job of jobs) {
      const types = (await eventsOf(store, `job-${job.id}`)).map((event) => event.type);
      for (const once of ['JobSubmitted', 'JobReportReady', 'JobCompleted'])
        expect([once, types.filter((type) => type === once).length]).toEqual([once, 1]);
    }
    let billing: readonly RecordedEvent[] = [];
    // A reservation ends right after its job, by another part of a worker.
    await until(async () => {
      billing = await eventsOf(store, `billing-${userId}`);
      return (
        billing.filter(({ type }) => type === 'AnalysisConsumed' || type === 'AnalysisReleased').length >= jobs.length
      );
    });
    const byJob = (type: string) =>
      billing
        .filter((event) => event.type === type)
        .map((event) => (event.data as { jobId: string }).jobId)
        .sort();
    const ids = jobs.map((job) => job.id).sort();
    expect(byJob('AnalysisReserved')).toEqual(ids);
    expect(byJob('AnalysisConsumed')).toEqual(ids);
    expect(byJob('AnalysisReleased')).toEqual([]);
  } finally {
    await store.close();
  }
}

async function eventsOf(
  store: Awaited<ReturnType<typeof openEventStoreDb>>,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  const read = await store.read(stream);
  if (read.status !== 'found') throw new Error(`${stream} is ${read.status}.`);
  expect(read.events.map((event) => event.revision)).toEqual(read.events.map((_, at) => BigInt(at)));
  expect(new Set(read.events.map((event) => event.id)).size).toBe(read.events.length);
  return read.events;
}
