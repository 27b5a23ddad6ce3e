/** Rows as the server sends them, checked by the contract's types. */

import type * as z from 'zod';
import type { ActionsResponse, ActionView } from '../../../src/http/contract/actions.ts';
import type { AdminJobResponse, AdminJobView, AllJobsResponse } from '../../../src/http/contract/admin/jobs.ts';
import type { LoginResponse, Profile, ProfileResponse } from '../../../src/http/contract/auth.ts';
import type { SubscriptionStatusResponse } from '../../../src/http/contract/billing.ts';
import type { JobStage, JobsResponse, JobView } from '../../../src/http/contract/jobs.ts';
import type { MfaResponse } from '../../../src/http/contract/mfa.ts';
import type { SessionsResponse, SessionView } from '../../../src/http/contract/security.ts';
import type { StatusResponse } from '../../../src/http/contract/status.ts';

export const position = (number: number): string => String(number).padStart(20, '0');

const STAGES: readonly (readonly [step: string, status: JobStage['status'], label: string])[] = [
  ['crawl', 'executing_parallel_streams', 'Analyzing Website'],
  ['checks', 'executing_step1', 'AI Analysis'],
  ['evidence', 'executing_step2', 'Data Collection'],
  ['report', 'executing_step2_format', 'Report Generation'],
  ['recommendations', 'executing_step3', 'Creating Recommendations'],
  ['summary', 'executing_convergence', 'Final Report'],
  ['actions', 'generating_actions', 'Generating Actions'],
  ['parse_actions', 'executing_actions_parsing', 'Executing Actions Parsing'],
];

function stagesAt(status: JobView['status'], started: string): JobStage[] {
  const at = STAGES.findIndex(([, each]) => each === status);
  return STAGES.map(([step, each, label], index) => {
    const state = status === 'completed' || index < at ? 'done' : index === at ? 'running' : 'waiting';
    return {
      step,
      status: each,
      label,
      state,
      started_at: state === 'waiting' ? null : started,
      ended_at: state === 'done' ? new Date(Date.parse(started) + 4200).toISOString() : null,
    };
  });
}

const FILES = ['seo-audit-report.md', 'executive-summary.md', 'action-items.md', 'findings.json', 'pages.csv'];

/** A running job. */
export function runningJob(over: Partial<JobView> = {}): JobView {
  const created_at = over.created_at ?? '2026-11-20T10:00:00.000Z';
  const status = over.status ?? 'executing_parallel_streams';
  return {
    id: 'job-1',
    user_id: 'user-1',
    url: 'https://www.example.com/',
    host: 'www.example.com',
    status,
    created_at,
    completed_at: null,
    folderPath: null,
    action_count: 0,
    action_generation_status: 'pending',
    steps: { actions_parsing: { status: 'pending' } },
    progress: 20,
    stages: stagesAt(status, created_at),
    pages_done: 12,
    pages_known: 36,
    max_pages: 50,
    settings: null,
    eta: { from: 95, to: 170 },
    started_at: created_at,
    queue: null,
    score: null,
    score_formula: null,
    not_judged: null,
    shut: false,
    given_back: null,
    findings: null,
    high_impact: null,
    files: [],
    analyst: null,
    access: 'preview',
    reason: null,
    reason_code: null,
    can: { cancel: true, delete: false },
    position: position(10),
    ...over,
  };
}

export function completedJob(over: Partial<JobView> = {}): JobView {
  return {
    ...runningJob({ status: 'completed' }),
    completed_at: '2026-11-20T10:01:00.000Z',
    folderPath: 'www.example.com/2026-11-20T10-01-00Z',
    action_count: 27,
    action_generation_status: 'completed',
    steps: { actions_parsing: { status: 'completed' } },
    progress: 100,
    pages_done: 36,
    eta: null,
    score: 82,
    score_formula: 2,
    findings: 41,
    high_impact: 6,
    files: FILES,
    analyst: 'Built-in analyst',
    can: { cancel: false, delete: true },
    position: position(20),
    ...over,
  };
}

export function failedJob(over: Partial<JobView> = {}): JobView {
  return {
    ...runningJob({ status: 'failed' }),
    completed_at: '2026-11-20T10:00:20.000Z',
    action_generation_status: 'failed',
    progress: 0,
    pages_done: 0,
    pages_known: 0,
    eta: null,
    reason: 'The site did not answer within 10 seconds.',
    reason_code: 'SITE_UNREACHABLE',
    can: { cancel: false, delete: true },
    position: position(20),
    ...over,
  };
}

export function jobsResponse(jobs: readonly JobView[], cursor: string | null = null): z.infer<typeof JobsResponse> {
  const finished = (job: JobView): boolean => job.can.delete;
  return {
    success: true,
    data: { active: jobs.filter((job) => !finished(job)), completed: jobs.filter(finished) },
    cursor,
    position:
      jobs
        .map((job) => job.position)
        .sort()
        .at(-1) ?? position(0),
  };
}

