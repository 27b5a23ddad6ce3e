/** Turns the route table into a router: limit, caller, input, ownership, command id, handler, answer. Every route goes this one way. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import type { CommandContext } from '../commands/context.ts';
import { getAccount } from '../projections/accounts.ts';
import { getJob } from '../projections/jobs.ts';
import { actorOf } from './auth/actor.ts';
import { type ApiKeyUse, createApiKeyUse } from './auth/apiKeyUse.ts';
import { refuseBeyondScope } from './auth/keyScope.ts';
import { authenticate, bearerToken, type Caller } from './auth/session.ts';
import type { HttpDeps } from './deps.ts';
import { adminOnly, answerError, HttpError, type Issue, invalidInput, issuesOf, jobNotFound, notFound, unauthenticated } from './errors.ts';
import { accept, type KeptAnswer, keepAnswer, keyedRequest, lookUp } from './idempotency.ts';
import { findNamedJob } from './namedJob.ts';
import type { AnyRoute, OwnJob, RouteRequest } from './route.ts';
import { cookiesOf } from './server/cookies.ts';
import { Download } from './server/download.ts';
import { logOf } from './server/log.ts';
import type { RateLimiter } from './server/rateLimits.ts';

export const API = '/api/v1';

/** A handler that takes longer is answered 503; a write may still have happened, so its repeat must carry an Idempotency-Key. */
const HANDLER_MS = 30_000;

export function mount(routes: readonly AnyRoute[], deps: HttpDeps, limiter: RateLimiter): Middleware[] {
  const router = new Router({ prefix: API });
  const keyUse = createApiKeyUse();
  for (const route of routes) {
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx: Context) => {
      ctx.state.route = route;
      const answer = await within(HANDLER_MS, serve(route, ctx, deps, limiter, keyUse));
      ctx.status = answer.status;
      if (answer.body instanceof Download) return answer.body.send(ctx);
      ctx.type = 'application/json';
      // As text, so that it is written out once, not again for each look at its length.
      ctx.body = JSON.stringify(answer.body);
    });
  }
  return [router.routes() as unknown as Middleware, methodNotAllowed(router)];
}

async function serve(route: AnyRoute, ctx: Context, deps: HttpDeps, limiter: RateLimiter, keyUse: ApiKeyUse): Promise<KeptAnswer> {
  const caller = await callerOf(route, ctx, deps);
  if (caller) {
    await limiter.count('user', caller.userId);
    if (caller.apiKey) await limiter.count('apiKey', caller.apiKey.keyId);
    keyUse.note(deps, caller, ctx.state.requestId);
  }
  if (route.limit) await limiter.count(route.limit, caller?.userId ?? ctx.ip);
  const input = parse(route, ctx);
  const commandId = deps.newId();
  const request = {
    deps,
    ...input,
    caller,
    job: null as OwnJob | null,
    command: commandOf(deps, commandId, caller, ctx.state.requestId),
    plan: null as unknown,
    address: ctx.ip,
    agent: ctx.get('User-Agent'),
    bearer: bearerToken(ctx.get('Authorization')),
    cookies: cookiesOf(ctx, deps.config.appUrl),
    limiter,
    log: () => logOf(ctx),
  };
  const key = route.method === 'GET' || route.secret ? '' : ctx.get('Idempotency-Key');
  if (key && caller) return onceForKey(route, request as RouteRequest, caller, `${route.method} ${ctx.path}`, key, ctx);
  const job = await ownJob(route, request as RouteRequest, caller);
  return run(route, { ...request, job } as RouteRequest);
}

async function run(route: AnyRoute, request: RouteRequest): Promise<KeptAnswer> {
  return { status: route.status ?? 200, body: await route.handler(request) };
}

