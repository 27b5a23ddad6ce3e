/**
 * One session: a pair of tokens, known here only as hashes. A refresh replaces both, or only records what the session
 * has shown.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { can } from '../policy/policy.ts';
import type { SessionClient, SessionEvent, SessionProof } from './events.ts';

type ActiveSession = {
  readonly status: 'active';
  readonly sessionId: string;
  readonly userId: string;
  readonly startedAt: string;
  readonly accessTokenHash: string;
  readonly refreshTokenHash: string;
  readonly accessExpiresAt: string;
  readonly refreshExpiresAt: string;
  /** Hashes of the last replaced refresh tokens, oldest first. Reuse of one means that it was copied. */
  readonly replaced: readonly string[];
  /** Time of the last refresh; null before the first. */
  readonly refreshedAt: string | null;
  /** One of each kind, the latest. */
  readonly proofs: readonly SessionProof[];
};
export type SessionState =
  | { readonly status: 'none' }
  | ActiveSession
  | { readonly status: 'ended'; readonly userId: string };

export type EndReason = Extract<SessionEvent, { readonly type: 'SessionEnded' }>['data']['reason'];

type NewTokens = { readonly accessTokenHash: string; readonly refreshTokenHash: string };

/** `at` is the time of the command, UTC ISO. */
export type SessionCommand =
  | ({ readonly type: 'StartSession'; readonly sessionId: string; readonly userId: string; readonly at: string } & {
      readonly client?: SessionClient;
      /** Absent: a password, now. */
      readonly proofs?: readonly SessionProof[];
    } & NewTokens)
  | ({ readonly type: 'RefreshSession'; readonly presentedHash: string; readonly at: string } & NewTokens)
  /** Whoever uses the session has shown something more. */
  | { readonly type: 'AddProof'; readonly userId: string; readonly kind: SessionProof['kind']; readonly at: string }
  /** The second factor that they came from is turned off. */
  | { readonly type: 'DropSecondFactorProofs'; readonly userId: string; readonly at: string }
  | { readonly type: 'EndSession'; readonly userId: string; readonly reason: EndReason; readonly at: string };

type Command<Type extends SessionCommand['type']> = Extract<SessionCommand, { readonly type: Type }>;

const ACCESS_TOKEN_MS = 60 * 60 * 1_000;
/** Counted from the start of the session, regardless of refreshes. */
const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * A response may be lost in transit: for this long, the token just replaced still gets a new pair, superseding the one
 * that was never received.
 */
const GRACE_MS = 30 * 1_000;

/**
 * How many replaced refresh tokens are remembered. An older one is refused like one that never existed: a copy of it
 * that comes so late opens nothing, but no longer ends the session. With the refreshes of a browser, one an hour, these
 * are two days.
 */
const REPLACED_KEPT = 50;

function evolve(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'SessionStarted': {
      const { client: _, proofs = [{ kind: 'password', at: event.data.startedAt }], ...session } = event.data;
      return { status: 'active', ...session, proofs, replaced: [], refreshedAt: null };
    }
    case 'SessionRefreshed': {
      if (state.status !== 'active') return state;
      const { startedAt, proofs, replaced } = state;
      const isReplaced = event.data.refreshTokenHash !== state.refreshTokenHash;
      return {
        status: 'active',
        startedAt,
        proofs,
        ...event.data,
        replaced: isReplaced ? [...replaced, state.refreshTokenHash].slice(-REPLACED_KEPT) : replaced,
        refreshedAt: isReplaced ? event.data.refreshedAt : state.refreshedAt,
      };
    }
    case 'SessionEnded':
      return { status: 'ended', userId: event.data.userId };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: SessionCommand, state: SessionState): readonly SessionEvent[] {
  switch (command.type) {
    case 'StartSession':
      return start(command, state);
    case 'RefreshSession':
      return refresh(command, state);
    case 'AddProof':
      return addProof(command, state);
    case 'DropSecondFactorProofs':
      return dropSecondFactor(command, state);
    case 'EndSession':
      return end(command, state);
    default:
      return unreachable(command);
  }
}

/** Kept in memory because each refresh adds an event, and anyone can present a token that names the session. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
  keptFrom: 100,
};

/**
 * Whether a second factor is among the proofs: a recovery code stands in for the code of the app, and a passkey is two
 * factors in one, since its device also asks who uses it.
 */
export const showSecondFactor = (proofs: readonly SessionProof[]): boolean =>
  proofs.some((proof) => proof.kind === 'passkey' || isSecondFactor(proof));

const isSecondFactor = ({ kind }: SessionProof): boolean => kind === 'code' || kind === 'recovery_code';

