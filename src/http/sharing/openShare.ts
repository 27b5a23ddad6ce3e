/** What a share token opens now. Unknown, revoked, expired and deleted are one and the same: nothing. */
import { hash, timingSafeEqual } from 'node:crypto';
import { jobIdOfShareToken } from '../../commands/share/shareTokens.ts';
import { isOpen } from '../../domain/share/share.ts';
import { getAccount } from '../../projections/accounts.ts';
import { getJob, type JobDocument } from '../../projections/jobs.ts';
import { getShares, type ShareEntry } from '../../projections/shares.ts';
import { mayVisit } from '../auth/policy.ts';
import type { SignupRequest } from '../contract/auth.ts';
import type { HttpDeps } from '../deps.ts';
import type { RateLimiter } from '../server/rateLimits.ts';

export type OpenShare = {
  readonly share: ShareEntry;
  readonly job: JobDocument;
};

type Deps = Pick<HttpDeps, 'readModels' | 'now'>;

/** The link with that token, whether it opens or not. An analysis or account that is deleted takes its links with it, also in the moment before they are erased. */
async function findShare({ readModels }: Deps, token: string): Promise<OpenShare | null> {
  const jobId = jobIdOfShareToken(token);
  if (jobId === null) return null;
  const [shares, job] = await Promise.all([getShares(readModels, jobId), getJob(readModels, jobId)]);
  const given = hash('sha256', token, 'buffer');
  const share = shares?.data.shares.find(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, 'hex'), given));
  return share && job && (await getAccount(readModels, job.data.userId)) ? { share, job: job.data } : null;
}

export async function openShare(deps: Deps, token: string): Promise<OpenShare | null> {
  const found = await findShare(deps, token);
  return found && mayVisit(found.job.userId, isOpen(found.share, deps.now())) ? found : null;
}

/**
 * For a visitor from that address. Who tries many tokens that were never given out is let look at no more of them; a link that has ended is no guess,
 * so that a room full of people who had it open all learn that it has. @throws HttpError RATE_LIMITED
 */
export async function openShareFor(deps: Deps, limiter: RateLimiter, address: string, token: string): Promise<OpenShare | null> {
  const found = await findShare(deps, token);
  if (!found) await limiter.count('shareMiss', address);
  return found && mayVisit(found.job.userId, isOpen(found.share, deps.now())) ? found : null;
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
