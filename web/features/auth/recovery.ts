/** Account recovery: requesting the email, its link, the new password. All without a session. */
import type {
  AuthSessionResponse,
  UpdatePasswordResponse,
  VerifyRecoveryResponse,
} from '../../../src/http/contract/recovery.ts';
import { callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { raiseSessionEvent } from '../../api/sessionEvents.ts';

/** Tokens from the link, kept for this tab only, so that a reload works without opening the email again. */
interface LinkTokens {
  readonly access: string;
  readonly refresh: string;
}

/** For an answer without a message. */
const PASSWORD_SET = 'Your password was changed. Please log in with it.';

const ACCESS = 'recovery_token';
const REFRESH = 'recovery_refresh_token';

export async function requestPasswordReset(email: string): Promise<ApiFailure | null> {
  return (
    (await callApi({ path: '/api/v1/auth/reset-password', method: 'POST', body: { email } }, null)).failure ?? null
  );
}

/** From the link's hash, or the stored ones; null if none. */
export function linkTokens(hash: string): LinkTokens | null {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const [access, refresh] = [fragment.get('access_token'), fragment.get('refresh_token')];
  if (access && refresh) {
    keep(ACCESS, access);
    keep(REFRESH, refresh);
    return { access, refresh };
  }
  const kept = [stored(ACCESS), stored(REFRESH)] as const;
  return kept[0] && kept[1] ? { access: kept[0], refresh: kept[1] } : null;
}

export function forgetLink(): void {
  keep(ACCESS, null);
  keep(REFRESH, null);
}

/** `email`: of the account whose password is being reset; null if the answer does not name it. */
export type Link =
  | { readonly state: 'valid'; readonly email: string | null }
  | { readonly state: 'invalid' | 'unreachable' };

/** Without tokens, the cookie of an earlier visit may still be valid. */
export async function verifyLink(tokens: LinkTokens | null): Promise<Link> {
  if (!tokens) {
    const { data, failure } = await callApi({ path: '/api/v1/auth/session' }, null);
    if (failure) return linkAfter(failure);
    const { recovery, user } = data as Partial<AuthSessionResponse>;
    return recovery !== false && user ? { state: 'valid', email: user.email } : { state: 'invalid' };
  }
  const body = { access_token: tokens.access, refresh_token: tokens.refresh };
  const { data, failure } = await callApi({ path: '/api/v1/auth/verify-recovery-token', method: 'POST', body }, null);
  // Agreed is only `success`: the user is an extra of our own server.
  if (!failure) {
    raiseSessionEvent('password_recovery');
    return { state: 'valid', email: (data as Partial<VerifyRecoveryResponse>).user?.email ?? null };
  }
  const link = linkAfter(failure);
  if (link.state === 'invalid') forgetLink();
  return link;
}

const linkAfter = ({ status }: ApiFailure): Link => ({
  state: status === 400 || status === 401 ? 'invalid' : 'unreachable',
});

type Outcome =
  | { readonly redirect: string | null; readonly message: string; readonly failure?: undefined }
  | { readonly failure: ApiFailure };

export async function setNewPassword(tokens: LinkTokens | null, password: string): Promise<Outcome> {
  const { data, failure } = await callApi(
    { path: '/api/v1/auth/update-password', method: 'POST', body: { password } },
    tokens?.access ?? null,
  );
  if (failure) return { failure };
  forgetLink();
  const { message = PASSWORD_SET, data: next } = data as Partial<UpdatePasswordResponse>;
  return { message, redirect: next?.redirect ?? null };
}

/** Where storage is blocked, a reload needs the link from the email again. */
function keep(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked.
  }
}

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
