import { countFailedSince, countUnderWay } from '../../../projections/allJobs.ts';
import { countDue } from '../../../work/items.ts';
import { AdminOverviewResponse } from '../../contract/admin/overview.ts';
import { route } from '../../route.ts';

export const getAdminOverview = route({
  method: 'GET',
  path: '/admin/overview',
  access: 'admin',
  summary: 'The figures of the admin dashboard',
  response: AdminOverviewResponse,
  handler: async ({ deps: { readModels, now } }) => {
    const at = now();
    const midnight = `${at.slice(0, 10)}T00:00:00.000Z`;
    const [underWay, failedToday, users, mailsDue] = await Promise.all([
      countUnderWay(readModels),
      countFailedSince(readModels, midnight),
      readModels.count('accounts'),
      countDue(readModels, 'mail', at),
    ]);
    return { success: true as const, data: { jobs: { under_way: underWay, failed_today: failedToday }, users, mails_due: mailsDue } };
  },
});
