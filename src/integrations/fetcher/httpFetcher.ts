/**
 * The product's HTTP fetcher: every hop of every request passes the address guard, and every answer is limited in time
 * and size.
 */

import { Agent } from 'undici';
import type { FetchError, Fetcher, FetchHop, FetchOptions, FetchResult } from '../../model/fetching.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import { type AllowList, createAllowList, vetUrl } from './addressGuard.ts';
import { ACCEPT_ENCODING, decodeBody } from './decodeBody.ts';
import { type Exchange, exchange, type Headers } from './exchange.ts';
import type { Failure } from './failures.ts';
import { type ConnectionFacts, createGuardedConnector } from './guardedConnector.ts';
import type { Post } from './post.ts';
import { createResolveHost, type ResolveHost } from './resolveHost.ts';

export type FetcherOptions = {
  /** `host` or `host:port` entries that the guard allows, whatever they resolve to. */
  readonly allowHosts: readonly string[];
  readonly userAgent: string;
  readonly resolve?: ResolveHost;
  /** Connecting and response headers of one hop; ms, default 10,000. */
  readonly headersMs?: number;
  /** Whether `httpVersion` of an answer says that the server offers HTTP/2. Default true. */
  readonly asksForHttp2?: boolean;
  /** Additional trusted certificate authorities, PEM. */
  readonly ca?: readonly string[];
  /** Monotonic clock, ms. */
  readonly now?: () => number;
};

/** `close` drops all connections; pending requests fail. */
export type ClosableFetcher = Fetcher & { readonly post: Post; readonly close: () => Promise<void> };

type Wanted = Omit<FetchOptions, 'method'> & { readonly method?: 'GET' | 'HEAD' | 'POST'; readonly body?: string };

const DEFAULTS = { maxBytes: 5 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 5 };
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_URL = 8192;
const CONNECTIONS_PER_HOST = 6;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Never uses environment proxies. Connections stay open for some seconds and may serve another audit: each was vetted
 * when it was opened, carries no cookies or credentials, and belongs to one origin.
 */
export function createFetcher(options: FetcherOptions): ClosableFetcher {
  const now = options.now ?? (() => performance.now());
  const allow = createAllowList(options.allowHosts);
  const headersMs = options.headersMs ?? 10_000;
  const connections = new Map<string, ConnectionFacts>();
  const connect = createGuardedConnector({
    allow,
    resolve: options.resolve ?? createResolveHost(),
    connectMs: headersMs,
    asksForHttp2: options.asksForHttp2 ?? true,
    ca: options.ca,
    onConnected: (origin, connection) => remember(connections, origin, connection),
  });
  const agent = new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange enforces the timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const context: Context = {
    agent,
    allow,
    headersMs,
    now,
    connectionOf: (origin) => connections.get(origin) ?? UNKNOWN,
    userAgent: options.userAgent,
  };
  const fetcher: Fetcher = (url, request = {}) => new Journey(context, url, request).run();
  const post: Post = (url, request) => new Journey(context, url, { ...request, method: 'POST', maxRedirects: 0 }).run();
  return Object.assign(fetcher, { post, close: () => agent.destroy() });
}

const UNKNOWN: ConnectionFacts = { httpVersion: '1.1', certificateEnds: null };

function remember(connections: Map<string, ConnectionFacts>, origin: string, connection: ConnectionFacts): void {
  if (connections.size > 5000) connections.clear();
  connections.set(origin, connection);
}

type Context = {
  readonly agent: Agent;
  readonly allow: AllowList;
  readonly headersMs: number;
  readonly now: () => number;
  readonly connectionOf: (origin: string) => ConnectionFacts;
  readonly userAgent: string;
};

type Answered = Extract<Exchange, { ok: true }>;

/** One fetch, from the requested URL to the final answer. */
class Journey {
  readonly #context: Context;
  readonly #requestedUrl: string;
  readonly #options: Wanted;
  readonly #startedAt: number;
  readonly #hops: FetchHop[] = [];
  readonly #seen = new Set<string>();
  #url: string;

  constructor(context: Context, url: string, options: Wanted) {
    this.#context = context;
    this.#requestedUrl = url;
    this.#url = url;
    this.#options = options;
    this.#startedAt = context.now();
  }

