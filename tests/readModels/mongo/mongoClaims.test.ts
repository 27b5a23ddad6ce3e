/**
 * Claims, marks, presence and snapshots on MongoDB's protocol: the contracts, what failures on the way leave, and which
 * indexes serve the queries.
 */
import { afterEach, expect, it } from 'vitest';
import { handle, loadHistory, loadState } from '../../../src/commands/handle.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { Claim, Claims } from '../../../src/readModels/claims.ts';
import { openMongoClaims } from '../../../src/readModels/mongo/coordination/mongoClaims.ts';
import { createMongoMarks } from '../../../src/readModels/mongo/coordination/mongoMarks.ts';
import { openMongoPresence } from '../../../src/readModels/mongo/coordination/mongoPresence.ts';
import { CLAIM_INDEXES } from '../../../src/readModels/mongo/mongoIndexes.ts';
import { createMongoSnapshots } from '../../../src/readModels/mongo/mongoSnapshots.ts';
import { at, describeClaims } from '../../contract/claims.ts';
import { describeLiveFeed } from '../../contract/liveFeed.ts';
import { describeMarks } from '../../contract/marks.ts';
import { describePresence } from '../../contract/presence.ts';
import { describeSnapshots } from '../../contract/snapshots.ts';
import { countingReads, product } from '../../given/commands.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { diary, noted } from '../../given/stores/foldToy.ts';
import { startedOn } from '../../given/stores/keptSnapshots.ts';
import { faultyConnection, interruptedBefore, lateConnection, observed } from './mongoFaults.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