/**
 * Whether the hash is that of a refresh token that the session's client has: the current one, or the one before, if the
 * answer was lost.
 */
export const isOwnToken = (state: SessionState, hash: string): boolean =>
  state.status === 'active' && (state.refreshTokenHash === hash || state.replaced.at(-1) === hash);

/** Repeated for the same session because the first response was lost: replaces its tokens, which nobody received. */
function start(command: Command<'StartSession'>, state: SessionState): readonly SessionEvent[] {
  const { type: _, at, ...session } = command;
  if (state.status === 'ended' || (state.status === 'active' && state.userId !== command.userId)) throw sessionEnded();
  if (state.status === 'active') return [refreshed(state, command)];
  return [
    {
      type: 'SessionStarted',
      data: {
        ...session,
        startedAt: at,
        accessExpiresAt: later(at, ACCESS_TOKEN_MS),
        refreshExpiresAt: later(at, REFRESH_TOKEN_MS),
      },
    },
  ];
}

/**
 * A refresh token works once. Reuse beyond the grace period means that it was copied, so the session ends for both
 * holders.
 */
function refresh(command: Command<'RefreshSession'>, state: SessionState): readonly SessionEvent[] {
  if (state.status !== 'active' || command.at >= state.refreshExpiresAt) throw sessionEnded();
  if (command.presentedHash === state.refreshTokenHash || isLostAnswer(state, command))
    return [refreshed(state, command)];
  if (!state.replaced.includes(command.presentedHash)) throw sessionEnded();
  return [
    {
      type: 'SessionEnded',
      data: { sessionId: state.sessionId, userId: state.userId, reason: 'refresh_reused', endedAt: command.at },
    },
  ];
}

function isLostAnswer(
  { replaced, refreshedAt }: ActiveSession,
  { presentedHash, at }: Command<'RefreshSession'>,
): boolean {
  return (
    refreshedAt !== null && replaced.at(-1) === presentedHash && Date.parse(at) - Date.parse(refreshedAt) <= GRACE_MS
  );
}

/** @throws DomainError SESSION_ENDED */
function addProof({ userId, kind, at }: Command<'AddProof'>, state: SessionState): readonly SessionEvent[] {
  if (state.status !== 'active' || state.userId !== userId || at >= state.refreshExpiresAt) throw sessionEnded();
  return [proofsSet(state, [...state.proofs.filter((proof) => proof.kind !== kind), { kind, at }], at)];
}

function dropSecondFactor(
  { userId, at }: Command<'DropSecondFactorProofs'>,
  state: SessionState,
): readonly SessionEvent[] {
  if (state.status !== 'active' || state.userId !== userId || !state.proofs.some(isSecondFactor)) return [];
  return [
    proofsSet(
      state,
      state.proofs.filter((proof) => !isSecondFactor(proof)),
      at,
    ),
  ];
}

/**
 * A refresh that keeps the tokens: processes of the former version, which know no other event of an open session, go on
 * reading its stream.
 */
function proofsSet(session: ActiveSession, proofs: readonly SessionProof[], at: string): SessionEvent {
  const { sessionId, userId, accessTokenHash, refreshTokenHash, accessExpiresAt, refreshExpiresAt } = session;
  return {
    type: 'SessionRefreshed',
    data: {
      sessionId,
      userId,
      accessTokenHash,
      refreshTokenHash,
      refreshedAt: at,
      accessExpiresAt,
      refreshExpiresAt,
      proofs,
    },
  };
}

function end({ userId, reason, at }: Command<'EndSession'>, state: SessionState): readonly SessionEvent[] {
  if (
    state.status === 'none' ||
    !can({ kind: 'user', userId }, 'remove', { kind: 'session', ownerId: state.userId }).allowed
  )
    throw new DomainError('SESSION_NOT_FOUND', 'There is no such session.');
  if (state.status === 'ended') return [];
  return [{ type: 'SessionEnded', data: { sessionId: state.sessionId, userId, reason, endedAt: at } }];
}

function refreshed(
  session: ActiveSession,
  { accessTokenHash, refreshTokenHash, at }: NewTokens & { readonly at: string },
): SessionEvent {
  const { sessionId, userId, refreshExpiresAt } = session;
  const accessExpiresAt = later(at, Math.min(ACCESS_TOKEN_MS, Date.parse(refreshExpiresAt) - Date.parse(at)));
  return {
    type: 'SessionRefreshed',
    data: { sessionId, userId, accessTokenHash, refreshTokenHash, refreshedAt: at, accessExpiresAt, refreshExpiresAt },
  };
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

/** One error for every unusable session, whatever the cause. */
export function sessionEnded(): DomainError {
  return new DomainError('SESSION_ENDED', 'Your session has ended. Please log in again.');
}
