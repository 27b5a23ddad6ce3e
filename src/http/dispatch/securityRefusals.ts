/** Which refused requests are security events, by the error's code: whichever route refuses, and however it came to. */
import { isApiKey } from '../../commands/apiKeys/apiKeyTokens.ts';
import { isEmailAddress, maskedEmail, normaliseEmail } from '../../model/emailAddress.ts';
import { EMAIL_MAX_LENGTH } from '../../model/limits.ts';
import { bearerToken } from '../auth/session.ts';
import { answerError, HttpError } from '../request/errors.ts';
import type { IncomingRequest } from '../request/exchange.ts';
import type { Access } from '../routing/route.ts';
import type { SecurityEventName, SecurityLog } from '../usage/securityLog.ts';

const EVENT_OF_CODE: Readonly<Record<string, SecurityEventName>> = {
  INVALID_CREDENTIALS: 'login_refused',
  PASSKEY_INVALID: 'login_refused',
  LOG_IN_CODE_INVALID: 'login_refused',
  LOG_IN_LINK_INVALID: 'login_refused',
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

type Refused = {
  /** Absent if the request was refused before its route was known. */
  readonly route?: { readonly access: Access; readonly method: string; readonly path: string };
  readonly request: Pick<IncomingRequest, 'id' | 'address' | 'headers'> & { readonly body?: unknown };
  readonly error: unknown;
  readonly userId?: string | null;
};

/** Notes a refused request if it is a security event. */
export function noteRefusal(securityLog: Pick<SecurityLog, 'note'>, { route, request, error, userId }: Refused): void {
  const { status, body } = answerError(error, request.id);
  const event = securityEventOf(route?.access ?? 'public', request, status, body.code, error);
  if (!event) return;
  securityLog.note(event, request.address, {
    userId: userId ?? undefined,
    account: accountIn(request.body),
    route: route && `${route.method} ${route.path}`,
    code: body.code,
    limit: limitIn(error),
    why: textIn(error, 'why'),
    requestId: request.id,
  });
}

/** Null for a refusal that says nothing about an attack, such as a wrong input or an expired session. */
function securityEventOf(
  access: Access,
  { headers }: Refused['request'],
  status: number,
  code: string,
  error: unknown,
): SecurityEventName | null {
  if (code === 'RATE_LIMITED') return limitEventOf(limitIn(error));
  // Of the server as a whole: for checking passwords it has a queue of its own.
  if (code === 'BUSY') return error instanceof HttpError ? 'rate_limited' : 'login_limited';
  if (access === 'admin' && (status === 401 || status === 403)) return 'admin_refused';
  if (error instanceof HttpError && error.details.anothers === true) return 'access_refused';
  if (code === 'UNAUTHENTICATED') return isApiKey(bearerToken(headers.authorization) ?? '') ? 'api_key_refused' : null;
  return EVENT_OF_CODE[code] ?? null;
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

/** An email address that was typed, masked. Anything else that was typed in its place may be a password. */
function accountIn(body: unknown): string | undefined {
  const typed = (body as { readonly email?: unknown } | null | undefined)?.email;
  const email = typeof typed === 'string' && typed.length <= EMAIL_MAX_LENGTH ? normaliseEmail(typed) : '';
  return isEmailAddress(email) ? maskedEmail(email) : undefined;
}
