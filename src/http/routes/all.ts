/** Every route of the API. A route not exported by one of these files does not exist. */
import { ascending } from '../../model/order.ts';
import type { AnyRoute, Method } from '../routing/route.ts';
import * as account from './account.ts';
import * as actionItems from './actionItems.ts';
import * as actions from './actions.ts';
import * as activity from './activity.ts';
import * as adminAllJobs from './admin/allJobs.ts';
import * as adminAnalytics from './admin/analytics.ts';
import * as adminCauses from './admin/causes.ts';
import * as emailSequences from './admin/emailSequences.ts';
import * as emailTemplates from './admin/emailTemplates.ts';
import * as adminEvents from './admin/events.ts';
import * as adminGivenUp from './admin/givenUp.ts';
import * as adminHistory from './admin/history.ts';
import * as adminJob from './admin/job.ts';
import * as adminLedger from './admin/ledger.ts';
import * as adminOperations from './admin/operations.ts';
import * as adminOverview from './admin/overview.ts';
import * as pastChanges from './admin/past/changes.ts';
import * as pastLists from './admin/past/lists.ts';
import * as pastThings from './admin/past/things.ts';
import * as adminPrompts from './admin/prompts.ts';
import * as adminPromptTrials from './admin/promptTrials.ts';
import * as adminReports from './admin/reports.ts';
import * as adminRights from './admin/rights.ts';
import * as adminSession from './admin/session.ts';
import * as adminSystem from './admin/system.ts';
import * as adminUserActions from './admin/userActions.ts';
import * as adminUserProgress from './admin/userProgress.ts';
import * as adminUsers from './admin/users.ts';
import * as analyses from './analyses.ts';
import * as apiKeys from './apiKeys.ts';
import * as auth from './auth.ts';
import * as checks from './checks.ts';
import * as files from './files.ts';
import * as findings from './findings.ts';
import * as jobs from './jobs.ts';
import * as liveFeed from './liveFeed.ts';
import * as logIn from './logIn.ts';
import * as mfa from './mfa.ts';
import * as passkeys from './passkeys.ts';
import * as payments from './payments.ts';
import * as plans from './plans.ts';
import * as process from './process.ts';
import * as recovery from './recovery.ts';
import * as runs from './runs.ts';
import * as sample from './sample.ts';
import * as security from './security.ts';
import * as share from './share.ts';
import * as sso from './sso.ts';
import * as status from './status.ts';
import * as subscription from './subscription.ts';
import * as webhooks from './webhooks.ts';

const FILES: readonly object[] = [
  account,
  actionItems,
  actions,
  activity,
  adminPrompts,
  adminPromptTrials,
  adminAllJobs,
  adminAnalytics,
  adminCauses,
  adminEvents,
  adminHistory,
  adminJob,
  adminLedger,
  adminOverview,
  adminReports,
  adminRights,
  adminSession,
  adminUserActions,
  adminUserProgress,
  adminUsers,
  adminOperations,
  adminGivenUp,
  adminSystem,
  analyses,
  apiKeys,
  auth,
  checks,
  emailSequences,
  emailTemplates,
  files,
  findings,
  jobs,
  liveFeed,
  mfa,
  pastChanges,
  pastLists,
  pastThings,
  payments,
  plans,
  process,
  recovery,
  logIn,
  passkeys,
  runs,
  sample,
  security,
  share,
  sso,
  status,
  subscription,
  webhooks,
];

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'handler' in value && 'access' in value;
const placeOf = ({ path, method }: AnyRoute): string => `${path} ${method}`;

/** By path and method. */
export const ROUTES: readonly AnyRoute[] = FILES.flatMap((file) => Object.values(file))
  .filter(isRoute)
  .sort((a, b) => ascending(placeOf(a), placeOf(b)));

/**
 * Paths that also work without `/api/v1`, each including everything below it, some for one method only. The web app's
 * own pages (`/dashboard/actions`) are not included; where a path is both (`unless a page is asked for`), a browser
 * that opens it gets the page.
 */
export const ALIASES: readonly (readonly [bare: string, full: string, only?: Method | 'unless a page is asked for'])[] =
  [
    ['/actions', '/api/v1/actions'],
    ['/admin/prompts', '/api/v1/admin/prompts', 'unless a page is asked for'],
    ['/api/jobs', '/api/v1/jobs'],
    ['/api/version', '/api/v1/version'],
    ['/share/create', '/api/v1/share/create'],
    ['/share/list', '/api/v1/share/list'],
    // A GET is the page that a link opens.
    ['/share', '/api/v1/share', 'DELETE'],
  ];
