/** The installation itself, for admins: active users, running jobs, and the state of its services. */
import { FINAL_STATUSES, JOB_STATUSES, type JobStatus } from '../../../model/jobs.ts';
import { ascending } from '../../../model/order.ts';
import { ACTIVE_WINDOW } from '../../../model/system.ts';
import { type AccountDocument, listAccountsById } from '../../../projections/accounts.ts';
import { countActiveJobs, listNewestActiveJobs } from '../../../projections/jobs.ts';
import { MonitoringQuery, MonitoringResponse, type MonitoringView } from '../../contract/admin/system.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import type { ToolCalls } from '../../deps/mcp.ts';
import { presentLlmProviders, presentService } from '../../present/admin/monitoring.ts';
import { route } from '../../routing/route.ts';

const MOST_LISTED = 100;
const MINUTE_MS = 60_000;

export const getActiveMonitoring = route({
  method: 'GET',
  path: '/admin/active-monitoring',
  access: 'admin',
  summary: 'Get active users, running jobs and the state of the services',
  query: MonitoringQuery,
  response: MonitoringResponse,
  handler: async ({ deps, query }) => {
    const [activeUsers, activeJobs, processes, mcpServer] = await Promise.all([
      usersOf(deps, query.window ?? ACTIVE_WINDOW.default),
      jobsOf(deps),
      deps.system.processes(),
      mcpServerOf(deps),
    ]);
    const { here, llm } = deps.system;
    const { uptime, heapUsed, heapTotal } = here.vitals();
    const services = deps.system.services();
    return {
      success: true as const,
      data: {
        activeUsers,
        activeJobs,
        systemHealth: { uptime, memoryUsage: { heapUsed, heapTotal }, process: { id: here.id, role: here.role } },
        apiStatus: {
          mcpServer,
          supabase: presentService(services.supabase),
          stripe: { ...presentService(services.stripe), mode: deps.payments?.mode ?? null },
          llmProviders: presentLlmProviders(llm, processes),
        },
      },
    };
  },
});

/** Asks it, as a client would. Its figures are those of the process that responds. */
async function mcpServerOf({ config, mcp, now }: HttpDeps): Promise<MonitoringView['apiStatus']['mcpServer']> {
  const tools = [...mcp.calls()].map(([tool, calls]) => ({ tool, ...calls })).sort((a, b) => ascending(a.tool, b.tool));
  const nothing = { checked_at: null, latency_ms: null, detail: null, tools };
  if (!config.mcp) return { ...nothing, status: 'disabled' };
  const sum = (outcome: keyof ToolCalls): number => tools.reduce((all, each) => all + each[outcome], 0);
  const [refused, failed] = [sum('refused'), sum('failed')];
  const detail = `${sum('answered') + refused + failed} calls of tools here since the start, ${refused} refused, ${failed} failed`;
  return mcp.discover().then(
    () => ({ ...nothing, status: 'up', checked_at: now(), detail }),
    (error: Error) => ({ ...nothing, status: 'down', checked_at: now(), detail: error.message }),
  );
}

async function usersOf(
  { readModels, presence, now }: HttpDeps,
  minutes: number,
): Promise<MonitoringView['activeUsers']> {
  const since = new Date(Date.parse(now()) - minutes * MINUTE_MS).toISOString();
  const [count, seen] = await Promise.all([
    presence.count('user', since),
    presence.list('user', { since, limit: MOST_LISTED }),
  ]);
  const accounts = await accountsOf(
    readModels,
    seen.map(({ id }) => id),
  );
  const users = seen.flatMap(({ id }) => {
    const account = accounts.get(id);
    return account ? [{ auth_user_id: id, email: account.email, display_name: account.name }] : [];
  });
  // Users who have since deleted their account do not count.
  return { count: count - (seen.length - users.length), timeWindow: minutes, users };
}

async function jobsOf({ readModels }: HttpDeps): Promise<MonitoringView['activeJobs']> {
  const statuses = JOB_STATUSES.filter((status) => !FINAL_STATUSES.includes(status));
  const [counts, newest] = await Promise.all([
    Promise.all(statuses.map(async (status) => [status, await countActiveJobs(readModels, status)] as const)),
    listNewestActiveJobs(readModels, MOST_LISTED),
  ]);
  const accounts = await accountsOf(
    readModels,
    newest.map(({ userId }) => userId),
  );
  const byStatus: Partial<Record<JobStatus, number>> = Object.fromEntries(counts.filter(([, number]) => number > 0));
  const jobs = newest.map(({ jobId, userId, url, status, createdAt }) => {
    const account = accounts.get(userId);
    return { id: jobId, url, status, userEmail: account?.email ?? '', userName: account?.name ?? '', createdAt };
  });
  return { total: counts.reduce((sum, [, number]) => sum + number, 0), byStatus, jobs };
}

async function accountsOf(
  readModels: HttpDeps['readModels'],
  userIds: readonly string[],
): Promise<ReadonlyMap<string, AccountDocument>> {
  return new Map((await listAccountsById(readModels, [...new Set(userIds)])).map(({ id, data }) => [id, data]));
}
