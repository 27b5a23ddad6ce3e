/** The list of users with their progress. */
import { beginningOfEmail } from '../../../model/emailAddress.ts';
import {
  getProgressTotals,
  listUserProgress,
  type ProgressSort,
} from '../../../projections/userProgress/userProgress.ts';
import { UserProgressQuery, UserProgressResponse, type UserProgressSort } from '../../contract/admin/userProgress.ts';
import { presentProgressSummary, presentUserProgress } from '../../present/admin/userProgress.ts';
import { route } from '../../routing/route.ts';

const DEFAULT_LIMIT = 100;

const FIELD: Readonly<Record<UserProgressSort, ProgressSort>> = {
  email: 'email',
  domain: 'domain',
  total_actions: 'totalActions',
  completion_percentage: 'completionPercentage',
  time_saved: 'timeSaved',
  last_activity: 'lastActivity',
};

export const getUserProgress = route({
  method: 'GET',
  path: '/admin/user-progress',
  access: 'admin',
  summary: 'List how far all users have come with their action items, one row per user and domain',
  query: UserProgressQuery,
  response: UserProgressResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({
    deps: { readModels },
    query: { sort = 'last_activity', order = 'desc', search = '', limit = DEFAULT_LIMIT, cursor },
  }) => {
    const [page, totals] = await Promise.all([
      listUserProgress(readModels, { sort: FIELD[sort], order, search: beginningOfEmail(search), limit, cursor }),
      getProgressTotals(readModels),
    ]);
    return {
      success: true as const,
      data: page.documents.map(({ data }) => presentUserProgress(data)),
      summary: presentProgressSummary(totals),
      cursor: page.cursor,
    };
  },
});
