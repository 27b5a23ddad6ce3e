/**
 * The contract's schemas by their export names: the named components of the OpenAPI document. A new contract file is
 * one line here.
 */
import * as z from 'zod';
import * as accepted from '../contract/accepted.ts';
import * as account from '../contract/account.ts';
import * as actions from '../contract/actions.ts';
import * as adminAnalytics from '../contract/admin/analytics.ts';
import * as adminCauses from '../contract/admin/causes.ts';
import * as adminDays from '../contract/admin/days.ts';
import * as adminEmailSequences from '../contract/admin/emailSequences.ts';
import * as adminEvents from '../contract/admin/events.ts';
import * as adminGivenUp from '../contract/admin/givenUp.ts';
import * as adminHistory from '../contract/admin/history.ts';
import * as adminJobs from '../contract/admin/jobs.ts';
import * as adminLedger from '../contract/admin/ledger.ts';
import * as adminOverview from '../contract/admin/overview.ts';
import * as adminPast from '../contract/admin/past.ts';
import * as adminPastLists from '../contract/admin/pastLists.ts';
import * as adminPrompts from '../contract/admin/prompts.ts';
import * as adminReports from '../contract/admin/reports.ts';
import * as adminRights from '../contract/admin/rights.ts';
import * as adminSession from '../contract/admin/session.ts';
import * as adminSystem from '../contract/admin/system.ts';
import * as adminUserProgress from '../contract/admin/userProgress.ts';
import * as adminUsers from '../contract/admin/users.ts';
import * as analyses from '../contract/analyses.ts';
import * as apiKeys from '../contract/apiKeys.ts';
import * as auth from '../contract/auth.ts';
import * as billing from '../contract/billing.ts';
import * as checks from '../contract/checks.ts';
import * as errors from '../contract/errors.ts';
import * as findings from '../contract/findings.ts';
import * as jobs from '../contract/jobs.ts';
import * as links from '../contract/links.ts';
import * as liveFeed from '../contract/liveFeed.ts';
import * as logIn from '../contract/logIn.ts';
import * as mfa from '../contract/mfa.ts';
import * as pageRecord from '../contract/pageRecord.ts';
import * as pages from '../contract/pages.ts';
import * as paging from '../contract/paging.ts';
import * as passkeys from '../contract/passkeys.ts';
import * as payments from '../contract/payments.ts';
import * as realtime from '../contract/realtime.ts';
import * as recovery from '../contract/recovery.ts';
import * as reworks from '../contract/reworks.ts';
import * as runs from '../contract/runs.ts';
import * as sample from '../contract/sample.ts';
import * as security from '../contract/security.ts';
import * as share from '../contract/share.ts';
import * as status from '../contract/status.ts';
import * as structure from '../contract/structure.ts';
import * as subscriptions from '../contract/subscriptions.ts';
import * as webhooks from '../contract/webhooks.ts';

const CONTRACT = [
  accepted,
  account,
  actions,
  adminAnalytics,
  adminCauses,
  adminDays,
  adminEmailSequences,
  adminEvents,
  adminGivenUp,
  adminHistory,
  adminJobs,
  adminLedger,
  adminOverview,
  adminPast,
  adminPastLists,
  adminPrompts,
  adminReports,
  adminRights,
  adminSession,
  adminSystem,
  adminUserProgress,
  adminUsers,
  analyses,
  apiKeys,
  auth,
  billing,
  checks,
  errors,
  findings,
  jobs,
  mfa,
  links,
  liveFeed,
  pageRecord,
  pages,
  paging,
  payments,
  realtime,
  recovery,
  logIn,
  passkeys,
  reworks,
  runs,
  sample,
  security,
  share,
  status,
  structure,
  subscriptions,
  webhooks,
];

/** Of one schema with two names, the first counts. */
export const COMPONENTS = z.registry<{ readonly id: string }>();
for (const module of CONTRACT)
  for (const [id, exported] of Object.entries<unknown>(module))
    if (exported instanceof z.ZodType && !COMPONENTS.has(exported)) COMPONENTS.add(exported, { id });
