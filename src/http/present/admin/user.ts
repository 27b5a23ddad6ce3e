/** One user as seen by admins: without hashes, tokens or links that open anything. */
import type { UserThen } from '../../../history/past/userLists.ts';
import { descending } from '../../../model/order.ts';
import type { AccountDocument } from '../../../projections/accounts.ts';
import type { SharesDocument } from '../../../projections/shares.ts';
import type { PastUserView } from '../../contract/admin/pastLists.ts';
import type { AdminAccountView, AdminShareView, AdminUserJob } from '../../contract/admin/users.ts';
import type { JobView } from '../../contract/jobs.ts';
import { emailStateOf } from '../account.ts';
import { type Prices, presentSubscription } from '../billing.ts';

export function presentAdminAccount(account: AccountDocument, mail: boolean): AdminAccountView {
  return { ...account, email_state: emailStateOf(account, mail), created_at: account.createdAt };
}

/** Newest first. */
export function presentAdminShares(documents: readonly SharesDocument[], limit: number): AdminShareView[] {
  return documents
    .flatMap(({ jobId, shares }) => shares.map((share) => ({ ...share, jobId })))
    .sort((a, b) => descending(a.createdAt, b.createdAt))
    .slice(0, limit)
    .map((share) => ({
      id: share.shareId,
      title: share.title,
      created_at: share.createdAt,
      expires_at: share.expiresAt,
      is_active: share.revokedAt === null,
      share_mode: share.mode,
      view_count: share.views,
      job_id: share.jobId,
    }));
}

export function presentAdminUserJob({
  id,
  url,
  host,
  status,
  created_at,
  score,
  not_judged,
  access,
  action_count,
  reason_code,
}: JobView): AdminUserJob {
  return { id, url, host, status, created_at, score, not_judged, access, action_count, reason_code };
}

/** `time`: of the moment. */
export function presentUserThen({ account, bill, ...counted }: UserThen, time: string, prices: Prices): PastUserView {
  return {
    ...account,
    created_at: account.createdAt,
    plan: prices.unlimited ? null : presentSubscription(bill, time, prices).balance.plan,
    jobs: counted.jobs,
    erased_jobs: counted.erasedJobs,
    items: counted.items,
    completed_items: counted.completedItems,
    more: counted.more,
  };
}