/** What may be done once under a key is decided before it is accepted; from then on every repeat carries it through. */
async function onceForKey(route: AnyRoute, request: RouteRequest, caller: Caller, target: string, key: string, ctx: Context): Promise<KeptAnswer> {
  const { deps } = request;
  const by = { userId: caller.userId, actor: actorOf(caller), requestId: ctx.state.requestId };
  const keyed = keyedRequest(by, target, key, request.body, deps.newId);
  const own = { ...request, command: commandOf(deps, keyed.commandId, caller, ctx.state.requestId) };
  let state = await lookUp(deps.store, keyed);
  if (!state.accepted) {
    await ownJob(route, own, caller);
    const plan = route.plan ? await route.plan({ ...own, plan: null }) : null;
    state = await accept(deps.store, keyed, plan, deps.now());
  }
  if (state.answer) {
    ctx.set('Idempotency-Replayed', 'true');
    return state.answer;
  }
  const planned = { ...own, plan: state.accepted?.plan ?? null };
  if (route.answerNotKept) return run(route, planned);
  const answer = await run(route, planned).catch((error: unknown) => {
    const refusal = answerError(error, ctx.state.requestId);
    // Only a decision is kept: what failed for the moment, or for no known reason, is tried again.
    if (refusal.status >= 500 || refusal.status === 429) throw error;
    ctx.set(refusal.headers);
    return { status: refusal.status, body: refusal.body };
  });
  return keepAnswer(deps.store, keyed, answer, deps.now());
}

async function callerOf(route: AnyRoute, ctx: Context, deps: HttpDeps): Promise<Caller | null> {
  if (route.access === 'public') return null;
  const caller = await authenticate(deps.readModels, deps.now(), bearerToken(ctx.get('Authorization')));
  if (!caller) throw unauthenticated();
  ctx.state.userId = caller.userId;
  if (caller.apiKey) refuseBeyondScope(route, caller.apiKey.scope);
  if (route.access === 'admin' && !(await getAccount(deps.readModels, caller.userId))?.data.isAdmin) throw adminOnly();
  return caller;
}

/** @throws HttpError JOB_NOT_FOUND when the job named is missing or another's */
async function ownJob(route: AnyRoute, request: RouteRequest, caller: Caller | null): Promise<OwnJob | null> {
  if (route.access !== 'owner-of-job' && route.access !== 'owner-of-named-job') return null;
  if (!caller) throw unauthenticated();
  const job =
    route.access === 'owner-of-job'
      ? await getJob(request.deps.readModels, (request.params as { jobId: string }).jobId)
      : await findNamedJob(request.deps.readModels, caller.userId, request.query as { jobId?: string; domain?: string; timestamp?: string });
  if (!job) {
    if (route.access === 'owner-of-named-job' && !(request.query as { jobId?: string }).jobId) return null;
    throw jobNotFound();
  }
  if (job.data.userId !== caller.userId) throw jobNotFound();
  return job;
}

function commandOf({ store, now }: HttpDeps, commandId: string, caller: Caller | null, requestId: string): CommandContext {
  return { store, now, commandId, actor: actorOf(caller), correlationId: requestId };
}

function parse(route: AnyRoute, ctx: Context): { params: unknown; query: unknown; body: unknown } {
  const issues: Issue[] = [];
  const part = (schema: z.ZodType | undefined, value: unknown, where: string): unknown => {
    if (!schema) return {};
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    issues.push(...issuesOf(parsed.error, where));
    return {};
  };
  const params = part(route.params, ctx.params, '');
  // What a query names must be known even where nothing may be named.
  const query = route.query ? part(route.query, { ...ctx.query }, '') : {};
  const body = route.body ? part(route.body, ctx.request.body ?? {}, '') : {};
  if (issues.length > 0) throw invalidInput(issues);
  return { params, query, body };
}

function methodNotAllowed(router: Router): Middleware {
  return (ctx, next) => {
    if (!ctx.path.startsWith(`${API}/`)) return next();
    const allowed = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (allowed.size === 0) throw notFound();
    throw new HttpError('METHOD_NOT_ALLOWED', `This path answers ${[...allowed].join(', ')} only`, { headers: { Allow: [...allowed].join(', ') } });
  };
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new HttpError('TIMED_OUT', 'This takes longer than it should. Please try again shortly.', { headers: { 'Retry-After': '5' } })),
      ms,
    );
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
