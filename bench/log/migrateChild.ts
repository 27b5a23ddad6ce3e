/**
 * For `migrate.ts`, in a process as the command has it: moving a log between the stores, both ways, beside the same
 * copy done the old way: each run of a stream's events appended and awaited before the next, each stream looked up on
 * its own, then the copy read back to prove it equal. Both must end with the same hash. Both stores flush to disk
 * before they answer, as in production.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { BACKWARDS, END, EventStoreDBClient, jsonEvent, NO_STREAM, type Position, START } from '@eventstore/db-client';
import { streamsClosedWith } from '../../src/commands/closedStreams.ts';
import { copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore, NewEvent, Revision } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { jobEvents } from '../events.ts';
import { type Bench, compare, type Row, rateRow, timed } from '../measure.ts';
import { startTestEventStore } from '../pairs/pairServers.ts';

/** Audits whose events alternate in the log. */
const AT_ONCE = 4;
const PAGE = 1_000;
const PARALLEL = 16;

/** As several audits at once write it: two events in a row are rarely of the same stream. */
async function fillAlternating(store: EventStore, count: number): Promise<void> {
  let written = 0;
  const job = async (): Promise<void> => {
    while (written < count) {
      const jobId = randomUUID();
      let expected: Revision | 'no_stream' = 'no_stream';
      for (const event of jobEvents(jobId, `user-${written % 50}`)) {
        if (written === count) return;
        written += 1;
        expected = (await store.append(`job-${jobId}`, [event], { expected })).revision;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, job));
}

type Logged = Pick<NewEvent, 'id' | 'type'> & {
  readonly data: object;
  readonly metadata: object;
  readonly stream: string;
  readonly revision: Revision;
};

/** What the old way needs from a log. */
type OldLog = {
  pages(): AsyncIterable<readonly Logged[]>;
  look(stream: string): Promise<unknown>;
  append(stream: string, events: readonly Logged[], at: Revision): Promise<unknown>;
};

function oldServer(client: EventStoreDBClient): OldLog {
  return {
    async *pages() {
      for (let from: typeof START | Position = START, left = true; left; ) {
        const events: Logged[] = [];
        let count = 0;
        const start: typeof START | Position = from;
        for await (const { event } of client.readAll({ fromPosition: start, maxCount: PAGE })) {
          count += 1;
          // A page begins with the last event of the one before it.
          if (event?.position === undefined || (start !== START && event.position.commit === start.commit)) continue;
          from = event.position;
          const { type, id, streamId: stream, data, metadata, revision } = event;
          if (!type.startsWith('$'))
            events.push({ id, type, stream, revision, data: Object(data), metadata: Object(metadata) });
        }
        left = count === PAGE;
        yield events;
      }
    },
    async look(stream) {
      for await (const _ of client.readStream(stream, { maxCount: 1 }));
      for await (const _ of client.readStream(stream, { maxCount: 1, direction: BACKWARDS, fromRevision: END }));
    },
    append(stream, events, at) {
      const expectedRevision = at === 0n ? NO_STREAM : at - 1n;
      const made = events.map(({ id, type, data, metadata }) =>
        jsonEvent({ id, type, data: { ...data }, metadata: { ...metadata } }),
      );
      return client.appendToStream(stream, made, { expectedRevision });
    },
  };
}

function oldFile(store: EventStore): OldLog {
  return {
    async *pages() {
      for (let after: string | undefined, left = true; left; ) {
        const page = await store.readAll({ limit: PAGE, ...(after !== undefined && { after }) });
        [after, left] = [page.next, !page.end];
        yield page.events;
      }
    },
    look: (stream) => store.read(stream, { limit: 1 }),
    append: (stream, events, at) =>
      store.append(stream, events as readonly NewEvent[], { expected: at === 0n ? 'no_stream' : at - 1n }),
  };
}

/** The events of a log, its streams looked up as they come. */
async function* read(log: OldLog): AsyncGenerator<Logged> {
  const known = new Set<string>();
  for await (const page of log.pages()) {
    const unknown = new Set(page.map(({ stream }) => stream).filter((stream) => !known.has(stream)));
    const waiting = unknown.values();
    const lane = async (): Promise<void> => {
      for (const stream of waiting) await log.look(stream);
    };
    await Promise.all(Array.from({ length: PARALLEL }, lane));
    for (const stream of unknown) known.add(stream);
    yield* page;
  }
}

/** Returns the hash of the copy. */
async function copyOldWay(from: OldLog, to: OldLog): Promise<string> {
  let run: Logged[] = [];
  const flush = async (): Promise<void> => {
    if (run[0] !== undefined) await to.append(run[0].stream, run, run[0].revision);
    run = [];
  };
  for await (const event of read(from)) {
    if (run[0] !== undefined && run[0].stream !== event.stream) await flush();
    run.push(event);
  }
  await flush();
  const hash = createHash('sha256');
  for await (const { stream, id, type, data, metadata } of read(to))
    hash.update(`${JSON.stringify([stream, id, type, data, metadata])}\n`);
  return hash.digest('hex');
}

export type AskedMigration = Omit<Bench, 'say'>;

process.on('message', async (asked: AskedMigration) => void process.send?.(await measure(asked)));

async function measure({ rounds, dir, full }: AskedMigration): Promise<readonly Row[]> {
  const count = full ? 50_000 : 12_000;
  const file = openSqliteEventStore({ file: join(dir, 'log.db') });
  await fillAlternating(file, count);
  const filled = await startTestEventStore(join(dir, 'log.jsonl'));
  const server = await openEventStoreDb({ url: filled.url });
  const oldClient = EventStoreDBClient.connectionString(filled.url);
  const { sha256 } = (await copyLog({ from: file, to: server })).source;
  const rate = async (work: () => Promise<string>): Promise<number> => {
    let copied = '';
    const took = await timed(async () => (copied = await work()));
    if (copied !== sha256) throw new Error('The copy is another log.');
    return (count * 1_000) / took;
  };
  const ours = async (from: EventStore, to: EventStore) =>
    (await copyLog({ from, to, closes: streamsClosedWith })).target.sha256;

  let copies = 0;
  async function toServer(isOurs: boolean): Promise<number> {
    copies += 1;
    const empty = await startTestEventStore(join(dir, `copy-${copies}.jsonl`));
    const client = EventStoreDBClient.connectionString(empty.url);
    const store = await openEventStoreDb({ url: empty.url });
    try {
      return await rate(() => (isOurs ? ours(file, store) : copyOldWay(oldFile(file), oldServer(client))));
    } finally {
      await store.close();
      await client.dispose();
      await empty.close();
    }
  }

  async function toFile(isOurs: boolean): Promise<number> {
    copies += 1;
    const store = openSqliteEventStore({ file: join(dir, `copy-${copies}.db`) });
    try {
      return await rate(() => (isOurs ? ours(server, store) : copyOldWay(oldServer(oldClient), oldFile(store))));
    } finally {
      await store.close();
    }
  }

  try {
    const out = await compare(
      rounds,
      () => toServer(true),
      () => toServer(false),
    );
    const back = await compare(
      rounds,
      () => toFile(true),
      () => toFile(false),
    );
    return [
      rateRow(
        `migrate ${count.toLocaleString('en-US')} events from SQLite to ${filled.name} vs one append at a time, events`,
        out,
        null,
      ),
      rateRow('the same, the other way', back, null),
    ];
  } finally {
    await server.close();
    await oldClient.dispose();
    await filled.close();
    await file.close();
  }
}
