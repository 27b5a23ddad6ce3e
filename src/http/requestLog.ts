/** One log line a request, with its id; never a header, a body or a query, where secrets and addresses stand. */
import type { Middleware } from 'koa';
import type { LoggerOptions } from 'pino';
import type { HttpDeps } from './deps.ts';
import { API } from './mount.ts';
import type { AnyRoute } from './route.ts';

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'passwordHash', 'token', 'access_token', 'refresh_token', 'accessToken', 'refreshToken', 'email'];

/** Pino's options for a log that keeps secrets and mail addresses out, should a line ever carry such a field. */
export function logOptions(level: string): LoggerOptions {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]);
  return { level, base: null, redact: { paths, censor: '[redacted]' }, timestamp: () => `,"time":"${new Date().toISOString()}"` };
}

/** An id that a proxy in front has given, when it is to be believed. */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

export function requestLog({ log, newId, metrics, config }: HttpDeps): Middleware {
  return async (ctx, next) => {
    const given = config.trustProxy ? ctx.get('X-Request-Id') : '';
    const requestId = REQUEST_ID.test(given) ? given : newId();
    ctx.state.requestId = requestId;
    ctx.state.log = log.child({ requestId });
    ctx.set('X-Request-Id', requestId);
    const start = performance.now();
    await next();
    ctx.res.once('close', () => {
      const route = ctx.state.route as AnyRoute | undefined;
      const ms = performance.now() - start;
      const path = route ? `${API}${route.path}` : 'other';
      metrics.observeRequest({ method: ctx.method, route: path, status: ctx.status, seconds: ms / 1000 });
      const { userId } = ctx.state;
      const line = {
        method: ctx.method,
        route: path,
        status: ctx.status,
        ms: Math.round(ms * 10) / 10,
        ...(userId ? { userId } : {}),
        ...(ctx.params?.jobId ? { jobId: ctx.params.jobId } : {}),
      };
      ctx.state.log[ctx.status >= 500 ? 'warn' : 'info'](line, 'request');
    });
  };
}
