/** Pages as a browser shows them: how the engine asks for one, and what it gets. The engine itself opens no browser: a renderer is injected. */

export type RenderResult =
  /** The document when it had come to rest, or when the time was over; bytes of all answers, after decompression. */
  | { readonly ok: true; readonly html: string; readonly bytes: number }
  /** `reason`: for a person, a whole sentence. `movedTo`: where a script sends visitors on to; that page was not opened. */
  | { readonly ok: false; readonly reason: string; readonly movedTo: string | null; readonly bytes: number };

export type RenderRequest = {
  /** In all, waiting for a free browser included. */
  readonly timeoutMs: number;
  /** What robots.txt lets be fetched; asked of every address. */
  readonly mayFetch: (url: string) => boolean;
  readonly signal?: AbortSignal;
};

/** Never rejects. */
export type RenderPage = (url: string, request: RenderRequest) => Promise<RenderResult>;
