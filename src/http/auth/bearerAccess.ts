/** Authenticates callers by bearer token: a session's or an API key's. */
import { accountDisabled } from '../../domain/account/decide.ts';
import { unauthenticated } from '../request/errors.ts';
import type { GroupAccess } from '../routing/routeGroup.ts';
import { isDisabled } from './accountOf.ts';
import { requireAdmin } from './adminRight.ts';
import { noteAdminUse } from './adminSession.ts';
import { refuseBeyondScope } from './keyScope.ts';
import { featureDenied, isPlanFor } from './planFeature.ts';
import { authenticate, bearerToken } from './session.ts';

export const bearerAccess: GroupAccess = {
  holds: ['public', 'user', 'admin', 'owner-of-job', 'owner-of-named-job'],
  async callerOf(route, request, deps, identified) {
    if (route.access === 'public') return null;
    const caller = await authenticate(deps, bearerToken(request.headers.authorization));
    if (!caller) throw unauthenticated();
    identified(caller);
    if (caller.apiKey) {
      if (await isDisabled(deps, caller.userId)) throw accountDisabled();
      refuseBeyondScope(route, caller.apiKey.scope);
      if (!(await isPlanFor(deps, caller))) throw featureDenied();
    }
    if (route.access === 'admin') {
      await requireAdmin(deps, caller);
      // Open pages read again by themselves, so a read says nothing about the admin.
      if (route.method !== 'GET' && !caller.apiKey) await noteAdminUse(deps, caller);
    }
    return caller;
  },
};
