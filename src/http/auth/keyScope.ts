/** Which of its owner's rights an API key grants. */
import { type AnalystScope, type ApiKeyScope, isAnalystScope } from '../../model/programs.ts';
import { readOnlyKey, reportsOnlyKey, sessionRequired } from '../request/errors.ts';
import type { AnyRoute } from '../routing/route.ts';

/** Paths under `/auth` that keys may read; the rest are personal. */
const READABLE_BY_KEYS: readonly string[] = ['/auth/profile'];

/** For keys that users create for their own programs. */
export function openToKeys(route: Pick<AnyRoute, 'access' | 'path' | 'sessionOnly'>): boolean {
  return (
    route.access !== 'admin' &&
    !route.sessionOnly &&
    (!route.path.startsWith('/auth/') || READABLE_BY_KEYS.includes(route.path))
  );
}

/** @throws HttpError SESSION_REQUIRED, API_KEY_READ_ONLY, API_KEY_REPORTS_ONLY */
export function refuseBeyondScope(route: AnyRoute, scope: ApiKeyScope): void {
  if (isAnalystScope(scope)) {
    if (!opensToAnalyst(route, scope)) throw reportsOnlyKey(scope);
    return;
  }
  if (!openToKeys(route)) throw sessionRequired();
  if (scope === 'read' && route.method !== 'GET') throw readOnlyKey();
}

/** `events:read` opens everything that `reports:read` opens. */
const opensToAnalyst = ({ openToAnalysts }: AnyRoute, scope: AnalystScope): boolean =>
  openToAnalysts !== undefined && (scope === 'events:read' || openToAnalysts === scope);
