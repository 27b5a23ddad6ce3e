/** The product's own API. */
import { bearerAccess } from '../auth/bearerAccess.ts';
import { API } from '../request/apiPrefix.ts';
import type { AnyRoute } from '../routing/route.ts';
import type { RouteGroup } from '../routing/routeGroup.ts';
import { ROUTES } from './all.ts';

export function productGroup(routes: readonly AnyRoute[] = ROUTES): RouteGroup {
  return { prefix: API, routes, errorShape: (body) => body, bodies: { kind: 'json' }, access: bearerAccess };
}
