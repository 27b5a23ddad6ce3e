/** An installation in use moves to other stores: every account, job, report and balance stays the same. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streamsClosedWith } from '../../src/commands/closedStreams.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { readReportFile } from '../../src/commands/job/writeReportFile.ts';
import { logIn } from '../../src/commands/session/logIn.ts';
import { crawlStream, reportStream } from '../../src/domain/report/events.ts';
import { type CopyResult, copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { REPORT_FILES } from '../../src/model/jobs.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongo/mongoDb.ts';
import { createDeletedJobs } from '../../src/work/followers/deletedJobs.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import { wholeLog } from '../contract/eventStoreHarness.ts';
import { crashingStore, product } from '../given/commands.ts';
import {
  allDocuments,
  followersOfEnds,
  type LivedIn,
  livedIn,
  readModelsOf,
  workerOn,
} from '../given/product/livedIn.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { verified } from '../given/stores/logFiles.ts';
import { followLog } from '../given/work/following.ts';
import { pendingJob } from '../given/work/pendingJob.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../servers/eventStoreDb.ts';
import { startMongoServer } from '../servers/mongoServer.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const PAGES: Record<string, string> = {
  '/': '<!doctype html><html lang="en"><title>A home page with a title</title><h1>Home</h1><p>Text of the home page.</p><a href="/second">The second page</a>',
  '/second': '<!doctype html><html lang="en"><h1>No title here</h1><p>Text of the second page.</p><a href="/">Home</a>',
};

const folder = mkdtempSync(join(tmpdir(), 'migration-'));
let site: TestSite;
let source: SqliteEventStore;
let past: LivedIn;
let documents: Record<string, Record<string, object>>;

beforeAll(async () => {
  site = await startTestSite(PAGES);
  source = openSqliteEventStore({ file: join(folder, 'events.db') });
  past = await livedIn(withStoredEvents(source, { closes: streamsClosedWith }), site.host);
  const readModels = await readModelsOf(source);
  documents = await allDocuments(readModels);
  await readModels.close();
});
afterAll(async () => {
  await source.close();
  await site.close();
  rmSync(folder, { recursive: true });
});

it('the installation has data of every kind', () => {
  expect(Object.keys(documents).sort()).toEqual(READ_MODELS.map((projection) => projection.name).sort());
  const counts = Object.fromEntries(Object.entries(documents).map(([model, all]) => [model, Object.keys(all).length]));
  expect(counts).toMatchObject({
    accounts: 3,
    sessions: 2,
    jobs: 4,
    boards: 1,
    billing: 3,
    shares: 1,
    apiKeys: 1,
  });
  expect(counts.jobFiles).toBe(REPORT_FILES.length);
});

type Target = { readonly open: () => Promise<EventStore>; readonly end: () => Promise<void> };

async function startServer(): Promise<Target & { readonly server: EventStoreDbServer }> {
  const server = await startEventStoreDbServer();
  // With every third answer lost, a slow machine needs more time than a user would wait.
  return { server, open: () => openEventStoreDb({ url: server.url, retryForMs: 30_000 }), end: () => server.close() };
}

const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  'another file': async () => ({
    open: async () => openSqliteEventStore({ file: join(folder, 'other', 'events.db') }),
    end: async () => undefined,
  }),
  EventStoreDB: startServer,
};

describe.each(Object.entries(TARGETS))('moved to %s', (_name, start) => {
  let target: Target;
  let store: EventStore;
  let result: CopyResult;

  beforeAll(async () => {
    target = await start();
    store = await target.open();
    result = await copyLog({ from: source, to: store, closes: streamsClosedWith });
  });
  afterAll(async () => {
    await store.close();
    await target.end();
  });

  it('the migrated log equals the original', async () => {
    const log = (await wholeLog(source)).map(({ position: _p, revision: _r, ...event }) => event);
    expect((await wholeLog(store)).map(({ position: _p, revision: _r, ...event }) => event)).toEqual(log);
    expect(result.target).toEqual({ events: log.length, sha256: result.source.sha256 });
  });

  it('every event still names the one before it, even in renumbered streams', async () => {
    const { found, chained } = await verified(store);
    expect(found).toEqual([]);
    expect(chained).toBeGreaterThan(50);
  });

  it('every document of every read model is the same', async () => {
    const readModels = await readModelsOf(store);
    expect(await allDocuments(readModels)).toEqual(documents);
    expect(await readModels.parked()).toEqual([]);
    await readModels.close();
  });

  it('reports are complete, and deleted data stays deleted', async () => {
    for (const name of REPORT_FILES)
      expect(await readReportFile(store, past.jobs.done, name)).toBe(
        await readReportFile(source, past.jobs.done, name),
      );
    expect(await readReportFile(store, past.jobs.done, 'seo-audit-report.md')).toContain('Page has no title');
    expect(await store.read(reportStream(past.jobs.deleted))).toEqual({ status: 'deleted' });
    await followLog(store, createDeletedJobs(product(store)));
    expect(JSON.stringify((await wholeLog(store)).map((event) => event.data))).not.toContain('eve@example.com');
  });

  it('users can log in, and an abandoned submission stays abandoned', async () => {
    const verifyPassword = async (hash: string | null, password: string) => hash === password;
    const input = { email: 'ann@example.com', password: 'hash of ann@example.com', verifyPassword };
    expect((await logIn({ store }, input)).userId).toBe(past.ann);
    await expect(logIn({ store }, { ...input, email: 'lee@example.com' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(past.repeatMissing(store)).rejects.toMatchObject({ code: 'SUBMISSION_EXPIRED' });
  });

  it('workers leave finished jobs alone, and finish the pending one', async () => {
    const { done, failed, cancelled, deleted, waiting } = past.jobs;
    const before = (await wholeLog(store)).length;
    const held = (): boolean => true;
    const still = new AbortController().signal;
    for (const jobId of [done, failed, cancelled, deleted])
      await runAuditJob(workerOn(past.made, site.host, store), pendingJob(jobId), held, still);
    for (const follower of followersOfEnds(product(store))) await followLog(store, follower);
    expect(await wholeLog(store)).toHaveLength(before);
    expect(await store.read(crawlStream(done))).toEqual({ status: 'deleted' });
    await runAuditJob(workerOn(past.made, site.host, store), pendingJob(waiting), held, still);
    expect(await readReportFile(store, waiting, 'seo-audit-report.md')).toContain('Page has no title');
  });
});

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('read models on MongoDB', () => {
  it('match those in files, built from the moved log', async () => {
    const [mongo, { open: openTarget, end }] = await Promise.all([startMongoServer(), startServer()]);
    const store = await openTarget();
    await copyLog({ from: source, to: store, closes: streamsClosedWith });
    const connection = await connectMongo({ url: mongo.freshDatabaseUrl() });
    const readModels = await readModelsOf(store, await openMongoReadModels(connection));
    expect(await allDocuments(readModels)).toEqual(documents);
    expect(await readModels.parked()).toEqual([]);
    await readModels.close();
    await connection.close();
    await store.close();
    await Promise.all([mongo.close(), end()]);
  });
});

describe('an EventStoreDB', () => {
  let moved: Awaited<ReturnType<typeof startServer>>;
  let store: EventStore;
  beforeEach(async () => {
    moved = await startServer();
    store = await moved.open();
  });
  afterEach(async () => {
    await store.close();
    await moved.end();
  });
  const contents = async (of: EventStore) =>
    (await wholeLog(of)).map(({ position: _p, revision: _r, ...event }) => event);

  it('returns events written after the move, and no deleted ones, before and after a scavenge', async () => {
    await copyLog({ from: source, to: store, closes: streamsClosedWith });
    await deleteJob(past.made.context('00000000-0000-4000-8000-0000000000bb', store), { jobId: past.jobs.done });
    const back = openSqliteEventStore({ file: ':memory:' });
    const first = await copyLog({ from: store, to: back, closes: streamsClosedWith });
    expect(await back.read(reportStream(past.jobs.done))).toEqual({ status: 'deleted' });
    expect(JSON.stringify((await wholeLog(back)).map((event) => event.data))).not.toContain('Page has no title');
    expect(moved.server.scavenge()).toBeGreaterThan(REPORT_FILES.length);
    const again = openSqliteEventStore({ file: ':memory:' });
    const second = await copyLog({ from: store, to: again, closes: streamsClosedWith });
    expect(second.source).toEqual(first.source);
    expect(await contents(again)).toEqual(await contents(back));
    expect(await again.read(reportStream(past.jobs.done))).toEqual({ status: 'deleted' });
    await back.close();
    await again.close();
  });

  it('ends up equal even if answers are lost, the server goes down, and the copy is interrupted', async () => {
    moved.server.faults.dropAnswersWhen((write) => write % 3 === 0);
    await copyLog({ from: source, to: crashingStore(store, 25, 'after'), closes: streamsClosedWith }).catch(
      () => undefined,
    );
    expect(moved.server.faults.counts.lostAnswers).toBeGreaterThan(5);
    const begun = (await wholeLog(store)).length;
    const impatient = await openEventStoreDb({ url: moved.server.url, retryForMs: 50 });
    await moved.server.stop();
    await expect(copyLog({ from: source, to: impatient, closes: streamsClosedWith })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await moved.server.start();
    await impatient.close();
    const result = await copyLog({ from: source, to: store, closes: streamsClosedWith });
    expect(begun).toBeGreaterThan(20);
    expect(result.copied).toBe(result.source.events - begun);
    expect(await contents(store)).toEqual(await contents(source));
  });
});
