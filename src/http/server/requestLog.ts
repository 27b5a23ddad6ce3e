/** One log line per request, with its id; never headers, body or query, which hold secrets and addresses. */
import type { Middleware } from 'koa';
import type { HttpDeps } from '../deps/deps.ts';
import { noteRefusal } from '../dispatch/securityRefusals.ts';
import { logOf } from '../request/log.ts';
import { headersOf } from './koaHeaders.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A request id set by a proxy in front, if proxies are trusted. */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

export function requestLog({ log, newId, metrics, config, securityLog }: HttpDeps): Middleware {
  return async (ctx, next) => {
    const given = config.trustProxy ? ctx.get('X-Request-Id') : '';
    const requestId = REQUEST_ID.test(given) ? given : newId();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    const start = performance.now();
    ctx.res.once('close', () => {
      const ms = performance.now() - start;
      const path: string = ctx.state.routePath ?? 'other';
      metrics.observeRequest({ method: ctx.method, route: path, status: ctx.status, seconds: ms / 1000 });
      // 503 is an answer that clients repeat, so many can cause as many lines as they like: what it comes from has
      // lines of its own, and metrics have counts.
      const level = ctx.status >= 500 && ctx.status !== 503 ? 'warn' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const { userId } = ctx.state;
      // As typed: only an id is logged.
      const jobId = UUID.test(ctx.params?.jobId ?? '') ? ctx.params.jobId : undefined;
      const line = { method: ctx.method, route: path, status: ctx.status, ms: Math.round(ms * 10) / 10 };
      logOf(ctx)[level]({ ...line, ...(userId ? { userId } : {}), ...(jobId ? { jobId } : {}) }, 'request');
    });
    try {
      await next();
    } catch (error) {
      noteRefusal(securityLog, { request: { id: requestId, address: ctx.ip, headers: headersOf(ctx) }, error });
      throw error;
    }
  };
}
