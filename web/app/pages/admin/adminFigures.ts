/** The figures on the tiles of /admin, by page path. A page without an entry has none. */
import type { AdminOverviewResponse } from '../../../../src/http/contract/admin/overview.ts';
import { adminPaths } from '../../../ui/adminPaths.ts';
import { count, grouped } from '../../../ui/text/wording.ts';

export type Overview = AdminOverviewResponse['data'];

export const FIGURES: Readonly<Record<string, (overview: Overview) => string>> = {
  [adminPaths.jobs]: ({ jobs }) => `${grouped(jobs.under_way)} under way, ${grouped(jobs.failed_today)} failed today`,
  [adminPaths.system]: ({ services_not_up }) =>
    services_not_up === 0 ? 'All services up' : `${count(services_not_up, 'service')} not up`,
  [adminPaths.prompts]: ({ prompts_changed }) => `${prompts_changed} changed`,
  [adminPaths.sequences]: ({ mails_due }) => `${count(mails_due, 'email')} due`,
  [adminPaths.users]: ({ users }) => count(users, 'user'),
};
