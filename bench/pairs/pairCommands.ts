/**
 * What an audit asks of MongoDB, counted by the driver's command monitoring: each command costs a round trip, and each
 * write a turn of the journal.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { JOB_ENDS } from '../../src/domain/job/job.ts';
import { MONGOD } from '../../tests/given/requirements.ts';
import { startChild } from '../child.ts';
import { type Figure, median, type Row } from '../measure.ts';
import { newUser } from '../work/backlog.ts';
import { type Installation, startInstallation } from '../work/installation.ts';
import { startPairServers } from './pairServers.ts';

const PAGES = 4;
const PAGE_BYTES = 20_000;
/**
 * What an audit leaves to be done is over by then: positions are saved within 1 s, settled claims removed within 5 s,
 * deleted states erased after 10 s.
 */
const AFTERWARDS_MS = 16_000;

/** Commands by purpose and name. */
type Counts = Map<string, number>;

/** What each collection is for; documents are `docs_*`. */
const PURPOSES: Readonly<Record<string, (command: string) => string>> = {
  docs: (command) => (isWrite(command) ? 'documents, written' : 'documents, read'),
  builds: (command) => (isWrite(command) ? 'checkpoints' : 'builds, read'),
  sharedCheckpoint: (command) => (isWrite(command) ? 'checkpoints' : 'builds, read'),
  changes: (command) =>
    command === 'insert' ? 'changes, published' : isWrite(command) ? 'changes, erased' : 'changes, watched',
  claims: () => 'claims',
  leases: () => 'leases',
  marks: () => 'positions of followers',
};

const isWrite = (command: string): boolean => ['insert', 'update', 'delete'].includes(command);

function purposeOf({ commandName, command }: CommandStartedEvent): string {
  const given: unknown = commandName === 'getMore' ? command.collection : command[commandName];
  const collection = String(given).split('_')[0] ?? '';
  return PURPOSES[collection]?.(commandName) ?? 'other';
}

/** Counts the commands of every client that connects from now on to an address with `monitorCommands=true`. */
function countCommands(): { take(): Counts; end(): void } {
  let counts: Counts = new Map();
  const { connect } = MongoClient.prototype;
  MongoClient.prototype.connect = function (this: MongoClient) {
    if (this.listenerCount('commandStarted') === 0) {
      this.on('commandStarted', (event) => {
        const key = `${purposeOf(event)}: ${event.commandName}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      });
    }
    return connect.call(this);
  };
  return {
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    end() {
      MongoClient.prototype.connect = connect;
    },
  };
}

/** Submits a job and waits until nothing is left of it. */
async function audit({ store, context }: Installation, userId: string, port: number): Promise<void> {
  const ended = store.subscribe({ after: 'end', filter: { types: [...JOB_ENDS] } })[Symbol.asyncIterator]();
  const bounds = { maxPages: PAGES, maxMs: 60_000 };
  const end = (async () => {
    for (;;) {
      const { value } = await ended.next();
      if (value?.kind === 'events') return ended.return?.();
    }
  })();
  await submitJobs(context(), {
    userId,
    sites: [{ url: `http://127.0.0.1:${port}/`, host: '127.0.0.1' }],
    bounds,
    freeAnalyses: 1_000,
  });
  await end;
  await wait(AFTERWARDS_MS);
}

/** Beyond what the same time costs at rest. */
function beyondRest(counts: Counts, ms: number, rest: Counts, restMs: number): Counts {
  return new Map([...counts].map(([key, count]) => [key, count - ((rest.get(key) ?? 0) * ms) / restMs]));
}

/** Medians of the rounds, the greatest purpose first. */
function rowsOf(what: string, rounds: readonly Counts[], digits: number): readonly Row[] {
  const totals = new Map<string, Map<string, number>>();
  for (const key of new Set(rounds.flatMap((counts) => [...counts.keys()]))) {
    const [purpose = '', command = ''] = key.split(': ');
    const count = Number(median(rounds.map((counts) => counts.get(key) ?? 0)).toFixed(digits));
    if (count > 0) totals.set(purpose, (totals.get(purpose) ?? new Map<string, number>()).set(command, count));
  }
  const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);
  const row = (of: string, ours: string): Row => ({ what: of, ours, limit: '–', ratio: null, goal: '–', met: true });
  const purposes = [...totals]
    .map(([purpose, commands]) => ({ purpose, commands, total: sum(commands.values()) }))
    .sort((a, b) => b.total - a.total);
  const shown = (count: number): string => count.toFixed(digits);
  return [
    row(what, shown(sum(purposes.map(({ total }) => total)))),
    ...purposes.map(({ purpose, commands }) =>
      row(
        `of them: ${purpose}`,
        [...commands]
          .sort(([, a], [, b]) => b - a)
          .map(([command, count]) => `${command} ${shown(count)}`)
          .join(', '),
      ),
    ),
  ];
}

export const pairCommands: Figure = {
  name: 'pairCommands',
  async measure({ dir, rounds, say }) {
    if (process.env.TEST_MONGODB_URL === undefined && !existsSync(MONGOD)) {
      say('left out: there is no mongod (scripts/fetchMongod.sh)');
      return [];
    }
    const counted = countCommands();
    const servers = await startPairServers(dir);
    const site = startChild('audit/siteServer');
    try {
      const { port } = await site.ask<{ port: number }>({ pages: PAGES, bytes: PAGE_BYTES });
      const mongoUrl = withMonitoring(servers.freshMongoUrl());
      let userId = '';
      const options = {
        dir: join(dir, 'installation'),
        servers: { eventStoreUrl: servers.eventStoreUrl, mongoUrl },
        allowHosts: `127.0.0.1:${port}`,
      };
      const installation = await startInstallation(options, async (_, context) => {
        userId = await newUser(context);
      });
      const audits: Counts[] = [];
      const rests: Counts[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        counted.take();
        await wait(AFTERWARDS_MS);
        const rest = counted.take();
        const from = performance.now();
        await audit(installation, userId, port);
        const counts = beyondRest(counted.take(), performance.now() - from, rest, AFTERWARDS_MS);
        if (round === 0) continue;
        audits.push(counts);
        rests.push(new Map([...rest].map(([key, count]) => [key, (count * 1_000) / AFTERWARDS_MS])));
      }
      await installation.stop();
      return [
        ...rowsOf(`MongoDB: commands for an audit of ${PAGES} pages, in one process`, audits, 0),
        ...rowsOf('MongoDB: commands a second of that process at rest', rests, 1),
      ];
    } finally {
      counted.end();
      await site.stop();
      await servers.close();
    }
  },
};

const withMonitoring = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`;
