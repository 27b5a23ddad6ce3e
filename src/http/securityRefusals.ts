/** Which refused requests are security events, by the error's code: whichever route refuses, and however it came to. */
import { isApiKey } from '../commands/apiKeys/apiKeyTokens.ts';
import { isEmailAddress, maskedEmail, normaliseEmail } from '../model/emailAddress.ts';
import { EMAIL_MAX_LENGTH } from '../model/limits.ts';
import { bearerToken } from './auth/session.ts';
import type { Answer } from './errors.ts';
import { HttpError } from './errors.ts';
import type { IncomingRequest } from './exchange.ts';
import type { AnyRoute } from './route.ts';
import type { SecurityDetails, SecurityEventName } from './securityLog.ts';

const EVENT_OF_CODE: Readonly<Record<string, SecurityEventName>> = {
  INVALID_CREDENTIALS: 'login_refused',
  MFA_CODE_INVALID: 'second_factor_refused',
  MFA_CODE_USED: 'second_factor_refused',
  MFA_CHALLENGE_ENDED: 'second_factor_refused',
  WRONG_PASSWORD: 'password_refused',
  ACCOUNT_DISABLED: 'disabled_account_refused',
  RESET_INVALID: 'reset_refused',
  CONFIRMATION_INVALID: 'confirmation_refused',
  API_KEY_READ_ONLY: 'api_key_refused',
  API_KEY_REPORTS_ONLY: 'api_key_refused',
  SESSION_REQUIRED: 'api_key_refused',
  WEBHOOK_REFUSED: 'webhook_refused',
};

/** Null for a refusal that says nothing about an attack, such as a wrong input or an expired session. */
export function securityEventOf(
  route: Pick<AnyRoute, 'access'>,
  { headers }: Pick<IncomingRequest, 'headers'>,
  { status, body }: Pick<Answer, 'status' | 'body'>,
  error: unknown,
): SecurityEventName | null {
  if (body.code === 'RATE_LIMITED') return limitEventOf(limitIn(error));
  if (route.access === 'admin' && (status === 401 || status === 403)) return 'admin_refused';
  if (error instanceof HttpError && error.details.anothers === true) return 'access_refused';
  if (body.code === 'UNAUTHENTICATED') return isApiKey(bearerToken(headers.authorization) ?? '') ? 'api_key_refused' : null;
  return EVENT_OF_CODE[body.code] ?? null;
}

/** The name of the limit that a request reached. */
export const limitIn = (error: unknown): string | undefined => textIn(error, 'limit');

function textIn(error: unknown, name: string): string | undefined {
  const text = error instanceof HttpError ? error.details[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function limitEventOf(limit: string | undefined): SecurityEventName {
  if (limit?.startsWith('login')) return 'login_limited';
  if (limit?.startsWith('mfa')) return 'second_factor_limited';
  return limit === 'confirm' ? 'password_limited' : 'rate_limited';
}

/** What a line says about a refused request. An email address that was typed is masked; anything else typed there may be a password. */
export function refusalDetails(
  route: Pick<AnyRoute, 'method' | 'path'>,
  { id, body }: Pick<IncomingRequest, 'id' | 'body'>,
  code: string,
  error: unknown,
): SecurityDetails {
  const typed = (body as { readonly email?: unknown } | null | undefined)?.email;
  const email = typeof typed === 'string' && typed.length <= EMAIL_MAX_LENGTH ? normaliseEmail(typed) : '';
  return {
    ...(isEmailAddress(email) ? { account: maskedEmail(email) } : {}),
    ...{ route: `${route.method} ${route.path}`, code, limit: limitIn(error), why: textIn(error, 'why'), requestId: id },
  };
}
