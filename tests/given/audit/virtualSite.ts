/** A site in virtual time: requests and pauses take as long as they say, and no test waits for them. */
import type { FetchAnswer, Fetcher } from '../../../src/model/fetching.ts';

export type VirtualAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 10. */
  readonly takesMs?: number;
};

export type VirtualSite = {
  /** Ms since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly fetch: Fetcher & { close(): Promise<void> };
  /** `GET /path`, in order. */
  readonly requests: readonly string[];
};

const REQUEST_MS = 10_000;
/** Rounds of the event loop in which everything that needs no time gets done. */
const ROUNDS = 20;

/** `answer`: of a path, the nth time it is requested (from 1). */
export function virtualSite(answer: (path: string, nth: number) => VirtualAnswer): VirtualSite {
  let now = Date.parse('2026-03-01T12:00:00Z');
  let pending: { readonly at: number; readonly run: () => void }[] = [];
  let isRunning = false;
  const requests: string[] = [];
  const asked = new Map<string, number>();

  async function run(): Promise<void> {
    isRunning = true;
    while (pending.length > 0) {
      for (let round = 0; round < ROUNDS; round++) await new Promise(setImmediate);
      const [next] = pending.toSorted((a, b) => a.at - b.at);
      if (!next) break;
      pending = pending.filter((each) => each !== next);
      now = Math.max(now, next.at);
      next.run();
    }
    isRunning = false;
  }
  const after = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = { at: now + ms, run: resolve };
      pending.push(timer);
      signal?.addEventListener('abort', () => {
        pending = pending.filter((each) => each !== timer);
        resolve();
      });
      if (!isRunning) void run();
    });

  const fetch: Fetcher = async (url, { method = 'GET', timeoutMs = REQUEST_MS } = {}) => {
    const path = new URL(url).pathname;
    requests.push(`${method} ${path}`);
    const nth = (asked.get(path) ?? 0) + 1;
    asked.set(path, nth);
    const { status = 200, headers = {}, body = '', takesMs = 10 } = answer(path, nth);
    await after(Math.min(takesMs, timeoutMs));
    if (takesMs > timeoutMs)
      return {
        ok: false,
        requestedUrl: url,
        url,
        failure: 'timeout',
        message: 'The server did not answer in time.',
        hops: [],
      };
    const bytes = new TextEncoder().encode(method === 'HEAD' ? '' : body);
    return {
      ok: true,
      requestedUrl: url,
      url,
      status,
      hops: [],
      body: bytes,
      truncated: false,
      transferBytes: bytes.length,
      headers: Object.fromEntries(
        Object.entries({ 'content-type': 'text/html', ...headers }).map(([name, value]) => [name, [value]]),
      ),
      ttfbMs: takesMs,
      totalMs: takesMs,
      httpVersion: '1.1',
    } satisfies FetchAnswer;
  };
  return { now: () => now, sleep: after, fetch: Object.assign(fetch, { close: async () => undefined }), requests };
}
