/**
 * What led to an event and what followed from it. Each view of other users' data is recorded, once per user whose
 * events are shown.
 */
import { someAtOnce } from '../../../commands/someAtOnce.ts';
import { causesOf } from '../../../history/causes.ts';
import { ownersOf } from '../../../history/ownersOf.ts';
import { listAccountsById } from '../../../projections/accounts.ts';
import { recordView } from '../../auth/administering.ts';
import { CausesOfEventResponse, CausesParams, CausesQuery } from '../../contract/admin/causes.ts';
import { presentCauses } from '../../present/admin/causes.ts';
import { usersIn } from '../../present/admin/history.ts';
import { HttpError } from '../../request/errors.ts';
import { route } from '../../routing/route.ts';

export const getCausesOfEvent = route({
  method: 'GET',
  path: '/admin/history/causes/{eventId}',
  access: 'admin',
  summary:
    'Get what led to an event, back to the request, and what followed from it; or everything a request led to. The view is recorded',
  params: CausesParams,
  query: CausesQuery,
  response: CausesOfEventResponse,
  refusals: ['NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => {
    const { deps, params, query } = request;
    const causes = await causesOf(deps, params.eventId, query);
    if (!causes) throw new HttpError('NOT_FOUND', 'There is no such event, or it has no effects.');
    const { ancestors, event, following, cursor } = causes;
    const shown = [...ancestors, ...(event ? [event] : []), ...following];
    await someAtOnce(await ownersOf(deps.readModels, shown), (ownerId) =>
      recordView(request, { ownerId, thing: 'account', thingId: ownerId }),
    );
    const named = usersIn(shown.map(({ metadata }) => metadata.actor));
    const emailOf = new Map((await listAccountsById(deps.readModels, named)).map(({ id, data }) => [id, data.email]));
    return { success: true as const, data: presentCauses(params.eventId, causes, emailOf), cursor };
  },
});
