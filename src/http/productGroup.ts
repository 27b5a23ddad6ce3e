/** The product's own API. */
import { API } from './apiPrefix.ts';
import { bearerAccess } from './auth/bearerAccess.ts';
import type { AnyRoute } from './route.ts';
import type { RouteGroup } from './routeGroup.ts';
import { ROUTES } from './routes/all.ts';

export function productGroup(routes: readonly AnyRoute[] = ROUTES): RouteGroup {
  return { prefix: API, routes, errorShape: (body) => body, bodies: { kind: 'json' }, access: bearerAccess };
}
