/**
 * The export of an account: requested, started, then ready or failed, and removed. One at a time; a new one replaces
 * the last.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { AccountExportEvent, RemovalReason } from './events.ts';

type Facts = {
  readonly userId: string;
  readonly ask: number;
  readonly fileId: string;
  /** Attempts started. */
  readonly attempt: number;
};

export type AccountExportState =
  | { readonly status: 'none' }
  | (Facts & { readonly status: 'pending' | 'failed' })
  | (Facts & { readonly status: 'ready'; readonly parts: number; readonly expiresAt: string })
  /** `closed`: its account was deleted. */
  | (Facts & { readonly status: 'removed' | 'closed' });

/** `at` is the time of the command, UTC ISO. */
export type AccountExportCommand =
  /** No effect while one is pending. */
  | { readonly type: 'RequestExport'; readonly userId: string; readonly fileId: string; readonly at: string }
  | { readonly type: 'StartExport'; readonly at: string }
  /** The next two have no effect for an attempt that has been replaced. */
  | { readonly type: 'NoteExportProgress'; readonly attempt: number; readonly percent: number; readonly at: string }
  | {
      readonly type: 'FinishExport';
      readonly attempt: number;
      readonly parts: number;
      readonly bytes: number;
      readonly at: string;
    }
  | { readonly type: 'FailExport'; readonly code: string; readonly reason: string; readonly at: string }
  /** If it is the latest and has expired. */
  | { readonly type: 'ExpireExport'; readonly ask: number; readonly at: string }
  /** Whatever its state, because its account is gone. */
  | { readonly type: 'CloseExports'; readonly at: string };

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a file can be downloaded. */
const KEPT_MS = 7 * DAY_MS;

function evolve(state: AccountExportState, event: AccountExportEvent): AccountExportState {
  const { userId, ask, fileId } = event.data;
  const facts = { userId, ask, fileId, attempt: state.status === 'none' ? 0 : state.attempt };
  switch (event.type) {
    case 'AccountExportRequested':
      return { ...facts, attempt: 0, status: 'pending' };
    case 'AccountExportStarted':
      return { ...facts, attempt: event.data.attempt, status: 'pending' };
    case 'AccountExportProgressed':
      return state;
    case 'AccountExportReady':
      return { ...facts, status: 'ready', parts: event.data.parts, expiresAt: event.data.expiresAt };
    case 'AccountExportFailed':
      return { ...facts, status: 'failed' };
    case 'AccountExportRemoved':
      return { ...facts, status: event.data.reason === 'account_deleted' ? 'closed' : 'removed' };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: AccountExportCommand, state: AccountExportState): readonly AccountExportEvent[] {
  if (command.type === 'RequestExport') return request(command, state);
  if (state.status === 'none' || state.status === 'closed') return [];
  const { userId, ask, fileId } = state;
  const facts = { userId, ask, fileId };
  if (command.type === 'CloseExports') return [removed(facts, 'account_deleted', command.at)];
  if (command.type === 'ExpireExport') {
    const isOver = state.status === 'ready' && command.ask === ask && state.expiresAt <= command.at;
    return isOver ? [removed(facts, 'expired', command.at)] : [];
  }
  if (state.status !== 'pending') return [];
  switch (command.type) {
    case 'StartExport':
      return [{ type: 'AccountExportStarted', data: { ...facts, attempt: state.attempt + 1, startedAt: command.at } }];
    case 'NoteExportProgress': {
      const { attempt, percent, at } = command;
      return attempt === state.attempt
        ? [{ type: 'AccountExportProgressed', data: { ...facts, attempt, percent, at } }]
        : [];
    }
    case 'FinishExport': {
      const { attempt, parts, bytes, at: readyAt } = command;
      if (attempt !== state.attempt) return [];
      const expiresAt = new Date(Date.parse(readyAt) + KEPT_MS).toISOString();
      return [{ type: 'AccountExportReady', data: { ...facts, attempt, parts, bytes, readyAt, expiresAt } }];
    }
    case 'FailExport':
      return [
        {
          type: 'AccountExportFailed',
          data: { ...facts, code: command.code, reason: command.reason, failedAt: command.at },
        },
      ];
    default:
      return unreachable(command);
  }
}

export const accountExportDecider: Decider<AccountExportState, AccountExportCommand, AccountExportEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
};

function request(
  { userId, fileId, at }: Extract<AccountExportCommand, { readonly type: 'RequestExport' }>,
  state: AccountExportState,
): readonly AccountExportEvent[] {
  if (state.status === 'pending') return [];
  if (state.status === 'closed') throw new DomainError('ACCOUNT_NOT_FOUND', 'The account has been deleted.');
  const ask = state.status === 'none' ? 1 : state.ask + 1;
  const requested = { type: 'AccountExportRequested', data: { userId, ask, fileId, requestedAt: at } } as const;
  return state.status === 'ready'
    ? [removed({ userId, ask: state.ask, fileId: state.fileId }, 'replaced', at), requested]
    : [requested];
}

function removed(facts: Omit<Facts, 'attempt'>, reason: RemovalReason, removedAt: string): AccountExportEvent {
  return { type: 'AccountExportRemoved', data: { ...facts, reason, removedAt } };
}
