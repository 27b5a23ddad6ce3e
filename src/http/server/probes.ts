/** Endpoints for monitoring: /healthz, /readyz, /metrics. */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { bearerToken } from '../auth/session.ts';
import type { ProbeDeps, Readiness } from '../deps/deps.ts';
import { notFound } from '../request/errors.ts';

const PATHS = ['/healthz', '/readyz', '/metrics'];
const READY_CACHE_MS = 1_000;

export function probes(deps: ProbeDeps, stopping: () => boolean): Middleware {
  const readiness = cached(() => deps.health.ready());
  const answer = async (ctx: Context): Promise<void> => {
    if (ctx.path === '/healthz') {
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { status: 'alive' };
    } else if (ctx.path === '/readyz') await answerReadiness(ctx, deps, stopping() ? STOPPING : await readiness());
    else {
      if (!isTrusted(ctx, deps)) throw notFound();
      ctx.set('Cache-Control', 'no-store');
      ctx.type = deps.metrics.contentType;
      ctx.body = await deps.metrics.render(
        await deps.health.lag(),
        await deps.work?.measure(),
        await deps.installation?.measure(),
      );
    }
  };
  return (ctx, next) =>
    PATHS.includes(ctx.path) && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answer(ctx) : next();
}

const STOPPING: Readiness = { ok: false, checks: { server: { ok: false, detail: 'stopping' } } };

async function answerReadiness(ctx: Context, deps: ProbeDeps, readiness: Readiness): Promise<void> {
  ctx.status = readiness.ok ? 200 : 503;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = {
    status: readiness.ok ? 'ready' : 'not ready',
    ...(isTrusted(ctx, deps) ? { checks: readiness.checks } : {}),
  };
}

/** However many probes arrive, the stores are queried at most once a second. */
function cached(ask: () => Promise<Readiness>): () => Promise<Readiness> {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | null = null;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= READY_CACHE_MS) {
      const answer = ask().catch(
        (error: unknown): Readiness => ({
          ok: false,
          checks: { stores: { ok: false, detail: error instanceof Error ? error.message : 'unknown' } },
        }),
      );
      last = { at, answer };
    }
    return last.answer;
  };
}

/** A proxy on this machine sends at least one of these. */
const FORWARDING = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * With a configured token: whoever presents it. Otherwise only this machine, under one of its own host names: a page in
 * the operator's browser can point its own name here (DNS rebinding), but cannot send another Host header.
 */
function isTrusted(ctx: Context, { config }: ProbeDeps): boolean {
  if (config.metricsToken) return sameText(bearerToken(ctx.get('Authorization')) ?? '', config.metricsToken);
  const isForwarded = FORWARDING.some((header) => ctx.get(header) !== '');
  return (
    !isForwarded &&
    OWN_NAME.test(ctx.get('Host')) &&
    /^(127\.|::1$|::ffff:127\.)/.test(ctx.req.socket.remoteAddress ?? '')
  );
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
