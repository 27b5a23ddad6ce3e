/**
 * Compares the log with the ledger: no acknowledged write lost, nothing duplicated, every reservation ended, the files
 * intact.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Position, type RecordedEvent, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import type { Ledger } from './history/ledger.ts';

export type Verdict = {
  readonly events: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly jobs: number;
  /** The faults, one line each; empty without faults. */
  readonly faults: readonly string[];
};

const FINAL = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobCancelled', 'JobFailed']);
const SUCCEEDED = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded']);

/** The files of a stopped server, each read over its own connection. */
export function integrityFaults(dataDir: string): readonly string[] {
  return ['events.db', 'readModels.db'].flatMap((name) => {
    const db = new Database(join(dataDir, name));
    try {
      const answer = db.pragma('integrity_check', { simple: true });
      return answer === 'ok' ? [] : [`${name}: integrity check says ${String(answer)}`];
    } finally {
      db.close();
    }
  });
}

/** Events by job id, then by type. */
type Log = {
  readonly byJob: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly events: number;
  readonly faults: readonly string[];
};

async function readLog(dataDir: string): Promise<Log> {
  const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
  const byJob = new Map<string, Map<string, number>>();
  const faults: string[] = [];
  const ids = new Set<string>();
  let events = 0;
  const take = (event: RecordedEvent) => {
    events += 1;
    if (ids.has(event.id)) faults.push(`event id ${event.id} (${event.type}) is in the log twice`);
    ids.add(event.id);
    if (!/^(Job|Analysis)/.test(event.type)) return;
    const { jobId } = event.data as { jobId?: string };
    if (!jobId) return;
    const types = byJob.get(jobId) ?? new Map<string, number>();
    types.set(event.type, (types.get(event.type) ?? 0) + 1);
    byJob.set(jobId, types);
  };
  try {
    for (let after: Position = START; ; ) {
      const page = await store.readAll({ after, limit: 1000 });
      page.events.forEach(take);
      if (page.end) break;
      after = page.next;
    }
  } finally {
    await store.close();
  }
  return { byJob, events, faults };
}

function jobFaults(jobId: string, types: ReadonlyMap<string, number>): readonly string[] {
  const of = (type: string) => types.get(type) ?? 0;
  const faults: string[] = [];
  const submitted = of('JobSubmitted');
  const finals = [...types].filter(([type]) => FINAL.has(type));
  const settled = of('AnalysisConsumed') + of('AnalysisReleased');
  if (of('AnalysisReserved') !== 1) faults.push(`job ${jobId} has ${of('AnalysisReserved')} reservations`);
  if (settled !== 1) faults.push(`the reservation of job ${jobId} ended ${settled} times`);
  if (submitted === 0)
    return of('AnalysisConsumed') > 0 ? [...faults, `job ${jobId} was never submitted, yet paid for`] : faults;
  if (submitted > 1) faults.push(`job ${jobId} was submitted ${submitted} times`);
  if (finals.length !== 1 || finals[0]?.[1] !== 1)
    faults.push(`job ${jobId} ended ${finals.map(([type, n]) => `${n} × ${type}`).join(', ') || 'never'}`);
  if (of('JobDeleted') > 1) faults.push(`job ${jobId} was deleted ${of('JobDeleted')} times`);
  const succeeded = finals.some(([type]) => SUCCEEDED.has(type));
  // A canceled job counts or is released, depending on its progress and on how many were canceled.
  if (settled === 1 && of('JobCancelled') === 0 && succeeded !== of('AnalysisConsumed') > 0)
    faults.push(`job ${jobId} ${succeeded ? 'succeeded and was given back' : 'failed and was paid for'}`);
  return faults;
}

function ledgerFaults(ledger: Ledger, log: Log): readonly string[] {
  const faults: string[] = [];
  const expected = new Set<string>();
  const has = (jobId: string, type: string) => (log.byJob.get(jobId)?.get(type) ?? 0) > 0;
  for (const { ask, state, key, jobIds, status, code } of ledger.entries) {
    if (state === 'open') faults.push(`${ask.kind} ${key} was never answered`);
    for (const jobId of jobIds) {
      if (expected.has(jobId)) faults.push(`job ${jobId} was given to two requests`);
      expected.add(jobId);
      if (!has(jobId, 'JobSubmitted')) faults.push(`acknowledged job ${jobId} is lost`);
    }
    if (state === 'acked' && ask.kind === 'cancel' && ask.jobId && !has(ask.jobId, 'JobCancelled'))
      faults.push(`the acknowledged cancellation of ${ask.jobId} is lost`);
    if (state === 'acked' && ask.kind === 'delete' && ask.jobId && !has(ask.jobId, 'JobDeleted'))
      faults.push(`the acknowledged deletion of ${ask.jobId} is lost`);
    const wanted = ask.kind === 'submit' || ask.kind === 'batch';
    if (wanted && state === 'refused') faults.push(`${ask.kind} ${key} was refused: ${status} ${code}`);
    if (wanted && state === 'acked' && jobIds.length === 0)
      faults.push(`${ask.kind} ${key} was acknowledged without a job`);
  }
  for (const [jobId, types] of log.byJob)
    if (types.has('JobSubmitted') && !expected.has(jobId))
      faults.push(`job ${jobId} is in the log, but nobody was told: doubled`);
  return faults;
}

/** The server must be stopped: its files are opened here. */
export async function judge(ledger: Ledger, dataDir: string): Promise<Verdict> {
  const log = await readLog(dataDir);
  const faults = [
    ...log.faults,
    ...ledger.contradictions,
    ...ledgerFaults(ledger, log),
    ...[...log.byJob].flatMap(([jobId, types]) => jobFaults(jobId, types)),
    ...integrityFaults(dataDir),
  ];
  return {
    events: log.events,
    acknowledged: ledger.count('acked'),
    refused: ledger.count('refused'),
    jobs: log.byJob.size,
    faults,
  };
}
