/** Notes who uses the product: at most once a user and five minutes, in no event and never in the way of a request. A note that is lost costs nothing. */
import type { Logger } from 'pino';
import type { Presence } from '../../readModels/presence.ts';

const EVERY_MS = 5 * 60 * 1_000;
/** Users who are remembered; beyond it the memory begins anew, and some are noted once more. */
const MAX_REMEMBERED = 10_000;

export type UserPresence = { note(userId: string): void };

export type UserPresenceDeps = {
  readonly presence: Pick<Presence, 'note'>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly log: Pick<Logger, 'warn'>;
};

export function createUserPresence({ presence, now, log }: UserPresenceDeps): UserPresence {
  const noted = new Map<string, number>();
  return {
    note(userId) {
      const at = now();
      const ms = Date.parse(at);
      const last = noted.get(userId);
      // A clock that was set back makes nobody wait for it.
      if (last !== undefined && Math.abs(ms - last) < EVERY_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(userId, ms);
      presence.note('user', { id: userId, at, value: '' }).catch((error: unknown) => log.warn({ err: error }, 'the use of the product could not be noted'));
    },
  };
}
