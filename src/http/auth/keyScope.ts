/** What an API key opens of what its owner may do. */
import type { ApiKeyScope } from '../../model/programs.ts';
import { readOnlyKey, sessionRequired } from '../errors.ts';
import type { AnyRoute } from '../route.ts';

/** Of the paths under `/auth`, which are a person's own business, those that only read. */
const READABLE_BY_KEYS: readonly string[] = ['/auth/profile'];

export function openToKeys(route: Pick<AnyRoute, 'access' | 'path' | 'sessionOnly'>): boolean {
  return route.access !== 'admin' && !route.sessionOnly && (!route.path.startsWith('/auth/') || READABLE_BY_KEYS.includes(route.path));
}

/** @throws HttpError SESSION_REQUIRED, API_KEY_READ_ONLY */
export function refuseBeyondScope(route: AnyRoute, scope: ApiKeyScope): void {
  if (!openToKeys(route)) throw sessionRequired();
  if (scope === 'read' && route.method !== 'GET') throw readOnlyKey();
}
