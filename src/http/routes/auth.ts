/** Sign-up, log-in, session refresh and log-out, and the profile. Tokens are only issued here. */
import { createHash } from 'node:crypto';
import { signUp } from '../../commands/account/signUp.ts';
import { ensureCustomer } from '../../commands/billing/ensureCustomer.ts';
import { loadState } from '../../commands/handle.ts';
import { endSession } from '../../commands/session/endSession.ts';
import { logIn } from '../../commands/session/logIn.ts';
import { refreshSession } from '../../commands/session/refreshSession.ts';
import { type Campaign, sessionStream } from '../../domain/account/events.ts';
import { sessionDecider } from '../../domain/account/session.ts';
import { DomainError } from '../../domain/decider.ts';
import { getSession } from '../../projections/sessions.ts';
import { knownBrowserCookies } from '../auth/knownBrowser.ts';
import { callersAccount, finishLogIn, openSession, profileOf } from '../auth/openSession.ts';
import { refusedLogIn, tryPassword } from '../auth/tryPassword.ts';
import {
  LoginAnswer,
  LoginRequest,
  LogoutResponse,
  ProfileResponse,
  RefreshRequest,
  RefreshResponse,
  SignupRequest,
  SignupResponse,
} from '../contract/auth.ts';
import { atProvider } from '../money/atProvider.ts';
import { presentSession, presentUser } from '../present/account.ts';
import { addressKey } from '../request/rateLimits.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';
import { creditSignUp } from '../sharing/openShare.ts';
import { endSessionUrl } from './sso.ts';

export const login = route({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary:
    'Log in with email and password; with two-factor authentication, the response asks for a code (`/auth/mfa/verify`)',
  body: LoginRequest,
  example: { email: 'ada@example.com', password: 'a good password' },
  response: LoginAnswer,
  refusals: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'BUSY', 'MFA_UNAVAILABLE', 'ACCOUNT_DISABLED'],
  handler: async (request) => {
    const { deps, body, command } = request;
    const { email, password } = body;
    const refused = refusedLogIn(deps);
    const account = await tryPassword(request, body, (verifyPassword) =>
      logIn(command, { email, password, verifyPassword, refused }),
    );
    return finishLogIn(request, { account, proof: { kind: 'password', at: command.now() } });
  },
});

export const signup = route({
  method: 'POST',
  path: '/auth/signup-first',
  access: 'public',
  summary: 'Sign up; the first account of an installation becomes its admin',
  body: SignupRequest,
  example: { email: 'ada@example.com', password: 'a good password' },
  response: SignupResponse,
  status: 201,
  limit: 'signup',
  refusals: ['EMAIL_TAKEN', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, body, command, address, noteSecurity } = request;
    const passwordHash = await deps.passwords.hash(body.password, addressKey(address));
    const { adminEmail } = deps.config;
    const account = {
      email: body.email,
      name: body.name ?? '',
      passwordHash,
      campaign: campaignOf(body),
      asksProof: deps.config.mail,
    };
    const { userId } = await signUp(command, { ...account, ...(adminEmail ? { adminEmail } : {}) }).catch(
      refuseTakenEmail,
    );
    noteSecurity('signup', { userId });
    await creditSignUp(deps, body, userId);
    const proofs = [{ kind: 'password', at: command.now() }] as const;
    const [opened, customerId] = await Promise.all([
      openSession(request, { userId, proofs }),
      customerOf(request, userId),
    ]);
    const answer = { ...opened, stripe_customer_id: customerId, next_step: 'submit_first_site' as const };
    const emailProof = account.asksProof ? 'unconfirmed' : 'confirmed';
    return new Reply(answer, knownBrowserCookies(deps, { email: body.email, emailProof }));
  },
});

/** How long a sign-up waits for the payment provider, in ms. */
const CUSTOMER_TIMEOUT_MS = 3_000;

/** Null if nothing is sold, or if the customer cannot be created in time; the sign-up follower then creates it. */
async function customerOf(
  { deps, command, log }: Pick<RouteRequest, 'deps' | 'command' | 'log'>,
  userId: string,
): Promise<string | null> {
  if (!deps.payments) return null;
  const made = atProvider({ deps, log }, (payments) => ensureCustomer(command, { userId, payments }), {
    timeoutMs: CUSTOMER_TIMEOUT_MS,
  });
  return made.catch((error: unknown) => {
    log().warn({ err: error, userId }, 'a sign-up has no customer at the payment provider yet');
    return null;
  });
}

/** Only a hash is kept, since a shared link's token would open the link. */
function campaignOf({ source, utm_campaign: name, utm_content: content }: SignupRequest): Campaign {
  const contentHash = content ? createHash('sha256').update(content).digest('hex') : undefined;
  return { ...(source ? { source } : {}), ...(name ? { name } : {}), ...(contentHash ? { contentHash } : {}) };
}

/**
 * Unlike log-in, sign-up reveals that an address has an account: it logs in immediately, so there is no other way to
 * tell its owner why nothing happens. The sign-up limit prevents trying out lists of addresses.
 */
function refuseTakenEmail(error: unknown): never {
  if (error instanceof DomainError && error.code === 'EMAIL_TAKEN') {
    throw new DomainError('EMAIL_TAKEN', 'An account with this email already exists. Please log in instead.');
  }
  throw error;
}

export const getProfile = route({
  method: 'GET',
  path: '/auth/profile',
  access: 'user',
  summary: 'Get the logged-in user',
  response: ProfileResponse,
  handler: async ({ deps, caller }) => {
    const account = await callersAccount(deps, caller.userId);
    return { success: true as const, user: presentUser(account), profile: await profileOf(deps, account) };
  },
});

export const refresh = route({
  method: 'POST',
  path: '/auth/refresh',
  access: 'public',
  summary: 'Exchange a refresh token for new tokens; reusing one ends its session',
  body: RefreshRequest,
  example: { refresh_token: 'the refresh token of a session' },
  response: RefreshResponse,
  refusals: ['SESSION_ENDED', 'RATE_LIMITED'],
  handler: async ({ deps, body, command, limiter, noteSecurity }) => {
    const count = (sessionId: string): Promise<void> => limiter.count('refresh', sessionId);
    const reused = (userId: string): void => noteSecurity('session_reused', { userId });
    const session = await refreshSession(command, {
      refreshToken: body.refresh_token,
      newToken: deps.newToken,
      count,
      reused,
    });
    const tokens = presentSession(session, { id: session.userId, email: session.email }, deps.now());
    const answer = { success: true as const, token: tokens.access_token, session: tokens };
    return afterWrite(deps, { position: session.position, answer }, (shown) => getSession(shown, session.sessionId));
  },
});

export const logout = route({
  method: 'POST',
  path: '/auth/logout',
  access: 'user',
  summary: 'End this session; its tokens stop working at once',
  response: LogoutResponse,
  handler: async ({ deps, caller, command, noteSecurity }) => {
    const { state } = await loadState(command.store, sessionDecider, sessionStream(caller.sessionId));
    const provider = state.status === 'active' ? state.proofs.find(({ kind }) => kind === 'provider') : undefined;
    const { position } = await endSession(command, {
      sessionId: caller.sessionId,
      userId: caller.userId,
      reason: 'logout',
    });
    noteSecurity('logout', { userId: caller.userId });
    const url = await endSessionUrl(deps, provider?.provider ?? null);
    const answer = { success: true as const, message: 'Logged out', ...(url ? { end_session_url: url } : {}) };
    return afterWrite(deps, { position, answer }, (shown) => getSession(shown, caller.sessionId));
  },
});
