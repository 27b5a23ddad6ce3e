/** How the engine asks for an address, and what it gets. The engine itself never opens a connection: a fetcher is injected. */

export type FetchHop = { readonly url: string; readonly status: number; readonly location: string | null };

/** Why there was no answer to use. `blocked` is the address guard's refusal: never connected. */
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
  /** As asked for, and as answered after redirects. */
  readonly requestedUrl: string;
  readonly url: string;
  readonly status: number;
  /** Lower-case names; several values of one header stay apart. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Redirects on the way, in order; empty when there was none. */
  readonly hops: readonly FetchHop[];
  /** Decompressed bytes, at most the limit; empty for HEAD. */
  readonly body: Uint8Array;
  /** True when the body was longer than `maxBytes` and cut there. */
  readonly truncated: boolean;
  /** Bytes on the wire, before decompression. */
  readonly transferBytes: number;
  /** Until the first byte of the final answer, and in all, ms. */
  readonly ttfbMs: number;
  readonly totalMs: number;
  /** '1.1' or '2'. */
  readonly httpVersion: string;
  /** Of the server's certificate, ISO; null without TLS. */
  readonly certificateEnds?: string | null;
};

export type FetchError = {
  readonly ok: false;
  readonly requestedUrl: string;
  readonly url: string;
  readonly failure: FetchFailure;
  /** For a person: which rule or what went wrong. No addresses of the inside. */
  readonly message: string;
  readonly hops: readonly FetchHop[];
};

export type FetchResult = FetchAnswer | FetchError;

export type FetchOptions = {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Decompressed bytes kept; default 5 MB. With `cut`, a longer body is cut and `truncated` set; otherwise it is `too_large`. */
  readonly maxBytes?: number;
  readonly cut?: boolean;
  /** Whole time with all redirects; default 10,000 ms. */
  readonly timeoutMs?: number;
  /** Default 5. With 0 a redirect is returned as it is. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
};

/** Never throws: every outcome is a `FetchResult`. */
export type Fetcher = (url: string, options?: FetchOptions) => Promise<FetchResult>;
