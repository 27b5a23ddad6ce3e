/**
 * The session's tokens in the browser's storage, shared by all tabs. Nothing else in the app touches these keys.
 */
import type { SessionTokens } from '../../src/http/contract/auth.ts';

const ACCESS = 'auth_token';
const REFRESH = 'auth_refresh_token';
const RENEWAL = 'auth_renewal_at';

/** A token is renewed so long before its end, a short one at half its life. */
export const AHEAD_SECONDS = 300;

/** Where storage is closed to the page, the session lives as long as the tab. */
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

/** When the tokens are to be renewed: milliseconds since 1970 by this machine's clock; null when unknown. */
export function renewalDueAt(): number | null {
  const time = Number(read(RENEWAL));
  return time > 0 ? time : null;
}

/**
 * The access token goes last: other tabs wake up on it and then find the rest in place. Its renewal is reckoned from its length of life,
 * as this machine's clock may differ from the server's.
 */
export function storeTokens(tokens: Pick<SessionTokens, 'access_token' | 'refresh_token' | 'expires_in'>): void {
  write(REFRESH, tokens.refresh_token);
  const wait = Math.max(tokens.expires_in - AHEAD_SECONDS, tokens.expires_in / 2);
  write(RENEWAL, String(Date.now() + wait * 1000));
  write(ACCESS, tokens.access_token);
}

export function clearTokens(): void {
  write(REFRESH, null);
  write(RENEWAL, null);
  write(ACCESS, null);
}

/** Calls back when another tab logs in (a token), out (null) or renews. Returns how to stop. */
export function onTokensChangedElsewhere(listener: (token: string | null) => void): () => void {
  const heard = (event: StorageEvent): void => {
    // A null key: the whole storage was cleared.
    if (event.key === ACCESS || event.key === null) listener(event.key === null ? null : event.newValue);
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}
