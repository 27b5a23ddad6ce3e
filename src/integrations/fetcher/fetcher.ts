/** The guarded way to the web: the shape that the audit engine asks for, told here again because the engine and its adapters do not know each other. */

export type FetchHop = { readonly url: string; readonly status: number; readonly location: string | null };

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

type FetchAnswer = {
  readonly ok: true;
  readonly requestedUrl: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly hops: readonly FetchHop[];
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly transferBytes: number;
  readonly ttfbMs: number;
  readonly totalMs: number;
  readonly httpVersion: string;
  readonly certificateEnds?: string | null;
};

export type FetchError = {
  readonly ok: false;
  readonly requestedUrl: string;
  readonly url: string;
  readonly failure: FetchFailure;
  readonly message: string;
  readonly hops: readonly FetchHop[];
};

export type FetchResult = FetchAnswer | FetchError;

export type FetchOptions = {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  readonly cut?: boolean;
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
};

/** Of a message that is sent. A redirect is its answer: what was addressed to one receiver goes to no other. */
export type PostOptions = Pick<FetchOptions, 'headers' | 'maxBytes' | 'cut' | 'timeoutMs' | 'signal'> & { readonly body: string };
export type Post = (url: string, options: PostOptions) => Promise<FetchResult>;

export type Fetcher = (url: string, options?: FetchOptions) => Promise<FetchResult>;
