/** Request bodies: JSON objects of limited size, or raw bytes for groups that accept those. Anything else is rejected with a clear message. */
import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware } from 'koa';
import { HttpError } from '../errors.ts';
import type { AnyRoute } from '../route.ts';
import type { Bodies } from '../routeGroup.ts';

const BODY_LIMIT_BYTES = 100 * 1024;

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];

type ReadBody = (ctx: Context, route: AnyRoute) => Promise<unknown>;

/** @returns a reader of request bodies for the group's routes; it returns undefined if no body was sent */
export function bodyReader(bodies: Bodies): ReadBody {
  if (bodies.kind === 'raw') return (ctx) => rawBody(ctx, bodies.maxBytes);
  const parsers = new Map<number, Middleware>();
  return async (ctx, route) => {
    if (!METHODS_WITH_BODY.includes(ctx.method)) return undefined;
    const isForm = route.takesForms && Boolean(ctx.is('urlencoded', 'multipart'));
    if (hasBody(ctx.req.headers) && !ctx.is('json') && !isForm) {
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json');
    }
    const limit = route.maxBodyBytes ?? BODY_LIMIT_BYTES;
    const parser = parsers.get(limit) ?? jsonParser(limit);
    parsers.set(limit, parser);
    await parser(ctx as Parameters<Middleware>[0], async () => undefined);
    return ctx.request.body;
  };
}

const jsonParser = (limit: number): Middleware =>
  bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    parsedMethods: METHODS_WITH_BODY,
    onError: (error) => refuseBody(error, limit),
  });

async function rawBody(ctx: Context, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooLarge = (limit: number): HttpError =>
  new HttpError('BODY_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1024)} kB`, { headers: { Connection: 'close' } });

function refuseBody(error: Error & { status?: number; type?: string }, limit: number): never {
  if (error.status === 413) throw tooLarge(limit);
  if (error.status === 415) throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as UTF-8 JSON, plain or compressed with gzip, deflate or br');
  if (error.type === 'request.aborted') throw new HttpError('INVALID_JSON', 'The request ended before its body did');
  throw new HttpError('INVALID_JSON', 'The body is not valid JSON: send one object or list');
}
