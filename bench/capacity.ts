/**
 * What one audit costs, from its submission to its end, by the real worker on the embedded store: the figures that
 * docs/operations.md plans with. `npx tsx bench/capacity.ts [audits]`
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createParserPool } from '../src/audit/facts/parse/parserPool.ts';
import { signUp } from '../src/commands/account/signUp.ts';
import { type CommandContext, contextOf } from '../src/commands/context.ts';
import { submitJobs } from '../src/commands/job/submitJobs.ts';
import { copyLog } from '../src/eventStore/copyLog.ts';
import type { EventStore } from '../src/eventStore/eventStore.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../src/eventStore/sqlite/sqlite.ts';
import { checkBackup } from '../src/eventStore/sqlite/sqliteBackup.ts';
import { createRulesAnalyst } from '../src/integrations/analyst/rules.ts';
import { createFetcher } from '../src/integrations/fetcher/httpFetcher.ts';
import { runProjections } from '../src/projector/project.ts';
import { openSqliteReadModels } from '../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../src/work/rules.ts';
import { runAuditJob } from '../src/workers/auditJob.ts';
import { pendingJob } from '../tests/given/work/pendingJob.ts';
import { startChild } from './child.ts';

const AUDITS = Number(process.argv[2] ?? 10);
const PAGES = 50;
const PAGE_BYTES = 41_000;
const DELAY_MS = 300;
const folder = mkdtempSync(join(tmpdir(), 'capacity-'));
const now = () => new Date().toISOString();
const held = (): boolean => true;
const still = new AbortController().signal;

const print = (what: string, value: string) => console.log(`${what.padEnd(64)} ${value}`);
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;
const size = (file: string) => statSync(file).size;

function contextOn(store: EventStore): CommandContext {
  return contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'bench' } }, null);
}

const written = { events: 0, bytes: 0 };

/** The real store, whose writes are counted. */
function counting(store: EventStore): EventStore {
  return Object.assign(Object.create(store) as EventStore, {
    append(...input: Parameters<EventStore['append']>) {
      written.events += input[1].length;
      written.bytes += input[1].reduce(
        (sum, { data, metadata }) => sum + Buffer.byteLength(JSON.stringify(data) + JSON.stringify(metadata)),
        0,
      );
      return store.append(...input);
    },
  });
}

type Audits = { readonly jobs: readonly string[]; readonly seconds: number; readonly cpuSeconds: number };

/** One after another, so that time and work are those of one audit. */
async function audit(
  store: EventStore,
  userId: string,
  delayMs: number,
  parse: ReturnType<typeof createParserPool>['parse'],
): Promise<Audits> {
  const site = startChild('audit/siteServer');
  const { port } = await site.ask<{ port: number }>({ pages: PAGES, bytes: PAGE_BYTES, delayMs });
  const host = `127.0.0.1:${port}`;
  const deps = {
    store,
    now,
    clock: Date.now,
    newId: randomUUID,
    sleep: (ms: number) => wait(ms).then(() => undefined),
    openFetcher: () => createFetcher({ allowHosts: [host], userAgent: 'SeoWorkbenchBench/1.0' }),
    parse,
    analyst: createRulesAnalyst(),
    userAgent: 'SeoWorkbenchBench/1.0',
  };
  const jobs: string[] = [];
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (let turn = 0; turn < AUDITS; turn += 1) {
    const { jobIds } = await submitJobs(contextOn(store), {
      userId,
      sites: [{ url: `http://${host}/`, host }],
      bounds: { maxPages: PAGES, maxMs: 180_000 },
    });
    await runAuditJob(deps, pendingJob(jobIds[0] ?? ''), held, still);
    jobs.push(jobIds[0] ?? '');
  }
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1000 / AUDITS;
  await site.stop();
  const began2 = performance.now();
  for (const jobId of jobs) await runAuditJob(deps, pendingJob(jobId), held, still);
  if (delayMs === 0)
    print('a finished job that is delivered again', `${((performance.now() - began2) / AUDITS).toFixed(1)} ms`);
  return { jobs, seconds, cpuSeconds: (used.user + used.system) / 1_000_000 / AUDITS };
}

