/**
 * The product as one process with its events on a server and its read models in files: a pair that no setting gives,
 * for torture only.
 */
import { streamsClosedWith } from '../../src/commands/closedStreams.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { startApp } from '../../src/start/compose.ts';
import { openStores } from '../../src/start/openStores.ts';
import { run } from '../../src/start/program.ts';

const { TORTURE_EVENTSTORE_URL: url = '' } = process.env;

const openBoth: typeof openStores = async (config, log, options) => {
  const files = await openStores(config, log, options);
  try {
    const storedLog = await openEventStoreDb({ url, log });
    const store = withStoredEvents(storedLog, { closes: streamsClosedWith });
    const close = async (): Promise<void> => {
      await files.close();
      await store.close();
    };
    // The identity is that of the files, of which this log knows nothing.
    return {
      ...files,
      installationId: null,
      store,
      storedLog,
      checkLog: async () => void (await store.head()),
      label: 'EventStoreDB and SQLite files',
      close,
    };
  } catch (error) {
    await files.close();
    throw error;
  }
};

await run((config, log) => startApp(config, log, { open: openBoth }));
