/** `npm run rebuild`: builds every read model anew from the event log, beside what serves, and switches. The server must not be running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './config.ts';
import { EventStoreError } from './eventStore/eventStore.ts';
import { openSqliteEventStore } from './eventStore/sqlite.ts';
import { PROJECTIONS } from './projections/all.ts';
import { runProjections } from './projections/project.ts';
import { ReadModelError } from './readModels/readModels.ts';
import { openSqliteReadModels } from './readModels/sqlite.ts';

const EXIT_REFUSED = 1;
const EXIT_PARKED = 3;
const EXIT_INTERRUPTED = 130;
const BATCH = 500;

/** @throws ConfigError, EventStoreError, ReadModelError */
async function rebuild(dataDir: string): Promise<number> {
  const eventsFile = join(dataDir, 'events.db');
  if (!existsSync(eventsFile)) {
    console.log(`There is no event log in ${dataDir}: nothing to rebuild.`);
    return 0;
  }
  const store = openSqliteEventStore({ file: eventsFile, now: Date.now });
  try {
    const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
    try {
      return await rebuildFrom(store, readModels);
    } finally {
      await readModels.close();
    }
  } finally {
    await store.close();
  }
}

async function rebuildFrom(store: ReturnType<typeof openSqliteEventStore>, readModels: ReturnType<typeof openSqliteReadModels>): Promise<number> {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const head = Number(await store.head());
  const began = performance.now();
  let events = 0;
  const running = runProjections({
    store,
    readModels,
    projections: PROJECTIONS,
    signal: stopping.signal,
    now: Date.now,
    batchSize: BATCH,
    fromZero: true,
    onProgress: (batch) => {
      events += batch.events;
      if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((Number(batch.position) * 100) / Math.max(1, head))} % (${events} events)`);
    },
    log: {
      info: () => {},
      warn: () => {},
      error: ({ err, ...details }: { err?: unknown }, message) => console.error(`${message}: ${err ? String(err) : JSON.stringify(details)}`),
    },
  });
  const complete = await running.ready.then(
    () => true,
    () => false,
  );
  stopping.abort();
  await running.done;
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (!complete) {
    console.error('Interrupted: the read models are as they were.');
    return EXIT_INTERRUPTED;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `Rebuilt ${PROJECTIONS.length} read models from ${events} ${events === 1 ? 'event' : 'events'} in ${seconds.toFixed(1)} s (${Math.round(events / seconds)} events/s).`,
  );
  return reportParked(await readModels.parked());
}

function reportParked(parked: Awaited<ReturnType<ReturnType<typeof openSqliteReadModels>['parked']>>): number {
  for (const { model, documentId, eventType, position, error } of parked)
    console.error(`Parked: ${model} ${documentId} at ${eventType} (${position}): ${error}`);
  return parked.length > 0 ? EXIT_PARKED : 0;
}

try {
  process.exitCode = await rebuild(loadConfig(process.env).DATA_DIR);
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof EventStoreError || error instanceof ReadModelError)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_REFUSED;
}
