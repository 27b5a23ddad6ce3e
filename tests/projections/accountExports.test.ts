import { expect, it } from 'vitest';
import type { AccountEvent } from '../../src/domain/account/events.ts';
import type { AccountExportEvent } from '../../src/domain/accountExport/events.ts';
import { accountExports } from '../../src/projections/exports/accountExports.ts';
import { project } from '../given/stores/projection.ts';

const at = '2026-03-01T12:00:00.000Z';
const expiresAt = '2026-03-08T12:00:00.000Z';
const facts = (ask = 1) => ({ userId: 'ann', ask, fileId: `file-${ask}` });
const requested = (ask = 1): AccountExportEvent => ({
  type: 'AccountExportRequested',
  data: { ...facts(ask), requestedAt: at },
});
const started = (attempt: number): AccountExportEvent => ({
  type: 'AccountExportStarted',
  data: { ...facts(), attempt, startedAt: at },
});
const progressed: AccountExportEvent = {
  type: 'AccountExportProgressed',
  data: { ...facts(), attempt: 1, percent: 40, at },
};
const ready: AccountExportEvent = {
  type: 'AccountExportReady',
  data: { ...facts(), attempt: 1, parts: 2, bytes: 9, readyAt: at, expiresAt },
};
const failed: AccountExportEvent = {
  type: 'AccountExportFailed',
  data: { ...facts(), code: 'GIVEN_UP', reason: 'No.', failedAt: at },
};
const removed: AccountExportEvent = {
  type: 'AccountExportRemoved',
  data: { ...facts(), reason: 'replaced', removedAt: at },
};
const deleted: AccountEvent = { type: 'AccountDeleted', data: { userId: 'ann', deletedAt: at } };
type Taken = Parameters<typeof accountExports.evolve>[1];
const folded = (...events: readonly (AccountExportEvent | AccountEvent)[]) =>
  project(accountExports, ...(events as readonly Taken[])).ann;

const pending = {
  id: 'ann',
  ask: 1,
  status: 'pending',
  percent: 0,
  requested_at: at,
  file_id: null,
  bytes: null,
  expires_at: null,
  error: null,
  userId: 'ann',
  file: null,
};

it('has the last export of an account, and how far it is', () => {
  expect(folded(requested())).toEqual(pending);
  expect(folded(requested(), started(1), progressed)).toEqual({ ...pending, percent: 40 });
  // Another attempt writes all of it again.
  expect(folded(requested(), started(1), progressed, started(2))).toEqual(pending);
  expect(folded(requested(), started(1), ready)).toEqual({
    ...pending,
    status: 'ready',
    percent: 100,
    file_id: 'file-1',
    bytes: 9,
    expires_at: expiresAt,
    file: { attempt: 1, parts: 2, readyAt: at },
  });
  expect(folded(requested(), failed)).toEqual({ ...pending, status: 'failed', error: 'No.' });
  expect(folded(requested(), ready, removed, requested(2))).toEqual({ ...pending, ask: 2 });
});

it('is removed with its file, and with the account', () => {
  expect(folded(requested(), ready, removed)).toBeUndefined();
  expect(folded(requested(), deleted, progressed)).toBeUndefined();
});
