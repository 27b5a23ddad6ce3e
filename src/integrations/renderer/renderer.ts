/** Pages as a browser shows them: the shape that the audit engine asks for, told here again because the engine and its adapters do not know each other. */

export type RenderResult =
  | {
      readonly ok: true;
      /** The document when it had come to rest, or when the time was over. */
      readonly html: string;
      /** Made of the network, and the bytes of their answers after decompression. */
      readonly requests: number;
      readonly bytes: number;
    }
  | {
      readonly ok: false;
      /** For a person, a whole sentence. */
      readonly reason: string;
      /** Where a script sends the visitor on to; that page was not opened. */
      readonly movedTo: string | null;
      readonly requests: number;
      readonly bytes: number;
    };

export type RenderRequest = {
  /** In all, waiting for a free browser included. */
  readonly timeoutMs: number;
  /** What robots.txt lets be fetched; asked of every address. */
  readonly mayFetch: (url: string) => boolean;
  readonly signal?: AbortSignal;
};

/** Never rejects. */
export type RenderPage = (url: string, request: RenderRequest) => Promise<RenderResult>;
