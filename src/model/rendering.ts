/**
 * Rendering of pages in a browser: how the engine requests it, and the result. The engine itself never opens a browser:
 * a renderer is injected.
 */

export type RenderResult =
  /** The document once it has settled, or when time ran out; total bytes of all responses, after decompression. */
  | { readonly ok: true; readonly html: string; readonly bytes: number }
  /** `reason`: a full sentence for a person. `movedTo`: where a script redirects visitors; that page was not opened. */
  | { readonly ok: false; readonly reason: string; readonly movedTo: string | null; readonly bytes: number };

export type RenderRequest = {
  /** Total time, including waiting for a free browser. */
  readonly timeoutMs: number;
  /** Whether robots.txt allows fetching; called for every address. */
  readonly mayFetch: (url: string) => boolean;
  readonly signal?: AbortSignal;
};

/** Never rejects. */
export type RenderPage = (url: string, request: RenderRequest) => Promise<RenderResult>;
