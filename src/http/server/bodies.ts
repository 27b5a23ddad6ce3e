/** Request bodies: JSON objects of at most 100 kB, everything else refused in plain words. */
import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware } from 'koa';
import { HttpError } from '../errors.ts';

const BODY_LIMIT_BYTES = 100 * 1024;
/** A hundred addresses of full length. */
const BATCH_LIMIT_BYTES = 512 * 1024;

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];

const parserOf = (jsonLimit: number): Middleware =>
  bodyParser({ enableTypes: ['json'], jsonLimit, parsedMethods: METHODS_WITH_BODY, onError: refuseBody }) as unknown as Middleware;

export function jsonBodies(): readonly Middleware[] {
  const parser = parserOf(BODY_LIMIT_BYTES);
  const batchParser = parserOf(BATCH_LIMIT_BYTES);
  return [
    (ctx, next) => {
      if (METHODS_WITH_BODY.includes(ctx.method) && hasBody(ctx.req.headers) && !ctx.is('json') && !isOneClick(ctx)) {
        throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json');
      }
      return next();
    },
    (ctx, next) => (ctx.path.endsWith('/process/batch') ? batchParser(ctx, next) : parser(ctx, next)),
  ];
}

/** RFC 8058: a mail program posts a form whose content says nothing; the token stands in the address. */
const isOneClick = (ctx: Context): boolean => ctx.path.endsWith('/mail/unsubscribe') && Boolean(ctx.is('urlencoded', 'multipart'));

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function refuseBody(error: Error & { status?: number; type?: string }): never {
  if (error.status === 413) throw new HttpError('BODY_TOO_LARGE', 'The body is larger than 100 kB (512 kB for a batch)', { headers: { Connection: 'close' } });
  if (error.status === 415) throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as UTF-8 JSON, plain or compressed with gzip, deflate or br');
  if (error.type === 'request.aborted') throw new HttpError('INVALID_JSON', 'The request ended before its body did');
  throw new HttpError('INVALID_JSON', 'The body is not valid JSON: send one object or list');
}
