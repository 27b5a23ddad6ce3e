/** Talks to OpenID Connect providers. Loaded at the first log-in that needs it. */
import * as client from 'openid-client';
import { type Sso, SsoFault, type SsoPerson, type SsoProvider, ssoPage } from './sso.ts';

const TIMEOUT_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 60;
/** How long a provider's description of itself is kept. Its keys are read again with each log-in. */
const METADATA_MS = 10 * 60_000;
/** At least as long as an attempt may take. */
const ATTEMPT_MS = 11 * 60_000;
/** More of them are ignored. */
const MOST_GROUPS = 1_000;
/** What providers may say of somebody, in characters. */
const MOST_SUBJECT = 255;
const MOST_EMAIL = 254;
const MOST_NAME = 100;

export type OpenIdOptions = {
  readonly appUrl: string;
  /** Of this machine, ms since 1970. */
  readonly now: () => number;
};

export function openIdSso({ appUrl, now }: OpenIdOptions): Omit<Sso, 'providers'> {
  const known = new Map<string, { readonly metadata: Promise<client.ServerMetadata>; readonly until: number }>();

  /** States that came back, so that none counts twice, by when they would have ended. */
  const used = new Map<string, number>();
  function endAttempt(state: string): void {
    for (const [old, until] of used) {
      if (until > now()) break;
      used.delete(old);
    }
    if (used.has(state)) throw new TypeError('this attempt has ended');
    used.set(state, now() + ATTEMPT_MS);
  }

  async function discovered({ issuer, clientId }: SsoProvider): Promise<client.ServerMetadata> {
    const url = new URL(issuer);
    const options = { timeout: TIMEOUT_SECONDS, execute: insecureOf(url) };
    return { ...(await client.discovery(url, clientId, undefined, client.None(), options)).serverMetadata() };
  }

  /** Asked for once by all who need it at the same time. */
  function metadataOf(provider: SsoProvider): Promise<client.ServerMetadata> {
    const kept = known.get(provider.id);
    if (kept && kept.until > now()) return kept.metadata;
    const metadata = discovered(provider);
    known.set(provider.id, { metadata, until: now() + METADATA_MS });
    metadata.catch(() => known.delete(provider.id));
    return metadata;
  }

  /** A new one each time: it has read no keys yet, so that replaced ones are never missed. */
  async function open(provider: SsoProvider): Promise<client.Configuration> {
    const metadata = await metadataOf(provider);
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const secret = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic;
    const config = new client.Configuration(
      metadata,
      provider.clientId,
      {
        [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
        [client.clockSkew]: Math.round((now() - Date.now()) / 1_000),
      },
      secret(provider.clientSecret),
    );
    config.timeout = TIMEOUT_SECONDS;
    for (const apply of insecureOf(new URL(provider.issuer))) apply(config);
    client.enableNonRepudiationChecks(config);
    return config;
  }

  async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw new SsoFault(isUnreachable(error) ? 'unreachable' : 'refused', error);
    }
  }

  return {
    begin: (provider, { state, nonce, verifier }) =>
      asking(async () => {
        const config = await open(provider);
        return client.buildAuthorizationUrl(config, {
          redirect_uri: ssoPage(appUrl, provider.id),
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).href;
      }),
    finish: (provider, { state, nonce, verifier }, answer) =>
      asking(async () => {
        endAttempt(state);
        const config = await open(provider);
        const url = new URL(ssoPage(appUrl, provider.id));
        url.searchParams.set('code', answer.code);
        url.searchParams.set('state', answer.state);
        if (answer.iss !== null) url.searchParams.set('iss', answer.iss);
        const tokens = await client.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new TypeError('the provider sent no ID token');
        const lacks = claims.email === undefined || (provider.adminGroup && claims[provider.groupsClaim] === undefined);
        const more =
          lacks && config.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {};
        return personOf(provider, claims, more);
      }),
    endSession: (provider) =>
      asking(async () => {
        const config = await open(provider);
        if (!config.serverMetadata().end_session_endpoint) return null;
        return client.buildEndSessionUrl(config, { post_logout_redirect_uri: `${appUrl}/login` }).href;
      }),
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** An address and whether it is verified are taken from one source. */
function personOf(provider: SsoProvider, claims: client.IDToken, more: Claims): SsoPerson {
  if (claims.sub.length > MOST_SUBJECT) throw new TypeError('the provider sent too long a subject');
  const { email, email_verified } = claims.email === undefined ? more : (claims as Claims);
  const hasEmail = typeof email === 'string' && email.length > 0 && email.length <= MOST_EMAIL;
  const name = claims.name ?? more.name;
  const groups = claims[provider.groupsClaim] ?? more[provider.groupsClaim];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: hasEmail ? email : null,
    emailVerified: hasEmail && email_verified === true,
    name: typeof name === 'string' ? name.trim().slice(0, MOST_NAME) : '',
    groups: Array.isArray(groups)
      ? groups.slice(0, MOST_GROUPS).filter((group): group is string => typeof group === 'string')
      : [],
  };
}

/** Plain HTTP is accepted of this machine's own providers alone, which the settings have checked. */
const insecureOf = (issuer: URL) => (issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []);

/** Everything else is an answer that was refused, here or there. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof client.ClientError) {
    const { code } = error;
    return (
      code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON'
    );
  }
  return error instanceof TypeError && error.message === 'fetch failed';
}
