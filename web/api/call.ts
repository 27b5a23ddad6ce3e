import type { AcceptedResponse } from '../../src/http/contract/accepted.ts';
import { type ApiFailure, failureOf, NETWORK_FAILURE } from './failure.ts';

export interface ApiCall {
  /** Full path, e.g. `/api/v1/jobs`. */
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** The same key and body are executed once, however often they are sent. */
  readonly idempotencyKey?: string;
}

export type ApiAnswer =
  | { readonly data: unknown; readonly failure?: undefined }
  | { readonly data?: undefined; readonly failure: ApiFailure };

/**
 * One request. Never throws: no response, a response that is not JSON and an error response are all returned as
 * failures.
 */
export async function callApi(call: ApiCall, token: string | null, signal?: AbortSignal): Promise<ApiAnswer> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  if (call.idempotencyKey) headers['Idempotency-Key'] = call.idempotencyKey;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${location.origin}${call.path}${queryOf(call.query)}`, {
      method: call.method ?? 'GET',
      headers,
      credentials: 'include',
      ...(call.body !== undefined ? { body: JSON.stringify(call.body) } : {}),
      ...(signal ? { signal } : {}),
    });
    text = await response.text();
  } catch {
    return { failure: NETWORK_FAILURE };
  }
  const body = parse(text);
  if (!response.ok) return { failure: failureOf(response.status, body, response.headers.get('Retry-After')) };
  if (typeof body !== 'object' || body === null)
    return { failure: { status: response.status, code: 'INVALID_RESPONSE', message: 'Invalid response format' } };
  return (body as { success?: unknown }).success === false
    ? { failure: failureOf(response.status, body) }
    : { data: body };
}

/**
 * Of a write that is done but whose result cannot be shown yet: it is not what the route usually answers. Only without
 * an `idempotencyKey`.
 */
export const isAccepted = (data: unknown): boolean =>
  (data as Partial<AcceptedResponse> | undefined)?.accepted === true;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function queryOf(query: ApiCall['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

/** For `idempotencyKey`. Also works where `crypto.randomUUID` is missing (plain HTTP on a local network). */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
