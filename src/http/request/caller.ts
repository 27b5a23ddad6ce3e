import type { ApiKeyScope } from '../../model/programs.ts';

/** Who sent a request. */
export type Caller = {
  readonly userId: string;
  /** The session's id, or the id of the key used instead. */
  readonly sessionId: string;
  /** When the user logged in, or the key was created. */
  readonly startedAt: string;
  readonly accessExpiresAt: string;
  /** Set when the caller is a program with an API key. */
  readonly apiKey?: { readonly keyId: string; readonly scope: ApiKeyScope; readonly lastUsedAt: string | null };
};
