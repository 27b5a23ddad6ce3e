/** Tests of the verdict: a clean log passes, and each planted fault is found. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { createLedger, type Ledger } from './history/ledger.ts';
import { judge } from './verdict.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seo-workbench-verdict-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const WHOLE = ['AnalysisReserved', 'JobSubmitted', 'JobCompleted', 'AnalysisConsumed'] as const;

async function write(jobs: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const store = openSqliteEventStore({ file: join(dir, 'events.db') });
  for (const [jobId, types] of Object.entries(jobs)) {
    const events = types.map((type) => ({
      id: randomUUID(),
      type,
      data: { jobId },
      metadata: metadataAt('2026-11-21T09:00:00.000Z'),
    }));
    await store.append(`test-${jobId}`, events, { expected: 'no_stream' });
  }
  await store.close();
  await openSqliteReadModels({ file: join(dir, 'readModels.db') }).close();
}

function told(...jobIds: readonly string[]): Ledger {
  const ledger = createLedger();
  for (const id of jobIds)
    ledger.answer(ledger.add(0, `key-${id}`, { kind: 'submit', method: 'POST', path: '/process' }), 202, {
      data: { id },
    });
  return ledger;
}

async function faults(jobs: Readonly<Record<string, readonly string[]>>, ledger: Ledger): Promise<readonly string[]> {
  await write(jobs);
  return (await judge(ledger, dir)).faults;
}

describe('the verdict', () => {
  it('passes a clean log', async () => {
    const cancelled = ['AnalysisReserved', 'JobSubmitted', 'JobCancelled', 'AnalysisReleased', 'JobDeleted'];
    const ledger = told('a', 'b');
    ledger.answer(ledger.add(0, 'c', { kind: 'cancel', method: 'POST', path: '', jobId: 'b' }), 200, {});
    ledger.answer(ledger.add(0, 'd', { kind: 'delete', method: 'DELETE', path: '', jobId: 'b' }), 200, {});
    ledger.answer(ledger.add(0, 'e', { kind: 'cancel', method: 'POST', path: '', jobId: 'a' }), 409, {
      code: 'JOB_ALREADY_FINISHED',
    });
    expect(await faults({ a: WHOLE, b: cancelled }, ledger)).toEqual([]);
  });

  const planted: readonly (readonly [string, Readonly<Record<string, readonly string[]>>, RegExp])[] = [
    ['an acknowledged job that is lost', {}, /acknowledged job a is lost/],
    ['a job that no client knows of', { a: WHOLE, b: WHOLE }, /job b is in the log, but nobody was told/],
    ['a job submitted twice', { a: [...WHOLE, 'JobSubmitted'] }, /submitted 2 times/],
    ['a job that never ended', { a: ['AnalysisReserved', 'JobSubmitted', 'AnalysisReleased'] }, /ended never/],
    ['a job that ended twice', { a: [...WHOLE, 'JobFailed'] }, /ended 1 × JobCompleted, 1 × JobFailed/],
    [
      'a reservation that is still open',
      { a: ['AnalysisReserved', 'JobSubmitted', 'JobCompleted'] },
      /reservation of job a ended 0 times/,
    ],
    ['a reservation that ended twice', { a: [...WHOLE, 'AnalysisReleased'] }, /reservation of job a ended 2 times/],
    [
      'a failed job that was paid for',
      { a: ['AnalysisReserved', 'JobSubmitted', 'JobFailed', 'AnalysisConsumed'] },
      /failed and was paid for/,
    ],
    [
      'a reservation without a job that was paid for',
      { a: WHOLE, b: ['AnalysisReserved', 'AnalysisConsumed'] },
      /never submitted, yet paid for/,
    ],
    ['a job reserved twice', { a: [...WHOLE, 'AnalysisReserved'] }, /2 reservations/],
  ];

  it.each(planted)('finds %s', async (_, jobs, fault) => {
    expect((await faults(jobs, told('a'))).join('\n')).toMatch(fault);
  });

  it('finds acknowledged cancellations and deletions that are not in the log', async () => {
    const ledger = told('a');
    ledger.answer(ledger.add(0, 'c', { kind: 'cancel', method: 'POST', path: '', jobId: 'a' }), 200, {});
    ledger.answer(ledger.add(0, 'd', { kind: 'delete', method: 'DELETE', path: '', jobId: 'a' }), 200, {});
    expect(await faults({ a: WHOLE }, ledger)).toEqual([
      'the acknowledged cancellation of a is lost',
      'the acknowledged deletion of a is lost',
    ]);
  });

  it('finds different answers to one key, an unanswered request, and a refused submission', async () => {
    const ledger = told('a');
    const [first] = ledger.entries;
    if (first) ledger.answer(first, 202, { data: { id: 'other' } });
    ledger.add(0, 'open', { kind: 'submit', method: 'POST', path: '/process' });
    ledger.answer(ledger.add(0, 'refused', { kind: 'submit', method: 'POST', path: '/process' }), 402, {
      code: 'INSUFFICIENT_CREDITS',
    });
    const found = (await faults({ a: WHOLE }, ledger)).join('\n');
    for (const fault of [
      /first 202 \[a\], then 202 \[other\]/,
      /submit open was never answered/,
      /submit refused was refused: 402/,
    ])
      expect(found).toMatch(fault);
  });

  it('treats a failure, a rate limit or a lost session as inconclusive', () => {
    const ledger = createLedger();
    const entry = ledger.add(0, 'key', { kind: 'submit', method: 'POST', path: '/process' });
    for (const status of [500, 503, 429, 401]) ledger.answer(entry, status, {});
    expect(entry.state).toBe('open');
  });
});
