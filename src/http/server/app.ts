/** The Koa application: everything a request passes through, in order. */
import Koa, { type Context, type Middleware } from 'koa';
import compress from 'koa-compress';
import type { HttpDeps } from '../deps/deps.ts';
import { loadAppPages } from '../pages/appPage.ts';
import { webApp } from '../pages/webApp.ts';
import { API } from '../request/apiPrefix.ts';
import { clientAddressOf } from '../request/clientAddress.ts';
import { errorExit } from '../request/errors.ts';
import { prefersPage } from '../request/prefersPage.ts';
import { createRateLimiter, type RateLimiter } from '../request/rateLimits.ts';
import { requestHead } from '../request/requestHead.ts';
import { securityHeaders } from '../request/securityHeaders.ts';
import { ALIASES } from '../routes/all.ts';
import { productGroup } from '../routes/productGroup.ts';
import type { RouteGroup } from '../routing/routeGroup.ts';
import { sharePages } from '../sharing/sharePages.ts';
import { stripeGroup } from '../stripe/stripeGroup.ts';
import { docsPage } from './docsPage.ts';
import { bindGroup } from './koaBinding.ts';
import { mcpEndpoint } from './mcpEndpoint.ts';
import { probes } from './probes.ts';
import { requestLog } from './requestLog.ts';

export type AppOptions = {
  /** The first is the product's own, which the API documentation describes. */
  readonly groups?: readonly [RouteGroup, ...RouteGroup[]];
  /** True once the server is stopping, as reported by /readyz. */
  readonly stopping?: () => boolean;
  /** Default: a limiter of its own, used only for requests. */
  readonly limiter?: RateLimiter;
};

/** Every group of routes that the product serves; the first is its own API. */
export const routeGroups = ({ payments }: Pick<HttpDeps, 'payments'>): readonly [RouteGroup, ...RouteGroup[]] => [
  productGroup(),
  ...(payments ? [stripeGroup] : []),
];

export function createApp(
  deps: HttpDeps,
  {
    groups = routeGroups(deps),
    stopping = () => false,
    limiter = createRateLimiter(deps.config.rateLimits),
  }: AppOptions = {},
): Koa {
  const app = new Koa();
  const pages = loadAppPages(deps.config.webDir);
  app.proxy = deps.config.trustProxy;
  // A failure after the response has started (a client that disconnected) is not a server error.
  app.on('error', (error) => deps.log.debug({ err: error }, 'an answer was cut short'));
  app.use(errorExit(deps.log));
  app.use(clientAddressOf(deps.config.trustProxy));
  app.use(requestLog(deps));
  app.use(securityHeaders(deps.config.appUrl, deps.payments));
  app.use(requestHead);
  app.use(compression());
  app.use(probes(deps, stopping));
  app.use(docsPage(groups[0].routes, deps.config, limiter));
  app.use(aliases);
  app.use(sharePages(deps, limiter, pages));
  app.use(mcpEndpoint(deps, limiter));
  // A group answers everything below its prefix, so longer prefixes come first.
  for (const group of groups.toSorted((a, b) => b.prefix.length - a.prefix.length))
    app.use(bindGroup(group, { deps, limiter }));
  app.use(webApp(deps.config.webDir, pages));
  return app;
}

/** The product's traditional paths, served by the same routes. */
const aliases: Middleware = (ctx, next) => {
  const { path } = ctx;
  const alias = ALIASES.find(
    ([bare, , only]) =>
      path.startsWith(bare) &&
      (path.length === bare.length || path[bare.length] === '/') &&
      (only === undefined || answers(only, ctx)),
  );
  if (alias) ctx.path = alias[1] + path.slice(alias[0].length);
  // A page's URL, to which email clients post.
  if (path === '/unsubscribe' && ctx.method === 'POST') ctx.path = `${API}/mail/unsubscribe`;
  return next();
};

const answers = (only: NonNullable<(typeof ALIASES)[number][2]>, ctx: Context): boolean =>
  only === 'unless a page is asked for'
    ? !['GET', 'HEAD'].includes(ctx.method) || !prefersPage(ctx, false)
    : only === ctx.method;

/** Skips content negotiation for clients without compression, but still tells caches that there are two variants. */
function compression(): Middleware {
  const compressed = compress({ threshold: 1024, zstd: false });
  return (ctx, next) => {
    if (ctx.req.headers['accept-encoding'] !== undefined) return compressed(ctx, next);
    ctx.set('Vary', 'Accept-Encoding');
    return next();
  };
}
