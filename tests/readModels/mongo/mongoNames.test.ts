/** A database that another program uses, too. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UNNAMED } from '../../../src/readModels/identity.ts';
import { createMongoBuilds } from '../../../src/readModels/mongo/mongoBuilds.ts';
import { mongoReadModelsIdentity } from '../../../src/readModels/mongo/mongoIdentity.ts';
import { put, served, write } from '../../contract/readModelsHarness.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

const THEIRS = ['docs_archive', 'docs_invoices_2024', 'orders'];

describeOnMongo('collections of another program', (newCase) => {
  let mongo: MongoCase;
  beforeEach(() => {
    mongo = newCase();
  });
  afterEach(() => mongo.dispose());

  async function database() {
    const connection = await mongo.connect();
    for (const name of THEIRS) await connection.db.collection(name).insertOne({ text: 'precious' });
    const names = async () =>
      (await connection.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    return { ...connection, names };
  }

  it('stay where builds are swept, which removes what belongs to none', async () => {
    const connection = await database();
    const readModels = await mongo.open({}, connection);
    await served(readModels);
    const left = 'docs_rooms_v0_0123456789ab';
    await connection.db.collection(left).insertOne({ text: 'left behind' });
    await createMongoBuilds(connection.db).sweep();
    const names = await connection.names();
    expect(names).toEqual(expect.arrayContaining(THEIRS));
    expect(names).not.toContain(left);
    expect(names.some((name) => /^docs_rooms_v1_[0-9a-f]{12}$/.test(name))).toBe(true);
  });

  it('are no read models, and are named', async () => {
    const identity = mongoReadModelsIdentity(await database());
    expect(await identity.read()).toBeNull();
    expect([...(await identity.others())].toSorted()).toEqual(THEIRS);
  });

  it('stay when the read models beside them are moved aside', async () => {
    const connection = await database();
    await connection.db.collection('docs_rooms_v0_0123456789ab').insertOne({ text: 'ours' });
    const identity = mongoReadModelsIdentity(connection);
    expect(await identity.read()).toBe(UNNAMED);
    await identity.moveAside(UNNAMED);
    const names = await connection.names();
    expect(names).toEqual(expect.arrayContaining([...THEIRS, 'aside_unnamed_docs_rooms_v0_0123456789ab']));
    expect(names).not.toContain('docs_rooms_v0_0123456789ab');
  });

  it.each(['builds', 'changes', 'claims', 'leases', 'marks', 'parked', 'presence', 'snapshots'])(
    'that are called like our %s are refused with what to do',
    async (name) => {
      const connection = await database();
      await connection.db.collection<{ _id: string; a: number }>(name).insertOne({ _id: 'c1', a: 1 });
      await expect(mongoReadModelsIdentity(connection).read()).rejects.toMatchObject({
        code: 'FOREIGN_DATABASE',
        message: expect.stringMatching(new RegExp(`'${name}'.*MONGODB_URL`)),
      });
    },
  );

  it('do not let a damaged record of a build end in a stack', async () => {
    const connection = await database();
    await connection.db.collection<{ _id: string }>('builds').insertOne({ _id: 'rooms/v1' });
    await expect(mongo.open({}, connection)).rejects.toMatchObject({ code: 'FOREIGN_DATABASE' });
  });

  it('are not seen in a database of our own', async () => {
    const connection = await mongo.connect();
    const readModels = await mongo.open({}, connection);
    await served(readModels);
    await write(readModels, [put('r1', 1)]);
    expect(await mongoReadModelsIdentity(connection).read()).toBe(UNNAMED);
    expect(await mongoReadModelsIdentity(connection).others()).toEqual([]);
  });
});
