/** Emails of job owners for the rows that admins see: read once per user, and kept up to date by account changes. */
import { type AccountDocument, getAccount } from '../../projections/accounts.ts';
import type { Change } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';

export type OwnerEmails = {
  /**
   * Calls `then` at once if the email is known, otherwise in request order per user. Null if there is no such account,
   * or it could not be read.
   */
  ask(userId: string, then: (email: string | null) => void): void;
  changed(account: Pick<Change, 'id' | 'data'>): void;
};

/** Cache size, beyond which the cache is cleared. */
const MAX_KNOWN = 10_000;

export function createOwnerEmails({ readModels, log }: Pick<HttpDeps, 'readModels' | 'log'>): OwnerEmails {
  const known = new Map<string, string>();
  const asking = new Map<string, ((email: string | null) => void)[]>();

  /** Calls all waiting callbacks before a new request can be made, so that the rows of one job stay in order. */
  function answer(userId: string, email: string | null): void {
    if (known.size >= MAX_KNOWN) known.clear();
    // An account that does not exist yet may exist in a moment.
    if (email === null) known.delete(userId);
    else known.set(userId, email);
    const waiting = asking.get(userId) ?? [];
    asking.delete(userId);
    for (const then of waiting) then(email);
  }

  return {
    ask: (userId, then) => {
      const email = known.get(userId);
      if (email !== undefined) return then(email);
      const waiting = asking.get(userId);
      if (waiting) return void waiting.push(then);
      const own = [then];
      asking.set(userId, own);
      // An account change may have answered in the meantime, making what was read before it outdated.
      const found = (read: string | null): void => (asking.get(userId) === own ? answer(userId, read) : undefined);
      getAccount(readModels, userId).then(
        (account) => found(account?.data.email ?? null),
        (error: unknown) => {
          log.warn(
            { err: error, userId },
            'the email of a job’s owner was not sent to admins; their pages load it with the next request',
          );
          found(null);
        },
      );
    },
    changed: ({ id, data }) => {
      if (known.has(id) || asking.has(id)) answer(id, (data as AccountDocument | null)?.email ?? null);
    },
  };
}
