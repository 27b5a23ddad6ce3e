/** The list of pending work in the stores: every query uses an index, and no event stops it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { keyEvents } from '../../src/projector/projectionFold.ts';
import { documentIndexes, fieldPath } from '../../src/readModels/mongo/mongoIndexes.ts';
import { planQuery } from '../../src/readModels/queryPlan.ts';
import { createReadable } from '../../src/readModels/readable.ts';
import type { Query, ReadModels } from '../../src/readModels/readModels.ts';
import { createBuildRegistry } from '../../src/readModels/sqlite/sqliteBuilds.ts';
import { openFile } from '../../src/readModels/sqlite/sqliteFile.ts';
import { countDocuments, findPage } from '../../src/readModels/sqlite/sqliteQuery.ts';
import { itemsSince, laneHeads, listLane, measureDepth, WORK_ITEMS, workItemsModel } from '../../src/work/items.ts';
import type { WorkItem } from '../../src/work/kind.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';

const MODEL = workItemsModel(WORK_RULES);
const AT = '2026-01-01T00:00:00.000Z';

const position = (nth: number): string => String(nth).padStart(20, '0');
function item(kind: string, lane: string, nth: number): WorkItem {
  const dueAt = new Date(Date.parse(AT) + ((nth * 7) % 60) * 1_000).toISOString();
  return {
    kind,
    itemId: `${lane}-${nth}`,
    lane,
    opening: position(nth),
    openedAt: AT,
    dueAt,
    rank: 0,
    opener: { id: 'opener', stream: 's', revision: '0', type: 'T' },
  };
}

describe('a query of the list', () => {
  /** The queries that the list sends to a store, answered by SQLite; each with all of its pages. */
  async function asked(): Promise<{
    readonly finds: readonly Query[];
    readonly counts: readonly Query['where'][];
    readonly statements: readonly string[];
    explain(sql: string): string;
  }> {
    const db = openFile(':memory:', 0);
    const builds = createBuildRegistry(db, createReadable([]));
    builds.prepare(MODEL, 'v1');
    const build = builds.named(WORK_ITEMS, 'v1');
    const items = Array.from({ length: 900 }, (_, at) =>
      item(at % 3 === 0 ? 'mail' : 'audit', `lane ${at % 5}`, at + 1),
    );
    for (const data of items) {
      build.upsert.run(`${data.kind}/${data.itemId}`, data.opening, JSON.stringify(data), 0);
    }
    const [finds, counts]: [Query[], Query['where'][]] = [[], []];
    const readModels = {
      find: async (_model: string, query: Query) => {
        finds.push(query);
        return findPage(db, build, query);
      },
      count: async (_model: string, where: Query['where']) => {
        counts.push(where);
        return countDocuments(db, build, where);
      },
    } as unknown as ReadModels;
    const now = new Date(Date.parse(AT) + 30_000).toISOString();
    const listed: WorkItem[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listLane>> = await listLane(readModels, {
        kind: 'audit',
        lane: 'lane 1',
        limit: 20,
        ...(cursor === null ? {} : { cursor }),
      });
      listed.push(...page.documents.map(({ data }) => data));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.map(({ dueAt }) => dueAt)).toEqual(
      items
        .filter(({ kind, lane }) => kind === 'audit' && lane === 'lane 1')
        .map(({ dueAt }) => dueAt)
        .sort(),
    );
    const heads: string[] = [];
    for await (const { lane } of laneHeads(readModels, 'audit')) heads.push(lane);
    expect(heads).toEqual(['lane 0', 'lane 1', 'lane 2', 'lane 3', 'lane 4']);
    const since: string[] = [];
    for await (const { opening } of itemsSince(readModels, position(600))) since.push(opening);
    expect(since).toEqual(Array.from({ length: 300 }, (_, at) => position(601 + at)));
    const [dueSince] = items.flatMap(({ kind, dueAt }) => (kind === 'mail' ? [dueAt] : [])).sort();
    expect(await measureDepth(readModels, 'mail', now)).toEqual({ depth: 300, dueSince });
    const explain = (sql: string): string => {
      const rows = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1)) as { detail: string }[];
      return rows.map(({ detail }) => detail).join('; ');
    };
    return { finds, counts, statements: [...build.queries.keys()], explain };
  }

  it('is a search in an index of SQLite, without a sort', async () => {
    const { statements, explain } = await asked();
    expect(statements.length).toBeGreaterThanOrEqual(6);
    // Only items of the same event are sorted.
    const byPosition =
      /: SEARCH \S+ USING INDEX i1:position \((position>\?\); USE TEMP B-TREE FOR LAST TERM OF|position=\? AND deleted=\?\); USE TEMP B-TREE FOR) ORDER BY$/;
    const isByPosition = (sql: string): boolean => sql.includes('"i1:position"');
    expect(statements.filter(isByPosition)).not.toEqual([]);
    for (const sql of statements)
      expect(`${sql}: ${explain(sql)}`).toMatch(
        isByPosition(sql) ? byPosition : /: SEARCH \S+ USING (COVERING )?INDEX "?i1:kind,[^;]*$/,
      );
  });

  it('finds the head of a lane whose first items, as many as are read at once, are passed over', async () => {
    const readModels = memoryReadModels();
    await readModels.prepare(MODEL, 'v1');
    await readModels.serve(WORK_ITEMS, 'v1');
    const writes = Array.from({ length: 450 }, (_, nth) => {
      const [itemId, lane] = [`i${nth}`, nth < 420 ? 'long' : 'next'];
      const item = { kind: 'audit', itemId, lane, opening: position(nth + 1), dueAt: AT, rank: 0 };
      return { id: `audit/${itemId}`, position: position(nth + 1), data: item };
    });
    await readModels.commit([{ model: WORK_ITEMS, build: 'v1', checkpoint: position(450), writes }]);
    for (const passed of [0, 1, 199, 200, 201, 400, 419, 420]) {
      const heads: string[] = [];
      const except = new Set(Array.from({ length: passed }, (_, nth) => `i${nth}`));
      for await (const { itemId } of laneHeads(readModels, 'audit', except)) heads.push(itemId);
      expect(heads).toEqual(passed < 420 ? [`i${passed}`, 'i420'] : ['i420']);
    }
    await readModels.close();
  });

  it('has an index of MongoDB that begins with its equality fields and continues with its sort fields', async () => {
    const { finds, counts } = await asked();
    const indexes = documentIndexes({
      name: WORK_ITEMS,
      version: MODEL.version,
      indexes: MODEL.indexes,
      tombstoneFields: [],
    } as never).map(({ key }) => Object.keys(key));
    for (const query of [...finds, ...counts.map((where) => ({ ...(where ? { where } : {}) }))]) {
      const { index, conditions, sort } = planQuery(WORK_ITEMS, MODEL.indexes, query);
      const paths = ['deleted', ...index.map(fieldPath), '_id'];
      expect(indexes).toContainEqual(paths);
      const equal = conditions.filter(({ kind }) => kind === 'equals').map(({ field }) => field);
      const [first, ...more] = conditions.filter(({ kind }) => kind === 'range').map(({ field }) => field);
      expect(more).toEqual([]);
      expect(index.slice(0, equal.length).toSorted()).toEqual(equal.toSorted());
      expect(index.slice(equal.length, equal.length + sort.length)).toEqual(sort);
      if (first !== undefined) expect(index[equal.length]).toBe(first);
    }
  });
});

