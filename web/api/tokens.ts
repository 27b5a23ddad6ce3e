/** The session's tokens in browser storage, shared by all tabs. Nothing else in the app touches these keys. */
import type { SessionTokens } from '../../src/http/contract/auth.ts';

const ACCESS = 'auth_token';
const REFRESH = 'auth_refresh_token';
const RENEWAL = 'auth_renewal_at';

/** How long before its expiry a token is renewed; a short-lived one is renewed at half its life. */
export const AHEAD_SECONDS = 300;

/** Where storage is blocked, the session lasts as long as the tab. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}

export const accessToken = (): string | null => read(ACCESS);
export const refreshToken = (): string | null => read(REFRESH);

/** When to renew the tokens, in ms since the epoch by this machine's clock; null when unknown. */
export function renewalDueAt(): number | null {
  const time = Number(read(RENEWAL));
  return time > 0 ? time : null;
}

/**
 * The access token is written last: other tabs react to it and must find the rest in place. Renewal is computed from
 * its lifetime, since this machine's clock may differ from the server's.
 */
export function storeTokens(tokens: Pick<SessionTokens, 'access_token' | 'refresh_token' | 'expires_in'>): void {
  write(REFRESH, tokens.refresh_token);
  const wait = Math.max(tokens.expires_in - AHEAD_SECONDS, tokens.expires_in / 2);
  write(RENEWAL, String(Date.now() + wait * 1000));
  write(ACCESS, tokens.access_token);
}

/** Of an answer that has nothing to renew it with: the session lasts as long as this token. */
export function storeAccessToken(token: string): void {
  write(REFRESH, null);
  write(RENEWAL, null);
  write(ACCESS, token);
}

export function clearTokens(): void {
  write(REFRESH, null);
  write(RENEWAL, null);
  write(ACCESS, null);
}

/** Of a session that another tab has ended: those of this tab alone. The stored ones may be of the next session. */
export const forgetTabsTokens = (): void => memory.clear();

/** Called when another tab logs in (a token), logs out (null) or renews. Returns an unsubscribe function. */
export function onTokensChangedElsewhere(listener: (token: string | null) => void): () => void {
  const heard = (event: StorageEvent): void => {
    // A null key means that all storage was cleared.
    if (event.key === ACCESS || event.key === null) listener(event.key === null ? null : event.newValue);
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}
