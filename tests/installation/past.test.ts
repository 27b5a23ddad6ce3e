/**
 * The past, the history of a stream and the causes of an event on each pair of stores: past states match what the read
 * models showed at that moment.
 */

import { afterEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { changeAction } from '../../src/commands/plan/changeAction.ts';
import { createShare } from '../../src/commands/share/createShare.ts';
import { revokeShare } from '../../src/commands/share/revokeShare.ts';
import { planStream } from '../../src/domain/plan/events.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { causesOf } from '../../src/history/causes.ts';
import { allJobsThen, userJobsThen } from '../../src/history/past/jobLists.ts';
import { momentOf } from '../../src/history/past/moment.ts';
import { openPast } from '../../src/history/past/past.ts';
import { readHistory, readStep } from '../../src/history/readHistory.ts';
import { kindOf } from '../../src/history/streams.ts';
import { listActivity } from '../../src/projections/history/activity.ts';
import type { Progress } from '../../src/projections/userProgress/documents.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongo/mongoDb.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { product, userOf, withAdmin } from '../given/commands.ts';
import { finishedAnalysis } from '../given/finishedAnalysis.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';
import { startMongoServer } from '../servers/mongoServer.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Pair = { readonly store: EventStore; readonly readModels: ReadModels };

async function embedded(): Promise<Pair> {
  const [store, readModels] = [memoryEventStore(), memoryReadModels()];
  closers.push(async () => Promise.all([store.close(), readModels.close()]));
  return { store, readModels };
}

async function servers(): Promise<Pair> {
  const events = await startEventStoreDbServer();
  const mongo = await startMongoServer();
  closers.push(
    () => mongo.close(),
    () => events.close(),
  );
  const store = withStoredEvents(await openEventStoreDb({ url: events.url }));
  const connection = await connectMongo({ url: mongo.freshDatabaseUrl() });
  const readModels = await openMongoReadModels(connection, { eraseAfterMs: 0 });
  closers.push(async () => {
    await Promise.all([store.close(), readModels.close()]);
    await connection.close();
  });
  return { store, readModels };
}

/** The models whose documents are compared, each with the id of one. */
type Documents = readonly (readonly [model: string, id: string])[];

async function lived({ store, readModels }: Pair) {
  const made = await withAdmin(product(store));
  const running = projecting(store, readModels, READ_MODELS);
  closers.push(() => running.stop());
  const names = READ_MODELS.map(({ name }) => name);
  const { jobId, userId } = await finishedAnalysis({ made });
  const other = await finishedAnalysis({ made });
  const documents: Documents = [
    ...['jobs', 'jobIndex', 'boards', 'shares'].map((model) => [model, jobId] as const),
    ...['accounts', 'billing'].map((model) => [model, userId] as const),
    ['jobFiles', `${jobId}/action-items.md`],
  ];
  const moments: { readonly position: string; readonly time: string; readonly said: readonly (object | null)[] }[] = [];
  /** Minutes apart, so that their times differ. */
  const look = async (): Promise<void> => {
    const last = (await made.log()).at(-1);
    expect(await readModels.reached(names, last?.position ?? '', 30_000)).toBe(true);
    const said = await Promise.all(documents.map(([model, id]) => readModels.get(model, id)));
    moments.push({ position: last?.position ?? '', time: made.now(), said });
    made.pass(10);
  };
  await look();
  const by = () => made.context(null, made.store, { kind: 'user', id: userId });
  await changeAction(by(), { type: 'ChangeAction', jobId, actionId: 'title-missing', status: 'completed' });
  await look();
  const wishes = { description: '', sharedContent: ['actions'], expiresIn: null, secret: 'secret' } as const;
  const { shareId } = await createShare(by(), { jobId, userId, ...wishes });
  await look();
  await revokeShare(by(), { jobId, shareId });
  await userOf(made, 'late@example.com');
  await look();
  return { made, jobId, userId, other, documents, moments };
}

describe.each([
  ['the embedded stores', true, embedded],
  ['EventStoreDB and MongoDB', available('mongod (scripts/fetchMongod.sh)', MONGOD), servers],
] as const)('on %s', (_name, isThere, open) => {
  it.skipIf(!isThere)(
    'documents and lists are as they were at a given time or position, or at a number between positions',
    async () => {
      const pair = await open();
      const { made, jobId, userId, other, documents, moments } = await lived(pair);
      const at = async (asked: Parameters<typeof momentOf>[1]) => {
        const moment = await momentOf(pair, asked);
        if (!moment) throw new Error('Nothing had happened.');
        return moment;
      };
      for (const { position, time, said } of moments) {
        const moment = await at({ time });
        expect(moment.position).toBe(position);
        expect(await at({ position })).toEqual(moment);
        const beyond = String(BigInt(position) + 1n).padStart(20, '0');
        expect((await at({ position: beyond })).position).toBe(moment.next === beyond ? beyond : position);
        const past = openPast({ store: pair.store, position });
        const then = await Promise.all(documents.map(([model, id]) => past.get(model, id)));
        expect(then).toEqual(said);
      }
      const signal = new AbortController().signal;
      const [first] = moments;
      const moment = await at({ position: first?.position ?? '' });
      const everybody = { store: pair.store, moment, signal };
      const page = await allJobsThen(everybody, { limit: 1 });
      const rest = await allJobsThen(everybody, { limit: 5, cursor: page.cursor ?? '' });
      expect([...page.rows, ...rest.rows].map(({ id }) => id)).toEqual([other.jobId, jobId]);
      expect((await userJobsThen(everybody, userId, { limit: 5 })).rows.map(({ id }) => id)).toEqual([jobId]);

      // Deleted data is gone from every moment.
      await deleteJob(made.context(), { jobId });
      expect(await allJobsThen(everybody, { limit: 5 })).toMatchObject({ rows: [{ id: other.jobId }], erased: 1 });
      for (const { position } of moments)
        expect(await openPast({ store: pair.store, position }).documentAsOf('boards', jobId)).toMatchObject({
          status: 'erased',
        });
      // Without a stream, all events up to then are searched.
      const progress = await openPast({ store: pair.store, position: moments[1]?.position ?? '' }).get<Progress>(
        'userProgress',
        `all:${other.userId}`,
      );
      expect(progress?.data.totalActions).toBe(2);
    },
  );

  it.skipIf(!isThere)(
    'the history of a stream lists each event with its changes; an event leads to its request and its effects',
    async () => {
      const pair = await open();
      const { made, jobId } = await lived(pair);
      const stream = planStream(jobId);
      const kind = kindOf(stream)?.kind;
      if (!kind) throw new Error('There is no such kind.');
      const subject = { store: pair.store, stream, kind };
      const page = await readHistory(subject, { place: { direction: 'backward', from: null }, filter: {}, limit: 10 });
      if (page.status !== 'found') throw new Error(page.status);
      expect(page.steps.map(({ event }) => event.type)).toEqual(['PlanGenerated', 'ActionCompleted']);
      const completed = page.steps[1]?.event;
      const changes = page.steps[1]?.differences().changes ?? [];
      expect(changes.map(({ path }) => path.join('.'))).toContain('progress.title-missing.status');
      expect((await readStep(subject, 0n))?.event.type).toBe('PlanGenerated');

      const worker = { kind: 'worker', id: 'test' } as const;
      const causesAt = async (cause: string): Promise<NonNullable<Awaited<ReturnType<typeof causesOf>>>> => {
        expect(await pair.readModels.reached(['causes'], (await made.log()).at(-1)?.position ?? '', 30_000)).toBe(true);
        const tree = await causesOf(pair, cause);
        if (!tree) throw new Error('Nothing is known of it.');
        return tree;
      };
      const led = { id: completed?.id ?? '' };
      await changeAction(made.context(led, made.store, worker), { type: 'UndoMove', jobId, actionId: 'title-missing' });
      const undone = (await made.log()).at(-1)?.id ?? '';
      const up = await causesAt(undone);
      expect([up.beginning, up.ancestors.map(({ id }) => id)]).toEqual([
        { kind: 'request', id: completed?.metadata.correlationId },
        [led.id],
      ]);
      expect((await causesAt(completed?.metadata.correlationId ?? '')).following.map(({ type }) => type)).toEqual([
        'ActionCompleted',
        'ActionMoveUndone',
      ]);

      // The plan is erased with its job: the causes of the deletion are shown as gone, its effects are found.
      await deleteJob(made.context(led, made.store, worker), { jobId });
      const deleted = (await made.log()).findLast(({ type }) => type === 'JobDeleted')?.id ?? '';
      expect((await causesAt(deleted)).beginning).toEqual({ kind: 'deleted', id: led.id });
      expect((await causesAt(led.id)).following.map(({ type }) => type)).toContain('JobDeleted');
      expect(
        await readHistory(subject, { place: { direction: 'backward', from: null }, filter: {}, limit: 10 }),
      ).toEqual({ status: 'deleted' });
    },
  );

  it.skipIf(!isThere)('the history of an account is deleted with it', async () => {
    const pair = await open();
    const { made, userId, other } = await lived(pair);
    const places = async (of: string) => {
      expect(await pair.readModels.reached(['activity'], (await made.log()).at(-1)?.position ?? '', 30_000)).toBe(true);
      return (await listActivity(pair.readModels, of, { limit: 10 })).documents.length;
    };
    expect([await places(userId), await places(other.userId)]).toEqual([3, 1]);
    await deleteAccount(made.context(), { userId });
    expect([await places(userId), await places(other.userId)]).toEqual([0, 1]);
  });
});
