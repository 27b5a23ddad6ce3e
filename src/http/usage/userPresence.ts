/**
 * Records user activity: at most once per user every five minutes, without an event and without delaying requests.
 * Losing a record does no harm.
 */
import type { Logger } from 'pino';
import type { Presence } from '../../readModels/presence.ts';

const EVERY_MS = 5 * 60 * 1_000;
/** Cache size. Beyond it the cache is cleared, and some users are recorded once more. */
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
      // Allows for a clock that was set back.
      if (last !== undefined && Math.abs(ms - last) < EVERY_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(userId, ms);
      presence
        .note('user', { id: userId, at, value: '' })
        .catch((error: unknown) => log.warn({ err: error }, 'the activity of a user could not be recorded'));
    },
  };
}
