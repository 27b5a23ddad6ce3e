/** Maps error codes to HTTP statuses, and defines the one shape of error responses. */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type * as z from 'zod';
import { DomainError } from '../../domain/decider.ts';
import type { AnalystScope } from '../../model/programs.ts';
import type { ErrorBody } from '../contract/errors.ts';
import { logOf } from './log.ts';

/** Codes of the domain, the stores and this layer. A domain code missing here is a broken business rule: 422. */
export const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  INVALID_INPUT: 400,
  INVALID_REQUEST: 400,
  INVALID_TARGET: 400,
  INVALID_JSON: 400,
  TOO_MANY_PARAMETERS: 400,
  BODY_TOO_COMPLEX: 400,
  INVALID_URL: 400,
  INVALID_CURSOR: 400,
  INVALID_CREDENTIALS: 401,
  UNAUTHENTICATED: 401,
  SESSION_ENDED: 401,
  ADMIN_SESSION_EXPIRED: 401,
  RESET_INVALID: 401,
  MFA_CHALLENGE_ENDED: 401,
  LOG_IN_CODE_INVALID: 401,
  LOG_IN_LINK_INVALID: 401,
  PASSKEY_INVALID: 401,
  PRICE_UNKNOWN: 400,
  DISCOUNT_INVALID: 400,
  WEBHOOK_REFUSED: 400,
  INSUFFICIENT_CREDITS: 402,
  PAYMENT_FAILED: 402,
  FORBIDDEN: 403,
  FEATURE_ACCESS_DENIED: 403,
  IDENTITY_UNVERIFIED: 403,
  IDENTITY_NOT_ALLOWED: 403,
  IDENTITY_UNKNOWN: 403,
  API_KEY_READ_ONLY: 403,
  API_KEY_REPORTS_ONLY: 403,
  SESSION_REQUIRED: 403,
  ACCOUNT_DISABLED: 403,
  EMAIL_NOT_CONFIRMED: 403,
  SHARING_RESTRICTED: 403,
  WRONG_PASSWORD: 403,
  PASSWORD_REQUIRED: 403,
  RECENT_LOGIN_REQUIRED: 403,
  MFA_CODE_INVALID: 403,
  MFA_CODE_USED: 403,
  MFA_REQUIRED: 403,
  NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  FINDINGS_NOT_FOUND: 404,
  CHECK_NOT_FOUND: 404,
  PAGE_NOT_FOUND: 404,
  ACTION_NOT_FOUND: 404,
  ANALYSIS_TOO_OLD: 404,
  ACCOUNT_NOT_FOUND: 404,
  PASSKEY_NOT_FOUND: 404,
  SSO_PROVIDER_NOT_FOUND: 404,
  identity_not_found: 404,
  API_KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  SHARE_NOT_FOUND: 404,
  SEQUENCE_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  UNSUBSCRIBE_INVALID: 404,
  CONFIRMATION_INVALID: 404,
  PAYMENT_NOT_FOUND: 404,
  PROMPT_NOT_FOUND: 404,
  REPORT_NOT_FOUND: 404,
  EVENT_EXPORT_NOT_FOUND: 404,
  PROMPT_VERSION_NOT_FOUND: 404,
  EXPORT_NOT_FOUND: 404,
  NOTHING_YET: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMED_OUT: 408,
  CONFLICT: 409,
  OWN_ADMIN_RIGHT: 409,
  LAST_ADMIN: 409,
  MFA_ALREADY_ON: 409,
  PASSKEY_EXISTS: 409,
  PASSKEYS_UNAVAILABLE: 409,
  PASSKEY_REFUSED: 409,
  TOO_MANY_PASSKEYS: 409,
  LAST_WAY_IN: 409,
  SSO_REFUSED: 409,
  IDENTITY_NOT_LINKED: 409,
  identity_already_exists: 409,
  single_identity_not_deletable: 409,
  TOO_MANY_IDENTITIES: 409,
  MFA_SETUP_ENDED: 409,
  MFA_NOT_ON: 409,
  ADMIN_CONFIGURED: 409,
  EMAIL_UNCONFIRMED: 409,
  REVISION_CONFLICT: 409,
  EMAIL_TAKEN: 409,
  TOO_MANY_API_KEYS: 409,
  EMAIL_CHANGE_SUPERSEDED: 409,
  TOO_MANY_CONFIRMATIONS: 409,
  TOO_MANY_WEBHOOKS: 409,
  TOO_MANY_TEMPLATES: 409,
  STEP_TAKEN: 409,
  SEQUENCE_ACTIVE: 409,
  SEQUENCE_EMPTY: 409,
  NO_MAIL: 409,
  DELIVERY_PENDING: 409,
  JOB_ALREADY_FINISHED: 409,
  JOB_NOT_FAILED: 409,
  JOB_NOT_FINISHED: 409,
  ANALYSIS_WITHOUT_RESULT: 409,
  NOT_COMPARABLE: 409,
  NOTHING_TO_UNDO: 409,
  NOT_OPTIONAL: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  ALREADY_SHOWN: 409,
  SHARE_ALREADY_CREATED: 409,
  ALREADY_UNLOCKED: 409,
  MAIL_NOT_RESENDABLE: 409,
  PROMPT_CHANGED: 409,
  TEMPLATE_CHANGED: 409,
  PROMPT_TRIAL_PENDING: 409,
  EXPORT_TOO_LARGE: 409,
  NO_MODEL: 409,
  PAYMENT_NOT_SUCCEEDED: 409,
  CURRENCY_MISMATCH: 409,
  SUBSCRIPTION_EXISTS: 409,
  PLAN_CHANGED: 409,
  SAME_PLAN: 409,
  NOT_SUSPENDED: 409,
  PLAN_ON_HOLD: 409,
  NO_SUBSCRIPTION: 409,
  NO_CUSTOMER: 409,
  NOTHING_TO_REACTIVATE: 409,
  NO_SUCH_WORK: 409,
  WORK_ALREADY_OVER: 409,
  WORK_NOT_RETRYABLE: 409,
  NOT_PARKED: 409,
  BODY_TOO_LARGE: 413,
  TARGET_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TEMPLATE_INVALID: 422,
  RATE_LIMITED: 429,
  REPORT_RUNNING: 429,
  EVENT_EXPORTS_RUNNING: 429,
  HEADERS_TOO_LARGE: 431,
  CLIENT_GONE: 499,
  BUSY: 503,
  MFA_UNAVAILABLE: 503,
  SSO_UNAVAILABLE: 503,
  PAYMENTS_UNAVAILABLE: 503,
  PSEUDONYMS_UNAVAILABLE: 503,
  NOT_SHOWN_YET: 503,
  WORK_NOT_LISTED: 503,
  TIMED_OUT: 503,
  REPORT_TOO_LONG: 503,
  GIVEN_UP: 503,
  STORE_CLOSED: 503,
  STORE_UNAVAILABLE: 503,
  READ_MODELS_CLOSED: 503,
  READ_MODELS_UNAVAILABLE: 503,
};

