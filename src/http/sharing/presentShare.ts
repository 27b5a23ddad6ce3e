/**
 * Shared links as their owner manages them, and what a visitor gets: only what is shared and, in a preview, nothing
 * that is locked.
 */
import { shareToken } from '../../commands/share/shareTokens.ts';
import { hashToken } from '../../commands/tokens.ts';
import { isOpen, titleForVisitors } from '../../domain/share/share.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import type { ShareEntry } from '../../projections/shares.ts';
import type { ActionView } from '../contract/actions.ts';
import type { SharedView, ShareItem } from '../contract/share.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { presentAction, presentStats, tasksOf, visibleItems } from '../present/action.ts';
import { presentSettings } from '../present/job.ts';
import { previewItems } from '../present/previewFiles.ts';
import { accessOf, type OpenShare } from './openShare.ts';

/** A link with action items opens on the dashboard, others on the texts; each token opens both pages. */
export function shareUrlOf(appUrl: string, sharedContent: readonly string[], token: string): string {
  const page = sharedContent.includes('actions') ? 'shared' : 'share';
  return `${appUrl.replace(/\/$/, '')}/${page}/${token}`;
}

export function presentShare(
  jobId: string,
  share: ShareEntry,
  at: { readonly appUrl: string; readonly secret: string; readonly now: string },
): ShareItem {
  const token = shareToken(at.secret, jobId, share.shareId);
  return {
    id: share.shareId,
    title: share.title,
    description: share.description,
    created_at: share.createdAt,
    view_count: share.views,
    expires_at: share.expiresAt,
    is_active: share.revokedAt === null,
    shared_content: [...share.sharedContent],
    share_mode: share.mode,
    // Only one that opens: neither an ended link, nor what another key makes of this one.
    shareUrl:
      isOpen(share, at.now) && hashToken(token) === share.tokenHash
        ? shareUrlOf(at.appUrl, share.sharedContent, token)
        : null,
    job_id: jobId,
    preview_views: share.previewViews,
    sign_up_clicks: share.signUpClicks,
    sign_ups: share.signUps,
  };
}

export async function presentShared(
  deps: Pick<HttpDeps, 'readModels' | 'reports'>,
  { share, job }: OpenShare,
): Promise<SharedView> {
  const { readModels } = deps;
  const shows = (part: ShareEntry['sharedContent'][number]): boolean => share.sharedContent.includes(part);
  const access = accessOf(share, job);
  const [board, summary, items] = await Promise.all([
    getBoard(readModels, job.jobId),
    shows('executive_summary') ? getJobFile(readModels, job.jobId, 'executive-summary.md') : null,
    shows('actions') ? getJobFile(readModels, job.jobId, 'action-items.md') : null,
  ]);
  const actions =
    shows('actions') && board
      ? visibleItems(board.data, access).map((item) => forVisitors(presentAction(job.jobId, item)))
      : [];
  const total = shows('actions') ? tasksOf(board?.data.items ?? []).length : 0;
  return {
    title: titleForVisitors(share, job.host),
    description: share.description,
    createdAt: share.createdAt,
    expiresAt: share.expiresAt,
    viewCount: share.views,
    sharedContent: [...share.sharedContent],
    metadata: { url: shows('job_metadata') ? job.url : null },
    content: {
      ...(summary ? { 'Executive Summary': summary.data.content } : {}),
      ...(items
        ? { 'Action Items': access === 'full' ? items.data.content : previewItems(deps, board?.data ?? null) }
        : {}),
    },
    actions,
    stats: shows('actions') ? presentStats(board?.data.items ?? [], job.access) : null,
    executiveSummary: summary?.data.content ?? null,
    jobId: shows('job_metadata') ? job.jobId : null,
    job: shows('job_metadata') ? factsOf(job) : null,
    isPreview: access === 'preview',
    previewMode: { actionsShown: actions.filter(({ optional }) => !optional).length, totalActions: total },
  };
}

function factsOf(job: JobDocument): SharedView['job'] {
  const { url, createdAt, completedAt, status, score, notJudged, pagesDone } = job;
  const reason = status === 'failed' ? null : job.reason;
  const judged = { score, not_judged: notJudged, settings: presentSettings(job) };
  return { url, created_at: createdAt, completed_at: completedAt, status, reason, ...judged, pages_done: pagesDone };
}

/** Without the owner's working notes, and without the audit's id. */
const forVisitors = (action: ActionView): ActionView => ({
  ...action,
  job_id: '',
  notes: null,
  effectiveness_rating: null,
  last_verification: null,
  previous_status: null,
});
