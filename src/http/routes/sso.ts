/** Single sign-on at OpenID Connect providers, and the identities of an account there. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { loadState } from '../../commands/handle.ts';
import { enterByProvider, settleProviderAdmin } from '../../commands/logIn/enterByProvider.ts';
import { linkIdentity, type ProviderIdentity, unlinkIdentity } from '../../commands/logIn/identities.ts';
import { DomainError } from '../../domain/decider.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { type Identity, logInDecider } from '../../domain/logIn/logIn.ts';
import { type Sso, SsoFault, type SsoPerson, type SsoProvider } from '../../integrations/sso/sso.ts';
import { getAccount, listAdmins } from '../../projections/accounts.ts';
import { confirmOwner, hasOtherWay } from '../auth/confirmPassword.ts';
import { keepIfOpen } from '../auth/keepIfOpen.ts';
import { finishLogIn } from '../auth/openSession.ts';
import { isSameText } from '../auth/signedCookie.ts';
import { beginSso, continuedSso, SSO_ENDED, type SsoPurpose } from '../auth/ssoAttempt.ts';
import { LoginAnswer } from '../contract/auth.ts';
import {
  IdentitiesResponse,
  IdentityAddedResponse,
  IdentityRemovalRequest,
  IdentityRemovedResponse,
  IdentityStartRequest,
  type IdentityView,
  SsoFinishRequest,
  SsoParams,
  SsoStartResponse,
} from '../contract/logIn.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import { Reply } from '../request/reply.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

const ANSWER = { code: 'the code of the address', state: 'the state of the address' };
/** How long a log-out waits for a provider. */
const END_SESSION_MS = 3_000;
const REFUSALS = ['SSO_PROVIDER_NOT_FOUND', 'SSO_UNAVAILABLE', 'RATE_LIMITED'];

export const startSso = route({
  method: 'POST',
  path: '/auth/sso/{provider}/start',
  access: 'public',
  summary: 'Begin to log in at a provider of single sign-on: the response says where the browser is to go',
  params: SsoParams,
  response: SsoStartResponse,
  limit: 'recovery',
  refusals: REFUSALS,
  handler: async (request) => begin(request, { provider: request.params.provider, userId: null }),
});

export const finishSso = route({
  method: 'POST',
  path: '/auth/sso/{provider}/finish',
  access: 'public',
  summary:
    'Log in with what the provider’s redirect carried, in the browser that began; with two-factor authentication, the response asks for a code',
  params: SsoParams,
  body: SsoFinishRequest,
  example: ANSWER,
  response: LoginAnswer,
  limit: 'recovery',
  refusals: [
    ...REFUSALS,
    'SSO_REFUSED',
    'IDENTITY_NOT_ALLOWED',
    'IDENTITY_UNVERIFIED',
    'IDENTITY_UNKNOWN',
    'IDENTITY_NOT_LINKED',
    'MFA_UNAVAILABLE',
    'ACCOUNT_DISABLED',
  ],
  handler: async (request) => {
    const { deps, command, noteSecurity, params } = request;
    const { adminEmail } = deps.config;
    const { provider, person } = await finish(request, { provider: params.provider, userId: null });
    const { id, label, createsAccounts, adminGroup } = provider;
    const { account, isNew, position } = await enterByProvider(command, {
      identity: identityOf(provider, person),
      emailVerified: person.emailVerified,
      name: person.name,
      label,
      createsAccounts,
      ...(adminEmail ? { adminEmail } : {}),
    });
    const { userId } = account;
    if (isNew) noteSecurity('signup', { userId });
    const isMember = adminGroup !== null && person.groups.includes(adminGroup);
    await afterWrite(deps, { position, answer: null }, (shown) => getAccount(shown, userId));
    await settleAdmin(request, { userId, provider: id, isMember });
    const answer = await finishLogIn(request, {
      account,
      proof: { kind: 'provider', at: command.now(), provider: id },
    });
    return answer instanceof Reply
      ? new Reply(answer.body, [...answer.cookies, SSO_ENDED])
      : new Reply(answer, [SSO_ENDED]);
  },
});

