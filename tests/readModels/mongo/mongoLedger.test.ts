import { describeLedgerQueries } from '../../contract/ledgerQueries.ts';
import { describeOnMongo } from './mongoServers.ts';

describeOnMongo('the list of the ledger', (newCase) => {
  describeLedgerQueries('MongoDB', async () => {
    const mongo = newCase();
    return { readModels: await mongo.open(), dispose: () => mongo.dispose() };
  });
});
