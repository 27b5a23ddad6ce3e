/** The Koa application: everything a request meets, in this order. */
import Koa, { type Context, type Middleware } from 'koa';
import compress from 'koa-compress';
import { API } from '../apiPrefix.ts';
import type { HttpDeps } from '../deps.ts';
import { errorExit, readableTarget } from '../errors.ts';
import { productGroup } from '../productGroup.ts';
import type { RouteGroup } from '../routeGroup.ts';
import { ALIASES } from '../routes/all.ts';
import { sharePages } from '../sharing/sharePages.ts';
import { stripeGroup } from '../stripe/stripeGroup.ts';
import { loadAppPages } from './appPage.ts';
import { docsPage } from './docsPage.ts';
import { bindGroup } from './koaBinding.ts';
import { probes } from './probes.ts';
import { createRateLimiter, type RateLimiter } from './rateLimits.ts';
import { requestLog } from './requestLog.ts';
import { securityHeaders } from './securityHeaders.ts';
import { webApp } from './webApp.ts';

export type AppOptions = {
  /** The first one is the product's own, which the API's page describes. */
  readonly groups?: readonly [RouteGroup, ...RouteGroup[]];
  /** True from the moment the server stops: /readyz says so. */
  readonly stopping?: () => boolean;
  /** Default: one of its own, that counts nothing but requests. */
  readonly limiter?: RateLimiter;
};

export function createApp(
  deps: HttpDeps,
  {
    groups = [productGroup(), ...(deps.payments ? [stripeGroup] : [])],
    stopping = () => false,
    limiter = createRateLimiter(deps.config.rateLimits),
  }: AppOptions = {},
): Koa {
  const app = new Koa();
  const pages = loadAppPages(deps.config.webDir);
  // Only the address that our own proxy added counts; what a client claims before it does not.
  app.proxy = deps.config.trustProxy;
  app.maxIpsCount = 1;
  // What still fails after an answer has begun (a reader that went away) is no failure of ours.
  app.on('error', (error) => deps.log.debug({ err: error }, 'an answer was cut short'));
  app.use(requestLog(deps));
  app.use(securityHeaders(deps.config.appUrl, deps.payments));
  app.use(errorExit);
  app.use(readableTarget);
  app.use(compression());
  app.use(probes(deps, stopping));
  app.use(docsPage(groups[0].routes, deps.config));
  app.use(aliases);
  app.use(sharePages(deps, limiter, pages));
  // Each answers all below its prefix: what lies within another's comes before it.
  for (const group of groups.toSorted((a, b) => b.prefix.length - a.prefix.length)) app.use(bindGroup(group, { deps, limiter }));
  app.use(webApp(deps.config.webDir, pages));
  return app;
}

/** The paths that the product has always had, answered by the same routes. */
const aliases: Middleware = (ctx, next) => {
  const { path } = ctx;
  const alias = ALIASES.find(
    ([bare, , only]) => path.startsWith(bare) && (path.length === bare.length || path[bare.length] === '/') && (only === undefined || answers(only, ctx)),
  );
  if (alias) ctx.path = alias[1] + path.slice(alias[0].length);
  // The address of a page, to which mail programs post.
  if (path === '/unsubscribe' && ctx.method === 'POST') ctx.path = `${API}/mail/unsubscribe`;
  return next();
};

const answers = (only: NonNullable<(typeof ALIASES)[number][2]>, ctx: Context): boolean =>
  only === 'unless a page is asked for' ? !['GET', 'HEAD'].includes(ctx.method) || ctx.accepts('json', 'html') !== 'html' : only === ctx.method;

/** Who takes no compressed answers is spared the negotiation; caches are told in any case that there are two kinds. */
function compression(): Middleware {
  const compressed = compress({ threshold: 1024, zstd: false });
  return (ctx, next) => {
    if (ctx.req.headers['accept-encoding'] !== undefined) return compressed(ctx, next);
    ctx.set('Vary', 'Accept-Encoding');
    return next();
  };
}
