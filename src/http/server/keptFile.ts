/** A file kept in memory, together with its compressed forms: each is made once, when it is first requested. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** The best first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Compressing tightly pays off for what is compressed once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const COMPRESS: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content) => promisify(gzip)(content),
};

/** Answers a read with the file, or with 304. */
export type KeptFile = (ctx: Context) => Promise<void>;

/** `type`: as a file extension. */
export function keptFile(type: string, given: Buffer | string, cacheControl: string): KeptFile {
  const content = Buffer.from(given);
  // Weak: one for all encodings.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  const made = new Map<Encoding, Promise<Buffer>>();

  function encoded(encoding: Encoding): Promise<Buffer> {
    const known = made.get(encoding) ?? COMPRESS[encoding](content);
    made.set(encoding, known);
    return known;
  }

  return async (ctx) => {
    ctx.status = 200;
    ctx.type = type;
    ctx.compress = false;
    ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const isAsked = ctx.headers['accept-encoding'] !== undefined;
    const encoding = isAsked ? ENCODINGS.find((name) => ctx.acceptsEncodings(name)) : undefined;
    if (encoding) ctx.set('Content-Encoding', encoding);
    ctx.body = encoding ? await encoded(encoding) : content;
  };
}
