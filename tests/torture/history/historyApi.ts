/** One request and its outcome, in terms of a history. */
import { exchange } from '../../given/product/exchange.ts';
import type { Operation } from './history.ts';

export type Outcome = Pick<Operation, 'outcome' | 'status' | 'code'> & {
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
  readonly body: any;
  /** A replayed answer. */
  readonly replayed: boolean;
  /** The server's Retry-After, ms; null without one. */
  readonly retryAfterMs: number | null;
};

export type Request = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
  /** The client's address, as a proxy would forward it. */
  readonly address: string;
  /** Timeout of a request, ms; the server may still carry it out. Default: five seconds. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 5_000;

export async function ask(
  url: string,
  { method, path, token, body, key, address, timeoutMs = TIMEOUT_MS }: Request,
): Promise<Outcome> {
  try {
    const response = await exchange(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = JSON.parse(response.text) as { readonly code?: string };
    const { status } = response;
    const outcome = status < 300 ? 'ok' : status < 500 ? 'fail' : 'unknown';
    const retryAfter = response.headers.get('retry-after');
    return {
      outcome,
      status,
      code: answer.code ?? null,
      body: answer,
      replayed: response.headers.get('idempotency-replayed') === 'true',
      retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000,
    };
  } catch {
    return { outcome: 'unknown', status: null, code: null, body: null, replayed: false, retryAfterMs: null };
  }
}
