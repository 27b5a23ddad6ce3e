import type { ErrorBody } from '../../src/http/contract/errors.ts';

/** A failed API call. Plain data: it lives in the store. */
export interface ApiFailure {
  /** HTTP status, or 0 without a response. */
  readonly status: number;
  /** The server's stable error code, or NETWORK_ERROR, INVALID_RESPONSE or AUTHENTICATION_REQUIRED. */
  readonly code: string;
  /** User-readable message; empty when the server sent none. */
  readonly message: string;
  readonly reason?: string | undefined;
  readonly issues?: NonNullable<ErrorBody['issues']>;
  readonly creditsRequired?: number;
  readonly creditsAvailable?: number;
  /** In seconds. */
  readonly retryAfter?: string;
}

export const NETWORK_FAILURE: ApiFailure = { status: 0, code: 'NETWORK_ERROR', message: 'Network error' };
export const NO_TOKEN_FAILURE: ApiFailure = {
  status: 401,
  code: 'AUTHENTICATION_REQUIRED',
  message: 'Authentication required',
};

export function failureOf(status: number, body: unknown, retryAfter?: string | null): ApiFailure {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  return {
    status,
    code: typeof given.code === 'string' ? given.code : `HTTP_${status}`,
    message: typeof given.error === 'string' ? given.error : '',
    reason: given.reason,
    ...(Array.isArray(given.issues) ? { issues: given.issues } : {}),
    ...(typeof given.credits_required === 'number' ? { creditsRequired: given.credits_required } : {}),
    ...(typeof given.credits_available === 'number' ? { creditsAvailable: given.credits_available } : {}),
    ...(retryAfter ? { retryAfter } : {}),
  };
}

/** Whether the email is what has to be corrected. */
export const isOfEmail = ({ code, issues }: ApiFailure): boolean =>
  code === 'EMAIL_TAKEN' || issues?.[0]?.path === 'email';

export const isWrongPassword = ({ code }: ApiFailure): boolean => code === 'WRONG_PASSWORD';

/** Converts anything thrown or rejected in the app. */
export function asFailure(error: unknown): ApiFailure {
  if (typeof error === 'object' && error !== null && 'status' in error && 'code' in error && 'message' in error)
    return error as ApiFailure;
  return { status: 0, code: 'UNEXPECTED', message: error instanceof Error ? error.message : '' };
}

/** The server's message, or the screen's fallback. Without a response it is always a network error. */
export function textOf(error: unknown, fallback = 'API request failed'): string {
  return asFailure(error).message || fallback;
}
