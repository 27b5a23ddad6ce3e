import { describe, it } from 'vitest';
import { type AccountExportCommand, accountExportDecider } from '../../../src/domain/accountExport/accountExport.ts';
import type { AccountExportEvent, RemovalReason } from '../../../src/domain/accountExport/events.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(accountExportDecider);
const at = '2026-03-01T12:00:00.000Z';
const expiresAt = '2026-03-08T12:00:00.000Z';
const facts = (ask = 1) => ({ userId: 'ann', ask, fileId: `file-${ask}` });
const request = (nth: number): AccountExportCommand => ({
  type: 'RequestExport',
  userId: 'ann',
  fileId: `file-${nth}`,
  at,
});
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
const removed = (reason: RemovalReason, removedAt = at): AccountExportEvent => ({
  type: 'AccountExportRemoved',
  data: { ...facts(), reason, removedAt },
});
const start: AccountExportCommand = { type: 'StartExport', at };
const note: AccountExportCommand = { type: 'NoteExportProgress', attempt: 1, percent: 40, at };
const finish: AccountExportCommand = { type: 'FinishExport', attempt: 1, parts: 2, bytes: 9, at };
const fail: AccountExportCommand = { type: 'FailExport', code: 'GIVEN_UP', reason: 'No.', at };
const close: AccountExportCommand = { type: 'CloseExports', at };
const expire = (when: string, ask = 1): AccountExportCommand => ({ type: 'ExpireExport', ask, at: when });

describe('the export of an account', () => {
  it('is requested one at a time, and counted', () => {
    given().when(request(1)).then(requested());
    given(requested()).when(request(2)).thenNothing();
    given(requested(), started(1)).when(request(2)).thenNothing();
    for (const end of [failed, removed('expired')])
      given(requested(), started(1), end).when(request(2)).then(requested(2));
  });
  it('replaces the last one, whose file goes', () => {
    given(requested(), started(1), ready).when(request(2)).then(removed('replaced'), requested(2));
  });
  it('is written by the current attempt, and kept for a week', () => {
    given(requested()).when(start).then(started(1));
    given(requested(), started(1)).when(start).then(started(2));
    given(requested(), started(1)).when(note).then(progressed);
    given(requested(), started(1), progressed).when(finish).then(ready);
    given(requested(), started(1)).when(fail).then(failed);
    for (const command of [note, finish]) given(requested(), started(1), started(2)).when(command).thenNothing();
    for (const command of [start, note, finish, fail])
      given(requested(), started(1), ready).when(command).thenNothing();
  });
  it('expires after that week, and not a later one with it', () => {
    given(requested(), started(1), ready).when(expire('2026-03-08T11:59:59.000Z')).thenNothing();
    given(requested(), started(1), ready).when(expire(expiresAt)).then(removed('expired', expiresAt));
    given(requested(), started(1), ready, removed('replaced'), requested(2)).when(expire(expiresAt)).thenNothing();
  });
  it('ends with its account, for good', () => {
    for (const before of [[], [started(1)], [started(1), ready], [failed]])
      given(requested(), ...before)
        .when(close)
        .then(removed('account_deleted'));
    given().when(close).thenNothing();
    given(removed('account_deleted')).when(close).thenNothing();
    given(removed('account_deleted')).when(request(2)).thenRefused('ACCOUNT_NOT_FOUND');
  });
});