describe('an invalid event', () => {
  let store: EventStore;
  let readModels: ReturnType<typeof memoryReadModels>;
  let loop: Projecting;
  beforeEach(() => {
    store = rawEventStore();
    readModels = memoryReadModels();
    loop = projecting(store, readModels, [MODEL]);
  });
  afterEach(async () => {
    await loop.stop();
    await readModels.close();
    await store.close();
  });
  let nextId = 0;
  async function write(stream: string, type: string, data: unknown): Promise<string> {
    nextId += 1;
    const event = {
      id: `00000000-0000-4000-8000-${String(nextId).padStart(12, '0')}`,
      type,
      data: data as object,
      metadata: metadataAt(AT),
    };
    return (await store.append(stream, [event], { expected: 'any' })).position;
  }
  const submitted = (jobId: string) => write(`job-${jobId}`, 'JobSubmitted', { jobId, userId: 'ann' });
  const parked = async () => (await readModels.parked()).map(({ documentId }) => documentId);

  it.each(
    MODEL.handles.flatMap((type) =>
      [[], {}, { jobId: 7, userId: 7, deliveryId: 7, endpointId: 7, followUpId: 7, mailId: 7, slowSite: true }].map(
        (data) => [type, data] as const,
      ),
    ),
  )('delays no other item: %s with %j', async (type, data) => {
    await submitted('before');
    await write('bad', type, data);
    const last = await submitted('after');
    expect(await readModels.reached([WORK_ITEMS], last, 10_000)).toBe(true);
    const listed = Object.keys(await documentsOf(readModels, WORK_ITEMS));
    expect(listed).toEqual(expect.arrayContaining(['audit/before', 'audit/after']));
    // Its email is known by the event's own id: its owner can be looked up later.
    const owesMail = listed.length > 2;
    // Of an audit that has not given up its slot, it says nothing about pending work.
    const saysNothing = type === 'JobQueued' && !('slowSite' in data);
    expect([owesMail, (await parked()).length]).toEqual(owesMail ? [true, 0] : [false, saysNothing ? 0 : 1]);
  });

  it('is recognized when it is empty', () => {
    const events = MODEL.handles.map((type) => ({
      id: 'x',
      type,
      data: null,
      metadata: { at: AT },
      stream: 's',
      revision: 0n,
      position: position(1),
    }));
    const keyed = keyEvents(MODEL, events as unknown as RecordedEvent[]);
    expect(keyed.filter(({ failure }) => failure === null)).toEqual([]);
  });

  it.each([
    ['without a user', 'JobSubmitted', { jobId: 'bad' }, 'The event names no lane.'],
    ['without a user or an endpoint', 'WebhookRequeued', { deliveryId: 'bad' }, 'The event names no lane.'],
  ])('%s opens nothing that would never be found', async (_, type, data, error) => {
    const last = await write('bad', type, data);
    expect(await readModels.reached([WORK_ITEMS], last, 10_000)).toBe(true);
    expect(await readModels.parked()).toMatchObject([{ error: `TypeError: ${error}` }]);
    expect(await documentsOf(readModels, WORK_ITEMS)).toEqual({});
  });

  it('without a time for the next attempt leaves the item as it was, and is parked alone', async () => {
    await write('delivery', 'WebhookQueued', { deliveryId: 'a', userId: 'ann' });
    await write('delivery', 'WebhookTried', { deliveryId: 'a', nextTryAt: 'soon' });
    const last = await write('other', 'WebhookQueued', { deliveryId: 'b', userId: 'ann' });
    expect(await readModels.reached([WORK_ITEMS], last, 10_000)).toBe(true);
    expect(await documentsOf(readModels, WORK_ITEMS)).toMatchObject({
      'webhook/a': { dueAt: AT },
      'webhook/b': { dueAt: AT },
    });
    expect(await parked()).toEqual(['webhook/a']);
  });
});
