/** A visitor on the page of a shared link: no session, one link. They are notified when the link stops opening, and of nothing else. */
import { isOpen } from '../../domain/share/share.ts';
import type { ShareEntry } from '../../projections/shares.ts';
import type { RateLimiter } from '../server/rateLimits.ts';
import { openShare, openShareFor } from '../sharing/openShare.ts';
import type { Hub, RealtimeDeps } from './hub.ts';

export type Visit = {
  /** Checks whether the link has expired. */
  check(): void;
  stop(): void;
};

type Surroundings = { readonly deps: RealtimeDeps; readonly hub: Hub; readonly limiter: RateLimiter; readonly address: string };

/** A longer timer could exceed the platform's maximum and fire at once. */
const LONGEST_TIMER_MS = 60 * 60 * 1_000;

/**
 * Null if the token opens nothing. `onEnded` is called once, when the link has been revoked or has expired, or its audit or account was deleted.
 * @throws HttpError RATE_LIMITED
 */
export async function openVisit({ deps, hub, limiter, address }: Surroundings, token: string, onEnded: () => void): Promise<Visit | null> {
  const open = await openShareFor(deps, limiter, address, token);
  if (!open) return null;
  let share: ShareEntry = open.share;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    unfollow();
  }
  function end(): void {
    if (isOver) return;
    stop();
    onEnded();
  }
  function check(): void {
    clearTimeout(timer);
    if (isOver) return;
    const now = deps.now();
    if (!isOpen(share, now)) end();
    else if (share.expiresAt !== null) timer = setTimeout(check, Math.min(Date.parse(share.expiresAt) - Date.parse(now), LONGEST_TIMER_MS)).unref();
  }

  const unfollow = hub.followShare({
    jobId: open.job.jobId,
    ownerId: open.job.userId,
    sharesChanged: (shares) => {
      const changed = shares.find(({ shareId }) => shareId === share.shareId);
      if (!changed) return end();
      share = changed;
      check();
    },
    gone: end,
  });
  try {
    // The link may have ended between the check and following it.
    if (!(await openShare(deps, token))) end();
  } catch (error) {
    stop();
    throw error;
  }
  check();
  return { check, stop };
}
