/** The contract suite on the read models in MongoDB. */
import { describeReadModels } from '../../contract/readModels.ts';
import { describeOnMongo } from './mongoServers.ts';

describeOnMongo('MongoDB read models', (newCase) => {
  describeReadModels(
    'the contract',
    async (options = {}) => {
      const mongo = newCase();
      const connection = await mongo.connect();
      let readModels = await mongo.open(options, connection);
      return {
        readModels,
        reopen: async () => {
          await readModels.close();
          readModels = await mongo.open(options, connection);
          return readModels;
        },
        dispose: mongo.dispose,
      };
    },
    { effort: 0.15 },
  );
});
