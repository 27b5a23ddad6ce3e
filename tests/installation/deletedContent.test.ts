/** Erased content is gone from every store: the test searches all their bytes for a planted marker. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { writeReportFile } from '../../src/commands/job/writeReportFile.ts';
import { changeAction } from '../../src/commands/plan/changeAction.ts';
import { generatePlan } from '../../src/commands/plan/generatePlan.ts';
import { regeneratePlan } from '../../src/commands/plan/regeneratePlan.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { REPORT_FILES } from '../../src/model/jobs.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongo/mongoDb.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { actionItem } from '../given/analysis.ts';
import { decideOn, workOn } from '../given/audit/auditedJob.ts';
import { findingsOf } from '../given/audit/runs.ts';
import { product, userOf, withAdmin } from '../given/commands.ts';
import { saveCrawlText } from '../given/crawlTexts.ts';
import { followUpWith } from '../given/followUp.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { projecting } from '../given/stores/projections.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';
import { startMongoServer } from '../servers/mongoServer.ts';

const MARKER = 'PLANTED-5e1c';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Pair = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** The names of files or collections that contain the marker. */
  readonly holders: () => Promise<readonly string[]>;
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deleted-'));
  closers.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const filesWith = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(MARKER))
    .map(({ name }) => name);

async function embedded(): Promise<Pair> {
  const folder = newFolder();
  const store = openSqliteEventStore({ file: join(folder, 'events.db') });
  const readModels = openSqliteReadModels({ file: join(folder, 'readModels.db') });
  closers.push(async () => Promise.all([store.close(), readModels.close()]));
  return { store, readModels, holders: async () => filesWith(folder) };
}

async function servers(): Promise<Pair> {
  const events = await startEventStoreDbServer();
  const mongo = await startMongoServer();
  closers.push(
    () => mongo.close(),
    () => events.close(),
  );
  const store = await openEventStoreDb({ url: events.url });
  const connection = await connectMongo({ url: mongo.freshDatabaseUrl() });
  const readModels = await openMongoReadModels(connection, { eraseAfterMs: 0 });
  closers.push(async () => {
    await Promise.all([store.close(), readModels.close()]);
    await connection.close();
  });
  const holders = async (): Promise<readonly string[]> => {
    // A scavenge removes deleted events from the server's own log, as docs/operations.md says.
    events.scavenge();
    const names: string[] = [];
    for (const { name } of await connection.db.listCollections().toArray()) {
      const documents = await connection.db.collection(name).find().toArray();
      if (JSON.stringify(documents).includes(MARKER)) names.push(name);
    }
    const { events: all } = await store.readAll({ limit: 1_000 });
    return [
      ...names,
      ...all.filter((event) => JSON.stringify(event.data).includes(MARKER)).map(({ stream }) => stream),
    ];
  };
  return { store, readModels, holders };
}

describe.each([
  ['the embedded stores', true, embedded],
  ['EventStoreDB and MongoDB', available('mongod (scripts/fetchMongod.sh)', MONGOD), servers],
] as const)('a deleted audit on %s', (_name, isThere, open) => {
  it.skipIf(!isThere)('leaves neither its findings nor its owner’s notes behind', async () => {
    const { store, readModels, holders } = await open();
    const made = await withAdmin(product(store));
    const running = projecting(store, readModels, READ_MODELS);
    closers.push(() => running.stop());
    const userId = await userOf(made);
    const { jobIds } = await submitJobs(made.context(), {
      userId,
      sites: [{ url: 'https://example.com/', host: 'example.com' }],
      bounds: { maxPages: 5, maxMs: 1 },
    });
    const jobId = jobIds[0] ?? '';
    const { text } = findingsOf(
      `<!doctype html><html lang="en"><body><h3>Tea</h3><img src="/${MARKER}.png"></body></html>`,
    );
    await saveCrawlText(made.context(), { jobId, name: 'crawl', text: MARKER });
    await workOn(made, jobId);
    for (const name of REPORT_FILES)
      await writeReportFile(made.context(), {
        jobId,
        userId,
        name,
        text: name === 'findings.json' ? text : `${MARKER}\n`.repeat(300),
      });
    await generatePlan(made.context(), {
      jobId,
      userId,
      by: 'AI',
      items: [actionItem('first', { problem: MARKER }), actionItem('second')],
    });
    await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
    await changeAction(made.context(), {
      type: 'ChangeAction',
      jobId,
      actionId: 'first',
      status: 'completed',
      notes: `Ask ${MARKER}.`,
    });
    await regeneratePlan(made.context(), followUpWith(), { jobId, userId });
    const names = READ_MODELS.map(({ name }) => name);
    await readModels.reached(names, await store.head(), 20_000);
    expect((await holders()).length).toBeGreaterThan(1);

    const { position } = await deleteJob(made.context(), { jobId });
    expect(await readModels.reached(names, position, 20_000)).toBe(true);
    await expect.poll(holders, { timeout: 10_000, interval: 100 }).toEqual([]);
  });
});