async function streamsOf(store: EventStore): Promise<void> {
  const kinds = new Map<string, { events: number; bytes: number }>();
  for (let after: string | undefined; ; ) {
    const page = await store.readAll(after === undefined ? {} : { after });
    for (const { stream, data, metadata } of page.events) {
      const kind = stream.split('-')[0] ?? '';
      const sum = kinds.get(kind) ?? { events: 0, bytes: 0 };
      sum.events += 1;
      sum.bytes += Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
      kinds.set(kind, sum);
    }
    if (page.end) break;
    after = page.next;
  }
  for (const kind of ['job', 'report', 'plan', 'billing']) {
    const { events, bytes } = kinds.get(kind) ?? { events: 0, bytes: 0 };
    print(`  kept in ${kind} streams`, `${(events / AUDITS / 2).toFixed(1)} events, ${kilobytes(bytes / AUDITS / 2)}`);
  }
}

async function fillReadModels(store: SqliteEventStore): Promise<void> {
  const readModels = openSqliteReadModels({ file: join(folder, 'readModels.db') });
  const stop = new AbortController();
  const began = performance.now();
  const running = runProjections({ store, readModels, projections: READ_MODELS, signal: stop.signal, now: Date.now });
  await running.ready;
  print('all read models of them', `${(((performance.now() - began) / AUDITS) * 0.5).toFixed(1)} ms`);
  stop.abort();
  await running.done;
  await readModels.close();
  print('read models on the disk', kilobytes(size(join(folder, 'readModels.db')) / AUDITS / 2));
}

async function main(): Promise<void> {
  const file = join(folder, 'events.db');
  const store = openSqliteEventStore({ file });
  const parser = createParserPool({ processes: 2 });
  const { userId } = await signUp(contextOn(store), { email: 'bench@example.com', name: 'Bench', passwordHash: 'x' });
  console.log(
    `Each figure is of one audit, the mean of ${AUDITS}: ${PAGES} pages of ${PAGE_BYTES / 1000} KB, built-in analyst.`,
  );
  await audit(counting(store), userId, 0, parser.parse).then(({ seconds, cpuSeconds }) => {
    print('a site that answers at once', `${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of a core`);
  });
  await audit(counting(store), userId, DELAY_MS, parser.parse).then(({ seconds, cpuSeconds }) => {
    print(`a site whose answers take ${DELAY_MS} ms`, `${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of a core`);
  });
  print(
    'written, also what goes with its end',
    `${(written.events / AUDITS / 2).toFixed(1)} events, ${kilobytes(written.bytes / AUDITS / 2)}`,
  );
  await streamsOf(store);
  await store.close();
  print('log on the disk, with what was erased and is used again', kilobytes(size(file) / AUDITS / 2));
  const again = openSqliteEventStore({ file });
  await fillReadModels(again);
  const other = openSqliteEventStore({ file: join(folder, 'copy.db') });
  const began = performance.now();
  const { copied } = await copyLog({ from: again, to: other });
  print('copied by migrate, file to file', `${Math.round(copied / ((performance.now() - began) / 1000))} events/s`);
  await other.close();
  const backup = join(folder, 'backup.db');
  const started = performance.now();
  await again.backup(backup);
  checkBackup(backup);
  print(
    'backed up and checked',
    `${(size(backup) / 1024 / 1024 / ((performance.now() - started) / 1000)).toFixed(0)} MB/s`,
  );
  print('log on the disk after that', kilobytes(size(join(folder, 'copy.db')) / AUDITS / 2));
  await again.close();
  await parser.close();
  print('largest resident memory of the process', `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
}

await main().finally(() => rmSync(folder, { recursive: true }));
