/** Writes while the projector is stopped, on MongoDB and a server with EventStoreDB's protocol. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { openMongoClaims } from '../../../src/readModels/mongo/coordination/mongoClaims.ts';
import { createMongoMarks } from '../../../src/readModels/mongo/coordination/mongoMarks.ts';
import { openMongoPresence } from '../../../src/readModels/mongo/coordination/mongoPresence.ts';
import { connectMongo } from '../../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../../src/readModels/mongo/mongoDb.ts';
import { createMongoSnapshots } from '../../../src/readModels/mongo/mongoSnapshots.ts';
import { laggingWrites } from '../../contract/laggingWrites.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { startEventStoreDbServer } from '../../servers/eventStoreDb.ts';
import { type MongoServer, startMongoServer } from '../../servers/mongoServer.ts';

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('on MongoDB and EventStoreDB', () => {
  let mongo: MongoServer;
  beforeAll(async () => {
    mongo = await startMongoServer();
  });
  afterAll(() => mongo?.close());

  laggingWrites(async () => {
    const log = await startEventStoreDbServer();
    const store = withStoredEvents(await openEventStoreDb({ url: log.url }));
    const connection = await connectMongo({ url: mongo.freshDatabaseUrl() });
    const beside = {
      claims: await openMongoClaims(connection),
      marks: createMongoMarks(connection),
      presence: await openMongoPresence(connection),
      snapshots: createMongoSnapshots(connection),
    };
    const end = async (): Promise<void> => {
      await connection.close();
      await log.close();
    };
    return { store, readModels: Object.assign(await openMongoReadModels(connection), beside), end };
  });
});
