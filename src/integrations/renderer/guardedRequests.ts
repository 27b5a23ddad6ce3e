/**
 * Serves every request of a rendered page through the guarded fetcher, within limits; the browser itself has no network
 * access.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Request, Route } from 'playwright-core';
import type { Fetcher, FetchResult } from '../../model/fetching.ts';

export type RequestLimits = {
  readonly requests: number;
  /** Of all bodies together and of one, after decompression. */
  readonly bytes: number;
  readonly fileBytes: number;
  /** One request including redirects, ms. */
  readonly requestMs: number;
};

export type RequestScope = {
  readonly url: string;
  readonly fetch: Fetcher;
  readonly mayFetch: (url: string) => boolean;
  readonly limits: RequestLimits;
  readonly signal: AbortSignal;
  readonly isMainFrame: (request: Request) => boolean;
};

export type GuardedRequests = {
  readonly handle: (route: Route) => Promise<void>;
  readonly state: RequestState;
};

export type RequestState = {
  requests: number;
  bytes: number;
  underWay: number;
  /** The page itself was answered. */
  opened: boolean;
  /** Why the page itself was not answered. */
  failure: string | null;
  movedTo: string | null;
};

/** Resource types that contribute neither text nor links. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'media',
  'font',
  'websocket',
  'eventsource',
  'ping',
  'texttrack',
  'manifest',
]);
/** Served for every image, so that the page does not treat its images as broken. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** Set by the fetcher itself, or specific to a visitor: never sent. */
const NOT_SENT =
  /^(?:cookie|host|connection|content-length|user-agent|accept-encoding|cache-control|pragma|upgrade-insecure-requests|proxy-.*|sec-.*|:.*)$/;
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
  'alt-svc',
  'refresh',
]);

/** Parallel requests, as in browsers; more would overshoot the byte limit. */
const AT_ONCE = 6;

export function createGuardedRequests(scope: RequestScope): GuardedRequests {
  const limit = pLimit(AT_ONCE);
  const state: RequestState = { requests: 0, bytes: 0, underWay: 0, opened: false, failure: null, movedTo: null };
  return {
    state,
    handle: async (route) => {
      state.underWay++;
      try {
        await answer(route, scope, state, limit);
      } catch {
        // The page was closed during the request.
      } finally {
        state.underWay--;
      }
    },
  };
}

/** Records the first address to which the page at `from` sends visitors; ignores itself and other URL schemes. */
export function noteMove(state: RequestState, from: string, to: string): void {
  if (/^https?:/.test(to) && withoutFragment(to) !== withoutFragment(from)) state.movedTo ??= to;
}

async function answer(route: Route, scope: RequestScope, state: RequestState, limit: LimitFunction): Promise<void> {
  const request = route.request();
  const isPage = request.isNavigationRequest() && scope.isMainFrame(request);
  if (isPage && state.opened) {
    noteMove(state, scope.url, request.url());
    return route.abort('aborted');
  }
  if (request.resourceType() === 'image' && /^https?:/.test(request.url()))
    return route.fulfill({ status: 200, contentType: 'image/gif', body: PIXEL });
  const result = await limit(() => ask(request, scope, state));
  if (result === null) return route.abort('blockedbyclient');
  if (isPage) {
    state.opened = result.ok;
    state.failure = result.ok ? null : result.message;
  }
  if (!result.ok) return route.abort('failed');
  return route.fulfill({
    status: result.status,
    headers: passedOn(result),
    body: Buffer.from(result.body.buffer, result.body.byteOffset, result.body.length),
  });
}

/** Null if the request is not allowed. */
async function ask(request: Request, scope: RequestScope, state: RequestState): Promise<FetchResult | null> {
  const { limits, signal } = scope;
  if (signal.aborted || !isAllowed(request, scope, state)) return null;
  state.requests++;
  const result = await scope.fetch(request.url(), {
    method: request.method() === 'HEAD' ? 'HEAD' : 'GET',
    headers: headersOf(request),
    maxBytes: Math.min(limits.fileBytes, limits.bytes - state.bytes),
    timeoutMs: limits.requestMs,
    signal,
  });
  if (result.ok) state.bytes += result.body.length;
  return result;
}

/** Never modifies a site: only GET and HEAD go out. */
function isAllowed(request: Request, { limits, mayFetch }: RequestScope, state: RequestState): boolean {
  if (
    !/^https?:/.test(request.url()) ||
    !['GET', 'HEAD'].includes(request.method()) ||
    LEFT_OUT.has(request.resourceType())
  )
    return false;
  return state.requests < limits.requests && state.bytes < limits.bytes && mayFetch(request.url());
}

function headersOf(request: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers()).filter(([name]) => !NOT_SENT.test(name)));
}

function passedOn({ headers }: Extract<FetchResult, { ok: true }>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values.join(', ')]));
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
