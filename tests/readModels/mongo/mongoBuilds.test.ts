/**
 * What a process knows of the builds: answers may arrive in another order than their reads began, and the newest read
 * counts.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMongoBuilds, type MongoBuilds } from '../../../src/readModels/mongo/mongoBuilds.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { at, HALLS, put, ROOMS, served } from '../../contract/readModelsHarness.ts';
import { type LateConnection, lateConnection } from './mongoFaults.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

describeOnMongo('the builds of MongoDB read models', (newCase) => {
  let mongo: MongoCase;
  /** Another process. */
  let writer: ReadModels;
  let late: LateConnection;
  let builds: MongoBuilds;
  beforeEach(async () => {
    mongo = newCase();
    writer = await mongo.open();
    await served(writer);
    await served(writer, HALLS);
    late = lateConnection(await mongo.connect(), 'builds');
    builds = createMongoBuilds(late.db);
    await builds.refresh();
  });
  afterEach(() => mongo.dispose());

  const names = (model: string) => builds.of(model).map(({ name }) => name);

  /** `earlier` reads before `change` and gets its answer after `newer` has got its own. */
  async function outOfOrder(
    earlier: () => Promise<void>,
    change: () => Promise<unknown>,
    newer: () => Promise<void>,
  ): Promise<void> {
    const held = late.holdNext();
    const read = earlier();
    await held.read;
    await change();
    await newer();
    held.release();
    await read;
  }
  const all = () => builds.refresh();
  const rooms = () => builds.refreshModel('rooms');

  it('of one model, read while all are being read, are kept', async () => {
    const change = async () => {
      await served(writer, ROOMS, 'v2');
      await served(writer, HALLS, 'v2');
    };
    await outOfOrder(all, change, rooms);
    expect([names('rooms'), builds.find('rooms')?.name, names('halls')]).toEqual([['v2'], 'v2', ['v1']]);
    await builds.refresh();
    expect([names('rooms'), names('halls')]).toEqual([['v2'], ['v2']]);
  });

  it('that were dropped while all were being read do not come back', async () => {
    await outOfOrder(all, () => writer.drop('rooms', 'v1'), rooms);
    expect([names('rooms'), names('halls')]).toEqual([[], ['v1']]);
  });

  it('keep the checkpoint that was read last', async () => {
    const change = () => writer.commit([{ model: 'rooms', build: 'v1', checkpoint: at(9), writes: [put('r0', 9)] }]);
    await outOfOrder(all, change, rooms);
    const build = builds.find('rooms');
    expect([build?.checkpoint, build?.record.checkpoint]).toEqual([at(9), at(9)]);
  });

  it.each([
    ['all', all],
    ['the same model', rooms],
  ])('of one model do not replace a newer read of %s', async (_, newer) => {
    await outOfOrder(rooms, () => served(writer, ROOMS, 'v2'), newer);
    expect([names('rooms'), names('halls')]).toEqual([['v2'], ['v1']]);
  });

  it('that are asked for together are read with one query, which sees all that was written before', async () => {
    await served(writer, ROOMS, 'v2');
    await served(writer, HALLS, 'v2');
    const find = vi.spyOn(builds.records, 'find');
    await Promise.all([builds.refreshModel('rooms'), builds.refreshModel('halls'), builds.refreshModel('rooms')]);
    expect(find).toHaveBeenCalledTimes(1);
    expect([names('rooms'), names('halls')]).toEqual([['v2'], ['v2']]);
  });

  it('of several models, read together, replace only those that nobody has read since', async () => {
    await served(writer, HALLS, 'v2');
    const both = () => builds.refreshModel('rooms', 'halls');
    await outOfOrder(both, () => served(writer, ROOMS, 'v2'), rooms);
    expect([names('rooms'), names('halls')]).toEqual([['v2'], ['v2']]);
  });
});
