/** The emails of jobs' owners for the rows that admins see: asked for once a user, and kept as they are by the changes of accounts. */
import { type AccountDocument, getAccount } from '../../projections/accounts.ts';
import type { Change } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps.ts';

export type OwnerEmails = {
  /** Calls `then` at once where it is known, else in the order in which it was asked for each user. Null: there is no such account, or it could not be read. */
  ask(userId: string, then: (email: string | null) => void): void;
  changed(account: Pick<Change, 'id' | 'data'>): void;
};

/** Beyond it the memory begins anew. */
const MAX_KNOWN = 10_000;

export function createOwnerEmails({ readModels, log }: Pick<HttpDeps, 'readModels' | 'log'>): OwnerEmails {
  const known = new Map<string, string>();
  const asking = new Map<string, ((email: string | null) => void)[]>();

  /** Whoever waits is told before anything else can ask: rows of one job stay in their order. */
  function answer(userId: string, email: string | null): void {
    if (known.size >= MAX_KNOWN) known.clear();
    // Who is not there may be there in a moment.
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
      // A change of the account may have answered meanwhile, and what was read before it is out of date.
      const found = (read: string | null): void => (asking.get(userId) === own ? answer(userId, read) : undefined);
      getAccount(readModels, userId).then(
        (account) => found(account?.data.email ?? null),
        (error: unknown) => {
          log.warn({ err: error, userId }, 'the email of a job’s owner was not told to admins; it is when their page asks again');
          found(null);
        },
      );
    },
    changed: ({ id, data }) => {
      if (known.has(id) || asking.has(id)) answer(id, (data as AccountDocument | null)?.email ?? null);
    },
  };
}