export function action(over: Partial<ActionView> = {}): ActionView {
  return {
    id: 'action-1',
    job_id: 'job-1',
    check_id: 'title-missing',
    title: 'Give every page a title',
    category: 'technical',
    impact: 'high',
    optional: false,
    difficulty: 'easy',
    status: 'todo',
    time_estimate: 20,
    business_value: 'Pages without a title are rarely clicked in search results.',
    time_to_result: '2-4 weeks',
    reason: 'High impact on 12 of 14 pages, about 30 minutes of work.',
    problem: '3 pages have no title, so search engines make one up.',
    solution: 'Write a title of 15 to 60 characters for each page, with its subject first.',
    code_example: '<title>Blue ceramic mugs – Example Shop</title>',
    tags: ['title', 'quick win'],
    pages: ['https://www.example.com/a', 'https://www.example.com/b'],
    evidence: [{ url: 'https://www.example.com/a', place: 'head > title', value: '(missing)' }],
    started_at: null,
    completed_at: null,
    notes: null,
    effectiveness_rating: null,
    last_verification: null,
    previous_status: null,
    ...over,
  };
}

export function actionsResponse(over: Partial<ActionsResponse> = {}): ActionsResponse {
  const actions = over.actions ?? [action()];
  return {
    success: true,
    jobId: 'job-1',
    actions,
    executiveSummary: '# Summary\n\nThe site is **sound**, with [three gaps](https://www.example.com/a).',
    isFreemiumPreview: false,
    totalActionsAvailable: actions.length,
    actionsShown: actions.length,
    position: position(7),
    analyst: 'Built-in analyst',
    ...over,
  };
}

export function statusResponse(over: Partial<StatusResponse['data']> = {}): StatusResponse {
  return {
    success: true,
    data: {
      auth_system: { development_mode: true },
      demo_site: 'http://127.0.0.1:3001/',
      payments: 'off',
      unlimited: false,
      analyst: 'Built-in analyst',
      support_email: 'support@example.com',
      mail: 'sent',
      log_in: { by_mail: false, providers: [] },
      limits: { max_pages: 50, batch: 100 },
      ...over,
    },
  };
}

export function subscriptionResponse(used = 1, limit = 3): SubscriptionStatusResponse {
  return {
    success: true,
    data: {
      subscription: {
        tier: 'free',
        status: 'inactive',
        features: { actionItemsLimit: 8, domainsPerMonth: limit },
        cancelAtPeriodEnd: false,
        currentPeriodEnd: null,
        pendingTier: null,
        pendingAt: null,
        graceEndsAt: null,
        holdReason: null,
        hasFullAccess: false,
        syncWarning: null,
        syncError: null,
      },
      usage: { used, limit, periodEnd: '2026-12-01T00:00:00.000Z' },
      balance: { plan: 'free', credits: 0, funds: 0, currency: null, paysNext: used < limit ? 'free_allowance' : null },
    },
  };
}

const PROFILE: Profile = {
  id: 'user-1',
  is_admin: false,
  plan: 'free',
  credits: 0,
  funds: 0,
  name: 'User',
  email_state: 'confirmed',
  pending_email: null,
  has_password: true,
  mfa: 'off',
};

export function profileResponse(
  over: Partial<ProfileResponse['user']> = {},
  profile: Partial<Profile> = {},
): ProfileResponse {
  return {
    success: true,
    user: { id: 'user-1', email: 'ada@example.com', ...over },
    profile: { ...PROFILE, id: over.id ?? PROFILE.id, ...profile },
  };
}

export function loginResponse(
  token = 'session-1.access',
  email = 'ada@example.com',
  profile: Partial<Profile> = {},
): LoginResponse {
  return {
    success: true,
    token,
    user_id: 'user-1',
    email,
    profile: { ...PROFILE, ...profile },
    session: {
      access_token: token,
      refresh_token: 'session-1.refresh',
      expires_at: 1_900_000_000,
      expires_in: 3600,
      token_type: 'bearer',
      user: { id: 'user-1', email },
    },
  };
}

export function mfaResponse(over: Partial<MfaResponse['data']> = {}): MfaResponse {
  return {
    success: true,
    data: { enabled: false, enabled_at: null, recovery_codes_left: 0, available: true, ...over },
  };
}

export function session(over: Partial<SessionView> = {}): SessionView {
  return {
    id: 'session-1',
    created_at: '2026-11-20T09:00:00.000Z',
    last_used_at: '2026-11-20T10:00:00.000Z',
    agent: 'Firefox on Linux',
    network: '203.0.113.x',
    logged_in_by: 'password',
    provider: null,
    current: true,
    ...over,
  };
}

export function sessionsResponse(...sessions: readonly SessionView[]): SessionsResponse {
  return { success: true, sessions: sessions.length > 0 ? [...sessions] : [session()] };
}

export function adminJob(over: Partial<AdminJobView> = {}): AdminJobView {
  return { ...runningJob(over), userEmail: 'ann@example.com', user_email: 'ann@example.com', ...over };
}

export function allJobsResponse(data: AdminJobView[] = [], over: Partial<AllJobsResponse> = {}): AllJobsResponse {
  return {
    success: true,
    data,
    cursor: null,
    position: position(10),
    under_way: 1,
    sorted: { by: 'date', descending: true },
    truncated: false,
    ...over,
  };
}

export function adminJobResponse(over: Partial<AdminJobResponse['data']> = {}): AdminJobResponse {
  const job = over.job ?? adminJob();
  return {
    success: true,
    data: {
      job,
      own: false,
      owner: { id: job.user_id, email: 'ann@example.com', name: 'Ann' },
      can: { cancel: job.can.cancel, retry: job.status === 'failed' },
      paid: {
        source: 'free_allowance',
        amount: null,
        currency: null,
        access: 'preview',
        state: 'reserved',
        unlock: null,
      },
      work: [],
      shares: { total: 0, revoked: 0 },
      report: false,
      ...over,
    },
  };
}
