/** Binds route groups to Koa: finds the route, converts the request to plain data, writes out the response. */
import { setMaxListeners } from 'node:events';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { createDispatch, type DispatchDeps } from '../dispatch/dispatch.ts';
import { noteRefusal } from '../dispatch/securityRefusals.ts';
import { setCookie } from '../request/cookies.ts';
import { answerError, HttpError, notFound } from '../request/errors.ts';
import type { IncomingRequest, RouteAnswer } from '../request/exchange.ts';
import { logOf } from '../request/log.ts';
import { addressKey } from '../request/rateLimits.ts';
import { Download } from '../request/reply.ts';
import type { RouteGroup } from '../routing/routeGroup.ts';
import { announced, BODY_LIMIT_BYTES, bodyReader } from './bodies.ts';
import { createDeliveries } from './deliveries.ts';
import { downloadFor } from './downloads.ts';
import { type KeptFile, keptFile } from './keptFile.ts';
import { headersOf } from './koaHeaders.ts';
import { createLargeAnswers, type LargeAnswers } from './largeAnswers.ts';

/**
 * Answers everything below the group's prefix, including paths without a route.
 * @throws for a route whose access the group does not support
 */
export function bindGroup(group: RouteGroup, given: DispatchDeps): Middleware {
  const { prefix, errorShape } = group;
  const router = routerOf(group, given);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${prefix}/`)) return next();
    ctx.set('Cache-Control', 'no-store');
    try {
      if (!group.deliveries) await given.limiter.count('address', ctx.ip);
      await router.routes()(ctx as never, async () => {
        if (group.deliveries) await given.limiter.count('address', ctx.ip);
        refuseUnknown(router, ctx);
      });
    } catch (error) {
      // Refused before the route was asked; it notes its own refusals.
      const { requestId: id, routePath } = ctx.state;
      const request = { id, address: ctx.ip, headers: headersOf(ctx) };
      noteRefusal(given.deps.securityLog, {
        request,
        error,
        ...(routePath ? { route: { access: 'public', method: ctx.method, path: routePath } } : {}),
      });
      const failure = answerError(error, id);
      if (failure.unexpected) logOf(ctx).error({ err: error }, 'request failed unexpectedly');
      ctx.set(failure.headers);
      ctx.status = failure.status;
      ctx.body = errorShape(failure.body, failure.status);
    }
  };
}

function routerOf(group: RouteGroup, given: DispatchDeps): Router {
  const router = new Router({ prefix: group.prefix });
  const dispatch = createDispatch(given, group);
  const readBody = bodyReader(group.bodies);
  const deliveries = createDeliveries(given.limiter, group.bodies.kind === 'raw' ? group.bodies.maxBytes : 0);
  const largeAnswers = createLargeAnswers();
  for (const route of group.routes) {
    if (!group.access.holds.includes(route.access))
      throw new Error(`${route.method} ${group.prefix}${route.path}: this group cannot hold '${route.access}'`);
    let kept: KeptFile | null = null;
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx: Context) => {
      ctx.state.routePath = `${group.prefix}${route.path}`;
      if (kept) return kept(ctx);
      const handle = async (withinMs?: number): Promise<void> => {
        // A large body is read only once the caller is known.
        const isLarge = group.bodies.kind === 'json' && announced(ctx.req, route.maxBodyBytes ?? 0) > BODY_LIMIT_BYTES;
        const body = isLarge
          ? { body: undefined, readBody: () => readBody(ctx, route) }
          : { body: await readBody(ctx, route, withinMs) };
        const answer = await dispatch(route, incoming(ctx, body));
        ctx.state.userId = answer.userId;
        if (route.neverChanges && answer.status === 200) {
          kept = keptFile('json', JSON.stringify(answer.body), 'no-store');
          return kept(ctx);
        }
        write(ctx, answer, { appUrl: given.deps.config.appUrl, largeAnswers });
      };
      if (!group.deliveries) return handle();
      const { admit } = group.deliveries;
      return deliveries.receive(ctx, () => admit(headersOf(ctx), given.deps), handle);
    });
  }
  return router;
}

function incoming(ctx: Context, body: Pick<IncomingRequest, 'body' | 'readBody'>): IncomingRequest {
  const { path, params, ip: address } = ctx;
  const { requestId: id, query } = ctx.state;
  const headOnly = ctx.method === 'HEAD' ? ({ headOnly: true } as const) : {};
  return { id, path, params, query, ...body, headers: headersOf(ctx), address, signal: goneSignal(ctx), ...headOnly };
}

/** Aborted when the connection ends before the response has been sent. */
export function goneSignal(ctx: Context): AbortSignal {
  const gone = new AbortController();
  // Many calls of one request wait for it at once.
  setMaxListeners(0, gone.signal);
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished)
      gone.abort(new HttpError('CLIENT_GONE', 'The client went away before it was answered'));
  });
  return gone.signal;
}

/** Of downloads, by the ending of their names. */
const TYPES: Readonly<Record<string, string>> = { '.json': 'application/json', '.ndjson': 'application/x-ndjson' };

/** What one download may keep in memory while its client takes none of it: parts that were read ahead. */
const DOWNLOAD_CHARS = 1_000_000;

/** One that is refused ends its source: nobody will read it. */
function beginDownload({ chunks }: Download, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    void chunks[Symbol.asyncIterator]().return?.();
    throw error;
  }
}

type Writing = { readonly appUrl: string; readonly largeAnswers: LargeAnswers };

function write(
  ctx: Context,
  { status, headers, cookies, body, userId }: RouteAnswer,
  { appUrl, largeAnswers }: Writing,
): void {
  // Serialized once here; otherwise it would be serialized again whenever its length is read.
  const text = body instanceof Download ? null : JSON.stringify(body);
  const reader = userId ?? addressKey(ctx.ip);
  if (text !== null) largeAnswers.begin(reader, text.length, ctx.res);
  else if (body instanceof Download) beginDownload(body, () => largeAnswers.begin(reader, DOWNLOAD_CHARS, ctx.res));
  ctx.status = status;
  ctx.set(headers);
  for (const cookie of cookies) ctx.append('Set-Cookie', setCookie(cookie, appUrl));
  if (body instanceof Download) {
    ctx.type = TYPES[body.name.slice(body.name.lastIndexOf('.'))] ?? 'application/octet-stream';
    ctx.set('Content-Disposition', `attachment; filename="${body.name}"`);
    ctx.set(body.headers);
    ctx.body = downloadFor(ctx.res, body);
    return;
  }
  ctx.type = 'application/json';
  ctx.body = text;
}

function refuseUnknown(router: Router, ctx: Context): never {
  const allowed = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
  if (allowed.size === 0) throw notFound();
  throw new HttpError('METHOD_NOT_ALLOWED', `This path answers ${[...allowed].join(', ')} only`, {
    headers: { Allow: [...allowed].join(', ') },
  });
}
