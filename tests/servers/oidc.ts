/** A real OpenID Connect provider on its own port, with people that tests choose. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: it has no types.
import Provider from 'oidc-provider';

export type OidcPerson = {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
};

export type OidcServer = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The next person who logs in, by their subject. */
  becomes(subject: string, person: OidcPerson): void;
  /** Other keys from now on, as after a restart with them. */
  rotateKeys(): void;
  close(): Promise<void>;
};

export async function startOidc(redirectUris: readonly string[]): Promise<OidcServer> {
  const people = new Map<string, OidcPerson>();
  let current = '';
  const clientId = `client-${randomUUID()}`;
  const clientSecret = randomUUID();
  const server: Server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let provider = made();

  function made() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: redirectUris,
          post_logout_redirect_uris: redirectUris.map((uri) => `${new URL(uri).origin}/login`),
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() }] },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...people.get(accountId) }),
      }),
      // Nobody is asked for consent.
      loadExistingGrant: async (context: GrantContext) => {
        const { client, session } = context.oidc;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: current } });
  }

  return {
    issuer,
    clientId,
    clientSecret,
    becomes(subject, person) {
      people.set(subject, person);
      current = subject;
    },
    rotateKeys() {
      provider = made();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type GrantContext = {
  readonly oidc: { readonly client: { readonly clientId: string }; readonly session: { readonly accountId: string } };
};

/** Follows a provider's redirects as a browser would, with its cookies, until one leads to the page `back`. */
export async function followLogIn(url: string, back: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let at = url, hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`${answer.status} without a redirect: ${await answer.text()}`);
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const to = new URL(next, at);
    if (to.href.startsWith(back)) return to;
    at = to.href;
  }
  throw new Error('too many redirects');
}
