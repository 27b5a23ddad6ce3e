/**
 * How the engine requests an address, and the result. The engine itself never opens a connection: a fetcher is
 * injected.
 */

export type FetchHop = { readonly url: string; readonly status: number; readonly location: string | null };

/** Why there was no usable response. `blocked`: refused by the address guard, without connecting. */
export type FetchFailure =
  | 'blocked'
  | 'bad_url'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'bad_redirect'
  | 'too_large'
  | 'bad_encoding'
  | 'bad_response'
  | 'aborted';

export type FetchAnswer = {
  readonly ok: true;
  /** As requested; `url` is the one after redirects. */
  readonly requestedUrl: string;
  readonly url: string;
  readonly status: number;
  /** Lower-case names; multiple values of one header are kept separate. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Redirects in order; empty if there were none. */
  readonly hops: readonly FetchHop[];
  /** Decompressed bytes, at most the limit; empty for HEAD. */
  readonly body: Uint8Array;
  /** True when the body was longer than `maxBytes` and cut off, or if its compressed data ended too early. */
  readonly truncated: boolean;
  /** Bytes on the wire, before decompression. */
  readonly transferBytes: number;
  /** Time to the first byte of the final response, and total time, ms. */
  readonly ttfbMs: number;
  readonly totalMs: number;
  /** '1.1' or '2'. */
  readonly httpVersion: string;
  /** Expiry of the server's certificate, ISO; null without TLS. */
  readonly certificateEnds?: string | null;
};

export type FetchError = {
  readonly ok: false;
  readonly requestedUrl: string;
  readonly url: string;
  readonly failure: FetchFailure;
  /** For a person: which rule or what went wrong. Contains no internal addresses. */
  readonly message: string;
  readonly hops: readonly FetchHop[];
};

export type FetchResult = FetchAnswer | FetchError;

export type FetchOptions = {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Maximum number of decompressed bytes; default 5 MB. With `cut`, a longer body is cut off and `truncated` set;
   * otherwise the result is `too_large`.
   */
  readonly maxBytes?: number;
  readonly cut?: boolean;
  /** Total time including all redirects; default 10,000 ms. */
  readonly timeoutMs?: number;
  /** Default 5. With 0, a redirect is returned as is. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
};

/** Never throws: every outcome is a `FetchResult`. */
export type Fetcher = (url: string, options?: FetchOptions) => Promise<FetchResult>;
