/** Enabling and disabling an account's second factor, and verifying it at log-in. */

import { sessionEnded } from '../../domain/account/session.ts';
import { DomainError } from '../../domain/decider.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import {
  type RemovalReason,
  secondFactorDecider,
  setupEnded,
  wrongCode,
} from '../../domain/secondFactor/secondFactor.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { isSessionOpen, requestSessionsEnd } from '../session/endSessions.ts';
import { addSessionProof } from '../session/sessionProofs.ts';
import type { MfaKeys } from './mfaKeys.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recoveryCodes.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

type OfUser = { readonly userId: string };

/** Has no effect on log-in until `confirmEnrolment`. @throws DomainError MFA_ALREADY_ON */
export async function beginEnrolment(
  ctx: CommandContext,
  { userId, email, keys }: OfUser & { readonly email: string; readonly keys: MfaKeys },
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = newTotpSecret();
  const enrolmentId = derivedId(ctx.commandId, userId, 'second factor');
  const command = {
    type: 'BeginEnrolment',
    userId,
    enrolmentId,
    sealedSecret: keys.seal(secret, userId),
    at: ctx.now(),
  } as const;
  await handle(ctx, secondFactorDecider, secondFactorStream(userId), command);
  return { secret, uri: totpUri(secret, email) };
}

/**
 * The app's first code turns it on. The recovery codes are not retrievable afterward. The other sessions, opened
 * without it, are ordered to end first: after a crash in between, a retry turns it on. They are ordered to end again
 * afterward, because a log-in may have opened one meanwhile; after a crash in between, the follower gives that order.
 * @throws DomainError MFA_CODE_INVALID, MFA_SETUP_ENDED
 */
export async function confirmEnrolment(
  ctx: CommandContext,
  {
    userId,
    code,
    keptSessionId,
    keys,
  }: OfUser & { readonly code: string; readonly keptSessionId: string; readonly keys: MfaKeys },
): Promise<{ readonly recoveryCodes: readonly string[]; readonly position: Position }> {
  const { state } = await loadState(ctx.store, secondFactorDecider, secondFactorStream(userId));
  if (!state.pending) throw setupEnded();
  const { enrolmentId } = state.pending;
  const step = stepOf(ctx, keys, { userId, code, ...state.pending });
  await requestSessionsEnd(ctx, { userId, keptSessionId });
  const recoveryCodes = newRecoveryCodes();
  const recoveryCodeHashes = recoveryCodes.map((each) => hashRecoveryCode(userId, each));
  const command = {
    type: 'ConfirmEnrolment',
    userId,
    enrolmentId,
    step,
    recoveryCodeHashes,
    keptSessionId,
    at: ctx.now(),
  } as const;
  const { position } = await handle(ctx, secondFactorDecider, secondFactorStream(userId), command);
  await requestSessionsEnd({ ...ctx, commandId: derivedId(ctx.commandId, 'enabled') }, { userId, keptSessionId });
  return { recoveryCodes, position };
}

/**
 * Called once it is on: the first code is a proof of the session that it was entered in. A factor turned on by a
 * request of a session that ended meanwhile is off again: it may be a stranger's, and would keep the owner out. @throws
 * DomainError SESSION_ENDED
 */
export async function proveByEnrolment(
  ctx: CommandContext,
  session: OfUser & { readonly sessionId: string },
): Promise<void> {
  if (await isSessionOpen(ctx, session)) return addSessionProof(ctx, { ...session, kind: 'code' });
  await removeSecondFactor(ctx, { userId: session.userId, reason: 'owner' });
  throw sessionEnded();
}

/** The enrollment that a log-in must show a code of now; null if the second factor is off. */
export async function requiredEnrolment(
  { store }: Pick<CommandContext, 'store'>,
  userId: string,
): Promise<string | null> {
  const { state } = await loadState(store, secondFactorDecider, secondFactorStream(userId));
  return state.enabled?.enrolmentId ?? null;
}

export type GivenFactor = { readonly code: string } | { readonly recoveryCode: string };

/** Returns the enrollment that it belongs to. @throws DomainError MFA_CODE_INVALID, MFA_CODE_USED, MFA_UNAVAILABLE */
export async function passSecondFactor(
  ctx: CommandContext,
  { userId, given, keys }: OfUser & { readonly given: GivenFactor; readonly keys: MfaKeys },
): Promise<{ readonly enrolmentId: string }> {
  const stream = secondFactorStream(userId);
  if ('recoveryCode' in given) {
    const codeHash = hashRecoveryCode(userId, given.recoveryCode);
    const { state } = await handle(ctx, secondFactorDecider, stream, {
      type: 'UseRecoveryCode',
      userId,
      codeHash,
      at: ctx.now(),
    });
    if (!state.enabled) throw wrongCode();
    return { enrolmentId: state.enabled.enrolmentId };
  }
  const { enabled } = (await loadState(ctx.store, secondFactorDecider, stream)).state;
  if (!enabled) throw wrongCode();
  const step = stepOf(ctx, keys, { userId, code: given.code, ...enabled });
  await handle(ctx, secondFactorDecider, stream, {
    type: 'PassCode',
    userId,
    enrolmentId: enabled.enrolmentId,
    step,
    at: ctx.now(),
  });
  return { enrolmentId: enabled.enrolmentId };
}

function stepOf(
  ctx: CommandContext,
  keys: MfaKeys,
  { userId, code, sealedSecret }: OfUser & { readonly code: string; readonly sealedSecret: string },
): number {
  const secret = keys.open(sealedSecret, userId);
  if (secret === null)
    throw mfaUnavailable(
      'Use a recovery code. The operator of this installation has to put the former mfa-secret back.',
    );
  const step = stepOfCode(secret, code, ctx.now());
  if (step === null) throw wrongCode();
  return step;
}

/** `removed`: false if there was none. */
export async function removeSecondFactor(
  ctx: CommandContext,
  { userId, reason }: OfUser & { readonly reason: RemovalReason },
): Promise<{ readonly removed: boolean; readonly position: Position }> {
  const command = { type: 'RemoveSecondFactor', userId, reason, at: ctx.now() } as const;
  const { events, position } = await handle(ctx, secondFactorDecider, secondFactorStream(userId), command);
  return { removed: events.length > 0, position };
}

/** The installation's secret is missing, or differs from the one the codes were set up with. */
export const mfaUnavailable = (todo = 'Its operator has to look at MFA_SECRET.'): DomainError =>
  new DomainError('MFA_UNAVAILABLE', `Codes can’t be checked on this installation right now. ${todo}`);
