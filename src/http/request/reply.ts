/** What a handler may return besides a body: a file, or cookies to set. Plain data; a binding writes it out. */

/** A cookie for this origin's `/api/v1/auth`: HttpOnly, and not sent with forms of other sites. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  /** 0 removes the cookie. */
  readonly maxAgeSeconds: number;
};

/** A body with cookies. */
export class Reply<Body> {
  readonly body: Body;
  readonly cookies: readonly Cookie[];
  constructor(body: Body, cookies: readonly Cookie[]) {
    this.body = body;
    this.cookies = cookies;
  }
}

/** A file response, written out in chunks, so that its size does not matter. */
export class Download {
  readonly name: string;
  readonly chunks: AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
  /** A client that takes no chunk for so long is cut off, ms; null: only by the time limits of all connections. */
  readonly stalledMs: number | null;
  /** `name`: plain characters only; its ending decides the content type. */
  constructor(
    name: string,
    chunks: AsyncIterable<string>,
    { headers = {}, stalledMs = null }: Partial<Pick<Download, 'headers' | 'stalledMs'>> = {},
  ) {
    this.name = name;
    this.chunks = chunks;
    this.headers = headers;
    this.stalledMs = stalledMs;
  }
}
