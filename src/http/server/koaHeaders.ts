import type { Context } from 'koa';
import type { IncomingRequest } from '../request/exchange.ts';

/** The headers of a request as plain data, those of several lines joined. */
export const headersOf = (ctx: Context): IncomingRequest['headers'] =>
  Object.fromEntries(
    Object.entries(ctx.req.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
