/**
 * `npm run rebuild`: rebuilds every read model from the event log, next to the serving builds, and switches. No
 * projector may run meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type EventStore, EventStoreError, START } from '../eventStore/eventStore.ts';
import { runProjections } from '../projector/project.ts';
import { fencedReadModels } from '../readModels/fenced.ts';
import { whileLeading } from '../readModels/leadership.ts';
import type { Leases } from '../readModels/leases.ts';
import { type ParkedRecord, ReadModelError, type ReadModels } from '../readModels/readModels.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { openStores, type Stores } from '../start/openStores.ts';
import { PROJECTOR_LEASE } from '../start/startProjector.ts';
import { READ_MODELS } from '../work/rules.ts';

const EXIT_REFUSED = 1;
const EXIT_PARKED = 3;
const EXIT_INTERRUPTED = 130;
const BATCH = 500;
const COUNTED = 5_000;

/** A running projector keeps its lease; a killed one has lost it after this, ms. */
const LEASE_TIMEOUT_MS = 12_000;

/** @throws ConfigError, EventStoreError, ReadModelError */
async function rebuild(config: Config): Promise<number> {
  if (!config.servers && !existsSync(join(config.DATA_DIR, 'events.db'))) {
    console.error(`There is no event log in ${config.DATA_DIR}: nothing to rebuild. Is DATA_DIR right?`);
    return EXIT_REFUSED;
  }
  const stores = await openStores(config, pino({ level: 'silent' }));
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return stores.leases
      ? await rebuildAsLeader(stores, stores.leases, stopping)
      : await rebuildFrom(stores.store, stores.readModels, stopping.signal);
  } finally {
    await stores.close();
  }
}

/** If several processes share the stores, only the holder of the projector's lease may write the read models. */
async function rebuildAsLeader(
  { store, readModels }: Stores,
  leases: Leases,
  stopping: AbortController,
): Promise<number> {
  let code: number | null = null;
  let failure: unknown;
  const leadership = whileLeading(
    { leases, name: PROJECTOR_LEASE, owner: randomUUID(), signal: stopping.signal },
    async (signal, held) => {
      clearTimeout(timeout);
      try {
        code = await rebuildFrom(store, fencedReadModels(readModels, held), signal);
      } catch (error) {
        failure = error;
      }
      stopping.abort();
    },
  );
  const timeout = setTimeout(() => stopping.abort(), LEASE_TIMEOUT_MS);
  await leadership.done;
  clearTimeout(timeout);
  if (failure !== undefined) throw failure;
  if (code !== null) return code;
  console.error(
    'A projector is running. Stop the projectors (ROLE=projector or all), run this, and start them again. Pages stay readable meanwhile.',
  );
  return EXIT_REFUSED;
}

async function rebuildFrom(store: EventStore, readModels: ReadModels, signal: AbortSignal): Promise<number> {
  const ending = new AbortController();
  const head = Number(await store.head());
  const began = performance.now();
  let events = 0;
  const running = runProjections({
    store,
    readModels,
    projections: READ_MODELS,
    signal: AbortSignal.any([signal, ending.signal]),
    now: Date.now,
    batchSize: BATCH,
    fromZero: true,
    onProgress: (batch) => {
      events += batch.events;
      if (process.stderr.isTTY)
        process.stderr.write(
          `\r${Math.floor((Number(batch.position) * 100) / Math.max(1, head))} % (${events} events)`,
        );
    },
    log: {
      info: () => {},
      warn: () => {},
      error: ({ err, ...details }: { err?: unknown }, message) =>
        console.error(`${message}: ${err ? String(err) : JSON.stringify(details)}`),
    },
  });
  // Later events are left to the next projector: in a busy installation this one might never catch up.
  const complete = await running.filled.then(
    () => true,
    () => false,
  );
  ending.abort();
  await running.done;
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (!complete) {
    console.error('Interrupted. The read models were not changed.');
    return EXIT_INTERRUPTED;
  }
  const seconds = (performance.now() - began) / 1000;
  const total = await eventsIn(store);
  console.log(
    `Rebuilt ${READ_MODELS.length} read models from ${events} ${events === 1 ? 'event' : 'events'}${total === null ? '' : ` (the log has ${total})`} in ${seconds.toFixed(1)} s (${Math.round(events / seconds)} events/s).`,
  );
  return reportParked(await readModels.parked());
}

/**
 * All events, also those that no read model needs, as a backup counts them; null where the store can only be read in
 * full.
 */
async function eventsIn(store: EventStore): Promise<number | null> {
  if (!store.scan) return null;
  let count = 0;
  for (let after = START; ; ) {
    const page = await store.scan({ after, limit: COUNTED });
    count += page.events.length;
    if (page.end) return count;
    after = page.next;
  }
}

function reportParked(parked: readonly ParkedRecord[]): number {
  for (const { model, documentId, eventType, position, error } of parked)
    console.error(`Parked: ${model} ${documentId} at ${eventType} (${position}): ${error}`);
  return parked.length > 0 ? EXIT_PARKED : 0;
}

try {
  process.exitCode = await rebuild(loadConfig(process.env));
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof EventStoreError || error instanceof ReadModelError))
    throw error;
  console.error(error.message);
  process.exitCode = EXIT_REFUSED;
}
