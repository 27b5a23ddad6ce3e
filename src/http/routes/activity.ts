/** Activity of the logged-in user's own account. */
import { activityOf } from '../../history/activity.ts';
import { ActivityQuery, ActivityResponse } from '../contract/security.ts';
import { presentActivity } from '../present/activity.ts';
import { route } from '../routing/route.ts';

const PAGE = 20;

export const getActivity = route({
  method: 'GET',
  path: '/auth/activity',
  access: 'user',
  sessionOnly: true,
  summary:
    'List activity on your account, newest first: log-ins, keys, shared links, payments, deletions, views by admins',
  query: ActivityQuery,
  response: ActivityResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller: { userId }, query: { limit = PAGE, cursor } }) => {
    const page = await activityOf(deps, userId, { limit, cursor });
    return {
      success: true as const,
      data: page.events.map((event) => presentActivity(event, userId, page.names)),
      cursor: page.cursor,
    };
  },
});
