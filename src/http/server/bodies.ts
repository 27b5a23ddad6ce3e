/**
 * Request bodies: JSON objects of limited size, or raw bytes for groups that accept those. Anything else is rejected
 * with a clear message.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import type { Context } from 'koa';
import { createPace } from '../../eventStore/pacing.ts';
import { HttpError } from '../request/errors.ts';
import { JSON_LIMITS, type JsonFault, jsonFault, signedFault } from '../request/json.ts';
import { addressKey } from '../request/rateLimits.ts';
import type { AnyRoute } from '../routing/route.ts';
import type { Bodies } from '../routing/routeGroup.ts';
import { createRoom } from './room.ts';

/** For routes that say nothing else. */
export const BODY_LIMIT_BYTES = 100 * 1024;

const FIRST_BYTES = 4 * 1024;

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @param withinMs how long reading may take; by default the server's own limit for a whole request applies */
type ReadBody = (
  ctx: Context,
  route: Pick<AnyRoute, 'maxBodyBytes' | 'takesForms'>,
  withinMs?: number,
) => Promise<unknown>;

const MIB = 1024 * 1024;
/** Bodies that are arriving: slow ones are held for as long as a request may take. */
const HELD_BODIES = { ofOne: 16 * MIB, ofAll: 128 * MIB, small: 8 * 1024 };

/** @returns a reader of request bodies for the group's routes; it returns undefined if no body was sent */
export function bodyReader(bodies: Bodies): ReadBody {
  // Deliveries are never refused for a count: those that there is no room for wait in turn.
  if (bodies.kind === 'raw') return (ctx, _route, withinMs) => rawBody(ctx, bodies.maxBytes, withinMs);
  const room = createRoom(HELD_BODIES);
  return async (ctx, route, withinMs) => {
    if (!METHODS_WITH_BODY.includes(ctx.method) || !hasBody(ctx.req.headers)) return undefined;
    const isForm = route.takesForms && Boolean(ctx.is('urlencoded', 'multipart'));
    if (!ctx.is('json') && !isForm)
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json');
    const limit = route.maxBodyBytes ?? BODY_LIMIT_BYTES;
    if (room.hold(addressKey(ctx.ip), announced(ctx.req, limit), ctx.res) !== 'held') throw busy();
    const bytes = await bytesOf(ctx, limit, withinMs);
    return isForm ? undefined : parsed(textOf(await decompressed(bytes, ctx.req.headers['content-encoding'], limit)));
  };
}

async function rawBody(ctx: Context, maxBytes: number, withinMs?: number): Promise<Uint8Array> {
  const pace = createPace('request');
  const bytes = await bytesOf(ctx, maxBytes, withinMs);
  // Of many that arrive at once, each takes a few ms to check.
  await pace.pass();
  const fault = signedFault(bytes);
  if (fault) throw refusedJson(fault);
  return bytes;
}

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** How much of a body may have to be held: as much as it says, or as may be. */
export function announced({ headers }: Pick<IncomingMessage, 'headers'>, limit: number): number {
  return headers['transfer-encoding'] === undefined ? Math.min(Number(headers['content-length'] ?? 0), limit) : limit;
}

/**
 * At most `limit` bytes, whatever the request says about its length. A client that waits for permission to send gets it
 * only now.
 */
async function bytesOf({ req, res }: Context, limit: number, withinMs?: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  permitBody(req, res);
  const reading = readUpTo(req, limit);
  if (withinMs === undefined) return reading;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), withinMs);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

const permitted = new WeakSet<IncomingMessage>();

/** Tells a client that waits for permission that it may send its body. Idempotent. */
export function permitBody(request: IncomingMessage, response: ServerResponse): void {
  if (!/^100-continue$/i.test(request.headers.expect ?? '') || permitted.has(request)) return;
  permitted.add(request);
  response.writeContinue();
}

async function readUpTo(request: IncomingMessage, limit: number): Promise<Buffer> {
  // One buffer: a piece that is kept as such takes hundreds of bytes, however small it is.
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, limit));
  let size = 0;
  try {
    // The connection stays open for the answer to a body that is too large.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > limit) throw tooLarge(limit);
      if (size + chunk.length > bytes.length) bytes = enlarged(bytes, size + chunk.length, limit);
      chunk.copy(bytes, size);
      size += chunk.length;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError('INVALID_JSON', 'The request ended before its body did');
  }
  return bytes.subarray(0, size);
}

function enlarged(bytes: Buffer, needed: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * bytes.length)));
  bytes.copy(larger);
  return larger;
}

const DECOMPRESS: Readonly<
  Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
  identity: async (bytes) => bytes,
};

/** What comes out is limited as well, and no more than that is ever decompressed. */
async function decompressed(bytes: Buffer, encoding = 'identity', limit: number): Promise<Buffer> {
  const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  if (!decompress)
    throw new HttpError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as UTF-8 JSON, plain or compressed with gzip, deflate or br',
    );
  try {
    return await decompress(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw invalidJson();
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError('INVALID_JSON', 'The body is not valid UTF-8');
  }
}

/** A name that would be a prototype's, however it is written. */
const PROTOTYPE_KEY =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"[ \t\r\n]*:/i;

function parsed(text: string): unknown {
  if (text === '') return undefined;
  const fault = jsonFault(text);
  if (fault) throw refusedJson(fault);
  if (!/^[ \t\r\n]*[[{]/.test(text) || PROTOTYPE_KEY.test(text)) throw invalidJson();
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

function refusedJson(fault: JsonFault): HttpError {
  if (fault === 'TOO_DEEP')
    return new HttpError('BODY_TOO_COMPLEX', `The body is nested more than ${JSON_LIMITS.depth} levels deep`);
  if (fault === 'TOO_MANY_KEYS')
    return new HttpError('BODY_TOO_COMPLEX', `The body has more than ${JSON_LIMITS.keys} keys`);
  if (fault === 'TOO_MANY_ITEMS')
    return new HttpError('BODY_TOO_COMPLEX', `The lists in the body have more than ${JSON_LIMITS.items} items`);
  return new HttpError('INVALID_JSON', 'A text in the body is not valid Unicode: it contains half of a surrogate pair');
}

const invalidJson = (): HttpError =>
  new HttpError('INVALID_JSON', 'The body is not valid JSON: send one object or list');

export const busy = (): HttpError =>
  new HttpError('BUSY', 'Too many large requests are arriving at once. Please try again shortly.', {
    headers: { Connection: 'close', 'Retry-After': '5' },
  });

const timedOut = (): HttpError =>
  new HttpError('REQUEST_TIMED_OUT', 'The body did not arrive in time', { headers: { Connection: 'close' } });

const tooLarge = (limit: number): HttpError =>
  new HttpError('BODY_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1024)} kB`, {
    headers: { Connection: 'close' },
  });