/** Public texts for codes whose own message describes server internals. */
const PUBLIC_TEXT: Readonly<Record<string, string>> = {
  REVISION_CONFLICT: 'This was changed by somebody else at the same moment. Please try again.',
  STORE_CLOSED: 'The server is stopping. Please try again in a moment.',
  STORE_UNAVAILABLE: 'The server cannot reach its data at the moment. Please try again shortly.',
  READ_MODELS_CLOSED: 'The server is stopping. Please try again in a moment.',
  READ_MODELS_UNAVAILABLE: 'The server cannot reach its data at the moment. Please try again shortly.',
  INVALID_CURSOR: 'The cursor is not one of this list.',
};

export const UNEXPECTED_TEXT = 'Something went wrong on our side. Please try again.';

/** A refusal decided in this layer. Its text is written for users and always sent. */
export class HttpError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: string,
    message: string,
    options: {
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.code = code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

export const unauthenticated = (): HttpError =>
  new HttpError('UNAUTHENTICATED', 'Authentication required', { headers: { 'WWW-Authenticate': 'Bearer' } });
export const adminOnly = (): HttpError => new HttpError('FORBIDDEN', 'Access denied. Admin privileges required.');
export const secondFactorRequired = (): HttpError =>
  new HttpError(
    'MFA_REQUIRED',
    'Admins need two-factor authentication here. Turn it on in your account or, if it is on, enter a code to continue.',
  );
/** `reason`: which of the two links it is, because only one to an account's own address offers a new password. */
export function passwordRequired(moves: boolean): HttpError {
  const [reason, text] = moves
    ? [
        'new_address',
        'This link belongs to another account. Log in to that account or enter its password to confirm the address.',
      ]
    : ['own_address', 'Enter the password of your account to confirm your email address, or log in first.'];
  return new HttpError('PASSWORD_REQUIRED', text, { details: { reason } });
}
/** The session goes on for everything else. */
export const adminSessionExpired = (): HttpError =>
  new HttpError('ADMIN_SESSION_EXPIRED', 'Your admin access has timed out. Please log in again to continue.');
export const readOnlyKey = (): HttpError =>
  new HttpError('API_KEY_READ_ONLY', 'This API key may only read. Make one with the scope "write" to change anything.');
export const reportsOnlyKey = (scope: AnalystScope): HttpError =>
  new HttpError(
    'API_KEY_REPORTS_ONLY',
    scope === 'events:read'
      ? 'This API key only opens reports and anonymized events.'
      : 'This API key only opens reports.',
  );
export const sessionRequired = (): HttpError =>
  new HttpError('SESSION_REQUIRED', 'This is not open to API keys. Log in and use the access token of your session.');
export const notFound = (): HttpError => new HttpError('NOT_FOUND', 'Not found');
/** Also used for another user's job, to avoid revealing that it exists; `anothers` is for the security log alone. */
export const jobNotFound = (details: { readonly anothers?: boolean } = {}): HttpError =>
  new HttpError('JOB_NOT_FOUND', 'Job not found', { details });
/** A repeat of a request whose answer held a secret. `text`: what was made, and how to replace it. */
export const alreadyShown = (text: string): HttpError => new HttpError('ALREADY_SHOWN', text);
export const fileNotFound = (): HttpError => new HttpError('FILE_NOT_FOUND', 'This job has no such file');
/** Also used for an item that a preview holds back. */
export const actionNotFound = (): HttpError => new HttpError('ACTION_NOT_FOUND', 'Action not found');
/** `limit`: its name, for the security log. */
export const tooMany = (seconds: number, limit?: string): HttpError =>
  new HttpError('RATE_LIMITED', `Too many requests. Please try again in ${waitText(seconds)}.`, {
    details: { limit },
    headers: { 'Retry-After': String(seconds) },
  });

/** Rounded up so that a retry at that time is not refused again. */
function waitText(seconds: number): string {
  const [number, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

export type Issue = { readonly path: string; readonly message: string };

/** All problems of an input at once; the first one's text is the error shown by a form. */
export function invalidInput(issues: readonly Issue[], text?: string): HttpError {
  return new HttpError('INVALID_INPUT', text ?? issues[0]?.message ?? 'Invalid input', { details: { issues } });
}

/**
 * For numbers in an address, where the schema has no text of its own: the validator's text is about types. Undefined:
 * that text.
 */
export function plainSentence(issue: {
  readonly code?: string;
  readonly expected?: unknown;
  readonly input?: unknown;
}): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'int') return 'It must be a whole number';
  return issue.expected === 'number' && Number.isNaN(issue.input) ? 'It must be a number' : undefined;
}

export function issuesOf(error: z.ZodError, where = ''): Issue[] {
  return error.issues.map((issue) => ({
    path: [where, ...issue.path.map(String)].filter(Boolean).join('.'),
    message: issue.message,
  }));
}

export type Answer = {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
};

/** The response to an error, containing only what is safe to make public. */
export function answerError(error: unknown, requestId: string): Answer {
  const code = codeOf(error);
  const status =
    error instanceof DomainError ? (STATUS_OF_CODE[error.code] ?? 422) : code === null ? 500 : STATUS_OF_CODE[code];
  if (code === null || status === undefined || status === 500) {
    return {
      status: 500,
      body: { success: false, error: UNEXPECTED_TEXT, code: 'UNEXPECTED', requestId },
      headers: {},
      unexpected: true,
    };
  }
  const details = error instanceof HttpError || error instanceof DomainError ? detailsOf(error.details) : {};
  const headers = error instanceof HttpError ? error.headers : status === 503 ? { 'Retry-After': '2' } : {};
  return {
    status,
    body: { success: false, error: PUBLIC_TEXT[code] ?? (error as Error).message, code, ...details, requestId },
    headers,
    unexpected: false,
  };
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code: unknown = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return null;
  return error instanceof DomainError || Object.hasOwn(STATUS_OF_CODE, code) ? code : null;
}

/** Only these fields of a refusal's details leave the server. */
function detailsOf(details: Readonly<Record<string, unknown>>): Partial<ErrorBody> {
  const issues = details.issues as Issue[] | undefined;
  return {
    ...(issues ? { issues } : {}),
    ...(typeof details.reason === 'string' ? { reason: details.reason } : {}),
    ...(typeof details.credits_required === 'number' ? { credits_required: details.credits_required } : {}),
    ...(typeof details.credits_available === 'number' ? { credits_available: details.credits_available } : {}),
  };
}

/**
 * Handles every failed request, so it comes before everything that can fail. Unexpected errors are logged once, with
 * the request id.
 */
export function errorExit(log: Logger): Middleware {
  return async (ctx, next) => {
    ctx.state.appLog = log;
    try {
      await next();
    } catch (error) {
      sendError(ctx, error);
    }
  };
}

function sendError(ctx: Context, error: unknown): void {
  const answer = answerError(error, ctx.state.requestId);
  if (answer.unexpected) logOf(ctx).error({ err: error }, 'request failed unexpectedly');
  ctx.status = answer.status;
  ctx.set(answer.headers);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = answer.body;
}
