/** What a handler may answer beside its body: a file, or cookies to keep. Plain data; a binding writes it out. */

/** Of this origin's `/api/v1/auth`: never readable by scripts, never sent along from other sites' forms. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  /** 0 removes it. */
  readonly maxAgeSeconds: number;
};

/** A body together with cookies. */
export class Reply<Body> {
  readonly body: Body;
  readonly cookies: readonly Cookie[];
  constructor(body: Body, cookies: readonly Cookie[]) {
    this.body = body;
    this.cookies = cookies;
  }
}

/** An answer that is a file, written out piece by piece, so that its size does not matter. */
export class Download {
  readonly name: string;
  readonly chunks: AsyncIterable<string>;
  /** `name`: plain characters alone. */
  constructor(name: string, chunks: AsyncIterable<string>) {
    this.name = name;
    this.chunks = chunks;
  }
}
