/** Every route of the API, sorted by path and method. What is not in this list does not exist. */
import type { AnyRoute, Method } from '../route.ts';
import { deleteOwnAccount, exportAccount, getAccountDeletion } from './account.ts';
import { setProgress, undoMove, verifyAction } from './actionItems.ts';
import { checkJob, exportActions, getActions, getStats, subscribeActions } from './actions.ts';
import { deleteAnalysis, generateSummary, getAnalyses, getJobReworks, parseActions, regenerateActions } from './analyses.ts';
import { deleteApiKey, getApiKeys, postApiKey } from './apiKeys.ts';
import { getProfile, login, logout, refresh, signup } from './auth.ts';
import { getFile } from './files.ts';
import { cancelOneJob, deleteAllJobs, deleteOneJob, getJobs, getOneJob } from './jobs.ts';
import { processBatch, processOne } from './process.ts';
import { askReset, getAuthSession, updatePassword, verifyRecovery } from './recovery.ts';
import { compareTwoRuns, getRuns } from './runs.ts';
import { getSample } from './sample.ts';
import { changeEmail, changePassword, deleteSession, getMailPreferences, getSessions, logoutEverywhere, putMailPreferences, unsubscribe } from './security.ts';
import { createOneShare, getShared, getShareState, listAllShares, previewCtaClicked, previewViewed, revokeOneShare } from './share.ts';
import { getStatus, getVersion } from './status.ts';
import { getSubscriptionHistory, getSubscriptionStatus } from './subscription.ts';
import { deleteWebhook, getDeliveries, getWebhooks, postWebhook, putWebhook, redeliverOne, rotateSecret, testWebhook } from './webhooks.ts';

export const ROUTES: readonly AnyRoute[] = [
  deleteOwnAccount,
  getAccountDeletion,
  exportAccount,
  getActions,
  getAnalyses,
  deleteAnalysis,
  checkJob,
  exportActions,
  parseActions,
  getStats,
  subscribeActions,
  setProgress,
  undoMove,
  verifyAction,
  previewCtaClicked,
  previewViewed,
  getApiKeys,
  postApiKey,
  deleteApiKey,
  changeEmail,
  changePassword,
  login,
  logout,
  logoutEverywhere,
  getMailPreferences,
  putMailPreferences,
  getProfile,
  refresh,
  askReset,
  getAuthSession,
  getSessions,
  deleteSession,
  signup,
  getSubscriptionHistory,
  updatePassword,
  verifyRecovery,
  deleteAllJobs,
  getJobs,
  deleteOneJob,
  getOneJob,
  cancelOneJob,
  compareTwoRuns,
  getFile,
  generateSummary,
  regenerateActions,
  getJobReworks,
  getRuns,
  unsubscribe,
  processOne,
  processBatch,
  getSample,
  createOneShare,
  listAllShares,
  revokeOneShare,
  getShared,
  getShareState,
  getStatus,
  getSubscriptionStatus,
  getVersion,
  getWebhooks,
  postWebhook,
  deleteWebhook,
  putWebhook,
  getDeliveries,
  redeliverOne,
  rotateSecret,
  testWebhook,
];

/** Paths that also answer without `/api/v1`, each with everything below it, some for one method alone. The web app's own pages (`/dashboard/actions`) are not among them. */
export const ALIASES: readonly (readonly [bare: string, full: string, method?: Method])[] = [
  ['/actions', '/api/v1/actions'],
  ['/api/jobs', '/api/v1/jobs'],
  ['/api/version', '/api/v1/version'],
  ['/share/create', '/api/v1/share/create'],
  ['/share/list', '/api/v1/share/list'],
  // A GET of it is the page that a link opens.
  ['/share', '/api/v1/share', 'DELETE'],
];
