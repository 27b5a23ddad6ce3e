/**
 * What a shared link's token currently opens. Unknown, revoked, expired and deleted links are treated alike: as
 * nothing.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { jobIdOfShareToken } from '../../commands/share/shareTokens.ts';
import { isOpen } from '../../domain/share/share.ts';
import type { JobAccess } from '../../model/jobs.ts';
import { getAccount } from '../../projections/accounts.ts';
import { getJob, type JobDocument } from '../../projections/jobs.ts';
import { getShares, type ShareEntry } from '../../projections/shares.ts';
import { mayVisit } from '../auth/policy.ts';
import type { SignupRequest } from '../contract/auth.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { justSharedByToken } from '../routing/justMade.ts';

export type OpenShare = {
  readonly share: ShareEntry;
  readonly job: JobDocument;
};

/** What it shows: a link to all of an audit shows no more of it than its owner sees. */
export function accessOf(share: Pick<ShareEntry, 'mode'>, job: Pick<JobDocument, 'access'>): JobAccess {
  return share.mode === 'full' ? job.access : 'preview';
}

type Deps = Pick<HttpDeps, 'readModels' | 'now'>;

/**
 * The link with that token, whether it opens or not. A deleted audit or account takes its links with it, even before
 * they are erased.
 */
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

type VisitDeps = Deps & Pick<HttpDeps, 'store' | 'log' | 'metrics'>;

async function justMadeShare(
  deps: VisitDeps,
  limiter: RateLimiter,
  address: string,
  token: string,
): Promise<OpenShare | null> {
  await limiter.count('shareMiss', address);
  return (await justSharedByToken(deps, token)) ? findShare(deps, token) : null;
}

/**
 * For a visitor from that address. Limits how many unknown tokens an address can try; ended links do not count, so that
 * a room full of people who had one open all learn that it ended. @throws HttpError RATE_LIMITED, NOT_SHOWN_YET
 */
export async function openShareFor(
  deps: VisitDeps,
  limiter: RateLimiter,
  address: string,
  token: string,
): Promise<OpenShare | null> {
  const found = (await findShare(deps, token)) ?? (await justMadeShare(deps, limiter, address, token));
  return found && mayVisit(found.job.userId, isOpen(found.share, deps.now())) ? found : null;
}

/** Credits a sign-up that came from a shared preview to its link; never delays or fails the sign-up. */
export async function creditSignUp(
  deps: Pick<HttpDeps, 'readModels' | 'now' | 'sharing' | 'log'>,
  campaign: SignupRequest,
  userId: string,
): Promise<void> {
  if (campaign.source !== 'preview' || !campaign.utm_content) return;
  try {
    const open = await openShare(deps, campaign.utm_content);
    if (open)
      deps.sharing.visits.record({
        type: 'ShareSignedUp',
        jobId: open.job.jobId,
        shareId: open.share.shareId,
        visitor: userId,
      });
  } catch (error) {
    deps.log.warn({ err: error }, 'a sign-up from a shared link was not counted');
  }
}
