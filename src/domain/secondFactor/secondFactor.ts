/** The second factor of one account: authenticator app codes, each accepted once, and recovery codes. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { SecondFactorEvent } from './events.ts';

type Enrolment = { readonly enrolmentId: string; readonly sealedSecret: string };

export type SecondFactorState = {
  /** Started but not confirmed yet. */
  readonly pending: Enrolment | null;
  /** Null if turned off. */
  readonly enabled:
    | (Enrolment & {
        readonly lastStep: number;
        readonly recoveryCodeHashes: readonly string[];
        readonly enabledAt: string;
      })
    | null;
  /** The account was deleted. */
  readonly closed: boolean;
};

export type RemovalReason = Extract<SecondFactorEvent, { readonly type: 'SecondFactorRemoved' }>['data']['reason'];

/** `at` is the time of the command, UTC ISO. `enrolmentId`: the enrollment whose secret verified the code. */
export type SecondFactorCommand =
  | ({ readonly type: 'BeginEnrolment'; readonly userId: string; readonly at: string } & Enrolment)
  | {
      readonly type: 'ConfirmEnrolment';
      readonly userId: string;
      readonly enrolmentId: string;
      readonly step: number;
      readonly recoveryCodeHashes: readonly string[];
      /** The session that turns it on. */
      readonly keptSessionId?: string;
      readonly at: string;
    }
  | {
      readonly type: 'PassCode';
      readonly userId: string;
      readonly enrolmentId: string;
      readonly step: number;
      readonly at: string;
    }
  | { readonly type: 'UseRecoveryCode'; readonly userId: string; readonly codeHash: string; readonly at: string }
  | {
      readonly type: 'RemoveSecondFactor';
      readonly userId: string;
      readonly reason: RemovalReason;
      readonly at: string;
    };

type Command<Type extends SecondFactorCommand['type']> = Extract<SecondFactorCommand, { readonly type: Type }>;

function evolve(state: SecondFactorState, event: SecondFactorEvent): SecondFactorState {
  switch (event.type) {
    case 'SecondFactorEnrolmentBegun': {
      const { enrolmentId, sealedSecret } = event.data;
      return { ...state, pending: { enrolmentId, sealedSecret } };
    }
    case 'SecondFactorEnabled': {
      const { step: lastStep, recoveryCodeHashes, enabledAt } = event.data;
      return state.pending
        ? { ...state, pending: null, enabled: { ...state.pending, lastStep, recoveryCodeHashes, enabledAt } }
        : state;
    }
    case 'SecondFactorPassed':
      return state.enabled ? { ...state, enabled: { ...state.enabled, lastStep: event.data.step } } : state;
    case 'RecoveryCodeUsed': {
      if (!state.enabled) return state;
      const recoveryCodeHashes = state.enabled.recoveryCodeHashes.filter((hash) => hash !== event.data.codeHash);
      return { ...state, enabled: { ...state.enabled, recoveryCodeHashes } };
    }
    case 'SecondFactorRemoved':
      return { pending: null, enabled: null, closed: state.closed || event.data.reason === 'account_deleted' };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: SecondFactorCommand, state: SecondFactorState): readonly SecondFactorEvent[] {
  switch (command.type) {
    case 'BeginEnrolment':
      return begin(command, state);
    case 'ConfirmEnrolment':
      return confirm(command, state);
    case 'PassCode':
      return pass(command, state);
    case 'UseRecoveryCode':
      return recover(command, state);
    case 'RemoveSecondFactor':
      return remove(command, state);
    default:
      return unreachable(command);
  }
}

/** Kept in memory because each log-in adds an event. */
export const secondFactorDecider: Decider<SecondFactorState, SecondFactorCommand, SecondFactorEvent> = {
  initialState: () => ({ pending: null, enabled: null, closed: false }),
  evolve,
  decide,
  keptFrom: 100,
};

function begin(
  { userId, enrolmentId, sealedSecret, at }: Command<'BeginEnrolment'>,
  state: SecondFactorState,
): readonly SecondFactorEvent[] {
  if (state.closed) throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  if (state.enabled) throw new DomainError('MFA_ALREADY_ON', 'Two-factor authentication is already on.');
  return [{ type: 'SecondFactorEnrolmentBegun', data: { userId, enrolmentId, sealedSecret, begunAt: at } }];
}

function confirm(command: Command<'ConfirmEnrolment'>, { pending }: SecondFactorState): readonly SecondFactorEvent[] {
  const { userId, enrolmentId, step, recoveryCodeHashes, keptSessionId, at } = command;
  if (pending?.enrolmentId !== enrolmentId) throw setupEnded();
  const kept = keptSessionId === undefined ? {} : { keptSessionId };
  return [
    { type: 'SecondFactorEnabled', data: { userId, enrolmentId, step, recoveryCodeHashes, enabledAt: at, ...kept } },
  ];
}

/** A code that someone observed or recorded is worthless once used. */
function pass(
  { userId, enrolmentId, step, at }: Command<'PassCode'>,
  { enabled }: SecondFactorState,
): readonly SecondFactorEvent[] {
  if (enabled?.enrolmentId !== enrolmentId) throw wrongCode();
  if (step <= enabled.lastStep)
    throw new DomainError('MFA_CODE_USED', 'This code was already used. Wait for your app to show the next one.');
  return [{ type: 'SecondFactorPassed', data: { userId, step, passedAt: at } }];
}

function recover(
  { userId, codeHash, at }: Command<'UseRecoveryCode'>,
  { enabled }: SecondFactorState,
): readonly SecondFactorEvent[] {
  if (!enabled?.recoveryCodeHashes.includes(codeHash)) {
    throw new DomainError('MFA_CODE_INVALID', 'That recovery code isn’t right, or it was already used.');
  }
  return [{ type: 'RecoveryCodeUsed', data: { userId, codeHash, usedAt: at } }];
}

function remove(
  { userId, reason, at }: Command<'RemoveSecondFactor'>,
  { pending, enabled, closed }: SecondFactorState,
): readonly SecondFactorEvent[] {
  if (closed || (!pending && !enabled && reason !== 'account_deleted')) return [];
  return [{ type: 'SecondFactorRemoved', data: { userId, reason, removedAt: at } }];
}

export const wrongCode = (): DomainError =>
  new DomainError(
    'MFA_CODE_INVALID',
    'That code isn’t right. Codes change every 30 seconds: enter the one your app shows now.',
  );

export const setupEnded = (): DomainError =>
  new DomainError('MFA_SETUP_ENDED', 'This setup is no longer open. Please start again.');

export const secondFactorOff = (): DomainError =>
  new DomainError('MFA_NOT_ON', 'Two-factor authentication is off. Turn it on in your account first.');