export const getIdentities = route({
  method: 'GET',
  path: '/auth/identities',
  access: 'user',
  summary: 'List your identities at providers of single sign-on, and the providers that are offered',
  response: IdentitiesResponse,
  handler: async ({ deps, command, caller }) => {
    const { state } = await loadState(command.store, logInDecider, logInStream(caller.userId));
    return {
      success: true as const,
      identities: Object.values(state.identities).map((identity) => presentIdentity(deps, identity)),
      providers: (deps.sso?.providers ?? []).map(({ id, label }) => ({ id, label })),
    };
  },
});

export const startIdentity = route({
  method: 'POST',
  path: '/auth/identities/{provider}/start',
  access: 'user',
  secret: true,
  summary: 'Begin to add an identity to your account: the response says where the browser is to go',
  params: SsoParams,
  body: IdentityStartRequest,
  example: { password: 'a good password' },
  response: SsoStartResponse,
  refusals: [...REFUSALS, 'WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'BUSY'],
  handler: async (request) => {
    await confirmOwner(request, request.body.password);
    return begin(request, { provider: request.params.provider, userId: request.caller.userId });
  },
});

export const finishIdentity = route({
  method: 'POST',
  path: '/auth/identities/{provider}/finish',
  access: 'user',
  secret: true,
  summary: 'Add an identity with what the provider’s redirect carried, in the browser and as the user that began',
  params: SsoParams,
  body: SsoFinishRequest,
  example: ANSWER,
  response: IdentityAddedResponse,
  refusals: [
    ...REFUSALS,
    'SSO_REFUSED',
    'IDENTITY_NOT_ALLOWED',
    'IDENTITY_UNVERIFIED',
    'identity_already_exists',
    'TOO_MANY_IDENTITIES',
    'SESSION_ENDED',
  ],
  handler: async (request) => {
    const { deps, command, caller, noteSecurity, params } = request;
    const { userId } = caller;
    const { provider, person } = await finish(request, { provider: params.provider, userId });
    if (!person.emailVerified) {
      const text = `${provider.label} doesn’t say that your email address there is yours, so it can’t be added.`;
      throw new DomainError('IDENTITY_UNVERIFIED', text);
    }
    const { identityId } = await linkIdentity(command, { ...identityOf(provider, person), userId });
    await keepIfOpen(request, () =>
      unlinkIdentity(command, { userId, identityId, reason: 'owner', hasOtherWay: true }),
    );
    noteSecurity('identity_added', { userId });
    const { state } = await loadState(command.store, logInDecider, logInStream(userId));
    const added = state.identities[identityId];
    if (!added) throw refused();
    return new Reply({ success: true as const, identity: presentIdentity(deps, added) }, [SSO_ENDED]);
  },
});

export const deleteIdentity = route({
  method: 'DELETE',
  path: '/auth/identities/{identityId}',
  access: 'user',
  secret: true,
  summary: 'Remove an identity from your account; not your only way to log in',
  params: z.object({ identityId: z.string().min(1).max(64) }),
  body: IdentityRemovalRequest,
  example: { password: 'a good password' },
  response: IdentityRemovedResponse,
  refusals: [
    'identity_not_found',
    'single_identity_not_deletable',
    'WRONG_PASSWORD',
    'RECENT_LOGIN_REQUIRED',
    'RATE_LIMITED',
    'BUSY',
  ],
  handler: async (request) => {
    const { deps, body, command, caller, noteSecurity, params } = request;
    const { userId } = caller;
    const account = await confirmOwner(request, body.password);
    const { provider } = await unlinkIdentity(command, {
      userId,
      identityId: params.identityId,
      reason: 'owner',
      hasOtherWay: hasOtherWay(account, deps.config),
    });
    noteSecurity('identity_removed', { userId });
    // Its group could no longer take what it gave.
    await settleAdmin(request, { userId, provider, isMember: false });
    return { success: true as const, message: 'Removed' };
  },
});

/** Gives or takes the admin right by the provider's group; the read models show it by then. */
async function settleAdmin(
  { deps, command, noteSecurity }: Pick<RouteRequest, 'deps' | 'command' | 'noteSecurity'>,
  of: { readonly userId: string; readonly provider: string; readonly isMember: boolean },
): Promise<void> {
  const { userId } = of;
  const { adminEmail } = deps.config;
  const settled = await settleProviderAdmin(command, {
    ...of,
    adminEmail,
    listAdmins: () => listAdmins(deps.readModels),
  });
  if (!settled) return;
  noteSecurity(settled.isAdmin ? 'admin_granted' : 'admin_revoked', { userId, by: 'provider' });
  await afterWrite(deps, { position: settled.position, answer: null }, (shown) => getAccount(shown, userId));
}

/** The address that logs out at the provider which opened the session, too; null if there is none in time. */
export async function endSessionUrl({ sso }: Pick<HttpDeps, 'sso'>, providerId: string | null): Promise<string | null> {
  const provider = sso?.providers.find(({ id }) => id === providerId);
  if (!sso || !provider) return null;
  const known = sso.endSession(provider).catch(() => null);
  return Promise.race([known, wait(END_SESSION_MS, null, { ref: false })]);
}

type SsoRequest = Pick<RouteRequest, 'deps' | 'log'>;

async function begin(request: SsoRequest, purpose: SsoPurpose) {
  const { sso, provider } = providerOf(request.deps, purpose.provider);
  const { attempt, cookie } = beginSso(request.deps, purpose);
  const url = await atSso(request, () => sso.begin(provider, attempt));
  return new Reply({ success: true as const, url }, [cookie]);
}

/** What the provider says of the person, who must be of an allowed domain. */
async function finish(
  request: SsoRequest & Pick<RouteRequest<unknown, unknown, SsoFinishRequest>, 'body' | 'cookies'>,
  purpose: SsoPurpose,
): Promise<{ readonly provider: SsoProvider; readonly person: SsoPerson }> {
  const { deps, body, cookies } = request;
  const { sso, provider } = providerOf(deps, purpose.provider);
  const attempt = continuedSso(deps, cookies, purpose);
  if (!attempt || !isSameText(body.state, attempt.state)) throw refused();
  const answer = { code: body.code, state: body.state, iss: body.iss ?? null };
  const person = await atSso(request, () => sso.finish(provider, attempt, answer));
  if (!isAllowed(provider, person)) {
    const text = `${provider.label} may be used here only with a confirmed address of these domains: ${provider.domains.join(', ')}.`;
    throw new DomainError('IDENTITY_NOT_ALLOWED', text);
  }
  return { provider, person };
}

const identityOf = (provider: SsoProvider, { issuer, subject, email }: SsoPerson): ProviderIdentity => ({
  provider: provider.id,
  issuer,
  subject,
  email,
});

function isAllowed(
  { domains }: SsoProvider,
  { email, emailVerified }: Pick<SsoPerson, 'email' | 'emailVerified'>,
): boolean {
  if (domains.length === 0) return true;
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
  return emailVerified && domains.includes(domain);
}

function providerOf({ sso }: HttpDeps, id: string): { readonly sso: Sso; readonly provider: SsoProvider } {
  const provider = sso?.providers.find((each) => each.id === id);
  if (!sso || !provider) throw new HttpError('SSO_PROVIDER_NOT_FOUND', 'This way to log in is not offered here.');
  return { sso, provider };
}

/** @throws HttpError SSO_UNAVAILABLE, SSO_REFUSED */
async function atSso<Result>({ log }: SsoRequest, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SsoFault)) throw error;
    log().warn({ why: causesOf(error) }, error.message);
    throw error.kind === 'refused' ? refused() : unavailable();
  }
}

/** Messages and codes alone: what an error carries besides may hold tokens. */
function causesOf(error: unknown): readonly string[] {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause)
    texts.push([(at as { code?: unknown }).code, at.message].filter((text) => typeof text === 'string').join(': '));
  return texts;
}

const refused = (): HttpError =>
  new HttpError('SSO_REFUSED', 'This log-in can’t be used, or was used already. Please begin again.');
const unavailable = (): HttpError =>
  new HttpError('SSO_UNAVAILABLE', 'We couldn’t reach this provider. Please try again, or log in another way.');

/** `label`: the id, where the provider is no longer set up. */
function presentIdentity({ sso }: HttpDeps, identity: Identity): IdentityView {
  const offered = sso?.providers.find(
    ({ id, issuer }) => id === identity.provider && trimmed(issuer) === trimmed(identity.issuer),
  );
  return {
    id: identity.identityId,
    provider: identity.provider,
    label: offered?.label ?? identity.provider,
    email: identity.email,
    added_at: identity.linkedAt,
    last_used_at: identity.lastUsedAt,
    offered: offered !== undefined && isAllowed(offered, { email: identity.email, emailVerified: true }),
  };
}

const trimmed = (issuer: string): string => issuer.replace(/\/$/, '');