  async run(): Promise<FetchResult> {
    try {
      for (;;) {
        const verdict = vetUrl(this.#url, this.#context.allow);
        if (!verdict.ok) return this.#failed(verdict);
        const answer = await this.#ask(verdict.url);
        if (!answer.ok) return this.#failed(answer);
        if (!this.#isFollowed(answer.status, answer.headers)) return await this.#finish(verdict.url, answer);
        const failure = this.#step(verdict.url, answer);
        if (failure) return this.#failed(failure);
      }
    } catch {
      return this.#failed({ failure: 'bad_response', message: 'The answer of the server could not be used.' });
    }
  }

  /** The server may have closed a kept-alive connection meanwhile; the retry uses a new one. */
  async #ask(url: URL): Promise<Exchange> {
    const first = await this.#exchange(url);
    return !first.ok && first.failure === 'reset' && !first.answered ? this.#exchange(url) : first;
  }

  #exchange(url: URL): Promise<Exchange> {
    const { agent, headersMs, now, userAgent } = this.#context;
    const options = this.#options;
    const totalMs = (options.timeoutMs ?? DEFAULTS.timeoutMs) - (now() - this.#startedAt);
    if (totalMs <= 0)
      return Promise.resolve({
        ok: false,
        answered: false,
        failure: 'timeout',
        message: 'The server did not answer in time.',
      });
    return exchange(
      agent,
      {
        url,
        method: options.method ?? 'GET',
        body: options.body,
        headers: {
          'user-agent': userAgent,
          accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
          'accept-encoding': ACCEPT_ENCODING,
          ...options.headers,
        },
        maxWireBytes: this.#maxBytes(),
        cut: options.cut ?? false,
        headersMs,
        totalMs,
        signal: options.signal,
        skipBody: (status, headers) => this.#isFollowed(status, headers),
      },
      now,
    );
  }

  #maxBytes(): number {
    return this.#options.maxBytes ?? DEFAULTS.maxBytes;
  }

  #isFollowed(status: number, headers: Headers): boolean {
    return (
      REDIRECTS.has(status) &&
      headers.location !== undefined &&
      (this.#options.maxRedirects ?? DEFAULTS.maxRedirects) > 0
    );
  }

  /** Moves to the target of a redirect, or returns why it cannot. The guard checks the target on the next iteration. */
  #step(from: URL, answer: Answered): Failure | null {
    const locations = [...new Set(answer.headers.location ?? [])].map(asUtf8);
    const [location = ''] = locations;
    this.#hops.push({ url: from.href, status: answer.status, location: location.slice(0, MAX_URL) });
    this.#seen.add(withoutFragment(from));
    if (locations.length > 1) return { failure: 'bad_redirect', message: 'The redirect names several targets.' };
    const target = location.trim() === '' || location.length > MAX_URL ? null : parseUrl(location, from.href);
    // Escaping may make it several times as long.
    if (!target || target.href.length > MAX_URL)
      return { failure: 'bad_redirect', message: 'The redirect has no usable target.' };
    this.#url = target.href;
    if (this.#seen.has(withoutFragment(target)))
      return { failure: 'redirect_loop', message: 'The redirects lead in a circle.' };
    const most = this.#options.maxRedirects ?? DEFAULTS.maxRedirects;
    return this.#hops.length > most
      ? { failure: 'too_many_redirects', message: `There are more than ${most} redirects.` }
      : null;
  }

  async #finish(url: URL, answer: Answered): Promise<FetchResult> {
    const encoding = this.#options.method === 'HEAD' ? '' : (answer.headers['content-encoding'] ?? []).join(',');
    const limits = { maxBytes: this.#maxBytes(), cut: this.#options.cut ?? false, partial: answer.cut };
    const decoded = await decodeBody(answer.wire, encoding, limits);
    if (!decoded.ok) return this.#failed(decoded);
    const ended = this.#context.now();
    return {
      ok: true,
      requestedUrl: this.#requestedUrl,
      url: url.href,
      status: answer.status,
      headers: answer.headers,
      hops: this.#hops,
      body: standalone(decoded.body),
      truncated: decoded.truncated,
      transferBytes: answer.wire.length,
      ttfbMs: answer.ttfbMs,
      totalMs: ended - this.#startedAt,
      ...this.#context.connectionOf(url.origin),
    };
  }

  #failed({ failure, message }: Failure): FetchError {
    return { ok: false, requestedUrl: this.#requestedUrl, url: this.#url, failure, message, hops: this.#hops };
  }
}

/** Node decodes header bytes as Latin-1; browsers treat Location as UTF-8. */
function asUtf8(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

function withoutFragment(url: URL): string {
  return url.href.split('#', 1)[0] ?? '';
}

/** Bytes that own their buffer, so that it can be transferred to another thread. */
function standalone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}
