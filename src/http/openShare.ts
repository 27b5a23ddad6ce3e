/** What a share token opens now. Unknown, revoked, expired and deleted are one and the same: nothing. */
import { hash, timingSafeEqual } from 'node:crypto';
import { jobIdOfShareToken } from '../commands/shareTokens.ts';
import { isOpen } from '../domain/share/share.ts';
import { getJob, type JobDocument } from '../projections/jobs.ts';
import { getShares, type ShareEntry } from '../projections/shares.ts';
import type { SignupRequest } from './contract/auth.ts';
import type { HttpDeps } from './deps.ts';

export type OpenShare = {
  readonly share: ShareEntry;
  readonly job: JobDocument;
};

export async function openShare({ readModels, now }: Pick<HttpDeps, 'readModels' | 'now'>, token: string): Promise<OpenShare | null> {
  const jobId = jobIdOfShareToken(token);
  if (jobId === null) return null;
  const [shares, job] = await Promise.all([getShares(readModels, jobId), getJob(readModels, jobId)]);
  const given = hash('sha256', token, 'buffer');
  const share = shares?.data.shares.find(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, 'hex'), given));
  // An analysis that is deleted takes its links with it, also in the moment before they are erased.
  if (!share || !job || !isOpen(share, now())) return null;
  return { share, job: job.data };
}

/** An account that came from a shared preview is counted with its link; that never stands in the way of the sign-up. */
export async function creditSignUp(deps: Pick<HttpDeps, 'readModels' | 'now' | 'sharing' | 'log'>, campaign: SignupRequest, userId: string): Promise<void> {
  if (campaign.source !== 'preview' || !campaign.utm_content) return;
  try {
    const open = await openShare(deps, campaign.utm_content);
    if (open) deps.sharing.visits.record({ type: 'ShareSignedUp', jobId: open.job.jobId, shareId: open.share.shareId, visitor: userId });
  } catch (error) {
    deps.log.warn({ err: error }, 'a sign-up from a share was not counted');
  }
}
