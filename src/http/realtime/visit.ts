/**
 * A visitor on the page of a shared link: no session, one link. They are notified when the link stops opening or shows
 * more, and of nothing else.
 */
import { isOpen } from '../../domain/share/share.ts';
import type { JobAccess } from '../../model/jobs.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { accessOf, type OpenShare, openShare, openShareFor } from '../sharing/openShare.ts';
import type { Hub, RealtimeDeps } from './hub.ts';

export type Visit = {
  /** What the link shows now. */
  access(): JobAccess;
  /** Checks whether the link has expired. */
  check(): void;
  stop(): void;
};

type Listeners = {
  /** Called once, when the link has been revoked or has expired, or its audit or account was deleted. */
  readonly onEnded: () => void;
  /** Called when the link shows more than before. */
  readonly onAccess: (access: JobAccess) => void;
};

type Surroundings = {
  readonly deps: RealtimeDeps;
  readonly hub: Hub;
  readonly limiter: RateLimiter;
  readonly address: string;
};

/** A longer timer could exceed the platform's maximum and fire at once. */
const LONGEST_TIMER_MS = 60 * 60 * 1_000;

/**
 * Null if the token opens nothing.
 * @throws HttpError RATE_LIMITED
 */
export async function openVisit(
  { deps, hub, limiter, address }: Surroundings,
  token: string,
  { onEnded, onAccess }: Listeners,
): Promise<Visit | null> {
  const open = await openShareFor(deps, limiter, address, token);
  if (!open) return null;
  let current: OpenShare = open;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const access = (): JobAccess => accessOf(current.share, current.job);
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
    const { share } = current;
    if (!isOpen(share, now)) end();
    else if (share.expiresAt !== null)
      timer = setTimeout(check, Math.min(Date.parse(share.expiresAt) - Date.parse(now), LONGEST_TIMER_MS)).unref();
  }

  /** The link and its audit come from two read models: the visitor is notified once both know of an unlock. */
  function update(change: Partial<OpenShare>): void {
    const before = access();
    current = { ...current, ...change };
    if (access() !== before) onAccess(access());
  }

  const unfollow = hub.followShare({
    jobId: open.job.jobId,
    ownerId: open.job.userId,
    sharesChanged: (shares) => {
      const changed = shares.find(({ shareId }) => shareId === open.share.shareId);
      if (!changed) return end();
      update({ share: changed });
      check();
    },
    jobChanged: (changed) => update({ job: changed }),
    gone: end,
  });
  try {
    // The link may have ended between the check and following it.
    const now = await openShare(deps, token);
    if (now) current = now;
    else end();
  } catch (error) {
    stop();
    throw error;
  }
  check();
  return { access, check, stop };
}
