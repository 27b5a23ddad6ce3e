/** Calls the routes of an installation over HTTP, as any program with an API key does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorBody } from '../contract/errors.ts';
import type { AnyRoute } from '../routing/route.ts';
import { type CallRoute, pathOf, queryOf, type RouteInput, RouteRefusal } from './callRoute.ts';

export type Installation = {
  /** Origin, and a path if it is served below one. */
  readonly url: string;
  readonly key: string;
  readonly agent: string;
  readonly newId: () => string;
  readonly signal: AbortSignal;
};

/** Further tries after an answer that says to come back, or none. */
const RETRIES = 2;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** Writes carry a key, so that a repeat does nothing twice. */
export function callsOver(at: Installation): CallRoute {
  return (async (route: AnyRoute, input: RouteInput = {}) => {
    const query = Object.entries(queryOf(input))
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const url = `${at.url.replace(/\/$/, '')}${pathOf(route, input.params)}${query === '' ? '' : `?${query}`}`;
    const key = route.method === 'GET' ? undefined : (input.idempotencyKey ?? at.newId());
    const request = {
      method: route.method,
      headers: {
        authorization: `Bearer ${at.key}`,
        'user-agent': at.agent,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      // The key is for this address alone.
      redirect: 'error' as const,
      signal: at.signal,
    };
    for (let tried = 0; ; tried += 1) {
      const answer = await answerOf(url, request);
      if (answer.status < 400) return answer.body;
      const isLast = tried >= RETRIES || answer.status !== 503;
      if (isLast) throw new RouteRefusal(answer.status, answer.body as Partial<ErrorBody>, answer.retryAfter);
      const asked = Number(answer.retryAfter) * 1_000 || PAUSE_MS;
      await sleep(Math.min(asked, LONGEST_PAUSE_MS), undefined, { signal: at.signal });
    }
  }) as CallRoute;
}

type Answer = { readonly status: number; readonly body: unknown; readonly retryAfter?: string | undefined };

/** One that cannot be reached, or is something else, answers 503. */
async function answerOf(url: string, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, request);
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    return { status: response.status, body: await response.json(), retryAfter };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const { origin } = new URL(url);
    const text = `${origin} does not answer as an installation of this product. Is the address right, and is it running?`;
    return { status: 503, body: { code: 'UNREACHABLE', error: text } };
  }
}
