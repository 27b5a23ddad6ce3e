/**
 * Counts uses of shared links: each visitor once per day and link, distinguished by a keyed hash that exists only in
 * this process's memory. The first is written at once, and those that follow within a minute as one event, so a link
 * writes at most about one event per minute and kind. A killed process loses the counts of its last minute.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { CommandContext } from '../../commands/context.ts';
import { recordShareVisits } from '../../commands/share/recordShareVisits.ts';
import type { ShareVisitEvent } from '../../domain/share/events.ts';
import { createWindowCounts } from './windowCounts.ts';

export type ShareVisit = {
  readonly type: ShareVisitEvent['type'];
  readonly jobId: string;
  readonly shareId: string;
  /** An address; never stored as is. */
  readonly visitor: string;
};

export type ShareVisits = {
  /** Never fails or blocks. False if the visitor was already counted today. */
  record(visit: ShareVisit): boolean;
  /** Writes the pending counts. */
  close(): Promise<void>;
};

export type ShareVisitsDeps = {
  readonly context: () => CommandContext;
  readonly log: Pick<Logger, 'warn'>;
  readonly windowMs?: number;
};

const WINDOW_MS = 60_000;
/** Maximum number of remembered visitors; beyond it all are forgotten, and some count twice. */
const MAX_SEEN = 50_000;

export function createShareVisits({ context, log, windowMs = WINDOW_MS }: ShareVisitsDeps): ShareVisits {
  const key = randomBytes(32);
  const counts = createWindowCounts<Omit<ShareVisit, 'visitor'>>({
    now: () => context().now(),
    windowMs,
    write: ({ of, count }) =>
      recordShareVisits(context(), { ...of, count }).catch((error: unknown) => {
        log.warn({ err: error, shareId: of.shareId, count }, 'visits of a shared link were lost');
      }),
  });
  let seen = new Set<string>();
  let day = '';

  function isNew({ type, shareId, visitor }: ShareVisit, today: string): boolean {
    if (today !== day || seen.size >= MAX_SEEN) seen = new Set();
    day = today;
    const hash = createHmac('sha256', key)
      .update(JSON.stringify([today, type, shareId, visitor]))
      .digest('base64url');
    if (seen.has(hash)) return false;
    seen.add(hash);
    return true;
  }

  return {
    record: (given) => {
      if (!isNew(given, context().now().slice(0, 10))) return false;
      const { visitor: _, ...visit } = given;
      counts.add(`${visit.type} ${visit.shareId}`, visit);
      return true;
    },
    close: () => counts.close(),
  };
}
