/** An answer that is a file, written out piece by piece, so that its size does not matter. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';

export class Download {
  readonly #name: string;
  readonly #chunks: AsyncIterable<string>;
  /** `name`: plain characters alone. */
  constructor(name: string, chunks: AsyncIterable<string>) {
    this.#name = name;
    this.#chunks = chunks;
  }

  send(ctx: Context): void {
    ctx.type = this.#name.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    ctx.set('Content-Disposition', `attachment; filename="${this.#name}"`);
    ctx.body = Readable.from(this.#chunks);
  }
}