describeOnMongo('MongoDB claims, marks and snapshots', (newCase) => {
  const cases: MongoCase[] = [];
  afterEach(async () => {
    await Promise.all(cases.splice(0).map((one) => one.dispose()));
  });
  function fresh(): MongoCase {
    const mongo = newCase();
    cases.push(mongo);
    return mongo;
  }

  describeClaims(
    'MongoDB',
    async () => {
      const mongo = fresh();
      return {
        claims: await openMongoClaims(await mongo.connect()),
        another: async () => openMongoClaims(await mongo.connect()),
      };
    },
    { effort: 0.2 },
  );
  describeMarks('MongoDB', async () => createMongoMarks(await fresh().connect()));
  describePresence('MongoDB', async () => openMongoPresence(await fresh().connect()));
  describeLiveFeed('MongoDB', async () => openMongoPresence(await fresh().connect()));
  describeSnapshots('MongoDB', async () => {
    const mongo = fresh();
    return {
      snapshots: createMongoSnapshots(await mongo.connect()),
      another: async () => createMongoSnapshots(await mongo.connect()),
    };
  });

  it('has the latest snapshot when two processes write to one stream and a third one starts', async () => {
    const mongo = fresh();
    const log = rawEventStore();
    const made = product(log);
    const kept = { ...diary, keptFrom: 1 };
    await log.append(
      'diary-1',
      Array.from({ length: 1_200 }, (_, nth) => noted(`note ${nth}`)),
      { expected: 'any' },
    );
    const started = async () => startedOn(log, { snapshots: createMongoSnapshots(await mongo.connect()), grownBy: 20 });
    const two = [await started(), await started()];
    const note = (nth: number, store: EventStore) =>
      handle(made.context(undefined, store), kept, 'diary-1', { type: 'Note', text: `at once ${nth}` });
    for (let round = 0; round < 8; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, nth) => note(round * 10 + nth, two[nth % 2]?.store ?? log)));
      // One of the two is still writing when the other one continues.
      if (round % 3 === 2) await two[0]?.settled();
    }
    await Promise.all(two.map(({ settled }) => settled()));
    const snapshot = await createMongoSnapshots(await mongo.connect()).read({ name: 'diary', key: 'diary-1' });
    expect(Number(snapshot?.position)).toBeGreaterThan(1_250);
    const third = countingReads(log);
    const { store } = startedOn(third.store, { snapshots: createMongoSnapshots(await mongo.connect()) });
    const { events: _, ...whole } = await loadHistory(log, diary, 'diary-1');
    expect(await loadState(store, kept, 'diary-1')).toEqual(whole);
    expect(third.events()).toBeLessThan(600);
  });

  const item = (itemId: string) => ({ kind: 'audits', itemId, opening: at(1), lane: 'ada' });
  const take = (claims: Claims, itemId: string, seen: Claim | null = null) =>
    claims.take({ item: item(itemId), seen, holder: 'w1', laneLimit: 1 });

  for (const how of ['before', 'after'] as const) {
    it(`keeps neither item nor place for a claim whose answer was lost (the insert ${how === 'after' ? 'went through' : 'did not'})`, async () => {
      const mongo = fresh();
      const real = await mongo.connect();
      const faulty = faultyConnection(real);
      const claims = await openMongoClaims(faulty);
      faulty.arm({ at: 1, how });
      await expect(take(claims, 'a')).rejects.toMatchObject({ code: 'READ_MODELS_UNAVAILABLE' });
      faulty.arm(null);
      const others = await openMongoClaims(real);
      expect(await others.running('audits')).toEqual(new Map(how === 'after' ? [['ada', 1]] : []));
      expect(await claims.holders()).toEqual([]);
      expect(await others.running('audits')).toEqual(new Map());
      expect(await take(claims, 'a')).toMatchObject({ number: 1, holder: 'w1' });
      expect(await claims.holders()).toEqual(['w1']);
    });
  }

  it('keeps the notes of a claim that is released while the holders are being read', async () => {
    const late = lateConnection(await fresh().connect(), 'claims');
    const claims = await openMongoClaims(late);
    const claim = await take(claims, 'a');
    if (typeof claim === 'string') throw new Error('Not taken.');
    const held = late.holdNext();
    const holders = claims.holders();
    await held.read;
    const notes = { attempts: 3, failure: 'Error', notBefore: at(9) };
    expect(await claims.letGo(claim, notes)).toBe(true);
    held.release();
    await holders;
    expect(await claims.read('audits', ['a'])).toEqual([{ ...claim, ...notes, holder: null }]);
  });

  it('does not treat another process’s claim under the same name as a leftover', async () => {
    const mongo = fresh();
    const [one, two] = [await openMongoClaims(await mongo.connect()), await openMongoClaims(await mongo.connect())];
    const claim = await take(one, 'a');
    expect(await two.holders()).toEqual(['w1']);
    expect(await one.read('audits', ['a'])).toEqual([claim]);
  });

  it('gives way when another worker took and released the item between its read and its insert', async () => {
    const mongo = fresh();
    const real = await mongo.connect();
    const others = await openMongoClaims(real);
    const first = await take(others, 'a');
    if (typeof first === 'string') throw new Error('Not taken.');
    await others.letGo(first, {});
    const [seen = null] = await others.read('audits', ['a']);
    // Right before it inserts holding number 2, two others have had the item, and the second still has it.
    let meanwhile: Claim | 'taken' | 'lane_full' | null = null;
    const claims = await openMongoClaims(
      interruptedBefore(real, 'insertOne', async () => {
        // So that they do not have the place that it is about to take, which alone would stop it.
        const first = await others.take({ item: item('b'), seen: null, holder: 'w2', laneLimit: 9 });
        const second = await others.take({ item: item('a'), seen, holder: 'w2', laneLimit: 9 });
        if (typeof first === 'string' || typeof second === 'string') throw new Error('Not taken.');
        await others.letGo(second, { attempts: 1 });
        meanwhile = await others.take({
          item: item('a'),
          seen: { ...second, attempts: 1, holder: null },
          holder: 'w3',
          laneLimit: 9,
        });
        await others.letGo(first, {});
      }),
    );
    expect(await claims.take({ item: item('a'), seen, holder: 'w4', laneLimit: 9 })).toBe('taken');
    expect(meanwhile).toMatchObject({ number: 3, holder: 'w3' });
    expect(await others.read('audits', ['a'])).toEqual([meanwhile]);
    expect(await others.running('audits')).toEqual(new Map([['ada', 1]]));
  });

  it('leaves one document per item, however often it was claimed', async () => {
    const mongo = fresh();
    const connection = await mongo.connect();
    const claims = await openMongoClaims(connection);
    for (let n = 0; n < 4; n += 1) {
      const [seen = null] = await claims.read('audits', ['a']);
      const claim = await take(claims, 'a', seen);
      if (typeof claim === 'string') throw new Error(claim);
      await claims.letGo(claim, { attempts: n });
    }
    expect(await connection.db.collection('claims').countDocuments()).toBe(1);
  });

  it('recreates its indexes after the database was deleted, and continues', async () => {
    const mongo = fresh();
    const { db } = await mongo.connect();
    const claims = await openMongoClaims({ db });
    const lost = await take(claims, 'a');
    await db.dropDatabase();
    if (typeof lost === 'string') throw new Error('Not taken.');
    expect(await claims.letGo(lost, {})).toBe(false);
    expect(await claims.holders()).toEqual([]);
    expect((await db.collection('claims').indexes()).map(({ name }) => name).sort()).toEqual(
      ['_id_', ...CLAIM_INDEXES.map(({ name }) => name)].sort(),
    );
    expect(await take(claims, 'a')).toMatchObject({ number: 1 });
    expect(await take(claims, 'b')).toBe('lane_full');
  });

  it('queries only by prefixes of an index', async () => {
    const mongo = fresh();
    const filters: (readonly [string, object])[] = [];
    const connection = await mongo.connect();
    const claims = await openMongoClaims(
      observed(connection, (collection, method, args) => {
        if (collection === 'claims' && /find|update|delete/.test(method)) filters.push([method, args[0] as object]);
      }),
    );
    const claim = await take(claims, 'a');
    if (typeof claim === 'string') throw new Error('Not taken.');
    await claims.note(claim, { steps: 1 });
    await claims.vacate('w1');
    const [seen = null] = await claims.read('audits', ['a', 'b']);
    const again = await take(claims, 'a', seen);
    if (typeof again === 'string') throw new Error('Not taken.');
    await claims.letGo(again, { settledAt: at(2) });
    await claims.running('audits');
    await claims.holders();
    await claims.list({ kind: 'audits', after: 'A', limit: 3 });
    await claims.forgetSettled('audits', at(3));
    await claims.remove('audits', ['a']);
    const indexes = [['_id'], ...CLAIM_INDEXES.map(({ key }) => Object.keys(key))];
    expect(filters.length).toBeGreaterThan(12);
    for (const [method, filter] of filters) {
      const fields = Object.keys(filter);
      // The rest of the filter (no holder) is true of nearly all matches.
      const served = indexes.find((index) => index.every((field, n) => fields[n] === field));
      expect(`${method} ${fields.join()}: ${served?.join() ?? 'no index'}`).not.toMatch(/no index/);
    }
    expect(new Set(filters.map(([, filter]) => Object.keys(filter)[0]))).toEqual(
      new Set(['_id', 'item', 'slot', 'holder', 'kind']),
    );
  });
});
