import { countFailedSince, countUnderWay } from '../../../projections/jobIndex.ts';
import { countChangedPrompts } from '../../../projections/prompts.ts';
import { countDue } from '../../../work/items.ts';
import { AdminOverviewResponse } from '../../contract/admin/overview.ts';
import type { SystemDeps } from '../../deps/system.ts';
import { presentLlmProviders } from '../../present/admin/monitoring.ts';
import { route } from '../../routing/route.ts';

export const getAdminOverview = route({
  method: 'GET',
  path: '/admin/overview',
  access: 'admin',
  summary: 'Get the figures of the admin dashboard',
  response: AdminOverviewResponse,
  handler: async ({ deps: { readModels, now, system } }) => {
    const at = now();
    const midnight = `${at.slice(0, 10)}T00:00:00.000Z`;
    const [underWay, failedToday, users, mailsDue, sequenceMailsDue, servicesNotUp, promptsChanged] = await Promise.all(
      [
        countUnderWay(readModels),
        countFailedSince(readModels, midnight),
        readModels.count('accounts'),
        countDue(readModels, 'mail', at),
        countDue(readModels, 'sequenceMail', at),
        countNotUp(system),
        countChangedPrompts(readModels),
      ],
    );
    return {
      success: true as const,
      data: {
        jobs: { under_way: underWay, failed_today: failedToday },
        users,
        mails_due: mailsDue + sequenceMailsDue,
        services_not_up: servicesNotUp,
        prompts_changed: promptsChanged,
      },
    };
  },
});

/** From the latest background checks. */
async function countNotUp(system: SystemDeps): Promise<number> {
  const { providers } = presentLlmProviders(system.llm, await system.processes());
  const statuses = [...Object.values(system.services()), ...Object.values(providers)].map(({ status }) => status);
  return statuses.filter((status) => status === 'degraded' || status === 'down').length;
}
