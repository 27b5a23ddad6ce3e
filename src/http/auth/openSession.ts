/** The response to a successful authentication: a session with its tokens, and the profile. */
import { grantAtLogIn } from '../../commands/account/claimInstallation.ts';
import { challengeEnded } from '../../commands/secondFactor/challenge.ts';
import { requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import { endOldestSessions, MOST_SESSIONS } from '../../commands/session/endOldestSessions.ts';
import { confirmLogIn } from '../../commands/session/logIn.ts';
import { type OpenSession, startSession } from '../../commands/session/startSession.ts';
import { idInToken } from '../../commands/tokens.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import type { SessionProof } from '../../domain/account/events.ts';
import type { AccountDocument } from '../../projections/accounts.ts';
import { getBilling } from '../../projections/billing.ts';
import { countSessions, listSessions } from '../../projections/sessions.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { LoginAnswer, LoginResponse, MfaChallenge, Profile } from '../contract/auth.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { presentProfile, presentSession, presentUser, type StartedSession } from '../present/account.ts';
import { clientOf } from '../request/clientOf.ts';
import { unauthenticated } from '../request/errors.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import type { RouteRequest } from '../routing/route.ts';
import { accountOf } from './accountOf.ts';
import { challengeOf } from './challengeOf.ts';
import { knownBrowserCookies } from './knownBrowser.ts';

export async function openSession(
  { deps, command, agent, address }: Pick<RouteRequest, 'deps' | 'command' | 'agent' | 'address'>,
  { userId, proofs }: { readonly userId: string; readonly proofs: readonly SessionProof[] },
): Promise<LoginResponse> {
  const session: StartedSession & Pick<OpenSession, 'sessionId' | 'position'> = await startSession(command, {
    userId,
    newToken: deps.newToken,
    client: clientOf({ agent, address }),
    proofs,
  });
  const endOldest = async (readModels: ReadModels) => {
    if ((await countSessions(readModels, userId)) <= MOST_SESSIONS) return null;
    return endOldestSessions(command, {
      userId,
      keptSessionId: session.sessionId,
      open: await listSessions(readModels, userId),
    });
  };
  const ended = await afterWrite(
    deps,
    { position: session.position, otherwise: () => endOldest(deps.readModels) },
    endOldest,
  );
  if (ended) await afterWrite(deps, { position: ended, answer: null }, (shown) => listSessions(shown, userId));
  const account = await callersAccount(deps, userId);
  const tokens = presentSession(session, presentUser(account), deps.now());
  return {
    success: true,
    token: tokens.access_token,
    user_id: userId,
    email: account.email,
    profile: await profileOf(deps, account),
    session: tokens,
  };
}

type LogIn = {
  readonly userId: string;
  /** Of the account's password by then; null if it has none. */
  readonly passwordHash: string | null;
  readonly proofs: readonly SessionProof[];
  /** As in `confirmLogIn`. */
  readonly enrolmentId: string | null;
};

/**
 * The same for a log-in, which is checked again once the session is open, and may grant the configured admin the right;
 * null if it needs a code by now.
 */
export async function openLogIn(
  request: Pick<RouteRequest, 'deps' | 'command' | 'agent' | 'address'>,
  logIn: LogIn,
): Promise<LoginResponse | null> {
  const { deps, command } = request;
  const opened = await openSession(request, logIn);
  if (!(await confirmLogIn(command, { ...logIn, sessionId: idInToken(opened.token) ?? '' }))) return null;
  const granted = await grantAtLogIn(command, { userId: logIn.userId, adminEmail: deps.config.adminEmail });
  if (granted === null) return opened;
  const { userId } = logIn;
  const profile = async (readModels: ReadModels) =>
    profileOf({ ...deps, readModels }, await callersAccount({ ...deps, readModels }, userId));
  return {
    ...opened,
    profile: await afterWrite(deps, { position: granted, otherwise: () => profile(deps.readModels) }, profile),
  };
}

/**
 * Completes a log-in by its first proof: with a session and the cookie of a known browser, or by asking for the second
 * factor. @throws DomainError MFA_UNAVAILABLE, MFA_CHALLENGE_ENDED, ACCOUNT_DISABLED
 */
export async function finishLogIn(
  request: Pick<RouteRequest, 'deps' | 'command' | 'agent' | 'address' | 'noteSecurity'>,
  {
    account,
    proof,
  }: {
    readonly account: Pick<ActiveAccount, 'userId' | 'passwordHash' | 'email' | 'emailProof'>;
    readonly proof: SessionProof;
  },
): Promise<Reply<LoginAnswer> | MfaChallenge> {
  const { deps } = request;
  const { userId, passwordHash } = account;
  // A passkey is a second factor, too.
  const asks = proof.kind !== 'passkey';
  const challenge = asks ? await challengeOf(deps, account, proof) : null;
  if (challenge) return challenge;
  const enrolmentId = asks ? null : await requiredEnrolment(deps, userId);
  const opened = await openLogIn(request, { userId, passwordHash, proofs: [proof], enrolmentId });
  if (!opened) {
    const late = await challengeOf(deps, account, proof);
    if (!late) throw challengeEnded();
    return late;
  }
  request.noteSecurity('login', { userId, ...(proof.kind === 'password' ? {} : { by: proof.kind }) });
  return new Reply(opened, knownBrowserCookies(deps, account));
}

export async function profileOf(
  deps: Pick<HttpDeps, 'readModels' | 'now' | 'config'>,
  account: AccountDocument,
): Promise<Profile> {
  return presentProfile(account, (await getBilling(deps.readModels, account.id))?.data ?? null, deps);
}

/** @throws HttpError UNAUTHENTICATED */
export async function callersAccount(
  deps: Pick<HttpDeps, 'readModels' | 'store'>,
  userId: string,
): Promise<AccountDocument> {
  const account = await accountOf(deps, userId);
  if (!account) throw unauthenticated();
  return account;
}
