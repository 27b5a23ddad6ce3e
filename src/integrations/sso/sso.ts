/** Single sign-on by OpenID Connect, as the rest of the program sees it. */

/** One provider's settings, which the operator trusts with what they say. */
export type SsoProvider = {
  /** In paths and in events. */
  readonly id: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether people without an account get one. */
  readonly createsAccounts: boolean;
  /** Only people with a verified address of these domains, lower case; empty: of any. */
  readonly domains: readonly string[];
  /** Its members administer the installation; null: nobody does for a group. */
  readonly adminGroup: string | null;
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string;
};

/** Secrets of one attempt, which bind the provider's answer to it. */
export type SsoAttempt = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** What the provider's redirect carried. `iss`: null if it named no issuer. */
export type SsoAnswer = { readonly code: string; readonly state: string; readonly iss: string | null };

export type SsoPerson = {
  readonly issuer: string;
  /** Theirs for good, at this issuer. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
};

export type Sso = {
  /** In the operator's order. */
  readonly providers: readonly SsoProvider[];
  /** Where the browser is sent. @throws SsoFault */
  begin(provider: SsoProvider, attempt: SsoAttempt): Promise<string>;
  /** Exchanges the code, once, and checks everything that the provider says. @throws SsoFault */
  finish(provider: SsoProvider, attempt: SsoAttempt, answer: SsoAnswer): Promise<SsoPerson>;
  /** Where the browser is sent to log out there; null if the provider has no such page. @throws SsoFault */
  endSession(provider: SsoProvider): Promise<string | null>;
};

/** `unreachable`: no usable answer in time. `refused`: an answer that must not be trusted, or a code it refuses. */
export class SsoFault extends Error {
  readonly kind: 'unreachable' | 'refused';
  constructor(kind: SsoFault['kind'], cause: unknown) {
    super(`the provider is ${kind === 'refused' ? 'not to be trusted in this' : 'unreachable'}`, { cause });
    this.name = 'SsoFault';
    this.kind = kind;
  }
}

/** The page of the web app that a provider leads back to: one per provider, so that answers cannot be mixed up. */
export const ssoPage = (appUrl: string, providerId: string): string => `${appUrl}/login/sso/${providerId}`;
